//! The lines of the board that most games are played on, which fits one word: straight code with
//! constant shifts and no branches.

use super::board::Shape;
use crate::bits::Bits;

/// The board of 8 rows and 8 columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct EightByEight;

/// Points in neither the first nor the last column: where a line to the side can go on.
pub(super) const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The points of the eight lines that go out from each point: four to higher points, then their
/// opposites.
pub(super) static RAYS: [[u64; 8]; 64] = rays();

const fn rays() -> [[u64; 8]; 64] {
    let directions = [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut i = 0;
    while i < 64 * 8 {
        let (point, (down, right)) = (i / 8, directions[i % 8]);
        let (mut row, mut col) = (point as i32 / 8 + down, point as i32 % 8 + right);
        while 0 <= row && row < 8 && 0 <= col && col < 8 {
            rays[point][i % 8] |= 1 << (row * 8 + col);
            row += down;
            col += right;
        }
        i += 1;
    }
    rays
}

/// Runs of at most six points of `within` from `seed`, and beyond them the points where they end:
/// a parallel prefix of shifts.
macro_rules! ends {
    ($seed:expr, $within:expr, $step:literal, $shift:tt) => {{
        let (seed, within) = ($seed, $within);
        let mut runs = within & seed $shift $step;
        runs |= within & runs $shift $step;
        let pairs = within & within $shift $step;
        runs |= pairs & runs $shift (2 * $step);
        runs |= pairs & runs $shift (2 * $step);
        runs $shift $step
    }};
}

impl Shape<1> for EightByEight {
    #[inline]
    fn legal(&self, Bits([own]): Bits<1>, Bits([other]): Bits<1>) -> Bits<1> {
        let inner = other & INNER;
        // To the right a run is a sequence of ones that a carry runs through.
        let right = inner.wrapping_add(inner & own << 1);
        let sides = right | ends!(own, inner, 1, >>);
        let lines = ends!(own, other, 8, <<) | ends!(own, other, 8, >>);
        let rising = ends!(own, inner, 7, <<) | ends!(own, inner, 7, >>);
        let falling = ends!(own, inner, 9, <<) | ends!(own, inner, 9, >>);
        Bits([(sides | lines | rising | falling) & !(own | other)])
    }

    #[inline]
    fn flips(&self, Bits([own]): Bits<1>, Bits([other]): Bits<1>, point: usize) -> Bits<1> {
        let (to_higher, to_lower) = RAYS[point & 63].split_at(4);
        let mut flips = 0;
        for &ray in to_higher {
            // A carry from below stops at the first point of the ray that is no enemy disc.
            let end = (other | !ray).wrapping_add(1) & ray & own;
            flips |= end.wrapping_sub(u64::from(end != 0)) & ray;
        }
        for &ray in to_lower {
            let stops = ray & !other;
            let end = 1 << 63 >> (stops | 1).leading_zeros() & own & ray;
            flips |= (end << 1).wrapping_neg() & ray;
        }
        Bits([flips])
    }

    #[inline]
    fn board(&self) -> Bits<1> {
        Bits([u64::MAX])
    }

    #[inline]
    fn edges(&self) -> Bits<1> {
        Bits([0xff81_8181_8181_81ff])
    }

    #[inline]
    fn corners(&self) -> Bits<1> {
        Bits([0x8100_0000_0000_0081])
    }

    #[inline]
    fn sideways(&self, Bits([points]): Bits<1>) -> Bits<1> {
        const FIRST: u64 = 0x0101_0101_0101_0101;
        Bits([points | (points & !(FIRST << 7)) << 1 | (points & !FIRST) >> 1])
    }

    #[inline]
    fn up_and_down(&self, Bits([points]): Bits<1>) -> Bits<1> {
        Bits([points | points << 8 | points >> 8])
    }
}
