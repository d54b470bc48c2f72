//! What a batch refuses.

use std::fmt;

use crate::error::PlayError;
use crate::geometry::BoardSize;

/// The action of one game that was refused.
///
/// ```
/// use sixplane::batch::{BatchError, GameBatch, Refusal};
/// use sixplane::{Game, Go, PlayError};
///
/// let mut batch = GameBatch::new(&Go::new(5)?, 2, 1, None);
/// let refusal = Refusal { index: 1, action: 26, error: PlayError::OffBoard };
/// assert_eq!(batch.play(&[0, 26], None), Err(BatchError::Illegal(vec![refusal])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The number of the game in the batch.
    pub index: usize,
    /// The action.
    pub action: i64,
    /// Why it was refused.
    pub error: PlayError,
}

/// Why a batch cannot be made, or did nothing.
///
/// ```
/// use sixplane::batch::GameBatch;
/// use sixplane::{Game, Go};
///
/// let mut batch = GameBatch::new(&Go::new(5)?, 2, 1, None);
/// let error = batch.play(&[0, 99], None).unwrap_err();
/// assert_eq!(error.to_string(), "1 illegal action: 99 in game 1 (off_board)");
/// let error = batch.play(&[0, 1, 2], None).unwrap_err();
/// assert_eq!(error.to_string(), "3 actions for 2 games: one for each is needed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchError {
    /// There must be one action for each game.
    Length {
        /// The number of games.
        games: usize,
        /// The number of actions given.
        actions: usize,
    },
    /// These actions may not be played, in ascending order of the games.
    Illegal(Vec<Refusal>),
    /// The game with this number is over.
    GameOver(usize),
    /// The batch has no game with this number.
    NoSuchGame(usize),
    /// A batch cannot be made of no games.
    NoGames,
    /// The board of a game must have this size.
    OtherSize(BoardSize),
    /// Sizes, rules or move limits of games differ.
    OtherKind,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { games, actions } => {
                write!(f, "{actions} actions for {games} games: one for each is needed")
            }
            Self::Illegal(refusals) => {
                let shown = refusals.iter().take(5).map(|Refusal { index, action, error }| {
                    // An integer too large for an `i64` stands here as the largest one.
                    let more = if *action == i64::MAX { " or more" } else { "" };
                    format!("{action}{more} in game {index} ({})", error.reason())
                });
                let (count, shown) = (refusals.len(), shown.collect::<Vec<_>>().join(", "));
                let plural = if count == 1 { "" } else { "s" };
                let more = if count > 5 { ", ..." } else { "" };
                write!(f, "{count} illegal action{plural}: {shown}{more}")
            }
            Self::GameOver(index) => write!(f, "nobody can resign game {index}: it is over"),
            Self::NoSuchGame(index) => write!(f, "the batch has no game {index}"),
            Self::NoGames => f.write_str("a batch needs at least one game"),
            Self::OtherSize(size) => write!(f, "a game of size {size} is needed"),
            Self::OtherKind => {
                f.write_str("the games of a batch must have the same size, rules and max_moves")
            }
        }
    }
}

impl std::error::Error for BatchError {}
