//! What a step of a batch does where there is more than one way.

use super::{Autoreset, View};

/// What an illegal action does.
///
/// ```
/// use sixplane::batch::{GameBatch, Illegal, StepOptions};
/// use sixplane::{Game, Gomoku};
///
/// let mut batch = GameBatch::new(&Gomoku::new(5)?, 1, 1, None);
/// let (mut planes, mut masks) = (vec![0; 6 * 25], vec![0; 26]);
/// batch.play(&[12], None)?;
/// let options = StepOptions { illegal: Illegal::Lose, ..StepOptions::default() };
/// let step = batch.step(&[12], options, None, &mut planes, &mut masks)?;
/// assert_eq!(step.results[0].reward, 1.0); // White has lost
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Illegal {
    /// Nothing is played anywhere.
    #[default]
    Refuse,
    /// Its player loses the game. An action off the board is refused all the same.
    Lose,
}

/// What a game that reaches its move limit means to a learner.
///
/// ```
/// use sixplane::batch::{Cutoff, GameBatch, StepOptions};
/// use sixplane::{BoardSize, Game, Go, Rules};
///
/// let game = Go::with_rules(BoardSize::square(3)?, Rules::default(), Some(1))?;
/// let mut batch = GameBatch::new(&game, 1, 1, None);
/// let (mut planes, mut masks) = (vec![0; 6 * 9], vec![0; 10]);
/// let options = StepOptions { cutoff: Cutoff::Truncate, ..StepOptions::default() };
/// let step = batch.step(&[4], options, None, &mut planes, &mut masks)?;
/// assert!(step.results[0].truncated && !step.results[0].terminated());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// The planes are the [history planes](crate::state::State::history_planes) of so many boards, which
    /// begin with the player to play whatever the view.
    pub history: Option<usize>,
    /// After so many actions an episode is truncated, whatever its game says: unlike the move limit,
    /// this is no rule of the game. Steps that have this option are counted.
    pub max_steps: Option<u32>,
}
