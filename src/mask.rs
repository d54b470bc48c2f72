//! Action masks: one byte an action, anything but 0 where it may be played.

use crate::select::select;

/// The highest bit of every byte that is not 0.
#[inline]
fn legal(bytes: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    (((bytes & LOW) + LOW) | bytes) & !LOW
}

/// Eight entries at a time, zeros after the last.
#[inline]
fn words(mask: &[u8]) -> impl Iterator<Item = u64> + '_ {
    let whole = mask.chunks_exact(8);
    let mut last = [0; 8];
    last[..whole.remainder().len()].copy_from_slice(whole.remainder());
    let whole = whole.map(|eight| eight.try_into().unwrap_or_default());
    whole.chain([last]).map(u64::from_le_bytes)
}

/// The action that a uniform number from `0.0..1.0` chooses, each legal one with the same
/// probability; `None` if none is legal.
///
/// ```
/// use sixplane::mask::draw;
///
/// assert_eq!(draw(&[0, 1, 0, 1], 0.2), Some(1));
/// assert_eq!(draw(&[0, 1, 0, 1], 0.7), Some(3));
/// assert_eq!(draw(&[0, 0], 0.7), None);
/// ```
#[must_use]
pub fn draw(mask: &[u8], uniform: f64) -> Option<usize> {
    let count: u32 = words(mask).map(|word| legal(word).count_ones()).sum();
    let last = count.checked_sub(1)?;
    // A product that rounds up to the count would be one too many.
    let mut rank = ((uniform * f64::from(count)) as u32).min(last);
    for (number, word) in words(mask).enumerate() {
        let bits = legal(word);
        let here = bits.count_ones();
        if rank < here {
            return Some(8 * number + select(bits, rank) as usize / 8);
        }
        rank -= here;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::draw;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_range_is_cut_evenly_among_the_legal(
            mask in prop::collection::vec(prop_oneof![Just(0_u8), any::<u8>()], 0..700),
            uniform in 0.0..1.0_f64,
        ) {
            let legal: Vec<usize> = (0..mask.len()).filter(|&i| mask[i] != 0).collect();
            let expected = legal.get((uniform * legal.len() as f64) as usize).copied();
            prop_assert_eq!(draw(&mask, uniform), expected.or(legal.last().copied()));
        }
    }

    #[test]
    fn numbers_out_of_range_choose_a_legal_action() {
        for uniform in [1.0, 7.0, f64::INFINITY] {
            assert_eq!(draw(&[1, 1, 0], uniform), Some(1));
        }
        for uniform in [-1.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(draw(&[0, 1, 1], uniform), Some(1));
        }
    }
}
