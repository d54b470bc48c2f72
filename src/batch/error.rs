//! Actions that a batch refuses.

use std::fmt;

use crate::error::PlayError;

/// The entry of an action that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The game's number in the batch.
    pub index: usize,
    /// The action.
    pub action: i64,
    /// Why.
    pub error: PlayError,
}

/// Actions of which some were refused: nothing was played anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchError {
    /// There must be one action for each game.
    Length {
        /// The number of games.
        games: usize,
        /// The number of actions given.
        actions: usize,
    },
    /// These may not be played, in ascending order of the games.
    Illegal(Vec<Refusal>),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { games, actions } => {
                write!(f, "{actions} actions for {games} games: one for each is needed")
            }
            Self::Illegal(refusals) => {
                let count = refusals.len();
                write!(f, "{count} illegal action{}:", if count == 1 { "" } else { "s" })?;
                for (i, refusal) in refusals.iter().take(5).enumerate() {
                    let comma = if i == 0 { "" } else { "," };
                    let Refusal { index, action, error } = refusal;
                    // What was too large for an `i64` stands here as the largest.
                    let more = if *action == i64::MAX { " or more" } else { "" };
                    write!(f, "{comma} {action}{more} in game {index} ({})", error.reason())?;
                }
                if count > 5 { f.write_str(", ...") } else { Ok(()) }
            }
        }
    }
}

impl std::error::Error for BatchError {}
