//! Tic-tac-toe.
//!
//! The players put stones on the empty points of a 3x3 board in turn, Black first. Three in a row, column or
//! diagonal win. A full board without such a line is a draw. There is no pass.

mod solver;

use crate::bits::Bits;
use crate::clone::clone_by_field;
use crate::color::Color;
use crate::game::{Access, Game};
use crate::games::lines::{Lines, Standing, check_lines, check_setup};
use crate::geometry::Action;
use crate::log::Change;
use crate::notation::Notation;
use crate::planes::read_bits;
use crate::playout::Playouts;
use crate::setup::{Setup, SetupError};
use crate::state::State;

/// Rows and columns of the board.
const SIDE: usize = 3;

/// A game of tic-tac-toe in play.
///
/// ```
/// use sixplane::{Action, Color, Game, Outcome, TicTacToe};
///
/// let mut game = TicTacToe::from_text("
///     X O .
///     . X O
///     . . .", Color::Black)?;
/// game.play_at(2, 2)?;
/// assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)));
/// let line: Vec<_> = game.winning_line().into_iter().flatten().map(Action::index).collect();
/// assert_eq!(line, [0, 4, 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TicTacToe {
    state: State,
    lines: Lines<1, SIDE>,
    /// The stones of each color.
    stones: [Bits<1>; 2],
    standing: Standing,
}

impl TicTacToe {
    /// The points of the line that won, ascending. If one stone made two lines, it is one along a row before
    /// a column, a falling and a rising diagonal.
    ///
    /// ```
    /// use sixplane::{Game, TicTacToe};
    ///
    /// let game = TicTacToe::new(3)?.replay([2, 0, 4, 1, 6].map(Into::into))?;
    /// let line: Vec<_> = game.winning_line().into_iter().flatten().map(|point| point.index()).collect();
    /// assert_eq!(line, [2, 4, 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn winning_line(&self) -> Option<Vec<Action>> {
        let line = self.lines.find_full(self.stones[self.standing.winner?.index()])?;
        Some(line.into_iter().map(Action::new).collect())
    }

    fn has_line(&self, color: Color) -> bool {
        self.lines.is_any_full(self.stones[color.index()])
    }
}

impl Game for TicTacToe {
    type Rules = ();

    const NAME: &'static str = "tictactoe";

    const NOTATION: Notation = Notation { skips_i: false, row_one_at_top: false };

    fn from_setup(_rules: (), setup: Setup, max_moves: Option<u32>) -> Result<Self, SetupError> {
        let size = setup.size();
        if (size.rows(), size.cols()) != (SIDE, SIDE) {
            let message = format!("a tic-tac-toe board of {size}: it is {SIDE}x{SIDE}");
            return Err(SetupError::new(message));
        }
        check_setup(&setup, "tic-tac-toe")?;
        let (state, lines) = (State::new(setup, max_moves), Lines::new(size));
        let stones = [Bits::EMPTY; 2];
        let mut game = Self { state, lines, stones, standing: Standing::default() };
        game.restart();
        check_lines(|color| game.has_line(color), "line of three")?;
        Ok(game)
    }

    fn rules(&self) -> &() {
        &()
    }

    #[inline]
    fn state(&self) -> &State {
        &self.state
    }

    #[inline]
    fn state_mut(&mut self, _access: Access) -> &mut State {
        &mut self.state
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        let (color, point) = (self.turn(), action.index());
        let replies = self.state.play(action, |changes| changes.push(Change::new(color, point)));
        replies.forbid(point);
        self.stones[color.index()].insert(point);
        self.standing.after(color, self.has_line(color));
    }

    fn rebuild(&mut self) {
        let (size, planes) = (self.size(), self.state.planes());
        self.stones = Color::ALL.map(|color| read_bits(planes.plane_cells(color.into())));
        let board: Bits<1> = (0..size.points()).collect();
        let empty = board & !(self.stones[0] | self.stones[1]);
        self.state.write_legal(empty);
        let winner = Color::ALL.into_iter().find(|&color| self.has_line(color));
        self.standing = Standing { winner, empty: empty.count() };
    }

    fn reason(&self, _point: usize) -> &'static str {
        // No rule forbids an empty point.
        "occupied"
    }

    #[inline]
    fn may_pass(&self) -> bool {
        false
    }

    #[inline]
    fn ending_rule(&self) -> Option<&'static str> {
        self.standing.ending_rule()
    }

    fn score(&self) -> f64 {
        self.standing.score()
    }
}

impl Playouts for TicTacToe {}

clone_by_field!(TicTacToe { state, lines, stones, standing });
