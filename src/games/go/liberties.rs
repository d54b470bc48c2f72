//! Pseudo-liberties: whether a chain has one liberty, without a set of its liberties.

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

    /// Wrapping, since slots that stand for no chain are counted in as well, and never read.
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

    /// These if `keep`, else none: without a branch.
    #[inline]
    pub(super) fn only_if(self, keep: bool) -> Self {
        Self(self.0 & u64::from(keep).wrapping_neg())
    }
}
