//! Why a search ends early.

use thiserror::Error;

/// Why a search ended early. After an evaluator's error or an interrupt, trees have nothing of the last leaf
/// batch but simulations that needed no evaluation: those that ended in finished or proven positions.
///
/// ```
/// use sixplane::search::{Search, SearchError, Settings};
/// use sixplane::{Game, Go};
///
/// let mut search = Search::new(&Go::new(5)?, Settings::default(), 1)?;
/// assert_eq!(search.run(&mut || true), Err(SearchError::Interrupted));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SearchError<E> {
    /// The evaluator failed.
    #[error("{0}")]
    Evaluator(E),
    /// Its numbers cannot be used, and why: there are too few or too many, a value is not allowed, a
    /// legal action's logit is NaN or +inf, or those of all legal actions are `-inf`.
    #[error("{0}")]
    Evaluation(String),
    /// The caller interrupted it.
    #[error("the search was interrupted")]
    Interrupted,
    /// There is no memory for more nodes or leaves.
    #[error("{0}")]
    NoMemory(#[from] NoMemory),
}

/// The system has no memory for the tree of a search.
///
/// ```
/// use sixplane::search::{Cache, NoMemory};
///
/// assert_eq!(Cache::new(usize::MAX).err(), Some(NoMemory));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no memory for the tree of the search: a smaller max_nodes limits it")]
pub struct NoMemory;
