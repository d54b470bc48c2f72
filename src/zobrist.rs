//! Zobrist keys: one fixed random number a stone, so that a position's hash is their exclusive or.
//!
//! The keys come from the `SplitMix64` generator (Steele, Lea and Flood, 2014) with a fixed seed,
//! so hashes are the same on every machine and in every version.

use crate::color::Color;
use crate::geometry::BoardSize;
use crate::log::Change;

const SEED: u64 = 0x7369_7870_6c61_6e65; // "sixplane"

/// By the index of a [`Change`]: for each point nothing, a black stone, a white one, both.
static KEYS: [u64; Change::COUNT] = keys();

/// The key of a stone of `color` at point `index`.
///
/// ```
/// use sixplane::{Color, zobrist};
///
/// // A stone that is taken off leaves the key as it was.
/// let key = zobrist::stone(Color::Black, 12);
/// assert_eq!(key ^ zobrist::stone(Color::White, 3) ^ zobrist::stone(Color::White, 3), key);
/// ```
///
/// # Panics
/// If `index` is beyond the largest board.
#[must_use]
#[inline]
pub fn stone(color: Color, index: usize) -> u64 {
    change(Change::new(color, index))
}

/// By what a change changes the key.
///
/// # Panics
/// If its point is beyond the largest board.
#[must_use]
#[inline]
pub fn change(change: Change) -> u64 {
    KEYS[change.index()]
}

/// The points whose stone of `color` may have this key: all that share its lowest byte.
#[inline]
pub(crate) fn candidates(color: Color, key: u64) -> &'static [u16] {
    let (starts, points) = &BY_LOW_BYTE[color.index()];
    let byte = key as usize & 255;
    &points[starts[byte] as usize..starts[byte + 1] as usize]
}

/// For each color, all points in the order of the lowest bytes of their keys, and where each byte
/// starts.
static BY_LOW_BYTE: [([u16; 257], [u16; BoardSize::MAX_POINTS]); 2] = by_low_byte();

const fn by_low_byte() -> [([u16; 257], [u16; BoardSize::MAX_POINTS]); 2] {
    let mut both = [([0; 257], [0; BoardSize::MAX_POINTS]); 2];
    let mut color = 0;
    while color < 2 {
        let (mut byte, mut found) = (0, 0);
        while byte < 256 {
            let mut point = 0;
            while point < BoardSize::MAX_POINTS {
                if KEYS[4 * point + 1 + color] as usize & 255 == byte {
                    both[color].1[found] = point as u16;
                    found += 1;
                }
                point += 1;
            }
            byte += 1;
            both[color].0[byte] = found as u16;
        }
        color += 1;
    }
    both
}

/// The key of the player to play: nothing for Black.
#[must_use]
#[inline]
pub const fn turn(color: Color) -> u64 {
    match color {
        Color::Black => 0,
        Color::White => const { split_mix(SEED) },
    }
}

const fn split_mix(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[allow(clippy::large_stack_arrays)] // Of the compiler, which evaluates this.
const fn keys() -> [u64; Change::COUNT] {
    let mut keys = [0; Change::COUNT];
    let mut state = SEED;
    let mut i = 0;
    while i < 2 * BoardSize::MAX_POINTS {
        let (color, point) = (i / BoardSize::MAX_POINTS, i % BoardSize::MAX_POINTS);
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let key = split_mix(state);
        keys[4 * point + 1 + color] = key;
        keys[4 * point + 3] ^= key;
        i += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_differ_and_stay_as_they_were_published() {
        let all: HashSet<u64> = KEYS.into_iter().chain([turn(Color::White)]).collect();
        assert_eq!(all.len(), 3 * BoardSize::MAX_POINTS + 2);
        assert_eq!(stone(Color::Black, 0), 0xe5fc_6092_6679_35f8);
        assert_eq!(stone(Color::White, 624), 0x4e6e_5e23_9757_ac10);
    }

    #[test]
    fn every_stone_is_a_candidate_for_its_key() {
        for color in Color::ALL {
            for point in 0..BoardSize::MAX_POINTS {
                assert!(candidates(color, stone(color, point)).contains(&(point as u16)));
            }
            let all: usize = (0..256).map(|byte| candidates(color, byte).len()).sum();
            assert_eq!(all, BoardSize::MAX_POINTS);
        }
    }
}
