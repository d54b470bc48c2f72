//! The random player.

use crate::game::Game;
use crate::geometry::Action;
use crate::playout::{Playouts, sample_action};
use crate::random::RandomStream;

/// Plays uniformly random legal actions, leaving out those of the playout filter.
///
/// ```
/// use sixplane::players::random::RandomPlayer;
/// use sixplane::{Game, Go};
///
/// let mut game = Go::new(5)?;
/// let mut player = RandomPlayer::new(1);
/// while !game.is_over() {
///     game.play(player.select_action(&game))?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    rng: RandomStream,
}

impl RandomPlayer {
    /// A player whose choices follow from the seed alone, on every machine.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: RandomStream::new(seed) }
    }

    /// A legal action that the playout filter ([`Playouts::is_filtered`]) does not leave out; the
    /// pass when it leaves out every point.
    ///
    /// Does not check that the game goes on: of a game that is over, it returns the pass.
    pub fn select_action<G: Playouts>(&mut self, game: &G) -> Action {
        self.select_action_avoiding(game, |action| game.is_filtered(action))
    }

    /// A legal action that is not to be avoided; the pass when every point is, or if the game
    /// allows no pass, any legal action.
    ///
    /// ```
    /// use sixplane::players::random::RandomPlayer;
    /// use sixplane::{Game, Gomoku};
    ///
    /// let game = Gomoku::new(5)?;
    /// let mut player = RandomPlayer::new(1);
    /// let in_top_row = |action: sixplane::Action| action.index() < 5;
    /// assert!(in_top_row(player.select_action_avoiding(&game, |action| !in_top_row(action))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select_action_avoiding<G: Game>(
        &mut self,
        game: &G,
        avoid: impl Fn(Action) -> bool,
    ) -> Action {
        sample_action(game, &mut self.rng, |action| !avoid(action))
    }
}
