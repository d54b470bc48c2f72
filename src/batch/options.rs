//! What a step of a batch does where there is more than one way.

use super::Autoreset;

/// What an illegal action does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Illegal {
    /// Nothing is played anywhere.
    #[default]
    Refuse,
    /// Its player loses the game. An action off the board is refused all the same.
    Lose,
}

/// Whose side planes and rewards are seen from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// The planes are as a game has them, and rewards are Black's.
    #[default]
    Black,
    /// Planes 0 and 1 are the stones of the player to play and of the opponent; rewards go to the
    /// player who has just played.
    Player,
}

/// What a game that reaches its move limit means to a learner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cutoff {
    /// It ended as its score says: `terminated`, with the outcome as reward.
    #[default]
    Adjudicate,
    /// It was cut short: `truncated`, with reward 0.
    Truncate,
}

/// How a step is taken.
///
/// ```
/// use sixplane::batch::{Autoreset, StepOptions, View};
///
/// let options = StepOptions { view: View::Player, ..StepOptions::default() };
/// assert_eq!(options.autoreset, Autoreset::SameStep);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StepOptions {
    /// When a finished game starts again.
    pub autoreset: Autoreset,
    /// What an illegal action does.
    pub illegal: Illegal,
    /// Whose side planes and rewards are seen from.
    pub view: View,
    /// What the move limit means.
    pub cutoff: Cutoff,
}
