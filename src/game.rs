//! What a six-plane game is.
//!
//! A game in play is its rules, data derived for speed, and a [`State`]: the six planes with the
//! history. [`Game`] asks for the little that only the game knows and gives the rest:
//! legality with reasons, undo, resignation, masks, replay. It knows no particular game.

mod from_planes;

use std::fmt::Debug;
use std::hash::Hash;

use ndarray::ArrayView3;

use crate::color::Color;
use crate::error::{PlayError, ReplayError, UndoError};
use crate::geometry::{Action, BoardSize, Point};
use crate::log::Step;
use crate::notation::Notation;
use crate::planes::{Cell, Plane, write_mask};
use crate::setup::{Setup, SetupError};
use crate::state::State;
use crate::status::{Ending, Outcome, Status};
use from_planes::unexplained;

/// Lets the methods of [`Game`] change a game's state, and nobody else: only they can make one.
#[derive(Debug)]
pub struct Access(());

/// The rules of a turn-based board game whose whole state is six planes.
///
/// ```
/// use sixplane::{Color, Game, Go, Outcome, Plane, PlayError};
///
/// let mut game = Go::new(3)?;
/// game.play_at(1, 1)?;
/// assert_eq!(game.turn(), Color::White);
/// assert_eq!(game.state().planes().plane(Plane::Black).to_string(), "\
/// [[0, 0, 0],
///  [0, 1, 0],
///  [0, 0, 0]]");
/// assert_eq!(game.play_at(1, 1), Err(PlayError::Occupied)); // nothing has changed
/// assert_eq!(game.legal_actions().len(), 9); // eight points and the pass
/// game.resign(Color::White)?;
/// assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)));
/// assert_eq!(game.ending(), Some("resignation"));
/// game.undo()?; // the resignation is withdrawn
/// assert_eq!(game.replay(game.state().actions())?, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Game: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The options of the game.
    type Rules: Clone + Debug + Default + Eq + Hash + Send + Sync;

    /// Its name in lower case.
    const NAME: &'static str;

    /// How it names its points.
    const NOTATION: Notation;

    /// Whether each row of the board lies half a point to the right of the row above.
    const IS_SLANTED: bool = false;

    // --- What only the game knows ---------------------------------------------------------

    /// A game from a starting position. Its history is that board alone.
    ///
    /// # Errors
    /// [`SetupError`] if this game can have no such position.
    fn from_setup(
        rules: Self::Rules,
        setup: Setup,
        max_moves: Option<u32>,
    ) -> Result<Self, SetupError>;

    /// The options it is played with.
    fn rules(&self) -> &Self::Rules;

    /// The planes and the history.
    fn state(&self) -> &State;

    /// The planes and the history, for this trait alone: other changes would not reach derived data.
    fn state_mut(&mut self, access: Access) -> &mut State;

    /// Applies a legal action: logs it with the stones that it changes ([`State::play`]), keeps the
    /// game's derived data up to date and says which points are legal ([`State::write_legal`]).
    fn apply(&mut self, action: Action);

    /// Makes the game's derived data anew from the state, whose last steps were taken back, and says which
    /// points are legal.
    fn rebuild(&mut self);

    /// Brings the game's derived data to a state whose player to play was set and whose pass was forgotten, and
    /// says which points are legal. Records may set the player often, so a slow [`Game::rebuild`] is not enough.
    fn on_turn_changed(&mut self) {
        self.rebuild();
    }

    /// The rule that forbids a play at this empty point, in one word, such as `"ko"` or `"suicide"`.
    fn reason(&self, point: usize) -> &'static str;

    /// Whether the player to play may pass, while the game goes on.
    fn may_pass(&self) -> bool;

    /// Which rule ends the game here, in one lower-case word; `None` while it goes on.
    fn ending_rule(&self) -> Option<&'static str>;

    /// The score of the board from Black's view.
    fn score(&self) -> f64;

    /// The same for those who ask at every step: a game may go on from what it found the last time.
    fn update_score(&mut self) -> f64 {
        self.score()
    }

    /// Writes whose each point is: +1 Black's, -1 White's, 0 nobody's. Unless a game says otherwise, a
    /// point belongs to the stone on it.
    ///
    /// # Panics
    /// If `owners` is shorter than the board.
    fn write_ownership(&self, owners: &mut [i8]) {
        for (point, owner) in owners[..self.size().points()].iter_mut().enumerate() {
            let stone = self.state().planes().stone(point);
            *owner = stone.map_or(0, |color| Outcome::Win(color).sign());
        }
    }

    /// How many empty points a starting position may forbid because of plays before it, as a ko does.
    fn max_forbidden(&self) -> usize {
        0
    }

    /// About how many bytes a copy of the game takes.
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.state().bytes()
    }

    /// Asks for the memory that playing this action will need: batches too large for the processor's cache do.
    #[inline]
    fn prefetch(&self, _action: Action) {}

    /// Whether [`Game::prepare`] is called before legal actions are played.
    const PREPARES: bool = false;

    /// Finds out what comes of the actions that are about to be played, all at once. False if the rules of a game
    /// fail, which the game tells in a way of its own: then none of them is played.
    fn prepare(_games: &mut [Self], _action: impl Fn(usize) -> Option<Action>) -> bool {
        true
    }

    /// Whether [`Game::prepare`] does anything for this game.
    fn needs_preparing(&self) -> bool {
        Self::PREPARES
    }

    /// Whether its rules have failed, so that what was played must be taken back.
    #[inline]
    fn has_failed(&self) -> bool {
        false
    }

    /// Whether this legal action may end the game: a search tries those at its root, to see whether one wins.
    fn may_end(&self, _action: Action) -> bool {
        true
    }

    /// The position that games with these rules start from: by default, the empty board with Black to play.
    ///
    /// # Errors
    /// [`SetupError`] if the rules do not fit the board.
    fn starting_position(_rules: &Self::Rules, size: BoardSize) -> Result<Setup, SetupError> {
        Ok(Setup::empty(size))
    }

    // --- What follows ----------------------------------------------------------------------

    /// A game with the default rules on a square board.
    ///
    /// # Errors
    /// [`SetupError`] if there is no such board.
    fn new(side: usize) -> Result<Self, SetupError> {
        Self::with_rules(BoardSize::square(side)?, Self::Rules::default(), None)
    }

    /// A game from the starting position of these rules, over after `max_moves` actions at the latest.
    ///
    /// # Errors
    /// [`SetupError`] if the rules do not fit the board.
    fn with_rules(
        size: BoardSize,
        rules: Self::Rules,
        max_moves: Option<u32>,
    ) -> Result<Self, SetupError> {
        let setup = Self::starting_position(&rules, size)?;
        Self::from_setup(rules, setup, max_moves)
    }

    /// A position drawn as rows of `X`, `O` and `.`, with the default rules.
    ///
    /// # Errors
    /// [`SetupError`] as [`Setup::from_text`] and [`Game::from_setup`].
    fn from_text(text: &str, turn: Color) -> Result<Self, SetupError> {
        Self::from_setup(Self::Rules::default(), Setup::from_text(text, turn)?, None)
    }

    /// The size of the board.
    #[inline]
    fn size(&self) -> BoardSize {
        self.state().size()
    }

    /// The player to play.
    #[inline]
    fn turn(&self) -> Color {
        self.state().turn()
    }

    /// Whether the game goes on, or who won and why.
    #[inline]
    fn status(&self) -> Status {
        self.state().status()
    }

    /// Whether the game is over.
    #[inline]
    fn is_over(&self) -> bool {
        self.state().is_over()
    }

    /// Who won, once the game is over.
    fn outcome(&self) -> Option<Outcome> {
        match self.status() {
            Status::Ongoing => None,
            Status::Done { outcome, .. } => Some(outcome),
        }
    }

    /// How the game ended, in one word: [`Game::ending_rule`], `"resignation"` or `"cutoff"`; `None`
    /// while it goes on.
    fn ending(&self) -> Option<&'static str> {
        match self.status() {
            Status::Ongoing => None,
            Status::Done { ending: Ending::Rules, .. } => self.ending_rule(),
            Status::Done { ending: Ending::Resignation(_), .. } => Some("resignation"),
            Status::Done { ending: Ending::Truncation, .. } => Some("cutoff"),
        }
    }

    /// The six planes, `(6, rows, cols)`.
    fn planes(&self) -> ArrayView3<'_, u8> {
        self.state().planes().view()
    }

    /// Whether an action may be played, and if not, why: the reasons in their fixed order.
    ///
    /// # Errors
    /// [`PlayError`] if it may not.
    #[inline]
    fn check(&self, action: Action) -> Result<(), PlayError> {
        let state = self.state();
        let (point, points) = (action.index(), state.size().points());
        if point < points && state.legal().contains(point) {
            return Ok(());
        }
        if state.is_over() {
            Err(PlayError::GameOver)
        } else if point > points {
            Err(PlayError::OffBoard)
        } else if point == points {
            if self.may_pass() { Ok(()) } else { Err(PlayError::PassNotAllowed) }
        } else if state.planes().stone(point).is_some() {
            Err(PlayError::Occupied)
        } else {
            Err(PlayError::Forbidden(self.reason(point)))
        }
    }

    /// Plays an action for the player to play.
    ///
    /// # Errors
    /// [`PlayError`] if it may not be played; then nothing has changed.
    #[inline]
    fn play(&mut self, action: Action) -> Result<(), PlayError> {
        self.check(action)?;
        self.play_unchecked(action);
        Ok(())
    }

    /// Plays an action that [`Game::check`] accepts. With another one the position is wrong afterwards,
    /// or this or a later call panics or does not return; no memory is harmed.
    #[inline]
    fn play_unchecked(&mut self, action: Action) {
        self.apply(action);
        update_status(self, self.state().at_limit());
    }

    /// Plays at a row and column, row 0 at the top.
    ///
    /// # Errors
    /// [`PlayError`] as [`Game::play`].
    fn play_at(&mut self, row: usize, col: usize) -> Result<(), PlayError> {
        self.play(self.size().action(Point { row, col }).ok_or(PlayError::OffBoard)?)
    }

    /// Withdraws a resignation or a set turn, else takes back the last action.
    ///
    /// # Errors
    /// [`UndoError`] at the start.
    fn undo(&mut self) -> Result<(), UndoError> {
        if matches!(self.status(), Status::Done { ending: Ending::Resignation(_), .. }) {
            self.state_mut(Access(())).reopen();
        } else {
            self.state_mut(Access(())).undo_step()?;
        }
        self.rebuild();
        Ok(())
    }

    /// Ends the game by the resignation of `color`. Not an action.
    ///
    /// # Errors
    /// [`PlayError::GameOver`] if it is over.
    fn resign(&mut self, color: Color) -> Result<(), PlayError> {
        if self.is_over() {
            return Err(PlayError::GameOver);
        }
        let outcome = Outcome::Win(color.opponent());
        self.state_mut(Access(())).end_game(outcome, Ending::Resignation(color));
        Ok(())
    }

    /// Sets the player to play, as one step of the log. It is no action.
    ///
    /// # Errors
    /// [`PlayError::GameOver`] if the game is over.
    fn set_turn(&mut self, color: Color) -> Result<(), PlayError> {
        if self.is_over() {
            return Err(PlayError::GameOver);
        }
        self.state_mut(Access(())).set_turn(color);
        self.on_turn_changed();
        update_status(self, self.state().at_limit());
        Ok(())
    }

    /// Writes the action mask, `num_actions` entries: 1 = may be played, all 0 when over.
    ///
    /// # Panics
    /// If `mask` is shorter than `num_actions`.
    #[inline]
    fn write_action_mask(&self, mask: &mut [i8]) {
        let may_pass = !self.is_over() && self.may_pass();
        write_mask(self.state().planes().cells(), self.size(), may_pass, mask);
    }

    /// The actions that may be played, ascending; none when the game is over.
    fn legal_actions(&self) -> Vec<Action> {
        let points = self.state().legal();
        let pass = (!self.is_over() && self.may_pass()).then(|| self.size().pass());
        let mut actions = Vec::with_capacity(points.count() + 1);
        points.iter().map(Action::new).chain(pass).for_each(|action| actions.push(action));
        actions
    }

    /// A game at this one's starting position.
    #[must_use]
    fn start(&self) -> Self {
        let mut game = self.clone();
        game.restart();
        game
    }

    /// Back to the starting position.
    fn restart(&mut self) {
        self.state_mut(Access(())).reset();
        self.rebuild();
        update_status(self, self.state().at_limit() || self.state().setup().done);
    }

    /// A game from this one's starting position with these actions played.
    ///
    /// # Errors
    /// [`ReplayError`] at the first action that may not be played.
    fn replay(&self, actions: impl IntoIterator<Item = Action>) -> Result<Self, ReplayError> {
        let mut game = self.start();
        for (index, action) in actions.into_iter().enumerate() {
            game.play(action).map_err(|error| ReplayError { index, action, error })?;
        }
        Ok(game)
    }

    /// Takes one step of a log again.
    ///
    /// # Errors
    /// [`PlayError`] if it may not be taken.
    fn take(&mut self, step: Step) -> Result<(), PlayError> {
        match step {
            Step::Action(action) => self.play(action),
            Step::SetTurn(color) => self.set_turn(color),
        }
    }

    /// Whether both are the same game: rules, start, limit, steps and resignation.
    fn same_game(&self, other: &Self) -> bool {
        self.rules() == other.rules() && self.state().same_history(other.state())
    }

    /// A game from six planes. Its history is that board alone.
    ///
    /// An empty invalid point that no rule explains is forbidden for the next play only. The
    /// invalid plane of planes that say done may be computed as for any other, or filled.
    ///
    /// # Errors
    /// [`SetupError`] if no play leads to such planes.
    fn from_planes<T: Cell>(
        rules: Self::Rules,
        planes: &ArrayView3<'_, T>,
        max_moves: Option<u32>,
    ) -> Result<Self, SetupError> {
        let (mut setup, invalid) = Setup::from_planes(planes)?;
        let done = std::mem::replace(&mut setup.done, false);
        let game = Self::from_setup(rules.clone(), setup.clone(), max_moves)?;
        if game.is_over() && !done {
            let message = "the rules end the game here, but the done plane is 0";
            return if game.has_failed() { Ok(game) } else { Err(SetupError::new(message)) };
        }
        if !(done && (game.is_over() || invalid.iter().all(|&cell| cell))) {
            let computed = game.state().planes().plane_cells(Plane::Invalid);
            let allowed = game.max_forbidden();
            setup.forbidden =
                unexplained(&invalid, computed, allowed, |action| game.check(action))?;
        }
        if done {
            // No play comes next that they could be forbidden for.
            setup.forbidden.clear();
        }
        setup.done = done;
        Self::from_setup(rules, setup, max_moves)
    }
}

/// Ends the game if its rules say so, or else if it is cut off here.
#[inline]
fn update_status<G: Game>(game: &mut G, is_cut_off: bool) {
    let ended = game.ending_rule().is_some();
    if ended || is_cut_off {
        let ending = if ended { Ending::Rules } else { Ending::Truncation };
        let outcome = Outcome::of_score(game.score());
        game.state_mut(Access(())).end_game(outcome, ending);
    }
}
