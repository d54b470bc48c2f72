//! The random player.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::Game;
use crate::geometry::Action;
use crate::planes::Plane;

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
    candidates: Vec<u16>,
}

impl RandomPlayer {
    /// A player whose choices follow from the seed alone, on every machine.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), candidates: Vec::new() }
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
        let invalid = game.state().planes().plane_cells(Plane::Invalid);
        self.candidates.clear();
        self.candidates.extend((0..).zip(invalid).filter(|&(_, &cell)| cell == 0).map(|(i, _)| i));
        // Avoided ones move behind the first `left`.
        let mut left = self.candidates.len();
        while left > 0 {
            let rank = self.draw(left);
            let action = Action::from(self.candidates[rank]);
            if !avoid(action) {
                return action;
            }
            left -= 1;
            self.candidates.swap(rank, left);
        }
        if !self.candidates.is_empty() && !game.may_pass() {
            let rank = self.draw(self.candidates.len());
            return Action::from(self.candidates[rank]);
        }
        game.size().pass()
    }

    fn draw(&mut self, count: usize) -> usize {
        self.rng.random_range(0..count as u32) as usize
    }
}
