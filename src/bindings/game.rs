//! The members of `sixplane.Game`: what every game has.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use numpy::{PyArray1, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::any_game::{PyGame, PythonGame, object_of, with_any};
use super::error::{illegal, illegal_action};
use super::kinds::Kind;
use super::provided::provided;
use super::{convert, pickle, planes, record};
use crate::color::{ByColor, Color};
use crate::error::{PlayError, ReplayError};
use crate::game::Game;
use crate::geometry::{Action, BoardSize};
use crate::record::Info;
use crate::setup::Setup;
use crate::status::{Ending, Status};

/// Most actions `history_planes` looks back on: enough for any game, and little enough memory.
pub(super) const MAX_HISTORY: i64 = 10_000;

#[pymethods]
impl PyGame {
    /// A position drawn as rows of `X`, `O` and `.`; its history is that board alone.
    #[classmethod]
    #[pyo3(signature = (text, turn=None, **rules))]
    fn from_text<'py>(
        class: &Bound<'py, PyType>,
        text: &str,
        turn: Option<&Bound<'_, PyAny>>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let kind = Kind::made_by(class)?;
        let rules = convert::options(class.py(), rules, kind.rules)?;
        let setup = Setup::from_text(text, convert::color_or(turn, Color::Black)?)?;
        (kind.from_setup)(setup, &rules)?.into_object(class.py())
    }

    /// A position with stones at these points; its history is that board alone.
    #[classmethod]
    #[pyo3(signature = (black, white, turn=None, size=None, **rules))]
    fn from_stones<'py>(
        class: &Bound<'py, PyType>,
        black: &Bound<'_, PyAny>,
        white: &Bound<'_, PyAny>,
        turn: Option<&Bound<'_, PyAny>>,
        size: Option<&Bound<'_, PyAny>>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let kind = Kind::made_by(class)?;
        let size = convert::size_or(kind.default_side, size)?;
        let rules = convert::options(class.py(), rules, kind.rules)?;
        let (black, white) = (convert::points(black, size)?, convert::points(white, size)?);
        let turn = convert::color_or(turn, Color::Black)?;
        let setup = Setup::from_stones(size, &ByColor { black, white }, turn)?;
        (kind.from_setup)(setup, &rules)?.into_object(class.py())
    }

    /// A game from six planes `(6, rows, cols)`; its history is that board alone.
    ///
    /// In Go an empty invalid point that no rule explains is forbidden for the next play only; under
    /// simple ko there can be one. The invalid plane of planes that say done may be computed as
    /// for any other position, or filled.
    ///
    /// Raises:
    ///     ValueError: no play leads to such planes.
    #[classmethod]
    #[pyo3(signature = (planes, **rules))]
    fn from_planes<'py>(
        class: &Bound<'py, PyType>,
        planes: &Bound<'_, PyAny>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let kind = Kind::made_by(class)?;
        let rules = convert::options(class.py(), rules, kind.rules)?;
        (kind.from_planes)(planes, &rules)?.into_object(class.py())
    }

    /// The main line of the first game of an SGF text; `rules` go before what it says.
    ///
    /// It is played as far as the game can go. If the record goes on, with an illegal move or after
    /// the end of the game, an `SGFWarning` says what is left out.
    ///
    /// Args:
    ///     text: str, or bytes in the character set that they name.
    ///     strict: raise an `SGFError` instead of leaving anything out.
    ///     rules: of the game.
    ///
    /// Raises:
    ///     SGFError: the text is malformed, is the record of another game or of a start that the game
    ///         cannot have, or with `strict` has an illegal move; its `offset` is that of the fault.
    #[classmethod]
    #[pyo3(signature = (text, *, strict=false, **rules))]
    fn from_sgf<'py>(
        class: &Bound<'py, PyType>,
        text: &Bound<'_, PyAny>,
        strict: bool,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let (kind, py) = (Kind::made_by(class)?, class.py());
        let Some((_, follow)) = kind.records else { return Err(record::no_records(kind.name)) };
        let collection = record::collection(text)?;
        let followed = follow(py, collection.first_game(), rules)?;
        record::whole_or_warn(py, followed, strict)?.into_object(py)
    }

    /// Plays an action for the player to play.
    ///
    /// Raises:
    ///     IllegalActionError: the rules forbid it; nothing has changed.
    ///     TypeError: it is no integer.
    fn play(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = action.py();
        let action = match convert::action(self.game.state().size(), action) {
            Err(error)
                if self.game.state().is_over() && error.is_instance_of::<PyValueError>(py) =>
            {
                return Err(illegal(py, PlayError::GameOver, "the game is over"));
            }
            action => action?,
        };
        with_any!(&mut self.game, |game| {
            game.play(action).map_err(|error| illegal_action(py, game, action, error))
        })
    }

    /// Withdraws a resignation or a `set_turn`, else takes back the last action.
    ///
    /// Raises:
    ///     ValueError: the game is at its start.
    fn undo(&mut self) -> PyResult<()> {
        Ok(with_any!(&mut self.game, |game| game.undo())?)
    }

    /// Ends the game by the resignation of `color` (None: the player to play).
    ///
    /// Raises:
    ///     IllegalActionError: the game is over.
    #[pyo3(signature = (color=None))]
    fn resign(&mut self, py: Python<'_>, color: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let color = convert::color_or(color, self.game.state().turn())?;
        let over = |error| illegal(py, error, "nobody can resign: the game is over");
        with_any!(&mut self.game, |game| game.resign(color).map_err(over))
    }

    /// Black, white, turn, invalid, pass, done: `(6, rows, cols)` of 0 and 1.
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<u8>> {
        planes::of_game(py, self.game.state().planes())
    }

    /// `(rows * cols + 1,)`: 1 where an action is legal; all 0 when the game is over.
    #[getter]
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = [0; BoardSize::MAX_POINTS + 1];
        let mask = &mut mask[..self.game.state().size().num_actions()];
        with_any!(&self.game, |game| game.write_action_mask(mask));
        PyArray1::from_slice(py, mask)
    }

    /// The legal actions in ascending order; empty when the game is over.
    #[getter]
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        convert::action_array(py, with_any!(&self.game, |game| game.legal_actions()))
    }

    /// The last `k` boards, `(2k + 1, rows, cols)`, and the turn plane.
    ///
    /// Stones of the player to play now and of the opponent: now, one action ago, up to `k - 1`
    /// actions ago; zeros before the start.
    fn history_planes<'py>(&self, k: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let length = convert::integer_in(k, "k", 1, MAX_HISTORY)? as usize;
        Ok(PyArray3::from_array(k.py(), &self.game.state().history_planes(length)))
    }

    /// The player to play: 0 black, 1 white.
    #[getter]
    fn turn(&self) -> usize {
        self.game.state().turn().index()
    }

    /// Sets the player to play: one step of `undo`, but no action.
    ///
    /// Clears the pass, and what holds for the next play only, such as simple ko.
    ///
    /// Raises:
    ///     IllegalActionError: the game is over.
    fn set_turn(&mut self, color: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, color) = (color.py(), convert::color(color)?);
        let over = |error| illegal(py, error, "the turn cannot be set: the game is over");
        with_any!(&mut self.game, |game| game.set_turn(color).map_err(over))
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.game.state().is_over()
    }

    /// Whether it was cut off, by `max_moves` or before the position it started from.
    ///
    /// Without `max_moves` it is cut off after 2^32 - 1 actions, or when 2^30 stones were put, taken
    /// or turned.
    #[getter]
    fn is_truncated(&self) -> bool {
        matches!(self.game.state().status(), Status::Done { ending: Ending::Truncation, .. })
    }

    /// Who won; None while the game goes on.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        match self.game.state().status() {
            Status::Done { outcome, .. } => Some(outcome.name()),
            Status::Ongoing => None,
        }
    }

    /// How the game ended; None while it goes on.
    ///
    /// `"passes"`: two passes in a row (Go); `"line"`: a winning line (Gomoku); `"full"`: no empty
    /// point is left (Gomoku, Reversi); `"no_moves"`: neither player can play (Reversi);
    /// `"resignation"`, also of the player who lost by an illegal action in a batch; `"cutoff"`:
    /// where `is_truncated` is true.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        with_any!(&self.game, |game| game.ended_by())
    }

    /// The score of the board from Black's view, whatever the outcome.
    ///
    /// Go: area of Black minus area of White minus komi. Reversi: black discs minus white discs.
    /// Gomoku: +1 if Black has the winning line, -1 if White has, else 0.
    fn score(&self) -> f64 {
        with_any!(&self.game, |game| game.score())
    }

    /// Number of actions played, passes included.
    #[getter]
    fn move_number(&self) -> u32 {
        self.game.state().moves()
    }

    /// The last action; None at the start.
    #[getter]
    fn last_action(&self) -> Option<usize> {
        self.game.state().actions().next_back().map(Action::index)
    }

    /// All actions played.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        convert::action_array(py, self.game.state().actions())
    }

    /// Number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.game.state().size().rows()
    }

    /// Number of columns.
    #[getter]
    fn cols(&self) -> usize {
        self.game.state().size().cols()
    }

    /// `rows * cols + 1`.
    #[getter]
    fn num_actions(&self) -> usize {
        self.game.state().size().num_actions()
    }

    /// The number of actions after which the game is cut off.
    #[getter]
    fn max_moves(&self) -> Option<u32> {
        self.game.state().max_moves()
    }

    /// 64-bit Zobrist key of board and player to play, the same in every process.
    #[getter]
    fn hash(&self) -> u64 {
        self.game.state().hash()
    }

    /// A copy with its whole history.
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        self.game.clone().into_object(py)
    }

    fn __copy__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        self.copy(py)
    }

    fn __deepcopy__<'py>(&self, memo: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        self.copy(memo.py())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game == other.game
    }

    fn __hash__(&self) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one(&self.game)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let this = slf.try_borrow()?;
        let state = pickle::dump(slf.py(), &this.game)?;
        (slf.get_type(), ((this.rows(), this.cols()),), state).into_pyobject(slf.py())
    }

    fn __setstate__(slf: &Bound<'_, Self>, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let game = pickle::load(Kind::made_by(&slf.get_type())?, state)?;
        slf.try_borrow_mut()?.game = game;
        Ok(())
    }

    /// A new game from this one's starting position with these actions played.
    ///
    /// Raises:
    ///     IllegalActionError: one of them is illegal there.
    fn replay<'py>(&self, actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let py = actions.py();
        with_any!(&self.game, |game| {
            let mut replayed = game.start();
            convert::each_item(actions, |index, action| {
                let action = convert::action(replayed.size(), &action)?;
                replayed.play(action).map_err(|error| {
                    illegal(py, error, &ReplayError { index, action, error }.to_string())
                })
            })?;
            object_of(py, replayed)
        })
    }

    /// The name of an action in the coordinates of the game, such as `"D4"` or `"pass"`.
    fn action_to_name(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let (size, notation) = with_any!(&self.game, |game| (game.size(), game.notation()));
        Ok(notation.name(size, convert::action(size, action)?))
    }

    /// The action with this name, in either case; `"pass"` is the pass.
    ///
    /// Raises:
    ///     ValueError: no action of this board has it.
    fn name_to_action(&self, text: &str) -> PyResult<usize> {
        let (size, notation) = with_any!(&self.game, |game| (game.size(), game.notation()));
        notation.action(size, text).map(Action::index).ok_or_else(|| {
            let last = notation.name(size, Action::new(size.points() - 1));
            let first = notation.name(size, Action::new(0));
            PyValueError::new_err(format!(
                "{text:?} names no action on {size}: the points are {first} (top left) to {last} \
                 (bottom right), or \"pass\""
            ))
        })
    }

    /// The game as SGF, `FF[4]`.
    ///
    /// Args:
    ///     black_name: name of the black player.
    ///     white_name: name of the white player.
    ///     result: the result instead of the game's own.
    ///     date: when it was played, such as `"2016-03-09"`.
    ///     event: where or in which tournament.
    ///     comments: texts by the number of actions played before them; 0 is the start.
    #[pyo3(signature = (
        *, black_name=None, white_name=None, result=None, date=None, event=None, comments=None
    ))]
    fn to_sgf(
        &self,
        black_name: Option<String>,
        white_name: Option<String>,
        result: Option<String>,
        date: Option<String>,
        event: Option<String>,
        comments: Option<BTreeMap<usize, String>>,
    ) -> PyResult<String> {
        let players = ByColor { black: black_name, white: white_name };
        let comments = comments.unwrap_or_default();
        let info = Info { players, result, date, event, application: None, comments };
        with_any!(&self.game, |game| {
            game.record(&info).ok_or_else(|| record::no_records(game.name()))
        })
    }

    /// The board as an SVG picture; it needs no library.
    ///
    /// Args:
    ///     width: of the picture in pixels; its height follows.
    ///     coordinates: whether letters and numbers stand around the board.
    ///     footer: whether words below the board say who is to play or has won, or other words.
    ///     invalid: whether crosses mark the empty points of plane 3.
    ///     liberties: whether stones carry the liberties of their chain, or numbers `(rows, cols)`.
    ///     heat: policy, visits or a mask, `(rows, cols)` or `(rows * cols + 1,)`, as colors.
    ///     heat_text: whether the heat is written as well.
    ///     last: whether a dot marks the last action.
    ///     numbers: True for the number of every move, or of how many of the last.
    ///     ownership: True for Go's own, or `(rows, cols)` from -1 to +1.
    ///     line: points to draw a line through; None is the line that won in Gomoku.
    ///     animate: whether the whole game is shown, position after position.
    ///     seconds: how long an animation shows each position.
    ///     hold: how long it shows the last one.
    ///     title: what the picture shows, for screen readers; None: the game and its size.
    ///
    /// Raises:
    ///     ValueError: an array of another shape, or a value outside what is allowed.
    ///     TypeError: an option that does not exist.
    ///
    /// Example:
    ///     >>> import sixplane
    ///     >>> sixplane.Go(size=5).to_svg(width=200).startswith('<svg xmlns=')
    ///     True
    #[pyo3(
        signature = (**options),
        text_signature = "($self, *, width=480, coordinates=True, footer=False, invalid=False, \
                          liberties=False, heat=None, heat_text=False, last=True, numbers=False, \
                          ownership=None, line=None, animate=False, seconds=0.5, hold=3.0, title=None)"
    )]
    fn to_svg<'py>(
        slf: &Bound<'py, Self>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let style = with_any!(&slf.try_borrow()?.game, |game| game.name());
        provided(slf.py(), "game_svg")?.call((slf, style), options)
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::to_svg(slf, None)
    }

    fn __str__(&self) -> String {
        with_any!(&self.game, |game| game.to_string())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (class, this) = (slf.get_type().name()?, slf.try_borrow()?);
        let state = this.game.state();
        let standing = match this.outcome() {
            Some(outcome) => format!("over: {outcome}"),
            None => format!("{} to play", state.turn().name()),
        };
        Ok(format!("<sixplane.{class} {}, move {}, {standing}>", state.size(), state.moves()))
    }
}
