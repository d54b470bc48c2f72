//! Random numbers that follow from a seed alone, on every machine.

use std::convert::Infallible;

use rand::{Rng, SeedableRng, TryRng};
use rand_xoshiro::SplitMix64;

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
pub struct RandomStream(
    // Not the generator of `rand_xoshiro`, whose words nobody may see: rules in another crate go on with them.
    [u64; 4],
);

impl RandomStream {
    /// The stream of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut words = SplitMix64::seed_from_u64(seed);
        Self(std::array::from_fn(|_| words.next_u64()))
    }

    /// What the stream goes on from.
    #[inline]
    pub(crate) fn words(&self) -> [u64; 4] {
        self.0
    }

    /// The stream that goes on from there.
    #[inline]
    pub(crate) fn of_words(words: [u64; 4]) -> Self {
        Self(words)
    }

    /// The next number, by <https://prng.di.unimi.it/xoshiro256plusplus.c>.
    #[inline]
    fn next(&mut self) -> u64 {
        let [s0, s1, s2, s3] = &mut self.0;
        let result = s0.wrapping_add(*s3).rotate_left(23).wrapping_add(*s0);
        let shifted = *s1 << 17;
        *s2 ^= *s0;
        *s3 ^= *s1;
        *s1 ^= *s2;
        *s0 ^= *s3;
        *s2 ^= shifted;
        *s3 = s3.rotate_left(45);
        result
    }
}

impl TryRng for RandomStream {
    type Error = Infallible;

    /// The upper half of a number: the lowest bits are a little less random.
    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next() >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for some in bytes.chunks_mut(8) {
            some.copy_from_slice(&self.next().to_le_bytes()[..some.len()]);
        }
        Ok(())
    }
}

/// The seed of one stream of a series: different seeds for different indices.
///
/// An odd multiplier is a bijection of the indices, and generators spread near seeds far apart.
pub(crate) fn stream_seed(seed: u64, index: u64) -> u64 {
    seed.rotate_left(32) ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn the_numbers_are_those_of_xoshiro256plusplus() {
        for seed in [0, 1, u64::MAX] {
            let mut known = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut stream = RandomStream::new(seed);
            for length in 0..40 {
                let (mut bytes, mut expected) = ([0; 40], [0; 40]);
                stream.fill_bytes(&mut bytes[..length]);
                known.fill_bytes(&mut expected[..length]);
                assert_eq!(bytes, expected);
                assert_eq!(stream.next_u32(), known.next_u32());
                let mut again = RandomStream::of_words(stream.words());
                assert_eq!(again.next_u64(), known.next_u64());
                stream = again;
            }
        }
    }
}
