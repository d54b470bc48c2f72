//! The lines of a board of any size.

use super::board::Shape;
use crate::bits::{Bits, shift_down, shift_up};
use crate::geometry::BoardSize;

/// A board of at most `64 * W` points.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnyShape<const W: usize> {
    size: BoardSize,
    board: Bits<W>,
    /// Points in neither the first nor the last column: where a line to the side can go on.
    inner: Bits<W>,
}

impl<const W: usize> AnyShape<W> {
    pub(super) fn new(size: BoardSize) -> Self {
        let (points, cols) = (size.points(), size.cols());
        let inner = (0..points).filter(|point| (1..cols - 1).contains(&(point % cols))).collect();
        Self { size, board: (0..points).collect(), inner }
    }

    /// The four directions of lines: how far apart the points are, and those that a run of these
    /// enemy discs may go through.
    #[inline]
    fn axes(&self, other: Bits<W>) -> [(usize, Bits<W>); 4] {
        let (cols, inner) = (self.size.cols(), other & self.inner);
        [(1, inner), (cols, other), (cols - 1, inner), (cols + 1, inner)]
    }
}

impl<const W: usize> Shape<W> for AnyShape<W> {
    #[inline]
    fn legal(&self, own: Bits<W>, other: Bits<W>) -> Bits<W> {
        let mut ends = Bits::EMPTY;
        for (step, within) in self.axes(other) {
            let step = step as u32;
            ends |= shift_up(runs(own, within, step, shift_up), step);
            ends |= shift_down(runs(own, within, step, shift_down), step);
        }
        ends & self.board & !(own | other)
    }

    #[inline]
    fn flips(&self, own: Bits<W>, other: Bits<W>, point: usize) -> Bits<W> {
        let points = self.size.points();
        let has = |bits: &Bits<W>, at: usize| at < points && bits.contains(at);
        let mut flips = Bits::EMPTY;
        for (step, within) in self.axes(other) {
            for step in [step, step.wrapping_neg()] {
                let (mut run, mut at) = (Bits::EMPTY, point.wrapping_add(step));
                while has(&within, at) {
                    run.insert(at);
                    at = at.wrapping_add(step);
                }
                if has(&own, at) {
                    flips |= run;
                }
            }
        }
        flips
    }

    #[inline]
    fn board(&self) -> Bits<W> {
        self.board
    }

    #[inline]
    fn edges(&self) -> Bits<W> {
        let cols = self.size.cols() as u32;
        // Rows that have one above and one below.
        let rows = shift_up(self.board, cols) & shift_down(self.board, cols);
        self.board & !(rows & self.inner)
    }

    #[inline]
    fn corners(&self) -> Bits<W> {
        let (points, cols) = (self.size.points(), self.size.cols());
        [0, cols - 1, points - cols, points - 1].into_iter().collect()
    }

    #[inline]
    fn sideways(&self, points: Bits<W>) -> Bits<W> {
        let (inner, outer) = (points & self.inner, points & !self.inner);
        // From the outer columns the step out of the board ends in an outer column, too.
        let inward = (shift_up(outer, 1) | shift_down(outer, 1)) & self.inner;
        points | shift_up(inner, 1) | shift_down(inner, 1) | inward
    }

    #[inline]
    fn up_and_down(&self, points: Bits<W>) -> Bits<W> {
        let cols = self.size.cols() as u32;
        points | (shift_up(points, cols) | shift_down(points, cols)) & self.board
    }
}

/// The points of `within` in unbroken lines from the points of `seed`, to one side: all lines grow
/// together by shifts of whole sets, one and then two points at a time.
#[inline]
fn runs<const W: usize>(
    seed: Bits<W>,
    within: Bits<W>,
    step: u32,
    shift: impl Fn(Bits<W>, u32) -> Bits<W>,
) -> Bits<W> {
    let mut runs = within & shift(seed, step);
    runs |= within & shift(runs, step);
    let pairs = within & shift(within, step);
    loop {
        let longer = runs | pairs & shift(runs, 2 * step);
        if longer == runs {
            return runs;
        }
        runs = longer;
    }
}
