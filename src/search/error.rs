//! Why a search ends early.

use std::fmt;

/// Why a search ended early. After an evaluator's error or an interrupt, trees are as they were before the
/// last leaf batch.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchError<E> {
    /// The evaluator failed.
    Evaluator(E),
    /// Its numbers cannot be used.
    Evaluation(EvaluationError),
    /// The caller interrupted it.
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

/// An evaluation that no search can use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EvaluationError {
    /// There are not as many numbers as positions and actions ask for.
    Length {
        /// The number of positions.
        leaves: usize,
        /// The number of actions of each.
        actions: usize,
        /// How many logits there were.
        logits: usize,
        /// How many values there were.
        values: usize,
    },
    /// The value of a position is no number from -1 to 1.
    Value {
        /// The position's index.
        leaf: usize,
        /// What was given.
        value: f32,
    },
    /// A legal action's logit is NaN or infinite, or those of all legal actions are `-inf`.
    Logit {
        /// The position's index.
        leaf: usize,
        /// The action; `None` if there is none with a logit above `-inf`.
        action: Option<usize>,
        /// What was given.
        logit: f32,
    },
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { leaves, actions, logits, values } => write!(
                f,
                "{leaves} positions of {actions} actions need as many rows of logits and values, not \
                 {logits} logits and {values} values"
            ),
            Self::Value { leaf, value } => {
                write!(f, "the value of position {leaf} is {value}: it must be from -1 to 1")
            }
            Self::Logit { leaf, action: Some(action), logit } => write!(
                f,
                "the logit of action {action} in position {leaf} is {logit}: it must be a number, or \
                 -inf to leave the action out"
            ),
            Self::Logit { leaf, action: None, .. } => {
                write!(f, "the logits of all legal actions in position {leaf} are -inf")
            }
        }
    }
}

impl std::error::Error for EvaluationError {}
