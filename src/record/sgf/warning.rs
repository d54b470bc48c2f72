//! What a reader says of a record that is not as it should be.

use std::fmt;

use super::error::SgfError;

/// What a reader leaves out of a record, or takes for what it may not mean.
///
/// ```
/// use sixplane::record::sgf::{Collection, WarningKind};
///
/// let collection = Collection::from_text("(;GM[1];B[ee];W[c")?;
/// let warning = &collection.warnings()[0];
/// assert_eq!(warning.kind, WarningKind::Part);
/// assert_eq!(warning.to_string(), "left out: the text ends within a value (at byte 15)");
/// # Ok::<(), sixplane::record::SgfError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfWarning {
    /// What becomes of it.
    pub kind: WarningKind,
    /// Why, and where in the text.
    pub error: SgfError,
}

/// What becomes of something that a record has.
///
/// ```
/// use sixplane::record::sgf::WarningKind;
///
/// assert!(WarningKind::Part.leaves_out() && !WarningKind::Doubt.leaves_out());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningKind {
    /// All is left out from a move on.
    Moves {
        /// The number of the first move left out; that of the record's first move is 1.
        first: usize,
        /// How many moves of the record are left out.
        moves: usize,
    },
    /// Something else is left out: stones, a rule, the end of the text.
    Part,
    /// It is read, but may mean something else.
    Doubt,
}

impl WarningKind {
    /// Whether anything is left out, which strict reading refuses.
    #[must_use]
    pub fn leaves_out(self) -> bool {
        self != Self::Doubt
    }
}

/// Where the game tree of a root ends too early.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) root: u32,
    pub(super) at: u32,
    pub(super) within: &'static str,
}

impl SgfWarning {
    pub(in crate::record) fn part(error: SgfError) -> Self {
        Self { kind: WarningKind::Part, error }
    }

    pub(in crate::record) fn doubt(error: SgfError) -> Self {
        Self { kind: WarningKind::Doubt, error }
    }
}

impl fmt::Display for SgfWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = &self.error;
        match self.kind {
            WarningKind::Moves { first, moves: 0 } => {
                write!(f, "what comes after move {} is left out: {error}", first - 1)
            }
            WarningKind::Moves { first, moves: 1 } => {
                write!(f, "move {first} is left out: {error}")
            }
            WarningKind::Moves { first, moves } => {
                write!(f, "moves {first} to {} are left out: {error}", first + moves - 1)
            }
            WarningKind::Part => write!(f, "left out: {error}"),
            WarningKind::Doubt => write!(f, "{error}"),
        }
    }
}
