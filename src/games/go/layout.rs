//! What every board of one size shares: who is next to whom.

use crate::bits::Frame;
use crate::geometry::BoardSize;

/// Tables of a board size. Neighbors off the board are the index [`Layout::OFF`], whose slots in
/// a board's arrays stand for no point, so that loops over four neighbors need no edge case.
#[derive(Debug)]
pub(super) struct Layout<const W: usize> {
    /// The frame for shifting bits.
    pub(super) frame: Frame<W>,
    /// Along lines.
    pub(super) neighbors: Box<[[[u16; 4]; 64]; W]>,
    /// Along diagonals.
    pub(super) diagonals: Box<[[[u16; 4]; 64]; W]>,
}

impl<const W: usize> Layout<W> {
    /// The slot for everything off the board: beyond the last point, as a board has at most
    /// `64 * W - 1`.
    pub(super) const OFF: usize = 64 * W - 1;

    pub(super) fn new(size: BoardSize) -> Self {
        let off = [[[Self::OFF as u16; 4]; 64]; W];
        let (mut neighbors, mut diagonals) = (Box::new(off), Box::new(off));
        for point in 0..size.points() {
            for (slot, n) in neighbors[point >> 6][point & 63].iter_mut().zip(size.neighbors(point))
            {
                *slot = n as u16;
            }
            for (slot, n) in diagonals[point >> 6][point & 63].iter_mut().zip(size.diagonals(point))
            {
                *slot = n as u16;
            }
        }
        Self { frame: Frame::new(size), neighbors, diagonals }
    }

    #[inline]
    pub(super) fn neighbors(&self, point: usize) -> [usize; 4] {
        self.neighbors.as_flattened()[point].map(usize::from)
    }

    #[inline]
    pub(super) fn diagonals(&self, point: usize) -> [usize; 4] {
        self.diagonals.as_flattened()[point].map(usize::from)
    }
}
