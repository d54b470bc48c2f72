//! Gomoku on boards of 5 to 25 rows and columns, freestyle or exactly five.
//!
//! The players put stones on empty points in turn, Black first. A run of five in a row, column or
//! diagonal wins; freestyle, a longer run wins too. A full board without such a run is a draw. There
//! is no pass.

mod board;
mod lines;
mod solver;

use crate::bits::Bits;
use crate::clone::clone_by_field;
use crate::color::Color;
use crate::game::{Access, Game};
use crate::games::lines::{Standing, check_lines, check_setup};
use crate::geometry::{Action, BoardSize};
use crate::log::Change;
use crate::notation::Notation;
use crate::planes::read_bits;
use crate::playout::Playouts;
use crate::setup::{Setup, SetupError};
use crate::state::State;
use lines::Lines;

/// The options of Gomoku.
///
/// ```
/// use sixplane::GomokuRules;
///
/// assert!(GomokuRules::default().wins(6));
/// assert!(!GomokuRules { exact_five: true }.wins(6));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GomokuRules {
    /// Whether only runs of exactly five win, and not those of six and more.
    pub exact_five: bool,
}

impl GomokuRules {
    /// Whether a run of this length wins.
    #[must_use]
    #[inline]
    pub fn wins(self, run: u32) -> bool {
        run == 5 || run > 5 && !self.exact_five
    }
}

/// A game of Gomoku in play.
///
/// ```
/// use sixplane::{Action, Color, Game, Gomoku, Outcome};
///
/// let mut game = Gomoku::from_text("
///     X . . . . .
///     . X . O . .
///     . . . O . .
///     . . . X O .
///     . . O . X .", Color::Black)?;
/// game.play_at(2, 2)?;
/// assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)));
/// let line: Vec<_> = game.winning_line().into_iter().flatten().map(Action::index).collect();
/// assert_eq!(line, [0, 7, 14, 21, 28]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Gomoku {
    rules: GomokuRules,
    state: State,
    lines: Lines,
    standing: Standing,
}

impl Gomoku {
    /// Fewest rows or columns of a board.
    pub const MIN: usize = 5;

    /// The points of the run that won, ascending: five, or more in freestyle. If one play made several
    /// runs, it is one along a row before a column, a falling and a rising diagonal.
    ///
    /// ```
    /// use sixplane::{Game, Gomoku};
    ///
    /// let game = Gomoku::new(7)?.replay([0, 7, 1, 8, 2, 9, 3, 10, 4].map(Into::into))?;
    /// let line: Vec<_> = game.winning_line().into_iter().flatten().map(|point| point.index()).collect();
    /// assert_eq!(line, [0, 1, 2, 3, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn winning_line(&self) -> Option<Vec<Action>> {
        let run = self.run_of(self.standing.winner?)?;
        Some(run.into_iter().map(Action::new).collect())
    }

    fn run_of(&self, color: Color) -> Option<Vec<usize>> {
        self.lines.find_run(color, |run| self.rules.wins(run))
    }
}

impl Game for Gomoku {
    type Rules = GomokuRules;

    const NAME: &'static str = "gomoku";

    const NOTATION: Notation = Notation { skips_i: false, row_one_at_top: false };

    fn from_setup(
        rules: GomokuRules,
        setup: Setup,
        max_moves: Option<u32>,
    ) -> Result<Self, SetupError> {
        let size = setup.size();
        if size.rows() < Self::MIN || size.cols() < Self::MIN {
            return Err(SetupError::new(format!(
                "a Gomoku board of {size}: rows and columns must each be from {} to {}",
                Self::MIN,
                BoardSize::MAX
            )));
        }
        check_setup(&setup, "Gomoku")?;
        let (state, lines) = (State::new(setup, max_moves), Lines::new(size));
        let mut game = Self { rules, state, lines, standing: Standing::default() };
        game.restart();
        check_lines(|color| game.run_of(color).is_some(), "winning line")?;
        Ok(game)
    }

    fn rules(&self) -> &GomokuRules {
        &self.rules
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
        // Every other point is as legal as it was for the opponent.
        replies.forbid(point);
        let runs = self.lines.put(color, point);
        self.standing.after(color, runs.into_iter().any(|run| self.rules.wins(run)));
    }

    fn rebuild(&mut self) {
        self.lines.clear();
        let planes = self.state.planes();
        let stones = Color::ALL.map(|color| read_bits::<10, _>(planes.plane_cells(color.into())));
        let mut longest = 0;
        for color in Color::ALL {
            for point in stones[color.index()] {
                longest = self.lines.put(color, point).into_iter().fold(longest, u32::max);
            }
        }
        let board: Bits<10> = (0..self.size().points()).collect();
        let empty = board & !(stones[0] | stones[1]);
        self.state.write_legal(empty);
        // Most positions have no run of five to search for.
        let mut colors = Color::ALL.into_iter().filter(|_| longest >= 5);
        let winner = colors.find(|&color| self.run_of(color).is_some());
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

    fn may_end(&self, action: Action) -> bool {
        let runs = || self.lines.runs_with(self.turn(), action.index());
        let wins = || runs().into_iter().any(|run| self.rules.wins(run));
        self.standing.empty == 1 || self.state.is_near_limit() || wins()
    }

    fn score(&self) -> f64 {
        self.standing.score()
    }
}

impl Playouts for Gomoku {}

clone_by_field!(Gomoku { rules, state, lines, standing });
