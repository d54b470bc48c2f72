//! The random streams of a batch: one for each game.

use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use crate::random::stream_seed;

/// The random stream of one game, counter-based: a new generator for every sample, from the seed of
/// the batch, the number of the game and the number of the sample.
///
/// ```
/// use sixplane::batch::GameBatch;
/// use sixplane::{Game, Go};
///
/// let game = Go::new(5)?;
/// let mut batch = GameBatch::new(&game, 3, 1, None);
/// batch.sample();
/// let (streams, steps) = (batch.streams().to_vec(), batch.steps().to_vec());
/// let games = batch.games().cloned().collect();
/// let mut copy = GameBatch::from_parts(game, games, streams, steps, None)?;
/// assert_eq!(copy.sample(), batch.sample());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterStream {
    /// From the seed and the number of the game.
    pub key: u64,
    /// The number of samples so far.
    pub count: u64,
}

impl CounterStream {
    pub(super) fn new(seed: u64, index: usize) -> Self {
        let key = SplitMix64::seed_from_u64(stream_seed(seed, index as u64)).next_u64();
        Self { key, count: 0 }
    }

    /// The generator of the next sample.
    #[inline]
    pub(super) fn next(&mut self) -> SplitMix64 {
        // A pickled state may hold any number.
        self.count = self.count.wrapping_add(1);
        // Mixed twice: keys and counts of two games that give the same seed once do not do so again.
        let mixed = SplitMix64::seed_from_u64(stream_seed(self.key, self.count)).next_u64();
        SplitMix64::seed_from_u64(mixed ^ self.key)
    }
}
