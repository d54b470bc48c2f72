//! Connect Four and Nim on a row in a crate of their own: the module `crate_game` of Python.
//!
//!     maturin develop --release

use sixplane::bits::Bits;
use sixplane::own::{Look, Options, OwnRules, Position, Standing, Value};
use sixplane::{BoardSize, SetupError};

/// Four in a line win; discs fall to the lowest empty point of a column.
struct ConnectFour {
    /// Every point, the bottom row, and how many columns there are.
    board: u64,
    bottom: u64,
    cols: u32,
    /// For each direction the distance from a point of a line to the next, and the points that begin a line.
    lines: [(u32, u64); 4],
}

impl OwnRules<1> for ConnectFour {
    const DEFAULT_SIZE: (usize, usize) = (6, 7);
    const TITLE: &'static str = "Connect Four of a crate";
    const ABOUT: &'static str = "Discs fall into columns; four in a row, column or diagonal win.";
    const FORBIDDEN: &'static str = "no_support";
    const SYMMETRIES: usize = 2;
    const LOOK: Look = Look::Drops;

    fn new(size: BoardSize, _options: &Options) -> Result<Self, SetupError> {
        let (rows, cols) = (size.rows(), size.cols());
        if rows.min(cols) < 4 || rows.max(cols) > 8 {
            return Err(SetupError::new(format!(
                "rows and columns must each be from 4 to 8, not {size}"
            )));
        }
        let points = |is_in: &dyn Fn(usize, usize) -> bool| {
            (0..size.points())
                .filter(|point| is_in(point / cols, point % cols))
                .fold(0, |all, p| all | 1 << p)
        };
        let step = cols as u32;
        Ok(Self {
            board: points(&|_, _| true),
            bottom: points(&|row, _| row == rows - 1),
            cols: step,
            lines: [
                (1, points(&|_, col| col + 4 <= cols)),
                (step, points(&|row, _| row + 4 <= rows)),
                (step + 1, points(&|row, col| row + 4 <= rows && col + 4 <= cols)),
                (step - 1, points(&|row, col| row + 4 <= rows && col >= 3)),
            ],
        })
    }

    #[inline]
    fn legal(&self, position: &Position<1>) -> Bits<1> {
        let Bits([taken]) = position.taken();
        // The point above a disc is `cols` less than the disc.
        Bits([!taken & (taken >> self.cols | self.bottom)])
    }

    #[inline]
    fn ending(&self, position: &Position<1>) -> Standing {
        // Only who has just played can have a new line.
        let Bits([discs]) = position.opponent;
        let is_line = |&(step, starts): &(u32, u64)| {
            let pairs = discs & discs >> step;
            pairs & pairs >> (2 * step) & starts
        };
        if self.lines.iter().map(is_line).fold(0, |all, line| all | line) != 0 {
            return Standing::won("line", position.turn.opponent());
        }
        if position.taken().0[0] == self.board { Standing::draw("full") } else { Standing::GOES_ON }
    }
}

/// No two stones touch along a row. Whoever cannot play loses, or with `misere`, wins.
struct Nim {
    misere: bool,
    /// The points that are not the first, and not the last of a row.
    not_first: Bits<4>,
    not_last: Bits<4>,
}

impl OwnRules<4> for Nim {
    const DEFAULT_SIZE: (usize, usize) = (2, 7);
    const OPTIONS: &'static [(&'static str, Value)] = &[("misere", Value::Bool(false))];
    const ENDINGS: &'static [&'static str] = &["stuck"];
    const FORBIDDEN: &'static str = "touching";

    fn new(size: BoardSize, options: &Options) -> Result<Self, SetupError> {
        let cols = size.cols();
        let points =
            |left_out: usize| (0..size.points()).filter(|point| point % cols != left_out).collect();
        Ok(Self {
            misere: options.bool("misere"),
            not_first: points(0),
            not_last: points(cols - 1),
        })
    }

    fn legal(&self, position: &Position<4>) -> Bits<4> {
        let taken = position.taken();
        let right: Bits<4> = (taken & self.not_last).iter().map(|point| point + 1).collect();
        let left: Bits<4> = (taken & self.not_first).iter().map(|point| point - 1).collect();
        (self.not_first | self.not_last) & !(taken | right | left)
    }

    fn ending(&self, position: &Position<4>) -> Standing {
        if !self.legal(position).is_empty() {
            return Standing::GOES_ON;
        }
        let winner = if self.misere { position.turn } else { position.turn.opponent() };
        Standing::won("stuck", winner)
    }
}

sixplane::python_game!(ConnectFour, Nim);
