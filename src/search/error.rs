//! Why a search ends early.

use std::fmt;

/// Why a search ended early. After an evaluator's error or an interrupt, trees are as they were before the
/// last leaf batch.
///
/// ```
/// use sixplane::search::{Search, SearchError, Settings};
/// use sixplane::{Game, Go};
///
/// let mut search = Search::new(&Go::new(5)?, Settings::default(), 1)?;
/// assert_eq!(search.run(&mut || true), Err(SearchError::Interrupted));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum SearchError<E> {
    /// The evaluator failed.
    Evaluator(E),
    /// Its numbers cannot be used, and why: there are too few or too many, a value is not from -1 to 1, a
    /// legal action's logit is NaN or infinite, or those of all legal actions are `-inf`.
    Evaluation(String),
    /// The caller interrupted it.
    Interrupted,
    /// There is no memory for more nodes or leaves.
    NoMemory,
}

impl<E: fmt::Display> fmt::Display for SearchError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evaluator(error) => error.fmt(f),
            Self::Evaluation(reason) => f.write_str(reason),
            Self::Interrupted => f.write_str("the search was interrupted"),
            Self::NoMemory => NoMemory.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for SearchError<E> {}

/// The system has no memory for the tree of a search.
///
/// ```
/// use sixplane::search::{Cache, NoMemory};
///
/// assert_eq!(Cache::new(usize::MAX).err(), Some(NoMemory));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMemory;

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no memory for the tree of the search: a smaller max_nodes limits it")
    }
}

impl std::error::Error for NoMemory {}

impl<E> From<NoMemory> for SearchError<E> {
    fn from(_: NoMemory) -> Self {
        Self::NoMemory
    }
}
