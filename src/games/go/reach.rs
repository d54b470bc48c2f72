//! Which empty points each color's stones reach, kept from one position to the next: what the
//! score needs, at a fraction of the cost of filling the whole board.

use super::board::Board;
use crate::bits::Bits;
use crate::color::Color;
use crate::step::Change;

/// What the stones of a position reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach<const W: usize> {
    /// How many actions led to the position.
    moves: u32,
    /// How many stone changes these were.
    changes: usize,
    /// Empty points from which a way through empty points leads to a stone of the color.
    reached: [Bits<W>; 2],
}

impl<const W: usize> Reach<W> {
    /// Of a position after so many actions and stone changes.
    pub(super) fn new(board: &Board<W>, moves: u32, changes: usize) -> Self {
        Self { moves, changes, reached: board.reached() }
    }

    /// Goes on to the position of the board, which so many actions led to, with these stone changes
    /// since the start; gives the numbers of empty points that only Black's, only White's stones
    /// reach.
    ///
    /// If only one action was played since the last time, that is quick. Nothing else may have
    /// happened: whoever takes actions back starts anew.
    #[inline]
    pub(super) fn update(
        &mut self,
        board: &Board<W>,
        moves: u32,
        changes: &[Change],
    ) -> [usize; 2] {
        let since = changes.get(self.changes..).unwrap_or_default();
        match since {
            [] => {}
            &[put, ref taken @ ..]
                if moves == self.moves + 1
                    && taken.iter().all(|stone| stone.color() != put.color()) =>
            {
                self.put(board, put, taken);
            }
            _ => self.reached = board.reached(),
        }
        (self.moves, self.changes) = (moves, changes.len());
        let [black, white] = self.reached;
        [(black & !white).count(), (white & !black).count()]
    }

    /// Goes on to the position after a play that took these stones.
    #[inline]
    fn put(&mut self, board: &Board<W>, put: Change, taken: &[Change]) {
        let (color, point) = (put.color(), put.point());
        let (own, other) = (color.index(), color.opponent().index());
        let (frame, empty) = (board.frame(), board.empty());
        let [did_own, did_other] = [own, other].map(|color| self.reached[color].contains(point));
        let [stone, around] = [Bits::of([point]), Bits::of(board.next_to(point)) & empty];
        self.reached = self.reached.map(|reached| reached & !stone);
        if !did_own {
            // The stone's color reaches all that was one region with its point.
            self.reached[own] |= frame.fill(around, empty);
        }
        // Stones that were taken leave points that nothing but the taker's stones surrounds.
        for taken in taken {
            self.reached[own].insert(taken.point());
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
        let before = &mut self.reached[color.index()];
        let around = around & *before;
        let mut reached = frame.neighbors_in(board.stones(color), empty);
        while !(around & !reached).is_empty() {
            let grown = frame.neighbors_in(reached, empty) & !reached;
            if grown.is_empty() {
                *before = reached;
                return;
            }
            reached |= grown;
        }
    }
}
