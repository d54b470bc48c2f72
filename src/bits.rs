//! One plane as bits: bit `row * cols + col` of `W` 64-bit words.
//!
//! The fast index behind the planes. A [`Frame`] knows the board's width, which shifting needs; what is
//! made of shifts, dilation and flood fill, is in [`morphology`](crate::morphology).
//! `W` is chosen so that at least one bit stays unused beyond the board ([`with_words!`](crate::with_words)).

mod nth;

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::geometry::BoardSize;
use nth::nth_of_word;

/// A set of points of one board.
///
/// ```
/// use sixplane::bits::{Bits, Frame};
/// use sixplane::BoardSize;
///
/// let frame = Frame::<1>::new(BoardSize::square(3).unwrap());
/// let set: Bits<1> = [0, 4].into_iter().collect();
/// assert_eq!((set.count(), set.contains(4)), (2, true));
/// assert_eq!((frame.board() & !set).first(), Some(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits<const W: usize>(pub [u64; W]);

impl<const W: usize> Bits<W> {
    /// No point.
    pub const EMPTY: Self = Self([0; W]);

    /// One point.
    #[must_use]
    #[inline]
    pub fn point(index: usize) -> Self {
        let mut bits = Self::EMPTY;
        bits.insert(index);
        bits
    }

    /// These points. To load a set whole just after its points were stored one by one is slow.
    #[must_use]
    #[inline]
    pub(crate) fn of<const N: usize>(points: [usize; N]) -> Self {
        Self(std::array::from_fn(|word| {
            points.iter().fold(0, |bits, &p| bits | u64::from(p >> 6 == word) << (p & 63))
        }))
    }

    /// Whether the point is in the set.
    #[must_use]
    #[inline]
    pub fn contains(&self, index: usize) -> bool {
        self.0[index >> 6] >> (index & 63) & 1 == 1
    }

    /// Adds a point.
    #[inline]
    pub fn insert(&mut self, index: usize) {
        self.0[index >> 6] |= 1 << (index & 63);
    }

    /// Takes a point out.
    #[inline]
    pub fn remove(&mut self, index: usize) {
        self.0[index >> 6] &= !(1 << (index & 63));
    }

    /// Adds the point if it is absent, else takes it out.
    #[inline]
    pub fn toggle(&mut self, index: usize) {
        self.0[index >> 6] ^= 1 << (index & 63);
    }

    /// Number of points.
    #[must_use]
    #[inline]
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no point is in the set.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The lowest point.
    #[must_use]
    #[inline]
    pub fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word << 6 | self.0[word].trailing_zeros() as usize)
    }

    /// The points in ascending order.
    #[inline]
    #[must_use]
    pub fn iter(self) -> Iter<W> {
        Iter { bits: self, word: 0 }
    }
}

impl<const W: usize> Default for Bits<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// The number of the set bit in a row of words with `rank` set bits below it. Does not check that there
/// are more than `rank`; if not, the answer is any number.
#[inline]
pub(crate) fn nth_of_words(words: &[u64], rank: u32) -> usize {
    // No branch can be predicted here, so all words are counted.
    let (mut before, mut found) = (0, (0, 0, 0));
    for (i, &word) in words.iter().enumerate() {
        found = if before <= rank { (i, word, before) } else { found };
        before += word.count_ones();
    }
    let (i, word, before) = found;
    i << 6 | nth_of_word(word, rank - before) as usize
}

/// The points of a set in ascending order.
#[derive(Clone, Debug)]
pub struct Iter<const W: usize> {
    bits: Bits<W>,
    word: usize,
}

impl<const W: usize> Iterator for Iter<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word < W {
            let word = &mut self.bits.0[self.word];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.word << 6 | bit);
            }
            self.word += 1;
        }
        None
    }

    /// Word by word: what `for_each` and `extend` of all points do half as fast by `next`.
    #[inline]
    fn fold<B, F: FnMut(B, usize) -> B>(self, mut all: B, mut f: F) -> B {
        for (i, mut word) in self.bits.0.into_iter().enumerate().skip(self.word) {
            while word != 0 {
                all = f(all, i << 6 | word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
        all
    }
}

impl<const W: usize> IntoIterator for Bits<W> {
    type Item = usize;
    type IntoIter = Iter<W>;

    fn into_iter(self) -> Iter<W> {
        self.iter()
    }
}

impl<const W: usize> FromIterator<usize> for Bits<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(points: I) -> Self {
        let mut bits = Self::EMPTY;
        for point in points {
            bits.insert(point);
        }
        bits
    }
}

macro_rules! bitwise {
    ($($trait:ident $method:ident $assign_trait:ident $assign:ident $op:tt;)*) => {$(
        impl<const W: usize> $assign_trait for Bits<W> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                for (word, other) in self.0.iter_mut().zip(&other.0) {
                    *word $op *other;
                }
            }
        }

        impl<const W: usize> $trait for Bits<W> {
            type Output = Self;

            #[inline]
            fn $method(mut self, other: Self) -> Self {
                $assign_trait::$assign(&mut self, other);
                self
            }
        }
    )*};
}

bitwise! {
    BitAnd bitand BitAndAssign bitand_assign &=;
    BitOr bitor BitOrAssign bitor_assign |=;
    BitXor bitxor BitXorAssign bitxor_assign ^=;
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;

    /// Every point not in the set, and the unused bits beyond the board as well.
    #[inline]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

/// What shifting a plane of one board size needs, as in the example of [`Bits`].
#[derive(Clone, Copy, Debug)]
pub struct Frame<const W: usize> {
    size: BoardSize,
    board: Bits<W>,
    pub(crate) not_first_col: Bits<W>,
    pub(crate) not_last_col: Bits<W>,
}

impl<const W: usize> Frame<W> {
    /// The frame of a board.
    ///
    /// # Panics
    /// If the board has more than `64 * W` points; [`with_words!`](crate::with_words) chooses a `W` that fits.
    #[must_use]
    pub fn new(size: BoardSize) -> Self {
        assert!(size.points() <= 64 * W, "{size} does not fit {W} words");
        // By words and rows, not by points: functions on planes make a frame for every call.
        let board = Bits(std::array::from_fn(|word| {
            let points = size.points().saturating_sub(64 * word).min(64);
            u64::MAX.checked_shr(64 - points as u32).unwrap_or(0)
        }));
        let first: Bits<W> = (0..size.points()).step_by(size.cols()).collect();
        let last = shift_up(first, size.cols() as u32 - 1);
        Self { size, board, not_first_col: board & !first, not_last_col: board & !last }
    }

    /// The size of the board.
    #[must_use]
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Every point of the board.
    #[must_use]
    #[inline]
    pub fn board(&self) -> Bits<W> {
        self.board
    }

    /// The set moved one step to the right, left, down and up; what would leave its row is gone.
    ///
    /// Does not clear bits beyond the last row: the caller's next `&` does.
    #[inline]
    pub(crate) fn steps(&self, bits: Bits<W>) -> [Bits<W>; 4] {
        let cols = self.size.cols() as u32;
        [
            shift_up(bits, 1) & self.not_first_col,
            shift_down(bits, 1) & self.not_last_col,
            shift_up(bits, cols),
            shift_down(bits, cols),
        ]
    }
}

/// Every point moved `by` numbers up (0 < `by` < 64).
#[inline]
pub(crate) fn shift_up<const W: usize>(bits: Bits<W>, by: u32) -> Bits<W> {
    let carry = |i: usize| if i == 0 { 0 } else { bits.0[i - 1] >> (64 - by) };
    Bits(std::array::from_fn(|i| (bits.0[i] << by) | carry(i)))
}

/// Every point moved `by` numbers down (0 < `by` < 64).
#[inline]
pub(crate) fn shift_down<const W: usize>(bits: Bits<W>, by: u32) -> Bits<W> {
    let carry = |i: usize| if i + 1 == W { 0 } else { bits.0[i + 1] << (64 - by) };
    Bits(std::array::from_fn(|i| (bits.0[i] >> by) | carry(i)))
}

/// Evaluates an expression with `W`, the number of words a board of this size takes.
///
/// The word counts are 1, 2, 3, 4, 6, 8 and 10: one compiled version serves several sizes.
///
/// ```
/// use sixplane::{bits::Frame, with_words, BoardSize};
///
/// let size = BoardSize::new(19, 19).unwrap();
/// let count = with_words!(size, W => Frame::<W>::new(size).board().count());
/// assert_eq!(count, 361);
/// ```
#[macro_export]
macro_rules! with_words {
    ($size:expr, $W:ident => $body:expr) => {
        $crate::with_words_for!($size.points(), $W => $body)
    };
}

/// Evaluates an expression with a `W` of which `64 * W` is greater than a number of bits.
#[doc(hidden)]
#[macro_export]
macro_rules! with_words_for {
    ($bits:expr, $W:ident => $body:expr) => {{
        macro_rules! with {
            ($words:literal) => {{
                const $W: usize = $words;
                $body
            }};
        }
        match $bits {
            0..64 => with!(1),
            64..128 => with!(2),
            128..192 => with!(3),
            192..256 => with!(4),
            256..384 => with!(6),
            384..512 => with!(8),
            _ => with!(10),
        }
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_counts_as_iter_does() {
        let mut state = 1_u64;
        for _ in 0..200 {
            let bits = Bits::<3>(std::array::from_fn(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                state & state >> 7 | state << 60
            }));
            for (rank, point) in bits.iter().enumerate() {
                assert_eq!(nth_of_words(&bits.0, rank as u32), point);
            }
            assert_eq!(bits.iter().count(), bits.count());
        }
        assert_eq!(nth_of_words(&[u64::MAX], 63), 63);
    }
}
