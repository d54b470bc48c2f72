//! The board's shape: sizes, points, actions and who is next to whom.
//!
//! One number serves everywhere: point `row * cols + col`, row 0 at the top, is the action that
//! plays there, the bit in [`Bits`](crate::bits::Bits), and the index in each plane's bytes.
//! `rows * cols` is the pass.

use std::fmt;

use thiserror::Error;

/// How many rows and columns a board has: each 2 to 25, not necessarily equal.
///
/// ```
/// use sixplane::BoardSize;
///
/// let size = BoardSize::new(7, 9).unwrap();
/// assert_eq!((size.points(), size.num_actions()), (63, 64));
/// assert_eq!(size.pass().index(), 63);
/// assert!(BoardSize::new(1, 9).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardSize {
    rows: u8,
    cols: u8,
    /// `rows * cols`, kept because everything asks for it.
    points: u16,
}

/// A board size outside 2..=25.
///
/// ```
/// use sixplane::BoardSize;
///
/// let error = BoardSize::square(26).unwrap_err();
/// assert_eq!(error.to_string(), "a board of 26x26: rows and columns must each be from 2 to 25");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a board of {rows}x{cols}: rows and columns must each be from 2 to 25")]
pub struct SizeError {
    /// The rows asked for.
    pub rows: usize,
    /// The columns asked for.
    pub cols: usize,
}

impl BoardSize {
    /// Fewest rows or columns.
    pub const MIN: usize = 2;
    /// Most rows or columns.
    pub const MAX: usize = 25;
    /// Points of the largest board.
    pub const MAX_POINTS: usize = Self::MAX * Self::MAX;

    /// A board of `rows` by `cols`.
    ///
    /// # Errors
    /// [`SizeError`] if either is not from 2 to 25.
    pub fn new(rows: usize, cols: usize) -> Result<Self, SizeError> {
        let fits = |n: &usize| (Self::MIN..=Self::MAX).contains(n);
        match (u8::try_from(rows), u8::try_from(cols)) {
            (Ok(r), Ok(c)) if fits(&rows) && fits(&cols) => {
                Ok(Self { rows: r, cols: c, points: u16::from(r) * u16::from(c) })
            }
            _ => Err(SizeError { rows, cols }),
        }
    }

    /// A board of `side` by `side`.
    ///
    /// # Errors
    /// [`SizeError`] if `side` is not from 2 to 25.
    pub fn square(side: usize) -> Result<Self, SizeError> {
        Self::new(side, side)
    }

    /// Number of rows.
    #[must_use]
    #[inline]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// Number of columns.
    #[must_use]
    #[inline]
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// Number of points, `rows * cols`.
    #[must_use]
    #[inline]
    pub const fn points(self) -> usize {
        self.points as usize
    }

    /// Number of actions: every point, and the pass.
    #[must_use]
    #[inline]
    pub const fn num_actions(self) -> usize {
        self.points() + 1
    }

    /// The action that passes, `rows * cols`.
    #[must_use]
    #[inline]
    pub const fn pass(self) -> Action {
        Action(self.points)
    }

    /// The action that plays at a point of this board; `None` off the board.
    #[must_use]
    pub fn action(self, point: Point) -> Option<Action> {
        let on_board = point.row < self.rows() && point.col < self.cols();
        on_board.then(|| Action((point.row * self.cols() + point.col) as u16))
    }

    /// Where an action plays; `None` for the pass and for numbers beyond it.
    #[must_use]
    pub fn point(self, action: Action) -> Option<Point> {
        let index = action.index();
        (index < self.points())
            .then(|| Point { row: index / self.cols(), col: index % self.cols() })
    }

    /// Whether rows and columns are equal, so that quarter turns fit the board.
    #[must_use]
    pub const fn is_square(self) -> bool {
        self.rows == self.cols
    }

    /// The points next to point `index` along lines, in the order up, left, right, down.
    pub fn neighbors(self, index: usize) -> impl Iterator<Item = usize> {
        self.beside(index, [(-1, 0), (0, -1), (0, 1), (1, 0)])
    }

    /// The points next to point `index` along diagonals.
    pub fn diagonals(self, index: usize) -> impl Iterator<Item = usize> {
        self.beside(index, [(-1, -1), (-1, 1), (1, -1), (1, 1)])
    }

    /// The points so many rows down and columns right of point `index`, as far as they are on the
    /// board.
    fn beside(self, index: usize, steps: [(isize, isize); 4]) -> impl Iterator<Item = usize> {
        let (row, col) = (index / self.cols(), index % self.cols());
        steps.into_iter().filter_map(move |(down, right)| {
            let (row, col) = (row.checked_add_signed(down)?, col.checked_add_signed(right)?);
            self.action(Point { row, col }).map(Action::index)
        })
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

/// An intersection or square; row 0 is the top row.
///
/// ```
/// use sixplane::{BoardSize, Point};
///
/// let size = BoardSize::new(7, 9)?;
/// let action = size.action(Point { row: 1, col: 3 }).expect("a point of the board");
/// assert_eq!((action.index(), size.point(action)), (12, Some(Point { row: 1, col: 3 })));
/// assert_eq!(size.point(size.pass()), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// Rows from the top.
    pub row: usize,
    /// Columns from the left.
    pub col: usize,
}

/// A number `0 ..= rows * cols`: the point played, or `rows * cols` for pass.
///
/// Any number can be held; whether it is on the board is for the game to say.
///
/// ```
/// use sixplane::Action;
///
/// let action = Action::new(12);
/// assert_eq!((action.index(), action.get()), (12, 12_u16));
/// assert_eq!(Action::from(12), action);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action(u16);

impl Action {
    /// The action with this number. A number above `u16::MAX` becomes `u16::MAX`, which is off every board.
    #[must_use]
    #[inline]
    pub fn new(index: usize) -> Self {
        Self(u16::try_from(index).unwrap_or(u16::MAX))
    }

    /// Its number, as an index into masks, policies and visit counts.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its number in the 16 bits it takes in logs.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u16 {
        self.0
    }
}

impl From<u16> for Action {
    fn from(index: u16) -> Self {
        Self(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_actions_are_inverse() {
        let size = BoardSize::new(3, 5).unwrap();
        for index in 0..size.points() {
            let point = size.point(Action::new(index)).unwrap();
            assert_eq!(size.action(point), Some(Action::new(index)));
        }
        assert_eq!(size.point(size.pass()), None);
        assert_eq!(size.action(Point { row: 3, col: 0 }), None);
    }

    #[test]
    fn neighbors_are_at_distance_one_and_diagonals_touch_corners() {
        let size = BoardSize::new(4, 3).unwrap();
        let at = |i: usize| (i / 3, i % 3);
        for a in 0..12 {
            for b in 0..12 {
                let (dr, dc) = (at(a).0.abs_diff(at(b).0), at(a).1.abs_diff(at(b).1));
                assert_eq!(size.neighbors(a).any(|n| n == b), dr + dc == 1);
                assert_eq!(size.diagonals(a).any(|n| n == b), dr == 1 && dc == 1);
            }
        }
    }
}
