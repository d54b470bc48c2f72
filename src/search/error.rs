//! Why a search ends early.

use std::fmt;

use super::evaluator::EvaluationError;

/// Why a search ended early. Of an evaluator's errors and interrupts the trees know nothing: they are as
/// if the wave had never begun.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchError<E> {
    /// The evaluator failed.
    Evaluator(E),
    /// What it gave is of no use.
    Evaluation(EvaluationError),
    /// Somebody wanted it to end.
    Interrupted,
    /// There is no memory for more nodes or leaves.
    NoMemory,
}

impl<E: fmt::Display> fmt::Display for SearchError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evaluator(error) => error.fmt(f),
            Self::Evaluation(error) => error.fmt(f),
            Self::Interrupted => f.write_str("the search was interrupted"),
            Self::NoMemory => NoMemory.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for SearchError<E> {}

/// The system has no memory for the tree of a search.
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
