//! What is around a point of a board.

use super::{Board, EMPTY, OFF_BOARD};
use crate::color::Color;
use crate::games::go::layout::Layout;

impl<const W: usize> Board<W> {
    /// Whether `point` is empty and every neighbor of it on the board is a stone of `color`.
    #[inline]
    pub(in crate::games::go) fn is_enclosed(&self, point: usize, color: Color) -> bool {
        let own = color.index() as u8;
        let mut enclosed = self.color_at(point) == EMPTY;
        for n in self.next_to(point) {
            let c = self.color_at(n);
            enclosed &= (c == own) | (c == OFF_BOARD);
        }
        enclosed
    }

    /// The diagonal neighbors of `point`: stones of `color`, stones of the other, and points.
    #[inline]
    pub(in crate::games::go) fn count_diagonals(
        &self,
        point: usize,
        color: Color,
    ) -> (usize, usize, usize) {
        let mut counts = [0; 4];
        for d in self.layout.diagonals(point) {
            counts[self.color_at(d) as usize & 3] += 1;
        }
        let on_board = 4 - counts[OFF_BOARD as usize];
        (counts[color.index()], counts[color.opponent().index()], on_board)
    }

    /// Number of empty points next to a point.
    #[inline]
    pub(in crate::games::go) fn empty_next_to(&self, point: usize) -> usize {
        self.next_to(point).into_iter().filter(|&n| self.color_at(n) == EMPTY).count()
    }

    /// What is around a point, row by row: a color's index, 2 for empty or 3 for off the board.
    #[inline]
    pub(in crate::games::go) fn around(&self, point: usize) -> [u8; 8] {
        let (rows, cols) = (self.size().rows(), self.size().cols());
        let (row, col) = (point / cols, point % cols);
        let (up, down, left, right) = (row > 0, row + 1 < rows, col > 0, col + 1 < cols);
        let at =
            |on_board: bool, n: usize| self.color_at(if on_board { n } else { Layout::<W>::OFF });
        // Where a number wraps it is not on the board.
        let (above, below) = (point.wrapping_sub(cols), point + cols);
        [
            at(up && left, above.wrapping_sub(1)),
            at(up, above),
            at(up && right, above.wrapping_add(1)),
            at(left, point.wrapping_sub(1)),
            at(right, point + 1),
            at(down && left, below - 1),
            at(down, below),
            at(down && right, below + 1),
        ]
    }
}
