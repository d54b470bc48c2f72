//! The lines of a board of any size: where a player may play, and what a play flips.

use super::eight_by_eight;
use crate::bits::{Bits, Frame, shift_down, shift_up};
use crate::geometry::BoardSize;

/// What shifting the discs of a board needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<const W: usize> {
    pub(super) frame: Frame<W>,
    /// Points in neither the first nor the last column: where a line to the side can go on.
    inner: Bits<W>,
}

impl<const W: usize> Lines<W> {
    pub(super) fn new(size: BoardSize) -> Self {
        let frame = Frame::new(size);
        Self { frame, inner: frame.not_first_col & frame.not_last_col }
    }

    #[inline]
    fn size(&self) -> BoardSize {
        self.frame.size()
    }

    /// Whether the board is the usual one, for which there is faster code.
    #[inline]
    fn is_eight_by_eight(&self) -> bool {
        W == 1 && (self.size().rows(), self.size().cols()) == (8, 8)
    }

    /// The four directions of lines: how far apart the points are, and those that a run of these
    /// enemy discs may go through.
    #[inline]
    fn axes(&self, other: Bits<W>) -> [(usize, Bits<W>); 4] {
        let (cols, inner) = (self.size().cols(), other & self.inner);
        [(1, inner), (cols, other), (cols - 1, inner), (cols + 1, inner)]
    }

    /// Where a player may play: the empty points at the ends of runs of enemy discs from own ones.
    #[inline]
    pub(super) fn legal(&self, own: Bits<W>, other: Bits<W>) -> Bits<W> {
        if self.is_eight_by_eight() {
            return word(eight_by_eight::legal(own.0[0], other.0[0]));
        }
        let mut ends = Bits::EMPTY;
        for (step, within) in self.axes(other) {
            let step = step as u32;
            ends |= shift_up(runs(own, within, step, shift_up), step);
            ends |= shift_down(runs(own, within, step, shift_down), step);
        }
        ends & self.board() & !(own | other)
    }

    /// The enemy discs that a play at an empty point flips.
    #[inline]
    pub(super) fn flips(&self, own: Bits<W>, other: Bits<W>, point: usize) -> Bits<W> {
        if self.is_eight_by_eight() {
            return word(eight_by_eight::flips(own.0[0], other.0[0], point));
        }
        let points = self.size().points();
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

    /// All points.
    #[inline]
    pub(super) fn board(&self) -> Bits<W> {
        self.frame.board()
    }

    /// The points of the first and the last row and column.
    #[inline]
    pub(super) fn edges(&self) -> Bits<W> {
        // Rows that have one above and one below.
        let [_, _, down, up] = self.frame.steps(self.board());
        self.board() & !(down & up & self.inner)
    }

    /// The four corners.
    #[inline]
    pub(super) fn corners(&self) -> Bits<W> {
        let (points, cols) = (self.size().points(), self.size().cols());
        [0, cols - 1, points - cols, points - 1].into_iter().collect()
    }

    /// The points and those beside them in the eight directions.
    #[inline]
    pub(super) fn around(&self, points: Bits<W>) -> Bits<W> {
        let [right, left, ..] = self.frame.steps(points);
        let rows = points | right | left;
        let [_, _, down, up] = self.frame.steps(rows);
        (rows | down | up) & self.board()
    }
}

/// A set of points of a board that takes one word.
#[inline]
fn word<const W: usize>(word: u64) -> Bits<W> {
    let mut bits = Bits::EMPTY;
    bits.0[0] = word;
    bits
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
