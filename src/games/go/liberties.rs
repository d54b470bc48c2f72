//! Pseudo-liberties: whether a chain has one liberty, without a set of its liberties.
//!
//! The count, the sum and the sum of squares of some points say whether they are all the same point:
//! `count * squares == sum * sum` (equality in the Cauchy-Schwarz inequality).

/// Pseudo-liberties of a chain: their count, sum and sum of squares, side by side in one word, so
/// that adding and taking away points is one addition.
///
/// A 25x25 board has at most 1200 pseudo-liberties of points up to 624: 11 bits of count, 20 of
/// sum (748,800) and 30 of squares (467,251,200) hold them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Liberties(u64);

impl Liberties {
    pub(super) const NONE: Self = Self(0);

    /// One pseudo-liberty.
    #[inline]
    pub(super) fn one(point: usize) -> Self {
        let point = point as u64;
        Self(1 << 50 | point << 30 | (point * point))
    }

    /// The pseudo-liberties of one stone: those of its neighbors that are empty, without a branch.
    #[inline]
    pub(super) fn of_stone(neighbors: [usize; 4], is_empty: [bool; 4]) -> Self {
        let mut all = Self::NONE;
        for (n, is_empty) in neighbors.into_iter().zip(is_empty) {
            let mask = u64::from(is_empty).wrapping_neg();
            all.add(Self(Self::one(n).0 & mask));
        }
        all
    }

    /// Wrapping, since slots that stand for no chain are counted in as well; their value is not used.
    #[inline]
    pub(super) fn add(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }

    #[inline]
    pub(super) fn take(&mut self, other: Self) {
        self.0 = self.0.wrapping_sub(other.0);
    }

    /// Whether there is one point among them, or none.
    #[inline]
    pub(super) fn is_single(self) -> bool {
        let (count, sum, squares) = (self.0 >> 50, self.0 >> 30 & 0xf_ffff, self.0 & 0x3fff_ffff);
        count.wrapping_mul(squares) == sum * sum
    }
}
