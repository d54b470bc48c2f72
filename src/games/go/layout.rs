//! What every board of one size shares: who is next to whom.

use std::ops::{Index, IndexMut};

use crate::bits::Frame;
use crate::geometry::{Action, BoardSize, Point};

/// A value for each point of a board, and for slots beyond it that stand for no point.
#[derive(Clone, Copy, Debug)]
pub(super) struct PerPoint<T, const W: usize>([[T; 64]; W]);

impl<T: Copy, const W: usize> PerPoint<T, W> {
    pub(super) fn new(value: T) -> Self {
        Self([[value; 64]; W])
    }

    pub(super) fn fill(&mut self, value: T) {
        self.0.as_flattened_mut().fill(value);
    }
}

impl<T, const W: usize> Index<usize> for PerPoint<T, W> {
    type Output = T;

    #[inline]
    fn index(&self, point: usize) -> &T {
        &self.0.as_flattened()[point]
    }
}

impl<T, const W: usize> IndexMut<usize> for PerPoint<T, W> {
    #[inline]
    fn index_mut(&mut self, point: usize) -> &mut T {
        &mut self.0.as_flattened_mut()[point]
    }
}

/// Tables of a board size. Neighbors off the board are the slot [`Layout::OFF`], so that loops over
/// four neighbors need no edge case.
#[derive(Debug)]
pub(super) struct Layout<const W: usize> {
    /// The frame for shifting bits.
    pub(super) frame: Frame<W>,
    neighbors: Box<PerPoint<[u16; 4], W>>,
    diagonals: Box<PerPoint<[u16; 4], W>>,
}

impl<const W: usize> Layout<W> {
    /// The slot for everything off the board: beyond the last point, as a board has at most
    /// `64 * W - 1`.
    pub(super) const OFF: usize = 64 * W - 1;

    pub(super) fn new(size: BoardSize) -> Self {
        let off = PerPoint::new([Self::OFF as u16; 4]);
        let (mut neighbors, mut diagonals) = (Box::new(off), Box::new(off));
        for point in 0..size.points() {
            let (row, col) = (point / size.cols(), point % size.cols());
            let at = |down, right| {
                let (row, col) = (row.wrapping_add_signed(down), col.wrapping_add_signed(right));
                size.action(Point { row, col }).map_or(Self::OFF as u16, Action::get)
            };
            neighbors[point] = [at(-1, 0), at(0, -1), at(0, 1), at(1, 0)];
            diagonals[point] = [at(-1, -1), at(-1, 1), at(1, -1), at(1, 1)];
        }
        Self { frame: Frame::new(size), neighbors, diagonals }
    }

    /// The points above, left, right and below.
    #[inline]
    pub(super) fn neighbors(&self, point: usize) -> [usize; 4] {
        self.neighbors[point].map(usize::from)
    }

    /// The points next to a point along diagonals, row by row.
    #[inline]
    pub(super) fn diagonals(&self, point: usize) -> [usize; 4] {
        self.diagonals[point].map(usize::from)
    }
}
