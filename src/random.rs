//! Random numbers that follow from a seed alone, on every machine.

use std::convert::Infallible;

use rand::{Rng, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stream of random numbers: xoshiro256++ from a seed.
///
/// ```
/// use rand::RngExt;
/// use sixplane::RandomStream;
///
/// let mut stream = RandomStream::new(1);
/// let first: u32 = stream.random_range(0..100);
/// assert_eq!(RandomStream::new(1).random_range(0..100), first);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomStream(Xoshiro256PlusPlus);

impl RandomStream {
    /// The stream of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }
}

impl TryRng for RandomStream {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_u32())
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

/// The seed of one stream of a series: different seeds for different indices.
///
/// An odd multiplier is a bijection of the indices, and generators spread near seeds far apart.
pub(crate) fn stream_seed(seed: u64, index: u64) -> u64 {
    seed.rotate_left(32) ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
