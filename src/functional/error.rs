//! Why a function on planes has no answer.

use std::fmt;

use crate::geometry::{Action, BoardSize, Point};

/// Why an array is not six planes of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanesError {
    /// Its shape is not that of six planes with sides from 2 to 25; the shape it has.
    Shape(Vec<usize>),
    /// The output is not of the shape that the planes call for, or has gaps in memory.
    Output {
        /// The shape wanted.
        wanted: Vec<usize>,
        /// The shape given.
        given: Vec<usize>,
    },
    /// There are not as many actions as boards.
    Actions {
        /// The boards.
        boards: usize,
        /// The actions.
        actions: usize,
    },
    /// A point holds stones of both colors.
    Overlap(Point),
}

impl PlanesError {
    pub(super) fn output(wanted: &[usize], given: &[usize]) -> Self {
        Self::Output { wanted: wanted.to_vec(), given: given.to_vec() }
    }

    pub(super) fn overlap(size: BoardSize, index: usize) -> Self {
        Self::Overlap(Point { row: index / size.cols(), col: index % size.cols() })
    }
}

impl fmt::Display for PlanesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(given) => write!(
                f,
                "the shape must be (6, rows, cols), of a batch (B, 6, rows, cols), \
                 with rows and columns from {} to {}, not {}",
                BoardSize::MIN,
                BoardSize::MAX,
                shape(given)
            ),
            Self::Output { wanted, given } => write!(
                f,
                "the output must be contiguous and have the shape {}, not {}",
                shape(wanted),
                shape(given)
            ),
            Self::Actions { boards, actions } => {
                write!(f, "there must be one action for each of {boards} boards, not {actions}")
            }
            Self::Overlap(Point { row, col }) => {
                write!(f, "row {row}, column {col} holds a black and a white stone")
            }
        }
    }
}

impl std::error::Error for PlanesError {}

fn shape(sides: &[usize]) -> String {
    let sides: Vec<String> = sides.iter().map(ToString::to_string).collect();
    format!("({})", sides.join(", "))
}

/// Why an action has no next state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The planes are no position.
    Planes(PlanesError),
    /// The game is over.
    GameOver,
    /// The board has no such action.
    OffBoard(Action, BoardSize),
    /// A stone is there.
    Occupied(Point),
    /// The invalid plane is set there, and a stone would have no liberty.
    Suicide(Point),
    /// The invalid plane is set there though a stone would have a liberty: a ko, or whatever else
    /// the maker of the planes forbids.
    Ko(Point),
}

impl MoveError {
    /// The one word that Python's `IllegalActionError.reason` has for it; `None` if the planes are
    /// to blame and not the action.
    #[must_use]
    pub const fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Planes(_) => None,
            Self::GameOver => Some("game_over"),
            Self::OffBoard(..) => Some("off_board"),
            Self::Occupied(_) => Some("occupied"),
            Self::Suicide(_) => Some("suicide"),
            Self::Ko(_) => Some("ko"),
        }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (point, why) = match self {
            Self::Planes(error) => return error.fmt(f),
            Self::GameOver => return f.write_str("the game is over"),
            Self::OffBoard(action, size) => {
                let (action, pass) = (action.index(), size.pass().index());
                return write!(f, "action {action} is not from 0 to {pass} on a {size} board");
            }
            Self::Occupied(point) => (point, "occupied"),
            Self::Suicide(point) => (point, "suicide"),
            Self::Ko(point) => (point, "ko"),
        };
        write!(f, "invalid move at row {}, column {}: {why}", point.row, point.col)
    }
}

impl std::error::Error for MoveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Planes(error) => Some(error),
            _ => None,
        }
    }
}

impl From<PlanesError> for MoveError {
    fn from(error: PlanesError) -> Self {
        Self::Planes(error)
    }
}

/// Why one board of many, or all of them, have no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError {
    /// The index in the batch, the lowest if several are at fault; `None` if the batch as a whole is.
    pub index: Option<usize>,
    /// What is wrong there.
    pub error: MoveError,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.index {
            write!(f, "batch index {index}: ")?;
        }
        self.error.fmt(f)
    }
}

impl std::error::Error for BoardError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl From<PlanesError> for BoardError {
    fn from(error: PlanesError) -> Self {
        Self { index: None, error: error.into() }
    }
}
