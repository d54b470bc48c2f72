//! Which bit of a word has so many set bits below it: how a random choice becomes a point.

/// The position of the set bit of `word` with `rank` set bits below it; `rank` < `count_ones`.
#[inline]
pub(crate) fn select(word: u64, rank: u32) -> u32 {
    // Every choice of a random move waits for this: two instructions where the processor has
    // them are worth asking each time.
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        #[allow(unsafe_code)]
        // SAFETY: the processor has BMI2, as was just asked.
        return unsafe { select_by_deposit(word, rank) };
    }
    select_by_counting(word, rank)
}

/// The same in a row of words; `rank` < the number of set bits in all.
#[inline]
pub(crate) fn select_among(words: &[u64], rank: u32) -> usize {
    // The last word with no more than `rank` bits before it; a branch on that would be a guess.
    let (mut before, mut found) = (0, (0, 0, 0));
    for (i, &word) in words.iter().enumerate() {
        found = if before <= rank { (i, word, before) } else { found };
        before += word.count_ones();
    }
    let (i, word, before) = found;
    i << 6 | select(word, rank - before) as usize
}

/// [`select`] by depositing a single bit at the set bits.
///
/// # Safety
/// The processor must have BMI2.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, unsafe_op_in_unsafe_fn)] // The instruction is all there is to it.
#[target_feature(enable = "bmi2")]
unsafe fn select_by_deposit(word: u64, rank: u32) -> u32 {
    std::arch::x86_64::_pdep_u64(1 << rank, word).trailing_zeros()
}

/// The same on any processor.
///
/// Counts per byte first, side by side in one word, so that no loop and no branch is needed
/// (Vigna, "Broadword implementation of rank/select queries", 2008).
#[inline]
fn select_by_counting(word: u64, rank: u32) -> u32 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    let mut ones = word - ((word >> 1) & 0x5555_5555_5555_5555);
    ones = (ones & 0x3333_3333_3333_3333) + ((ones >> 2) & 0x3333_3333_3333_3333);
    ones = (ones + (ones >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // Byte i of `sums` holds the ones in bytes 0..=i.
    let sums = ones.wrapping_mul(LOW);
    // Per byte: is its sum <= rank? Sums are at most 64, so bit 7 of (rank + 128 - sum) says so.
    let below = (((u64::from(rank) * LOW) | 0x8080_8080_8080_8080) - sums) >> 7 & LOW;
    let shift = (below.wrapping_mul(LOW) >> 53) as u32 & 0x78;
    let before = ((sums << 8) >> shift) as u32 & 0xff;
    let byte = (word >> shift) as usize & 0xff;
    shift + u32::from(SELECT_IN_BYTE[byte][(rank - before) as usize & 7])
}

/// The position of the set bit of a byte with so many set bits below it.
static SELECT_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][rank] = bit as u8;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_is_the_same_on_every_processor() {
        let mut word = 1_u64;
        for _ in 0..2_000 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(3);
            let sparse = word & word.rotate_left(17) | 1 << (word >> 58);
            for rank in 0..sparse.count_ones() {
                let expected = (0..rank).fold(sparse, |left, _| left & (left - 1));
                assert_eq!(select_by_counting(sparse, rank), expected.trailing_zeros());
                assert_eq!(select(sparse, rank), expected.trailing_zeros());
            }
        }
    }
}
