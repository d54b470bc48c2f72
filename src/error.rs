//! Why something cannot be played, replayed or taken back.

use std::borrow::Cow;

use thiserror::Error;

use crate::geometry::Action;

/// Why an action may not be played: the first that holds.
///
/// ```
/// use sixplane::{Color, Game, Go, PlayError};
///
/// let game = Go::from_text("
///     . X
///     X .", Color::White)?;
/// let error = game.check(0.into()).unwrap_err();
/// assert_eq!((error, error.reason()), (PlayError::Forbidden("suicide"), "suicide"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum PlayError {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// No such action on this board.
    #[error("no such action on this board")]
    OffBoard,
    /// The player may not pass here.
    #[error("a pass is not allowed here")]
    PassNotAllowed,
    /// A stone is there.
    #[error("the point is occupied")]
    Occupied,
    /// A rule of the particular game, by name.
    #[error("{}", in_words(.0))]
    Forbidden(&'static str),
}

fn in_words(rule: &str) -> Cow<'static, str> {
    match rule {
        // No rule of these names is known to players.
        "no_flip" => "it flips no disc".into(),
        "no_support" => "the point below is empty".into(),
        _ => format!("forbidden by the rule of {rule}").into(),
    }
}

impl PlayError {
    /// The reason as one word, such as `"occupied"`.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::GameOver => "game_over",
            Self::OffBoard => "off_board",
            Self::PassNotAllowed => "pass_not_allowed",
            Self::Occupied => "occupied",
            Self::Forbidden(rule) => rule,
        }
    }
}

/// An action of a sequence that could not be played.
///
/// ```
/// use sixplane::{Game, Go, PlayError};
///
/// let error = Go::new(5)?.replay([12, 12].map(Into::into)).unwrap_err();
/// assert_eq!((error.index, error.error), (1, PlayError::Occupied));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("action {} at index {index}: {error}", .action.index())]
pub struct ReplayError {
    /// Its place in the sequence, from 0.
    pub index: usize,
    /// The action.
    pub action: Action,
    /// Why not.
    pub error: PlayError,
}

/// There is nothing to take back: the game is at its start.
///
/// ```
/// use sixplane::{Game, Go, UndoError};
///
/// assert_eq!(Go::new(5)?.undo(), Err(UndoError));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("nothing to undo: the game is at its start")]
pub struct UndoError;
