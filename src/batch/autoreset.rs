//! Autoreset: when a finished game of a batch starts again.

use super::NO_ACTION;
use crate::error::PlayError;

/// When a finished game starts again.
///
/// ```
/// use sixplane::batch::{Autoreset, GameBatch, NO_ACTION, StepOptions};
/// use sixplane::{Game, Go};
///
/// let mut batch = GameBatch::new(&Go::new(3)?, 1, 1, None);
/// let (mut planes, mut masks) = (vec![0; 6 * 9], vec![0; 10]);
/// let options = StepOptions { autoreset: Autoreset::Disabled, ..StepOptions::default() };
/// for action in [9, 9, NO_ACTION] {
///     batch.step(&[action], options, None, &mut planes, &mut masks)?;
/// }
/// assert!(batch.get(0).is_some_and(Game::is_over)); // it stays
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Autoreset {
    /// In the step that finishes it: what the step shows is the new game, and the last planes of
    /// the old one are handed out beside.
    #[default]
    SameStep,
    /// In the step after, which ignores the game's action.
    NextStep,
    /// Never by itself.
    Disabled,
}

impl Autoreset {
    /// Whether a step resets a game that had ended before it; else the game stays as it is.
    ///
    /// # Errors
    /// [`PlayError::GameOver`]: nothing resets the game, and the action is not [`NO_ACTION`].
    pub(super) fn resets_ended(self, action: i64) -> Result<bool, PlayError> {
        match self {
            Self::Disabled if action == NO_ACTION => Ok(false),
            Self::Disabled => Err(PlayError::GameOver),
            Self::SameStep | Self::NextStep => Ok(true),
        }
    }

    /// Whether the step that ends a game resets it, too; else that is for a later step.
    pub(super) fn resets_at_once(self) -> bool {
        self == Self::SameStep
    }
}
