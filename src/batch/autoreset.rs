//! Autoreset: when a finished game of a batch starts again.

use super::NO_ACTION;
use super::play::Move;
use super::step::BatchStep;
use crate::error::PlayError;
use crate::game::Game;

/// When a finished game starts again.
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
    /// What a step does with a game that was over before it.
    ///
    /// # Errors
    /// [`PlayError::GameOver`]: nothing resets the game, and the action is not [`NO_ACTION`].
    pub(super) fn before_action(self, action: i64) -> Result<Move, PlayError> {
        match self {
            Self::Disabled if action == NO_ACTION => Ok(Move::Stay),
            Self::Disabled => Err(PlayError::GameOver),
            Self::SameStep | Self::NextStep => Ok(Move::Reset),
        }
    }

    /// What a step does with a game that its action has ended: in the same step it starts again, and
    /// its last planes are kept.
    pub(super) fn after_action<G: Game>(
        self,
        index: usize,
        game: &mut G,
        prototype: &G,
        step: &mut BatchStep,
    ) {
        if self == Self::SameStep {
            step.final_index.push(index);
            step.final_planes.extend_from_slice(game.state().planes().cells());
            game.clone_from(prototype);
        }
    }
}
