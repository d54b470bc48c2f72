//! Lines of four: found for a whole board at once, by shifts.

use crate::bits::{Bits, shift_down};
use crate::geometry::BoardSize;

/// How many discs in a line win.
pub(super) const LENGTH: usize = 4;

/// Rows, columns, falling and rising diagonals.
const DIRECTIONS: usize = 4;

/// The lines of four on a board whose points fit `W` words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<const W: usize> {
    /// For each direction, the distance from a point of a line to the next.
    steps: [u32; DIRECTIONS],
    /// For each direction, the points that are the first of a line.
    starts: [Bits<W>; DIRECTIONS],
}

impl<const W: usize> Lines<W> {
    pub(super) fn new(size: BoardSize) -> Self {
        let (rows, cols) = (size.rows(), size.cols());
        let starts = |down: bool, right: bool, left: bool| {
            let starts_line = |&point: &usize| {
                let (row, col) = (point / cols, point % cols);
                (!down || row + LENGTH <= rows)
                    && (!right || col + LENGTH <= cols)
                    && (!left || col + 1 >= LENGTH)
            };
            (0..size.points()).filter(starts_line).collect()
        };
        let cols = cols as u32;
        Self {
            steps: [1, cols, cols + 1, cols - 1],
            starts: [
                starts(false, true, false),
                starts(true, false, false),
                starts(true, true, false),
                starts(true, false, true),
            ],
        }
    }

    /// The same lines where the board fits fewer words.
    #[inline]
    pub(super) fn narrow<const N: usize>(&self) -> Lines<N> {
        Lines { steps: self.steps, starts: self.starts.map(narrow) }
    }

    /// The first points of the lines whose points are all in a set, for each direction.
    #[inline]
    fn full(&self, discs: Bits<W>) -> [Bits<W>; DIRECTIONS] {
        std::array::from_fn(|direction| {
            let step = self.steps[direction];
            let pairs = discs & shift_down(discs, step);
            pairs & shift_down(pairs, 2 * step) & self.starts[direction]
        })
    }

    /// Whether a line is full of these discs.
    #[inline]
    pub(super) fn is_any_full(&self, discs: Bits<W>) -> bool {
        let [rows, columns, falling, rising] = self.full(discs);
        !(rows | columns | falling | rising).is_empty()
    }

    /// The points of a full line and of those that go on from it, ascending.
    pub(super) fn find_full(&self, discs: Bits<W>) -> Option<Vec<usize>> {
        let full = self.full(discs);
        let direction = full.iter().position(|starts| !starts.is_empty())?;
        let (starts, step) = (full[direction], self.steps[direction] as usize);
        let first = starts.first()?;
        let more = (first..).step_by(step).take_while(|&start| starts.contains(start)).count();
        Some((first..).step_by(step).take(LENGTH + more - 1).collect())
    }
}

/// The first words of a set that has no points in the others.
#[inline]
pub(super) fn narrow<const W: usize, const N: usize>(bits: Bits<W>) -> Bits<N> {
    Bits(std::array::from_fn(|word| bits.0[word]))
}
