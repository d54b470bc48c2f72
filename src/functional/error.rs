//! Why a function on planes has no answer.

use thiserror::Error;

use crate::error::PlayError;
use crate::geometry::{Action, BoardSize, Point};

/// Why an array is not six planes of a position, or an action has no next state.
///
/// ```
/// use sixplane::functional::{PlanesError, areas};
/// use sixplane::{Color, Game, Go, Point};
///
/// let mut planes = Go::from_text("X.\n..", Color::White)?.planes().to_owned();
/// planes[[1, 0, 0]] = 1; // a white stone on the black one
/// assert_eq!(areas(&planes.view()), Err(PlanesError::Overlap(Point { row: 0, col: 0 })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanesError {
    /// Its shape is not that of six planes with sides from 2 to 25; the shape it has.
    #[error(
        "the shape must be (6, rows, cols), of a batch (B, 6, rows, cols), \
         with rows and columns from {} to {}, not {}",
        BoardSize::MIN, BoardSize::MAX, shape(.0)
    )]
    Shape(Vec<usize>),
    /// The output is not of the shape that the planes call for, or has gaps in memory.
    #[error("the output must be contiguous and have the shape {}, not {}", shape(.wanted), shape(.given))]
    Output {
        /// The shape wanted.
        wanted: Vec<usize>,
        /// The shape given.
        given: Vec<usize>,
    },
    /// There are not as many actions as boards.
    #[error("there must be one action for each of {boards} boards, not {actions}")]
    Actions {
        /// The boards.
        boards: usize,
        /// The actions.
        actions: usize,
    },
    /// A point holds stones of both colors.
    #[error("row {}, column {} holds a black and a white stone", .0.row, .0.col)]
    Overlap(Point),
    /// The action may not be played.
    #[error("{}", Self::illegal(*.action, *.size, *.why))]
    Illegal {
        /// The action.
        action: Action,
        /// The size of the board.
        size: BoardSize,
        /// Why not. A point that the invalid plane marks is forbidden by `"suicide"` if a stone would
        /// have no liberty, else by `"ko"`, whatever the maker of the planes meant.
        why: PlayError,
    },
}

impl PlanesError {
    /// Why an action may not be played, at its point if that is what matters.
    fn illegal(action: Action, size: BoardSize, why: PlayError) -> String {
        match (why, size.point(action)) {
            (PlayError::Occupied | PlayError::Forbidden(_), Some(Point { row, col })) => {
                format!("invalid move at row {row}, column {col}: {}", why.reason())
            }
            (PlayError::OffBoard, _) => {
                let (action, pass) = (action.index(), size.pass().index());
                format!("action {action} is not from 0 to {pass} on a {size} board")
            }
            _ => why.to_string(),
        }
    }
}

fn shape(sides: &[usize]) -> String {
    let sides: Vec<String> = sides.iter().map(ToString::to_string).collect();
    format!("({})", sides.join(", "))
}

/// Why one board of many, or all of them, have no answer.
///
/// ```
/// use ndarray::Array4;
/// use sixplane::functional::batch_areas;
///
/// let mut boards = Array4::<u8>::zeros((3, 6, 3, 3));
/// boards.slice_mut(ndarray::s![2, ..2, 0, 0]).fill(1);
/// let error = batch_areas(&boards.view()).unwrap_err();
/// assert_eq!(error.to_string(), "batch index 2: row 0, column 0 holds a black and a white stone");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{error}", .index.map(|index| format!("batch index {index}: ")).unwrap_or_default())]
pub struct BoardError {
    /// The index in the batch, the lowest if several are at fault; `None` if the batch as a whole is.
    pub index: Option<usize>,
    /// What is wrong there.
    pub error: PlanesError,
}

impl From<PlanesError> for BoardError {
    fn from(error: PlanesError) -> Self {
        Self { index: None, error }
    }
}
