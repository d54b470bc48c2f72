//! Names of points, and the board as text: each game has its own coordinates.

use std::fmt::Write;

use crate::color::Color;
use crate::geometry::{Action, BoardSize, Point};
use crate::planes::Planes;

/// How a game names its points: a letter for the column, then the number of the row.
///
/// ```
/// use sixplane::{BoardSize, Notation};
///
/// let size = BoardSize::square(9)?;
/// let go = Notation { skips_i: true, row_one_at_top: false };
/// let action = go.action(size, "j1").unwrap();
/// assert_eq!(action.index(), 80);
/// assert_eq!(go.name(size, action), "J1");
/// assert_eq!(go.name(size, size.pass()), "pass");
/// # Ok::<(), sixplane::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    /// Whether the letter I is left out, as Go does.
    pub skips_i: bool,
    /// Whether row 1 is the top row, as in Reversi.
    pub row_one_at_top: bool,
}

impl Notation {
    /// The letter of a column from the left.
    ///
    /// ```
    /// use sixplane::{BoardSize, Game, Go};
    ///
    /// let size = BoardSize::square(9)?;
    /// assert_eq!((Go::NOTATION.column(8), Go::NOTATION.row(size, 8)), ('J', 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn column(self, col: usize) -> char {
        let skipped = u8::from(self.skips_i && col >= 8);
        char::from(b'A' + col as u8 + skipped)
    }

    /// The number of a row from the top.
    #[must_use]
    pub fn row(self, size: BoardSize, row: usize) -> usize {
        if self.row_one_at_top { row + 1 } else { size.rows() - row }
    }

    /// The name of an action, such as `"D4"` or `"pass"`. Numbers beyond the pass have none and
    /// give `"?"`.
    #[must_use]
    pub fn name(self, size: BoardSize, action: Action) -> String {
        match size.point(action) {
            Some(Point { row, col }) => format!("{}{}", self.column(col), self.row(size, row)),
            None if action == size.pass() => "pass".to_owned(),
            None => "?".to_owned(),
        }
    }

    /// The action with this name, in either case; `None` if there is none on this board.
    #[must_use]
    pub fn action(self, size: BoardSize, name: &str) -> Option<Action> {
        let name = name.trim();
        if name.eq_ignore_ascii_case("pass") {
            return Some(size.pass());
        }
        self.point(size, name).and_then(|point| size.action(point))
    }

    /// The point with this name, in either case; `None` if there is none on this board.
    pub(crate) fn point(self, size: BoardSize, name: &str) -> Option<Point> {
        let letter = name.bytes().next()?.to_ascii_uppercase();
        let number = name.get(1..).filter(|digits| !digits.starts_with(['0', '+']))?;
        let number: usize = number.parse().ok()?;
        let skipped = match letter {
            b'I' if self.skips_i => return None,
            b'J'.. if self.skips_i => 1,
            _ => 0,
        };
        let col = usize::from(letter.checked_sub(b'A' + skipped)?);
        let row = if self.row_one_at_top {
            number.checked_sub(1)?
        } else {
            size.rows().checked_sub(number)?
        };
        let point = Point { row, col };
        size.action(point).map(|_| point)
    }

    /// The board with coordinates: `X` black, `O` white, `.` empty; the last action in brackets.
    ///
    /// ```
    /// use sixplane::{Game, Go};
    ///
    /// let mut game = Go::new(3)?;
    /// game.play_at(1, 1)?;
    /// game.play_at(0, 2)?;
    /// assert_eq!(Go::NOTATION.draw(game.state().planes(), Some(sixplane::Action::new(2))), "
    ///    A B C
    ///  3 . .(O)3
    ///  2 . X . 2
    ///  1 . . . 1
    ///    A B C".trim_start_matches('\n'));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn draw(self, planes: &Planes, last: Option<Action>) -> String {
        let size = planes.size();
        let mut letters = String::from("  ");
        for col in 0..size.cols() {
            letters.extend([' ', self.column(col)]);
        }
        let mut text = letters.clone();
        for row in 0..size.rows() {
            let number = self.row(size, row);
            // Writing to a string cannot fail.
            let _ = write!(text, "\n{number:2}");
            let mut close = ' ';
            for col in 0..size.cols() {
                let index = row * size.cols() + col;
                let is_last = last == Some(Action::new(index));
                text.push(if is_last { '(' } else { close });
                text.push(match planes.stone(index) {
                    Some(Color::Black) => 'X',
                    Some(Color::White) => 'O',
                    None => '.',
                });
                close = if is_last { ')' } else { ' ' };
            }
            let _ = write!(text, "{close}{number}");
        }
        text.push('\n');
        text.push_str(&letters);
        text
    }
}
