//! Go on boards of 2 to 25 rows and columns: area scoring, three ko rules exact in the invalid
//! plane, handicap, komi, and suicide as an option.
//!
//! Two levels: [`Board`] knows the stones and simple ko, [`Go`]
//! the history as well, hence superko.

mod board;
mod chains;
mod eyes;
pub mod heuristic_values;
mod history;
mod inner;
mod layout;
mod liberties;
mod pass_alive;
mod playouts;
mod rules;
mod scoring;
mod shapes;
mod simple_ko;
mod superko;

use ndarray::Array2;

pub use board::Board;
pub use eyes::EyeRule;
pub use rules::{KoRule, Komi, Rules, RulesError, handicap_points};

use crate::clone::clone_by_field;
use crate::color::{ByColor, Color};
use crate::error::PlayError;
use crate::exact::Exact;
use crate::game::{Access, Game};
use crate::games::any_width::any_width;
use crate::geometry::{Action, BoardSize};
use crate::log::Step;
use crate::morphology::number_chains;
use crate::notation::Notation;
use crate::playout::{Playouts, Scratch, limit};
use crate::random::RandomStream;
use crate::setup::{Setup, SetupError};
use crate::state::State;
use crate::with_words;
use inner::Inner;

type BoxedInner<const W: usize> = Box<Inner<W>>;

any_width!(AnyInner, BoxedInner, with_inner);

/// A game of Go in play.
///
/// ```
/// use sixplane::{Color, Game, Go, Plane};
///
/// let mut game = Go::from_text("
///     . X .
///     X O X
///     . . .", Color::Black)?;
/// game.play_at(2, 1)?; // takes the white stone
/// assert_eq!(game.captures()[Color::Black], 1);
/// assert_eq!(game.state().planes().plane(Plane::Invalid).to_string(), "\
/// [[1, 1, 1],
///  [1, 1, 1],
///  [1, 1, 1]]"); // White may only pass: the center and the corners are suicide
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Go {
    rules: Rules,
    state: State,
    inner: AnyInner,
}

impl Go {
    /// Stones taken by each color so far. Stones that a suicide took off count for the other.
    #[must_use]
    pub fn captures(&self) -> ByColor<usize> {
        let mut taken = ByColor::default();
        for (_, changes) in self.state.steps_with_changes() {
            // The stone put appears, all others of the same action vanish; a stone that vanishes by its own
            // suicide is among both.
            for change in changes.iter().skip(1) {
                taken[change.color().opponent()] += 1;
            }
        }
        taken
    }

    fn score_of(&self, areas: ByColor<usize>) -> f64 {
        areas.black as f64 - areas.white as f64 - self.rules.komi.points()
    }

    /// Plays an action as [`Game::play`] does, or one that only superko forbids: a player who keeps to simple
    /// ko may have played it. The history then has the position twice.
    ///
    /// ```
    /// use sixplane::{Action, Game, Go, PlayError};
    ///
    /// let mut game = Go::new(3)?.replay([3, 4, 7, 5, 8, 6].map(Action::new))?; // sends two
    /// let back = Action::new(7); // returns one
    /// assert_eq!(game.play(back), Err(PlayError::Forbidden("superko")));
    /// game.play_repetition(back)?;
    /// assert_eq!(game.state().moves(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlayError`] if it may not be played; then nothing has changed.
    pub fn play_repetition(&mut self, action: Action) -> Result<(), PlayError> {
        match self.check(action) {
            Err(PlayError::Forbidden(_)) if self.is_repetition(action.index()) => {}
            checked => checked?,
        }
        self.play_unchecked(action);
        Ok(())
    }

    /// Whether simple ko allows a play at an empty point that superko forbids.
    fn is_repetition(&self, point: usize) -> bool {
        let (turn, suicide) = (self.turn(), self.rules.suicide);
        // What the start forbids may be a ko.
        let is_of_start = self.state.steps().next().is_none()
            && self
                .state
                .setup()
                .forbidden
                .iter()
                .any(|&forbidden| usize::from(forbidden) == point);
        !is_of_start
            && with_inner!(&self.inner, inner => {
                inner.superko.is_some() && inner.board.legal(turn, suicide).contains(point)
            })
    }

    /// Points of each color's area: its stones, and empty points that reach only its stones.
    ///
    /// ```
    /// # use sixplane::{ByColor, Color, Game, Go};
    /// let game = Go::from_text("
    ///     . X O .
    ///     X X O .", Color::Black)?;
    /// assert_eq!(game.areas(), ByColor { black: 4, white: 4 });
    /// # Ok::<(), sixplane::SetupError>(())
    /// ```
    #[must_use]
    pub fn areas(&self) -> ByColor<usize> {
        with_inner!(&self.inner, inner => inner.board.count_areas())
    }

    /// Whose area each point is in, `(rows, cols)`: +1 Black's, -1 White's, 0 nobody's.
    #[must_use]
    pub fn ownership(&self) -> Array2<i8> {
        let mut owners = vec![0; self.size().points()];
        self.write_ownership(&mut owners);
        let (rows, cols) = (self.size().rows(), self.size().cols());
        Array2::from_shape_fn((rows, cols), |(row, col)| owners[row * cols + col])
    }

    /// Whose each point is whatever the other plays, `(rows, cols)`: +1 Black's, -1 White's, 0 open
    /// ([`Board::pass_alive`]).
    ///
    /// ```
    /// # use sixplane::{Color, Game, Go};
    /// let game = Go::from_text("
    ///     . X . X O .
    ///     X X X X O .", Color::Black)?;
    /// assert_eq!(game.pass_alive().row(0).to_vec(), [1, 1, 1, 1, 0, 0]);
    /// assert_eq!(game.score_bounds(), (-3.5, 4.5));
    /// # Ok::<(), sixplane::SetupError>(())
    /// ```
    #[must_use]
    pub fn pass_alive(&self) -> Array2<i8> {
        let (rows, cols) = (self.size().rows(), self.size().cols());
        let mut owners = Array2::zeros((rows, cols));
        for (color, owner) in Color::ALL.into_iter().zip([1, -1]) {
            with_inner!(&self.inner, inner => {
                let points = inner.board.pass_alive(color, self.rules.suicide);
                points.iter().for_each(|point| owners[[point / cols, point % cols]] = owner);
            });
        }
        owners
    }

    /// The least and the most that the score can still be, if each color keeps what is its own whatever the
    /// other plays ([`Go::pass_alive`]): it takes the stones that the other has there before both pass.
    /// Both are the score once the game is over.
    #[must_use]
    pub fn score_bounds(&self) -> (f64, f64) {
        if self.is_over() {
            return (self.score(), self.score());
        }
        let (owners, points) = (self.pass_alive(), self.size().points());
        let [black, white] =
            [1, -1].map(|owner| owners.iter().filter(|&&own| own == owner).count());
        let bound = |black, white| self.score_of(ByColor { black, white });
        (bound(black, points - black), bound(points - white, white))
    }

    /// The chain at each point, `(rows, cols)`: chains are numbered from 1 in the order of their
    /// first points, 0 is empty.
    #[must_use]
    pub fn chains(&self) -> Array2<i32> {
        with_inner!(&self.inner, inner => {
            number_chains(inner.board.frame(), inner.board.stones, |number, _| number)
        })
    }

    /// The number of liberties of the chain at each point, `(rows, cols)`; 0 where empty.
    ///
    /// ```
    /// use sixplane::{ByColor, Color, Game, Go};
    ///
    /// let mut game = Go::from_text("
    ///     X O .
    ///     . X .
    ///     . . .", Color::Black)?;
    /// assert_eq!(game.liberties()[[0, 1]], 1);
    /// game.play_at(0, 2)?;
    /// assert_eq!(game.captures(), ByColor { black: 1, white: 0 });
    /// assert_eq!(game.ownership().sum(), 9);
    /// assert_eq!(game.chains().iter().max(), Some(&3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn liberties(&self) -> Array2<i32> {
        with_inner!(&self.inner, inner => {
            let (frame, empty) = (inner.board.frame(), inner.board.empty());
            number_chains(frame, inner.board.stones, |_, chain| frame.dilate(chain, empty).count())
        })
    }

    /// Whether an empty point is an eye of `color`. Off the board, and where a stone is: no.
    ///
    /// ```
    /// use sixplane::{Color, EyeRule, Game, Go};
    ///
    /// let game = Go::from_text("
    ///     . X .
    ///     X X .
    ///     . . .", Color::White)?;
    /// assert!(game.is_eye(0.into(), Color::Black, EyeRule::Diagonal));
    /// assert!(!game.is_eye(0.into(), Color::White, EyeRule::Diagonal));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_eye(&self, action: Action, color: Color, rule: EyeRule) -> bool {
        let point = action.index();
        point < self.size().points()
            && with_inner!(&self.inner, inner => inner.board.is_eye(point, color, rule))
    }

    /// All eyes of `color`, ascending: the points where [`is_eye`](Self::is_eye) says so.
    #[must_use]
    pub fn eyes(&self, color: Color, rule: EyeRule) -> Vec<Action> {
        with_inner!(&self.inner, inner => {
            inner.board.eyes(color, rule).iter().map(Action::new).collect()
        })
    }
}

impl Game for Go {
    type Rules = Rules;

    const NAME: &'static str = "go";

    const NOTATION: Notation = Notation { skips_i: true, row_one_at_top: false };

    fn from_setup(
        mut rules: Rules,
        setup: Setup,
        max_moves: Option<u32>,
    ) -> Result<Self, SetupError> {
        setup.check()?;
        let size = setup.size();
        // Other stones are no handicap, and a record could not say that they are.
        let has_its_stones = |start: Setup| start.stones == setup.stones;
        if rules.handicap > 0 && !Self::starting_position(&rules, size).is_ok_and(has_its_stones) {
            rules.handicap = 0;
        }
        let inner = with_words!(size, W => Box::new(Inner::<W>::new(size, rules)).into());
        let mut state = State::new(setup, max_moves);
        // Of random games with superko one in some hundreds has more; the mean is 1.5 times as many
        // as points.
        state.expect_actions(4 * size.points());
        let mut game = Self { rules, state, inner };
        game.restart();
        match with_inner!(&game.inner, inner => inner.board.without_liberties()) {
            Some(point) => {
                let message = format!("the chain at point {point} has no liberty");
                Err(SetupError::new(message))
            }
            None => Ok(game),
        }
    }

    /// Empty, or with handicap stones and White to play.
    fn starting_position(rules: &Rules, size: BoardSize) -> Result<Setup, SetupError> {
        let mut setup = Setup::empty(size);
        if rules.handicap > 0 {
            let points = handicap_points(rules.handicap as usize, size);
            let points = points.map_err(|error| SetupError::new(error.to_string()))?;
            setup.stones.black = points.into_iter().map(|point| point as u16).collect();
            setup.stones.black.sort_unstable();
            setup.turn = Color::White;
        }
        Ok(setup)
    }

    fn rules(&self) -> &Rules {
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
        with_inner!(&mut self.inner, inner => inner.apply(action, &mut self.state));
    }

    fn rebuild(&mut self) {
        with_inner!(&mut self.inner, inner => inner.rebuild(&mut self.state));
    }

    fn on_turn_changed(&mut self) {
        with_inner!(&mut self.inner, inner => inner.on_turn_changed(&mut self.state));
    }

    fn reason(&self, point: usize) -> &'static str {
        if with_inner!(&self.inner, inner => inner.is_suicide(point, self.turn())) {
            "suicide"
        } else if self.rules.ko == KoRule::Simple {
            "ko"
        } else {
            "superko"
        }
    }

    #[inline]
    fn may_pass(&self) -> bool {
        true
    }

    #[inline]
    fn ending_rule(&self) -> Option<&'static str> {
        self.state.passed_twice().then_some("passes")
    }

    /// Also one that repeated a position.
    fn take(&mut self, step: Step) -> Result<(), PlayError> {
        match step {
            Step::Action(action) => self.play_repetition(action),
            Step::SetTurn(color) => self.set_turn(color),
        }
    }

    fn bytes(&self) -> usize {
        let inner = with_inner!(&self.inner, inner => inner.bytes());
        size_of::<Self>() + inner + self.state.bytes()
    }

    fn score(&self) -> f64 {
        self.score_of(self.areas())
    }

    fn update_score(&mut self) -> f64 {
        let areas = with_inner!(&mut self.inner, inner => inner.update_areas(&self.state));
        self.score_of(areas)
    }

    fn write_ownership(&self, owners: &mut [i8]) {
        let owners = &mut owners[..self.size().points()];
        owners.fill(0);
        with_inner!(&self.inner, inner => {
            for (area, owner) in inner.board.areas().into_iter().zip([1, -1]) {
                area.iter().for_each(|point| owners[point] = owner);
            }
        });
    }

    #[inline]
    fn prefetch(&self, action: Action) {
        self.state.prefetch();
        with_inner!(&self.inner, inner => inner.prefetch(action, self.turn()));
    }

    fn max_forbidden(&self) -> usize {
        match self.rules.ko {
            KoRule::Simple => 1,
            KoRule::Positional | KoRule::Situational => self.size().points(),
        }
    }

    fn may_end(&self, action: Action) -> bool {
        self.state.passed() && action == self.size().pass() || self.state.is_near_limit()
    }
}

impl Playouts for Go {
    /// Plays on the inner board alone: simple ko, no suicide, no eye of its own filled
    /// ([`EyeRule::Playout`]).
    fn playout(
        &self,
        scratch: &mut Scratch<Self>,
        rng: &mut RandomStream,
        played: Option<&mut Vec<Action>>,
    ) -> f64 {
        if self.is_over() {
            return self.score();
        }
        let copy = scratch.game_like(self);
        copy.inner.clone_from(&self.inner);
        let (turn, passed, limit) = (self.turn(), self.state.passed(), limit(self));
        with_inner!(&mut copy.inner, inner => {
            inner.board.playout(turn, passed, limit, rng, played);
            self.score_of(inner.board.count_areas())
        })
    }

    fn is_filtered(&self, action: Action) -> bool {
        self.is_eye(action, self.turn(), EyeRule::Diagonal)
    }

    fn may_be_endless(&self) -> bool {
        self.rules.ko == KoRule::Simple && self.state.max_moves().is_none()
    }

    /// Captures and escapes, shapes, the last play's neighborhood and the edge.
    fn write_heuristic_values(&self, actions: &[Action], values: &mut [f32]) {
        let (turn, last) = (self.turn(), self.state.actions().next_back());
        with_inner!(&self.inner, inner => {
            inner.board.write_heuristic_values(turn, last, actions, values);
        });
    }
}

impl Exact for Go {}

clone_by_field!(Go { rules, state, inner });

#[cfg(test)]
mod tests;
