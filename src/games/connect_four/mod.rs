//! Connect Four on boards of 4 to 12 rows and columns.
//!
//! The players put discs into the columns in turn, Black first; a disc falls to the lowest empty point of its
//! column, and that point is the action. Four discs of one color in a row, column or diagonal win. A full board
//! without such a line is a draw. There is no pass.

mod solver;

use crate::bits::{Bits, nth_of_words};
use crate::clone::clone_by_field;
use crate::color::Color;
use crate::game::{Access, Game};
use crate::games::lines::{Lines, Standing, check_lines, check_setup, narrow};
use crate::geometry::Action;
use crate::log::Change;
use crate::notation::Notation;
use crate::planes::read_bits;
use crate::playout::{Playouts, Scratch, limit};
use crate::random::RandomStream;
use crate::setup::{Setup, SetupError};
use crate::state::State;
use crate::status::Outcome;
use rand::RngExt;

/// How many discs in a line win.
const LENGTH: usize = 4;

/// Words that hold the points of any board.
const WORDS: usize = 3;

/// A game of Connect Four in play.
///
/// ```
/// use sixplane::{Action, Color, ConnectFour, Game, Outcome};
///
/// let mut game = ConnectFour::from_text("
///     . . . . . . .
///     . . . . . . .
///     . . . . . . .
///     . . X O . . .
///     . X O X . . .
///     X O O X . O .", Color::Black)?;
/// let action = game.action_in(3).expect("the column is not full");
/// assert_eq!(action, Action::new(17)); // on top of the three discs there
/// game.play(action)?;
/// assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ConnectFour {
    state: State,
    lines: Lines<WORDS, LENGTH>,
    /// The discs of each color.
    discs: [Bits<WORDS>; 2],
    standing: Standing,
}

impl ConnectFour {
    /// Fewest rows or columns of a board.
    pub const MIN: usize = LENGTH;
    /// Most rows or columns of a board.
    pub const MAX: usize = 12;

    /// The action that puts a disc into a column: its lowest empty point. `None` if the column is full or off
    /// the board, or the game is over.
    #[must_use]
    pub fn action_in(&self, col: usize) -> Option<Action> {
        let cols = self.size().cols();
        self.state.legal().iter().find(|point| point % cols == col).map(Action::new)
    }

    /// The points of the line that won, ascending: four, or more if the last disc joined two runs. If it made
    /// several lines, it is one along a row before a column, a falling and a rising diagonal.
    ///
    /// ```
    /// use sixplane::{ConnectFour, Game};
    ///
    /// let mut game = ConnectFour::new(4)?;
    /// for col in [0, 1, 0, 1, 0, 1, 0] {
    ///     game.play(game.action_in(col).expect("the column is not full"))?;
    /// }
    /// let line: Vec<_> = game.winning_line().into_iter().flatten().map(|point| point.index()).collect();
    /// assert_eq!(line, [0, 4, 8, 12]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn winning_line(&self) -> Option<Vec<Action>> {
        let line = self.lines.find_full(self.discs[self.standing.winner?.index()])?;
        Some(line.into_iter().map(Action::new).collect())
    }

    fn has_line(&self, color: Color) -> bool {
        let discs = self.discs[color.index()];
        if self.size().points() <= 64 {
            self.lines.narrow::<1>().is_any_full(narrow(discs))
        } else {
            self.lines.is_any_full(discs)
        }
    }

    /// Plays at random to the end, on boards that fit `W` words: no planes, no history.
    fn play_out<const W: usize>(
        &self,
        rng: &mut RandomStream,
        mut played: Option<&mut Vec<Action>>,
    ) -> f64 {
        let (lines, cols) = (self.lines.narrow::<W>(), self.size().cols());
        let mut discs = self.discs.map(narrow::<WORDS, W>);
        let mut open: Bits<W> = narrow(*self.state.legal());
        let mut color = self.turn();
        for _ in 0..limit(self) {
            let count = open.count() as u32;
            if count == 0 {
                break;
            }
            let point = nth_of_words(&open.0, rng.random_range(0..count));
            if let Some(played) = &mut played {
                played.push(Action::new(point));
            }
            let own = &mut discs[color.index()];
            own.insert(point);
            if lines.is_any_full(*own) {
                return f64::from(Outcome::Win(color).sign());
            }
            open.remove(point);
            if let Some(above) = point.checked_sub(cols) {
                open.insert(above);
            }
            color = color.opponent();
        }
        0.0
    }
}

impl Game for ConnectFour {
    type Rules = ();

    const NAME: &'static str = "connect4";

    const NOTATION: Notation = Notation { skips_i: false, row_one_at_top: false };

    fn from_setup(_rules: (), setup: Setup, max_moves: Option<u32>) -> Result<Self, SetupError> {
        let size = setup.size();
        let fits = |side| (Self::MIN..=Self::MAX).contains(&side);
        if !fits(size.rows()) || !fits(size.cols()) {
            return Err(SetupError::new(format!(
                "a Connect Four board of {size}: rows and columns must each be from {} to {}",
                Self::MIN,
                Self::MAX
            )));
        }
        check_setup(&setup, "Connect Four")?;
        let (state, lines) = (State::new(setup, max_moves), Lines::new(size));
        let discs = [Bits::EMPTY; 2];
        let mut game = Self { state, lines, discs, standing: Standing::default() };
        game.restart();
        let taken = game.discs[0] | game.discs[1];
        let hangs = |&point: &usize| {
            let below = point + size.cols();
            below < size.points() && !taken.contains(below)
        };
        if let Some(point) = taken.iter().find(hangs) {
            return Err(SetupError::new(format!(
                "the disc at {} hangs over an empty point",
                Self::NOTATION.name(size, Action::new(point))
            )));
        }
        check_lines(|color| game.has_line(color), "line of four")?;
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
        let (color, point, cols) = (self.turn(), action.index(), self.size().cols());
        let replies = self.state.play(action, |changes| changes.push(Change::new(color, point)));
        replies.replace(point, point.checked_sub(cols));
        self.discs[color.index()].insert(point);
        self.standing.after(color, self.has_line(color));
    }

    fn rebuild(&mut self) {
        let (size, planes) = (self.size(), self.state.planes());
        self.discs = Color::ALL.map(|color| read_bits(planes.plane_cells(color.into())));
        let taken = self.discs[0] | self.discs[1];
        let is_open = |&point: &usize| {
            let below = point + size.cols();
            !taken.contains(point) && (below >= size.points() || taken.contains(below))
        };
        let open: Bits<WORDS> = (0..size.points()).filter(is_open).collect();
        self.state.write_legal(open);
        let winner = Color::ALL.into_iter().find(|&color| self.has_line(color));
        self.standing = Standing { winner, empty: size.points() - taken.count() };
    }

    fn reason(&self, _point: usize) -> &'static str {
        "no_support"
    }

    #[inline]
    fn may_pass(&self) -> bool {
        false
    }

    #[inline]
    fn ending_rule(&self) -> Option<&'static str> {
        self.standing.ending_rule()
    }

    fn may_end(&self, action: Action) -> bool {
        let mut discs = self.discs[self.turn().index()];
        discs.insert(action.index());
        self.standing.empty == 1 || self.state.is_near_limit() || self.lines.is_any_full(discs)
    }

    fn score(&self) -> f64 {
        self.standing.score()
    }
}

impl Playouts for ConnectFour {
    fn playout(
        &self,
        _scratch: &mut Scratch<Self>,
        rng: &mut RandomStream,
        played: Option<&mut Vec<Action>>,
    ) -> f64 {
        if self.is_over() {
            self.score()
        } else if self.size().points() <= 64 {
            self.play_out::<1>(rng, played)
        } else {
            self.play_out::<WORDS>(rng, played)
        }
    }

    /// Discs fall, so the board may only be flipped left-right.
    fn num_symmetries(&self) -> usize {
        2
    }
}

clone_by_field!(ConnectFour { state, lines, discs, standing });
