//! The symmetries of the board on points, actions and planes.
//!
//! A symmetry is a number of three bits: 1 flips left-right, 2 flips up-down, and 4 *then* turns a
//! quarter counter-clockwise. A square board has all eight; any other has the first four.

use ndarray::{ArrayView3, Axis};

use crate::geometry::{Action, BoardSize};

/// One of the eight turns and reflections of the square.
///
/// ```
/// use sixplane::{BoardSize, symmetry::Symmetry};
///
/// // # . .      . . .
/// // # . .  ->  . . .     a quarter turn counter-clockwise
/// // . . .      # # .
/// let size = BoardSize::square(3).unwrap();
/// let turn = Symmetry::new(4).unwrap();
/// assert_eq!([0, 3].map(|point| turn.point(size, point)), [6, 7]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The one that changes nothing, number 0.
    pub const IDENTITY: Self = Self(0);

    /// The symmetry with this number, 0 to 7; `None` for others.
    #[must_use]
    pub fn new(index: usize) -> Option<Self> {
        u8::try_from(index).ok().filter(|&bits| bits < 8).map(Self)
    }

    /// All symmetries of a board, [`IDENTITY`](Self::IDENTITY) first: eight of a square one, four
    /// of any other.
    pub fn all(size: BoardSize) -> impl Iterator<Item = Self> {
        (0..if size.is_square() { 8 } else { 4 }).map(Self)
    }

    /// Its number.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it flips left-right, flips up-down, and turns.
    fn parts(self) -> [bool; 3] {
        [1, 2, 4].map(|bit| self.0 & bit != 0)
    }

    /// Where it brings point `index`.
    ///
    /// # Panics
    /// If the point is off the board, or it is a quarter turn of a board that is not square.
    #[must_use]
    pub fn point(self, size: BoardSize, index: usize) -> usize {
        assert!(index < size.points(), "point {index} is off the {size} board");
        let [flips_cols, flips_rows, turns] = self.parts();
        assert!(size.is_square() || !turns, "a {size} board has no quarter turns");
        let (rows, cols) = (size.rows(), size.cols());
        let (mut row, mut col) = (index / cols, index % cols);
        if flips_cols {
            col = cols - 1 - col;
        }
        if flips_rows {
            row = rows - 1 - row;
        }
        if turns {
            (row, col) = (cols - 1 - col, row);
        }
        row * cols + col
    }

    /// What an action becomes; a pass stays a pass.
    ///
    /// # Panics
    /// As [`point`](Self::point) does.
    #[must_use]
    pub fn action(self, size: BoardSize, action: Action) -> Action {
        if action == size.pass() { action } else { Action::new(self.point(size, action.index())) }
    }

    /// The planes `(n, rows, cols)` as seen through the symmetry: a view of the same cells.
    ///
    /// Does not check that the symmetry fits the board: a quarter turn of planes that are not
    /// square has the shape `(n, cols, rows)`.
    #[must_use]
    pub fn planes<T>(self, mut planes: ArrayView3<'_, T>) -> ArrayView3<'_, T> {
        let [flips_cols, flips_rows, turns] = self.parts();
        if flips_cols {
            planes.invert_axis(Axis(2));
        }
        if flips_rows {
            planes.invert_axis(Axis(1));
        }
        if turns {
            planes.invert_axis(Axis(2));
            planes.swap_axes(1, 2);
        }
        planes
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;

    #[test]
    fn planes_move_as_points_do() {
        for (rows, cols) in [(4, 4), (3, 5)] {
            let size = BoardSize::new(rows, cols).unwrap();
            let mut seen = Vec::new();
            for symmetry in Symmetry::all(size) {
                let numbers =
                    Array3::from_shape_vec((1, rows, cols), (0..rows * cols).collect()).unwrap();
                let moved: Vec<usize> = symmetry.planes(numbers.view()).iter().copied().collect();
                for (from, &number) in numbers.iter().enumerate() {
                    assert_eq!(moved[symmetry.point(size, from)], number);
                }
                assert_eq!(symmetry.action(size, size.pass()), size.pass());
                assert!(!seen.contains(&moved), "symmetry {} is another's twin", symmetry.index());
                seen.push(moved);
            }
            assert_eq!(seen.len(), if rows == cols { 8 } else { 4 });
        }
    }
}
