//! Which bit of a word has so many set bits below it: how a random number becomes a point.

/// The position of the set bit of `word` with `rank` set bits below it; `rank` < `count_ones`.
///
/// Every random choice of an action waits for it: two instructions of BMI2, where the processor has
/// them, make steps of Reversi a tenth faster.
#[inline]
pub(super) fn nth_of_word(word: u64, rank: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(portable)))]
    if std::arch::is_x86_feature_detected!("bmi2") {
        #[allow(unsafe_code)]
        // SAFETY: the processor has BMI2, as was just asked.
        return unsafe { by_deposit(word, rank) };
    }
    by_halving(word, rank)
}

/// Deposits a single bit at the set bits of the word.
///
/// # Safety
/// The processor has BMI2.
#[cfg(all(target_arch = "x86_64", not(portable)))]
#[target_feature(enable = "bmi2")]
// Rust 1.85 wants both; 1.86 and later need neither.
#[allow(unsafe_code, unused_unsafe)]
unsafe fn by_deposit(word: u64, rank: u32) -> u32 {
    // SAFETY: as above.
    unsafe { std::arch::x86_64::_pdep_u64(1 << rank, word) }.trailing_zeros()
}

/// The same on any processor. Each half is as likely as the other, so numbers are chosen instead of
/// branches.
#[inline]
fn by_halving(mut word: u64, mut rank: u32) -> u32 {
    let mut position = 0;
    for half in [32, 16, 8, 4, 2, 1] {
        let below = (word & ((1 << half) - 1)).count_ones();
        let (skipped, counted) = if rank < below { (0, 0) } else { (half, below) };
        word >>= skipped;
        rank -= counted;
        position += skipped;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bit_is_the_same_on_every_processor() {
        let mut word = 1_u64;
        for _ in 0..2_000 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(3);
            let sparse = word & word.rotate_left(17) | 1 << (word >> 58);
            for rank in 0..sparse.count_ones() {
                let expected = (0..rank).fold(sparse, |left, _| left & (left - 1));
                assert_eq!(by_halving(sparse, rank), expected.trailing_zeros());
                assert_eq!(nth_of_word(sparse, rank), expected.trailing_zeros());
            }
        }
    }
}
