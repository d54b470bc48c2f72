//! The members of `sixplane.Game`: what every game has.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use numpy::{PyArray1, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::any_game::{PyGame, PythonGame, checked, guarded, object_of, played, with_any};
use super::callbacks::callback;
use super::error::{illegal, illegal_action, noted};
use super::kinds::Kind;
use super::solve::{Limits, solve};
use super::{convert, pickle, planes, record};
use crate::color::{ByColor, Color};
use crate::error::{PlayError, ReplayError};
use crate::game::Game;
use crate::geometry::{Action, BoardSize};
use crate::playout::Playouts;
use crate::record::{Info, Recorded};
use crate::setup::Setup;
use crate::status::{Ending, Status};
use crate::symmetry::Symmetry;

/// Most actions `history_planes` looks back on: enough for any game, and little enough memory.
pub(super) const MAX_HISTORY: i64 = 10_000;

impl PyGame {
    /// The action to play that an argument is.
    pub(super) fn action(&self, action: &Bound<'_, PyAny>) -> PyResult<Action> {
        let py = action.py();
        match convert::action(self.game.state().size(), action) {
            Err(error)
                if self.game.state().is_over() && error.is_instance_of::<PyValueError>(py) =>
            {
                Err(illegal(py, PlayError::GameOver, "the game is over"))
            }
            action => action,
        }
    }
}

#[pymethods]
impl PyGame {
    #[doc = stub!(Game.from_text)]
    #[classmethod]
    #[pyo3(signature = (text, turn=None, **rules))]
    fn from_text<'py>(
        class: &Bound<'py, PyType>,
        text: &str,
        turn: Option<&Bound<'_, PyAny>>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let kind = Kind::made_by(class)?;
        let rules = (kind.options)(class, rules)?;
        let setup = Setup::from_text(text, convert::color_or(turn, Color::Black)?)?;
        (kind.from_setup)(setup, &rules)?.into_object(class.py())
    }

    #[doc = stub!(Game.from_stones)]
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
        let usual = class.getattr("default_size")?;
        let size = convert::size_or(kind.default_size, Some(size.unwrap_or(&usual)))?;
        let rules = (kind.options)(class, rules)?;
        let (black, white) = (convert::points(black, size)?, convert::points(white, size)?);
        let turn = convert::color_or(turn, Color::Black)?;
        let setup = Setup::from_stones(size, &ByColor { black, white }, turn)?;
        (kind.from_setup)(setup, &rules)?.into_object(class.py())
    }

    #[doc = stub!(Game.from_planes)]
    #[classmethod]
    #[pyo3(signature = (planes, **rules))]
    fn from_planes<'py>(
        class: &Bound<'py, PyType>,
        planes: &Bound<'_, PyAny>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let kind = Kind::made_by(class)?;
        let rules = (kind.options)(class, rules)?;
        (kind.from_planes)(planes, &rules)?.into_object(class.py())
    }

    #[doc = stub!(Game.from_sgf)]
    #[classmethod]
    #[pyo3(signature = (text, *, strict=false, **rules))]
    fn from_sgf<'py>(
        class: &Bound<'py, PyType>,
        text: &Bound<'_, PyAny>,
        strict: bool,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let (kind, py) = (Kind::made_by(class)?, class.py());
        let collection = record::collection(text)?;
        let own = kind.is_own.then(|| (kind.options)(class, rules)).transpose()?;
        let followed = (kind.follow)(py, collection.first_game(), None, own.as_ref().or(rules))?;
        record::whole_or_warn(py, followed, strict)?.into_object(py)
    }

    #[doc = stub!(Game.play)]
    fn play(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, action) = (action.py(), self.action(action)?);
        with_any!(&mut self.game, |game| {
            played(game, action)?.map_err(|error| illegal_action(py, game, action, error))
        })
    }

    #[doc = stub!(Game.undo)]
    fn undo(&mut self) -> PyResult<()> {
        with_any!(&mut self.game, |game| guarded(game, |game| Ok(game.undo()?)))
    }

    #[doc = stub!(Game.resign)]
    #[pyo3(signature = (color=None))]
    fn resign(&mut self, py: Python<'_>, color: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let color = convert::color_or(color, self.game.state().turn())?;
        let over = |error| illegal(py, error, "nobody can resign: the game is over");
        with_any!(&mut self.game, |game| game.resign(color).map_err(over))
    }

    #[doc = stub!(Game.planes)]
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<u8>> {
        planes::of_game(py, self.game.state().planes())
    }

    #[doc = stub!(Game.action_mask)]
    #[getter]
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = [0; BoardSize::MAX_POINTS + 1];
        let mask = &mut mask[..self.game.state().size().num_actions()];
        with_any!(&self.game, |game| game.write_action_mask(mask));
        PyArray1::from_slice(py, mask)
    }

    #[doc = stub!(Game.legal_actions)]
    #[getter]
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        convert::action_array(py, with_any!(&self.game, |game| game.legal_actions()))
    }

    #[doc = stub!(Game.history_planes)]
    fn history_planes<'py>(&self, k: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let length = convert::integer_in(k, "k", 1, MAX_HISTORY)? as usize;
        Ok(PyArray3::from_array(k.py(), &self.game.state().history_planes(length)))
    }

    #[doc = stub!(Game.planes_for)]
    #[pyo3(
        signature = (view, *, history=None),
        text_signature = "($self, view, *, history=0)"
    )]
    fn planes_for<'py>(
        &self,
        view: &Bound<'py, PyAny>,
        history: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let boards = |k| convert::integer_in(k, "history", 0, MAX_HISTORY);
        let history = history.map_or(Ok(0), boards)? as usize;
        let history = (history > 0).then_some(history);
        planes::as_seen(view.py(), self.game.state(), convert::view(view)?, history)
    }

    #[doc = stub!(Game.turn)]
    #[getter]
    fn turn(&self) -> usize {
        self.game.state().turn().index()
    }

    #[doc = stub!(Game.set_turn)]
    fn set_turn(&mut self, color: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, color) = (color.py(), convert::color(color)?);
        let over = |error| illegal(py, error, "the turn cannot be set: the game is over");
        with_any!(&mut self.game, |game| guarded(game, |game| game.set_turn(color).map_err(over)))
    }

    #[doc = stub!(Game.is_over)]
    #[getter]
    fn is_over(&self) -> bool {
        self.game.state().is_over()
    }

    #[doc = stub!(Game.is_truncated)]
    #[getter]
    fn is_truncated(&self) -> bool {
        matches!(self.game.state().status(), Status::Done { ending: Ending::Truncation, .. })
    }

    #[doc = stub!(Game.outcome)]
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        match self.game.state().status() {
            Status::Done { outcome, .. } => Some(outcome.name()),
            Status::Ongoing => None,
        }
    }

    #[doc = stub!(Game.ending)]
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        with_any!(&self.game, |game| game.ending())
    }

    #[doc = stub!(Game.score)]
    fn score(&self) -> f64 {
        with_any!(&self.game, |game| game.score())
    }

    #[doc = stub!(Game.move_number)]
    #[getter]
    fn move_number(&self) -> u32 {
        self.game.state().moves()
    }

    #[doc = stub!(Game.last_action)]
    #[getter]
    fn last_action(&self) -> Option<usize> {
        self.game.state().actions().next_back().map(Action::index)
    }

    #[doc = stub!(Game.actions)]
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        convert::action_array(py, self.game.state().actions())
    }

    #[doc = stub!(Game.rows)]
    #[getter]
    fn rows(&self) -> usize {
        self.game.state().size().rows()
    }

    #[doc = stub!(Game.cols)]
    #[getter]
    fn cols(&self) -> usize {
        self.game.state().size().cols()
    }

    #[doc = stub!(Game.num_actions)]
    #[getter]
    fn num_actions(&self) -> usize {
        self.game.state().size().num_actions()
    }

    #[doc = stub!(Game.num_symmetries)]
    #[getter]
    fn num_symmetries(&self) -> usize {
        with_any!(&self.game, |game| game.num_symmetries())
    }

    #[doc = stub!(Game.symmetries)]
    #[getter]
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        fn of<G: Playouts>(game: &G) -> Vec<usize> {
            let all = (0..game.num_symmetries()).filter_map(G::symmetry);
            all.map(Symmetry::index).collect()
        }
        PyTuple::new(py, with_any!(&self.game, |game| of(game)))
    }

    #[doc = stub!(Game.max_moves)]
    #[getter]
    fn max_moves(&self) -> Option<u32> {
        self.game.state().max_moves()
    }

    #[doc = stub!(Game.hash)]
    #[getter]
    fn hash(&self) -> u64 {
        self.game.state().hash()
    }

    #[doc = stub!(Game.copy)]
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
        let class = pickle::maker(&slf.get_type(), &this.game)?;
        (class, ((this.rows(), this.cols()),), state).into_pyobject(slf.py())
    }

    fn __setstate__(slf: &Bound<'_, Self>, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let game = pickle::load(&slf.get_type(), state)?;
        slf.try_borrow_mut()?.game = game;
        Ok(())
    }

    #[doc = stub!(Game.replay)]
    fn replay<'py>(&self, actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let py = actions.py();
        with_any!(&self.game, |game| {
            let mut replayed = checked(game.start())?.with_failure(&Arc::default());
            convert::each_item(actions, |index, action| {
                let action = convert::action(replayed.size(), &action)
                    .map_err(|error| noted(py, error, &format!("at index {index}")))?;
                played(&mut replayed, action)?.map_err(|error| {
                    illegal(py, error, &ReplayError { index, action, error }.to_string())
                })
            })?;
            object_of(py, replayed)
        })
    }

    #[doc = stub!(Game.action_to_name)]
    fn action_to_name(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let (size, notation) = with_any!(&self.game, |game| (game.size(), game.notation()));
        Ok(notation.name(size, convert::action(size, action)?))
    }

    #[doc = stub!(Game.name_to_action)]
    fn name_to_action(&self, text: &str) -> PyResult<usize> {
        let (size, notation) = with_any!(&self.game, |game| (game.size(), game.notation()));
        let action = with_any!(&self.game, |game| game.action_named(text));
        action.map(Action::index).ok_or_else(|| {
            let last = notation.name(size, Action::new(size.points() - 1));
            let first = notation.name(size, Action::new(0));
            PyValueError::new_err(format!(
                "{text:?} names no action on {size}: the points are {first} (top left) to {last} \
                 (bottom right), or \"pass\""
            ))
        })
    }

    #[doc = stub!(Game.solve)]
    #[pyo3(
        signature = (*, score=None, nodes=None, seconds=None),
        text_signature = "($self, *, score=False, nodes=None, seconds=None)"
    )]
    fn solve<'py>(
        slf: &Bound<'py, Self>,
        score: Option<&Bound<'py, PyAny>>,
        nodes: Option<&Bound<'py, PyAny>>,
        seconds: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // A copy: others may play on in the game meanwhile.
        let game = slf.try_borrow()?.game.clone();
        let copy = game.clone().into_object(slf.py())?.into_any();
        solve(&game, copy, &Limits::read(score, nodes, seconds)?)
    }

    #[doc = stub!(Game.to_sgf)]
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
        comments: Option<BTreeMap<i64, String>>,
    ) -> PyResult<String> {
        let players = ByColor { black: black_name, white: white_name };
        let moves = self.game.state().moves();
        let place = |(number, text): (i64, String)| match u32::try_from(number) {
            Ok(place) if place <= moves => Ok((place as usize, text)),
            _ => Err(PyValueError::new_err(format!(
                "comments has a text after {number} actions, but the game has {moves}"
            ))),
        };
        let comments = comments.into_iter().flatten().map(place).collect::<PyResult<_>>()?;
        let info = Info { players, result, date, event, application: None, comments };
        Ok(with_any!(&self.game, |game| game.to_sgf(&info)))
    }

    #[doc = stub!(Game.to_svg)]
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
        callback(slf.py(), "game_svg")?.call((slf,), options)
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
