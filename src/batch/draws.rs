//! The randomness of a batch: game by game, draw by draw.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::Game;
use crate::geometry::Action;
use crate::players::series_seed;

/// A game's randomness: every draw has a generator of its own, from the batch's seed, the game's
/// number and the number of the draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    /// From the seed and the game's number.
    pub key: u64,
    /// How many draws were made.
    pub count: u64,
}

impl Draws {
    pub(super) fn new(seed: u64, index: usize) -> Self {
        Self { key: series_seed(seed, index as u64), count: 0 }
    }

    #[inline]
    fn next(&mut self) -> Xoshiro256PlusPlus {
        self.count += 1;
        Xoshiro256PlusPlus::seed_from_u64(series_seed(self.key, self.count))
    }
}

/// A uniformly random legal action; `None` when the game is over.
#[inline]
pub(super) fn draw<G: Game>(game: &G, draws: &mut Draws) -> Option<Action> {
    if game.is_over() {
        return None;
    }
    let legal = game.state().legal();
    let points = legal.count() as u32;
    let count = points + u32::from(game.may_pass());
    let rank = draws.next().random_range(0..count.max(1));
    Some(if rank < points { Action::new(legal.nth(rank as usize)) } else { game.size().pass() })
}
