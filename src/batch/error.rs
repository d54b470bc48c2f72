//! What a batch refuses.

use thiserror::Error;

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
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BatchError {
    /// There must be one action for each game.
    #[error("{actions} actions for {games} games: one for each is needed")]
    Length {
        /// The number of games.
        games: usize,
        /// The number of actions given.
        actions: usize,
    },
    /// These actions may not be played, in ascending order of the games.
    #[error("{}", listed(.0))]
    Illegal(Vec<Refusal>),
    /// The game with this number is over.
    #[error("nobody can resign game {0}: it is over")]
    GameOver(usize),
    /// The batch has no game with this number.
    #[error("the batch has no game {0}")]
    NoSuchGame(usize),
    /// A batch cannot be made of no games.
    #[error("a batch needs at least one game")]
    NoGames,
    /// The board of a game must have this size.
    #[error("a game of size {0} is needed")]
    OtherSize(BoardSize),
    /// Sizes, rules or move limits of games differ.
    #[error("the games of a batch must have the same size, rules and max_moves")]
    OtherKind,
    /// The rules of a game failed; what the call had played was taken back.
    #[error("the rules of a game failed")]
    Rules,
}

/// The first of the actions that were refused.
fn listed(refusals: &[Refusal]) -> String {
    let shown = refusals.iter().take(5).map(|Refusal { index, action, error }| {
        // An integer too large for an `i64` stands here as the largest one.
        let more = if *action == i64::MAX { " or more" } else { "" };
        format!("{action}{more} in game {index} ({})", error.reason())
    });
    let (count, shown) = (refusals.len(), shown.collect::<Vec<_>>().join(", "));
    let plural = if count == 1 { "" } else { "s" };
    let more = if count > 5 { ", ..." } else { "" };
    format!("{count} illegal action{plural}: {shown}{more}")
}
