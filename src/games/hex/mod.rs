//! Hex on boards of 2 to 19 rows and columns, with or without the swap rule.
//!
//! The points are hexagons: each row lies half a point to the right of the row above. The players put stones on empty
//! points in turn, Black first. Black wins by a chain from the top row to the bottom row, White by one from the first
//! column to the last. A full board has exactly one of them, so nobody draws. Under the swap rule White may answer the
//! first stone by the action that is the pass of other games: the stone becomes White's, on the point mirrored at the
//! diagonal, so that White has what Black had.

mod pairs;
mod sides;
mod solver;

use crate::bits::{Bits, nth_of_words};
use crate::clone::clone_by_field;
use crate::color::Color;
use crate::game::{Access, Game};
use crate::geometry::{Action, BoardSize};
use crate::log::Change;
use crate::notation::Notation;
use crate::playout::{Playouts, Scratch, limit};
use crate::random::RandomStream;
use crate::setup::{Setup, SetupError};
use crate::state::State;
use crate::status::Outcome;
use crate::symmetry::Symmetry;
use rand::RngExt;
use sides::{Sides, WORDS};

/// The options of Hex.
///
/// ```
/// use sixplane::{BoardSize, Game, Hex, HexRules};
///
/// assert!(!HexRules::default().swap);
/// let rules = HexRules { swap: true };
/// assert!(Hex::with_rules(BoardSize::square(11)?, rules, None).is_ok());
/// assert!(Hex::with_rules(BoardSize::new(11, 12)?, rules, None).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct HexRules {
    /// Whether White may take over Black's first stone. Such a board is square.
    pub swap: bool,
}

/// A game of Hex in play.
///
/// ```
/// use sixplane::{Action, Color, Game, Hex, HexRules, BoardSize, Outcome};
///
/// let mut game = Hex::from_text("
///     . X . .
///      O X O .
///       . X . O
///        . . O .", Color::Black)?;
/// game.play_at(3, 0)?;
/// assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)));
/// let line: Vec<_> = game.winning_line().into_iter().flatten().map(Action::index).collect();
/// assert_eq!(line, [1, 5, 9, 12]);
///
/// let mut game = Hex::with_rules(BoardSize::square(5)?, HexRules { swap: true }, None)?;
/// game.play_at(1, 3)?;
/// game.play(game.size().pass())?; // White swaps
/// assert_eq!(game.state().planes().stone(3 * 5 + 1), Some(Color::White));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Hex {
    rules: HexRules,
    state: State,
    sides: Sides,
    winner: Option<Color>,
    may_swap: bool,
}

impl Hex {
    /// Most rows or columns of a board.
    pub const MAX: usize = 19;

    /// The points of a shortest chain that joins the winner's sides, from Black's top or White's left on.
    ///
    /// ```
    /// use sixplane::{Game, Hex};
    ///
    /// let game = Hex::new(3)?.replay([4, 0, 1, 3, 7].map(Into::into))?;
    /// let line: Vec<_> = game.winning_line().into_iter().flatten().map(|point| point.index()).collect();
    /// assert_eq!(line, [1, 4, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn winning_line(&self) -> Option<Vec<Action>> {
        let chain = self.sides.chain(self.winner?)?;
        Some(chain.into_iter().map(Action::new).collect())
    }

    /// Whether White, to play, may take over the only stone, which is Black's.
    fn finds_swap(&self) -> bool {
        let [black, white] = Color::ALL.map(|color| self.sides.stones(color).count());
        self.rules.swap && self.turn() == Color::White && (black, white) == (1, 0)
    }

    /// Where a stone that is swapped goes.
    fn mirrored(&self, point: usize) -> usize {
        let cols = self.size().cols();
        point % cols * cols + point / cols
    }

    fn swap(&mut self) {
        let pass = self.size().pass();
        let from =
            self.sides.stones(Color::Black).first().expect("a swap is legal after one stone alone");
        let to = self.mirrored(from);
        let replies = self.state.play(pass, |changes| {
            if from == to {
                changes.push(Change::flip(to));
            } else {
                changes.extend([Change::new(Color::White, to), Change::new(Color::Black, from)]);
            }
        });
        if from != to {
            replies.replace(to, Some(from));
        }
        self.sides = Sides::new(self.size());
        self.put(Color::White, to);
    }

    #[inline]
    fn put(&mut self, color: Color, point: usize) {
        if self.sides.put(color, point) {
            self.winner = Some(color);
        }
    }
}

impl Game for Hex {
    type Rules = HexRules;

    const NAME: &'static str = "hex";

    const NOTATION: Notation = Notation { skips_i: false, row_one_at_top: true };

    const IS_SLANTED: bool = true;

    fn from_setup(
        rules: HexRules,
        setup: Setup,
        max_moves: Option<u32>,
    ) -> Result<Self, SetupError> {
        let size = setup.size();
        if size.rows() > Self::MAX || size.cols() > Self::MAX {
            return Err(SetupError::new(format!(
                "a Hex board of {size}: rows and columns must each be from {} to {}",
                BoardSize::MIN,
                Self::MAX
            )));
        }
        if rules.swap && !size.is_square() {
            let message = format!("a Hex board of {size}: the swap rule needs a square one");
            return Err(SetupError::new(message));
        }
        setup.check()?;
        let [black, white] = Color::ALL.map(|color| setup.stones[color].len());
        let is_swapped = rules.swap && setup.turn == Color::Black && (black, white) == (0, 1);
        if setup.passed && !is_swapped {
            return Err(SetupError::new(
                "the pass plane is 1, but that is not the position after a swap",
            ));
        }
        let (state, sides) = (State::new(setup, max_moves), Sides::new(size));
        let mut game = Self { rules, state, sides, winner: None, may_swap: false };
        game.restart();
        Ok(game)
    }

    fn rules(&self) -> &HexRules {
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
        if action == self.size().pass() {
            self.swap();
        } else {
            let stone = Change::new(color, point);
            self.state.play(action, |changes| changes.push(stone)).forbid(point);
            self.put(color, point);
        }
        self.may_swap = self.rules.swap && self.finds_swap();
    }

    fn rebuild(&mut self) {
        (self.sides, self.winner) = (Sides::new(self.size()), None);
        let planes = self.state.planes();
        let stones: Vec<_> = (0..self.size().points())
            .filter_map(|point| Some((planes.stone(point)?, point)))
            .collect();
        for (color, point) in stones {
            self.put(color, point);
        }
        self.state.write_legal(self.sides.empty());
        self.may_swap = self.finds_swap();
    }

    fn reason(&self, _point: usize) -> &'static str {
        // No rule forbids an empty point.
        "occupied"
    }

    #[inline]
    fn may_pass(&self) -> bool {
        self.may_swap
    }

    #[inline]
    fn ending_rule(&self) -> Option<&'static str> {
        self.winner.map(|_| "chain")
    }

    fn may_end(&self, action: Action) -> bool {
        let is_point = action != self.size().pass();
        let mut sides = self.sides;
        self.state.is_near_limit() || is_point && sides.put(self.turn(), action.index())
    }

    fn score(&self) -> f64 {
        self.winner.map_or(0.0, |color| f64::from(Outcome::Win(color).sign()))
    }
}

impl Playouts for Hex {
    fn playout(
        &self,
        _scratch: &mut Scratch<Self>,
        rng: &mut RandomStream,
        mut played: Option<&mut Vec<Action>>,
    ) -> f64 {
        if self.is_over() {
            return self.score();
        }
        let (mut sides, mut color) = (self.sides, self.turn());
        let mut empty: Bits<WORDS> = sides.empty();
        let words = self.size().points().div_ceil(64);
        let mut count = empty.count() as u32;
        for _ in 0..limit(self).min(count as usize) {
            let point = nth_of_words(&empty.0[..words], rng.random_range(0..count));
            if let Some(played) = &mut played {
                played.push(Action::new(point));
            }
            if sides.put(color, point) {
                return f64::from(Outcome::Win(color).sign());
            }
            empty.remove(point);
            count -= 1;
            color = color.opponent();
        }
        0.0
    }

    /// The board may be turned by half. (Mirrored at a diagonal it is a board on which the colors have each other's
    /// sides.)
    fn num_symmetries(&self) -> usize {
        2
    }

    fn symmetry(index: usize) -> Option<Symmetry> {
        Symmetry::new(3 * index).filter(|_| index < 2)
    }
}

clone_by_field!(Hex { rules, state, sides, winner, may_swap });
