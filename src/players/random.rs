//! The random player.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::Game;
use crate::geometry::Action;
use crate::state::LegalPoints;

/// Plays uniformly random legal actions, leaving out wasteful ones.
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
    rng: Xoshiro256PlusPlus,
}

impl RandomPlayer {
    /// A player whose choices follow from the seed alone, on every machine.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// A legal action that is not [wasteful](Game::is_wasteful); the pass when every point is.
    ///
    /// Does not check that the game goes on: of a game that is over, it returns the pass.
    pub fn select_action<G: Game>(&mut self, game: &G) -> Action {
        self.select_action_avoiding(game, |action| game.is_wasteful(action))
    }

    /// A legal action that is not to be avoided; the pass when every point is, or if the game
    /// allows no pass, any legal action.
    pub fn select_action_avoiding<G: Game>(
        &mut self,
        game: &G,
        avoid: impl Fn(Action) -> bool,
    ) -> Action {
        // Points that are avoided are left out one by one, so that each choice is uniform.
        let legal = *game.state().legal();
        let mut left = legal;
        while let Some(point) = self.draw(&left) {
            if !avoid(Action::new(point)) {
                return Action::new(point);
            }
            left.remove(point);
        }
        let forced = if game.may_pass() { None } else { self.draw(&legal) };
        forced.map_or(game.size().pass(), Action::new)
    }

    fn draw(&mut self, points: &LegalPoints) -> Option<usize> {
        let count = points.count() as u32;
        (count > 0).then(|| points.nth(self.rng.random_range(0..count) as usize))
    }
}
