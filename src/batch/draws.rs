//! The randomness of a batch: game by game, draw by draw.

use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use crate::random::stream_seed;

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
        let key = SplitMix64::seed_from_u64(stream_seed(seed, index as u64)).next_u64();
        Self { key, count: 0 }
    }

    /// The generator of the next draw.
    #[inline]
    pub(super) fn next(&mut self) -> SplitMix64 {
        self.count += 1;
        // Mixed twice, so that games whose numbers happen to meet do not stay together.
        let mixed = SplitMix64::seed_from_u64(stream_seed(self.key, self.count)).next_u64();
        SplitMix64::seed_from_u64(mixed ^ self.key)
    }
}
