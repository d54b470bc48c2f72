//! The areas of a board: stones, and the empty points that only one color's stones reach.

use super::board::Board;
use crate::bits::Bits;
use crate::color::{ByColor, Color};
use crate::log::Change;
use crate::morphology::{self, reached};
use crate::state::State;

impl<const W: usize> Board<W> {
    /// Points that only this color's stones reach through empty points, stones included, for
    /// Black and White.
    #[must_use]
    pub fn areas(&self) -> [Bits<W>; 2] {
        morphology::areas(self.frame(), self.stones)
    }

    /// Number of points of each color's area.
    #[must_use]
    pub fn count_areas(&self) -> ByColor<usize> {
        let [black, white] = self.areas();
        ByColor { black: black.count(), white: white.count() }
    }
}

/// What the stones of a position reach, kept from one position to the next: to go on after one
/// action costs a fraction of filling the whole board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached<const W: usize> {
    /// How many actions led to the position.
    moves: u32,
    /// How many stone changes these were.
    changes: usize,
    /// Empty points from which a way through empty points leads to a stone of the color.
    points: [Bits<W>; 2],
}

impl<const W: usize> Reached<W> {
    /// Of a position after so many actions and stone changes.
    pub(super) fn new(board: &Board<W>, moves: u32, changes: usize) -> Self {
        Self { moves, changes, points: reached(board.frame(), board.stones) }
    }

    /// Goes on to the position of this board and state, and returns the number of points of each
    /// color's area. Since the last time only actions may have been played: after an undo, start
    /// anew.
    #[inline]
    pub(super) fn update(&mut self, board: &Board<W>, state: &State) -> ByColor<usize> {
        let (moves, changes) = (state.moves(), state.changes());
        match &changes[self.changes..] {
            [] => {}
            &[put, ref taken @ ..]
                if moves == self.moves + 1
                    && taken.iter().all(|stone| stone.color() != put.color()) =>
            {
                self.put(board, put, taken);
            }
            _ => self.points = reached(board.frame(), board.stones),
        }
        (self.moves, self.changes) = (moves, changes.len());
        let ([blacks, whites], [black, white]) = (board.counts(), self.points);
        ByColor {
            black: blacks + (black & !white).count(),
            white: whites + (white & !black).count(),
        }
    }

    /// Goes on to the position after a play that took these stones.
    #[inline]
    fn put(&mut self, board: &Board<W>, put: Change, taken: &[Change]) {
        let (color, point) = (put.color(), put.point());
        let (own, other) = (color.index(), color.opponent().index());
        let (frame, empty) = (board.frame(), board.empty());
        let [did_own, did_other] = [own, other].map(|color| self.points[color].contains(point));
        let [stone, around] = [Bits::of([point]), Bits::of(board.neighbors(point)) & empty];
        self.points = self.points.map(|reached| reached & !stone);
        if !did_own {
            // The stone's color reaches all that was one region with its point.
            self.points[own] |= frame.fill(around, empty);
        }
        // Stones that were taken leave points that nothing but the taker's stones surrounds.
        for taken in taken {
            self.points[own].insert(taken.point());
        }
        if did_other {
            self.cut(board, color.opponent(), around);
        }
    }

    /// The color reached the region that a stone of its opponent was put into, of which these are
    /// the points around. Each part of what is left has one of them: as soon as the color is seen
    /// to reach them all, it reaches all that it did.
    #[inline]
    fn cut(&mut self, board: &Board<W>, color: Color, around: Bits<W>) {
        let (frame, empty) = (board.frame(), board.empty());
        let before = &mut self.points[color.index()];
        let around = around & *before;
        let is_all = |reached: Bits<W>| (around & !reached).is_empty();
        let reached = frame.flood(frame.dilate(board.stones(color), empty), empty, is_all);
        if !is_all(reached) {
            *before = reached;
        }
    }
}
