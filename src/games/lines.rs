//! Lines of a fixed length, found for a whole board at once by shifts; and what games have alike that such lines end.
//!
//! A board of few words is searched sooner as a whole than along the lines through a point, which Gomoku does.

use crate::bits::{Bits, shift_down};
use crate::color::Color;
use crate::geometry::BoardSize;
use crate::setup::{Setup, SetupError};
use crate::status::Outcome;

/// Rows, columns, falling and rising diagonals.
const DIRECTIONS: usize = 4;

/// The lines of `LENGTH` points on a board whose points fit `W` words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<const W: usize, const LENGTH: usize> {
    /// For each direction, the distance from a point of a line to the next.
    steps: [u32; DIRECTIONS],
    /// For each direction, the points that are the first of a line.
    starts: [Bits<W>; DIRECTIONS],
}

impl<const W: usize, const LENGTH: usize> Lines<W, LENGTH> {
    pub(super) fn new(size: BoardSize) -> Self {
        const { assert!(LENGTH == 3 || LENGTH == 4) }
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
    pub(super) fn narrow<const N: usize>(&self) -> Lines<N, LENGTH> {
        Lines { steps: self.steps, starts: self.starts.map(narrow) }
    }

    /// The first points of the lines whose points are all in a set, for each direction.
    #[inline]
    fn full(&self, discs: Bits<W>) -> [Bits<W>; DIRECTIONS] {
        std::array::from_fn(|direction| {
            let step = self.steps[direction];
            let pairs = discs & shift_down(discs, step);
            let last = if LENGTH == 3 { discs } else { pairs };
            pairs & shift_down(last, 2 * step) & self.starts[direction]
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

/// How a game stands that a line ends, and else a full board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    /// The color that has a winning line.
    pub(super) winner: Option<Color>,
    /// Number of empty points.
    pub(super) empty: usize,
}

impl Standing {
    /// After a stone of a color on an empty point.
    #[inline]
    pub(super) fn after(&mut self, color: Color, wins: bool) {
        self.empty -= 1;
        if wins {
            self.winner = Some(color);
        }
    }

    #[inline]
    pub(super) fn ending_rule(self) -> Option<&'static str> {
        let is_full = (self.empty == 0).then_some("full");
        if self.winner.is_some() { Some("line") } else { is_full }
    }

    pub(super) fn score(self) -> f64 {
        self.winner.map_or(0.0, |color| f64::from(Outcome::Win(color).sign()))
    }
}

/// Refuses starting positions that no game has where nobody passes.
pub(super) fn check_setup(setup: &Setup, name: &str) -> Result<(), SetupError> {
    if setup.passed {
        let message = format!("the pass plane is 1, but nobody passes in {name}");
        return Err(SetupError::new(message));
    }
    setup.check()
}

/// Refuses a position in which both colors have a line.
pub(super) fn check_lines(has_line: impl Fn(Color) -> bool, line: &str) -> Result<(), SetupError> {
    if Color::ALL.into_iter().all(has_line) {
        let message = format!("both colors have a {line}: the first ended the game");
        return Err(SetupError::new(message));
    }
    Ok(())
}
