//! Action masks: one byte an action, anything but 0 where it may be played.

use crate::planes::read_words;
use crate::select::select_among;

/// Words that the masks of all boards fit.
const WORDS: usize = 10;

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
    let (mut usual, mut longer) = ([0; WORDS], Vec::new());
    let count = mask.len().div_ceil(64);
    let words = if count <= WORDS {
        &mut usual[..count]
    } else {
        longer.resize(count, 0);
        &mut longer
    };
    read_words(mask, words);
    let count: u32 = words.iter().map(|word| word.count_ones()).sum();
    let last = count.checked_sub(1)?;
    // A product that rounds up to the count would be one too many.
    let rank = ((uniform * f64::from(count)) as u32).min(last);
    Some(select_among(words, rank))
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
