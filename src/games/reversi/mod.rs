//! Reversi on boards with an even number of rows and columns, 4 to 24 each.
//!
//! A play puts a disc on an empty point and flips every enemy disc between it and another own disc
//! along a line; it must flip at least one. A player who cannot play passes, and may pass only then.
//! When neither player can play, the game is over, and the player with more discs wins.

mod board;
mod eight_by_eight;
pub mod heuristic_values;
mod lines;
mod solver;

pub use board::Perft;

use crate::clone::clone_by_field;
use crate::color::{ByColor, Color};
use crate::game::{Access, Game};
use crate::games::any_width::any_width;
use crate::geometry::{Action, BoardSize};
use crate::notation::Notation;
use crate::playout::Playouts;
use crate::setup::{Setup, SetupError};
use crate::state::State;
use crate::with_words_for;
use board::{Board, Mobility};

type BoxedBoard<const W: usize> = Box<Board<W>>;

any_width!(AnyBoard, BoxedBoard, with_board);

/// The options of Reversi: there are none.
///
/// ```
/// use sixplane::{BoardSize, Game, Reversi, ReversiRules};
///
/// let game = Reversi::with_rules(BoardSize::new(6, 8)?, ReversiRules, None)?;
/// assert_eq!(game.legal_actions().len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReversiRules;

/// A game of Reversi in play.
///
/// ```
/// use sixplane::{Game, Plane, Reversi};
///
/// let mut game = Reversi::new(4)?;
/// game.play_at(0, 1)?; // flips the white disc below it
/// assert_eq!(Reversi::NOTATION.draw(game.state().planes(), None), "
///    A B C D
///  1 . X . . 1
///  2 . X X . 2
///  3 . X O . 3
///  4 . . . . 4
///    A B C D".trim_start_matches('\n'));
/// assert_eq!(game.score(), 3.0);
/// assert_eq!(game.state().planes().plane(Plane::Invalid).to_string(), "\
/// [[0, 1, 0, 1],
///  [1, 1, 1, 1],
///  [0, 1, 1, 1],
///  [1, 1, 1, 1]]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reversi {
    state: State,
    board: AnyBoard,
    /// What the player to play can do.
    mobility: Mobility,
}

impl Reversi {
    /// Most rows or columns of a board; they are even.
    pub const MAX: usize = 24;
    /// Fewest rows or columns of a board.
    pub const MIN: usize = 4;

    /// The four discs in the center that a game starts with, Black's on the rising diagonal.
    #[must_use]
    pub fn starting_discs(size: BoardSize) -> ByColor<Vec<u16>> {
        let (row, col, cols) = (size.rows() / 2 - 1, size.cols() / 2 - 1, size.cols());
        let left = (row * cols + col) as u16;
        let below = left + cols as u16;
        ByColor { black: vec![left + 1, below], white: vec![left, below + 1] }
    }

    /// Number of discs of each color.
    ///
    /// ```
    /// use sixplane::{ByColor, Game, Reversi};
    ///
    /// let mut game = Reversi::new(8)?;
    /// game.play(game.legal_actions()[0])?;
    /// assert_eq!(game.discs(), ByColor { black: 4, white: 1 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn discs(&self) -> ByColor<usize> {
        let count = |color| with_board!(&self.board, board => board.discs(color).count());
        ByColor { black: count(Color::Black), white: count(Color::White) }
    }

    /// Counts the sequences of `depth` actions from here, a pass being an action. Only the board
    /// counts: neither a resignation nor the move limit does.
    ///
    /// ```
    /// # use sixplane::{Game, Reversi};
    /// let game = Reversi::new(8)?;
    /// assert_eq!(game.perft(5).sequences, 1396);
    /// # Ok::<(), sixplane::SetupError>(())
    /// ```
    #[must_use]
    pub fn perft(&self, depth: u32) -> Perft {
        with_board!(&self.board, board => board.perft(self.turn(), depth))
    }

    /// The discs of a color on the first 64 points: all of them on boards up to the usual one.
    fn first_word(&self, color: Color) -> u64 {
        with_board!(&self.board, board => board.discs(color).0[0])
    }

    /// Number of empty points.
    fn empty(&self) -> usize {
        let ByColor { black, white } = self.discs();
        self.size().points() - black - white
    }

    fn check_setup(&self) -> Result<(), SetupError> {
        let other = self.turn().opponent();
        let mobility = with_board!(&self.board, board => board.mobility(other));
        if !self.state.setup().passed || mobility == Mobility::Pass {
            return Ok(());
        }
        let message =
            format!("the pass plane is 1, but {} did not have to pass here", other.name());
        Err(SetupError::new(message))
    }
}

impl Game for Reversi {
    type Rules = ReversiRules;

    const NAME: &'static str = "reversi";

    const NOTATION: Notation = Notation { skips_i: false, row_one_at_top: true };

    fn from_setup(
        _rules: ReversiRules,
        setup: Setup,
        max_moves: Option<u32>,
    ) -> Result<Self, SetupError> {
        let size = setup.size();
        let fits = |side: usize| side % 2 == 0 && (Self::MIN..=Self::MAX).contains(&side);
        if !fits(size.rows()) || !fits(size.cols()) {
            return Err(SetupError::new(format!(
                "a Reversi board of {size}: rows and columns must each be even and from {} to {}",
                Self::MIN,
                Self::MAX
            )));
        }
        setup.check()?;
        let state = State::new(setup, max_moves);
        // Without a spare bit: the 64 points of the usual board take one word.
        let board = with_words_for!(size.points() - 1, W => Box::new(Board::<W>::new(size)).into());
        let mut game = Self { state, board, mobility: Mobility::None };
        game.restart();
        game.check_setup()?;
        Ok(game)
    }

    fn starting_position(_rules: &ReversiRules, size: BoardSize) -> Result<Setup, SetupError> {
        let mut setup = Setup::empty(size);
        setup.stones = Self::starting_discs(size);
        Ok(setup)
    }

    fn rules(&self) -> &ReversiRules {
        &ReversiRules
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
        self.mobility = with_board!(&mut self.board, board => board.apply(action, &mut self.state));
    }

    fn rebuild(&mut self) {
        self.mobility = with_board!(&mut self.board, board => board.rebuild(&mut self.state));
    }

    fn reason(&self, _point: usize) -> &'static str {
        "no_flip"
    }

    #[inline]
    fn may_pass(&self) -> bool {
        self.mobility == Mobility::Pass
    }

    #[inline]
    fn ending_rule(&self) -> Option<&'static str> {
        (self.mobility == Mobility::None).then(|| {
            let ByColor { black, white } = self.discs();
            if black + white == self.size().points() { "full" } else { "no_moves" }
        })
    }

    fn score(&self) -> f64 {
        let discs = self.discs();
        discs.black as f64 - discs.white as f64
    }
}

impl Playouts for Reversi {
    fn write_heuristic_values(&self, actions: &[Action], values: &mut [f32]) {
        let turn = self.turn();
        with_board!(&self.board, board => board.write_heuristic_values(turn, actions, values));
    }
}

clone_by_field!(Reversi { state, board, mobility });
