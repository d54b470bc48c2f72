//! The game classes. One macro gives every game the members all games have; what only one game
//! has is listed where its class is made.

use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyTuple};

use super::convert::{self, WithPlanes, with_planes};
use super::error::{illegal, illegal_action, illegal_replay};
use super::pickle;
use crate::color::{ByColor, Color};
use crate::game::Game;
use crate::games::go::{EyeRule, Go, KoRule, Komi, Rules};
use crate::geometry::{Action, BoardSize};
use crate::planes::Cell;
use crate::setup::{Setup, SetupError};
use crate::state::{Ending, Status};

/// The rules of a game as Python options, in both directions.
pub(super) trait Options: Game {
    /// The options that every set-up position takes, `max_moves` apart.
    const ALLOWED: &'static [&'static str];

    /// The default rules with these options: all of them are allowed ones.
    fn read_rules(options: &Bound<'_, PyDict>) -> PyResult<Self::Rules>;

    /// Takes from a pickle what is no option of a set-up position.
    fn restore(_rules: &mut Self::Rules, _options: &Bound<'_, PyDict>) -> PyResult<()> {
        Ok(())
    }

    /// The options that make these rules.
    fn options<'py>(py: Python<'py>, rules: &Self::Rules) -> PyResult<Bound<'py, PyDict>>;
}

/// Rules and move limit from `**rules`.
pub(super) fn rules<G: Options>(
    py: Python<'_>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<(G::Rules, Option<u32>)> {
    let options = options.map_or_else(|| Ok(PyDict::new(py)), pyo3::types::PyDictMethods::copy)?;
    let limit = options.get_item("max_moves")?.filter(|limit| !limit.is_none());
    for key in options.keys() {
        let name = key.to_string();
        if name != "max_moves" && !G::ALLOWED.contains(&name.as_str()) {
            let allowed = G::ALLOWED.join(", ");
            return Err(PyTypeError::new_err(format!(
                "unexpected option {name:?}: allowed are {allowed}, max_moves"
            )));
        }
    }
    Ok((G::read_rules(&options)?, convert::max_moves(limit.as_ref())?))
}

/// Rules and move limit from a pickle.
pub(super) fn all_rules<G: Options>(
    options: &Bound<'_, PyDict>,
) -> PyResult<(G::Rules, Option<u32>)> {
    let mut rules = G::read_rules(options)?;
    G::restore(&mut rules, options)?;
    let limit = options.get_item("max_moves")?.filter(|limit| !limit.is_none());
    Ok((rules, convert::max_moves(limit.as_ref())?))
}

fn flag(value: &Bound<'_, PyAny>, what: &str) -> PyResult<bool> {
    value.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "{what} must be True or False, not {}",
            convert::type_name(value)
        ))
    })
}

impl Options for Go {
    const ALLOWED: &'static [&'static str] = &["komi", "ko", "suicide"];

    fn read_rules(options: &Bound<'_, PyDict>) -> PyResult<Rules> {
        let mut rules = Rules::default();
        if let Some(komi) = options.get_item("komi")? {
            let number = match komi.extract::<f64>() {
                _ if komi.is_instance_of::<PyBool>() => None,
                Err(error) if error.is_instance_of::<PyOverflowError>(komi.py()) => Some(f64::NAN),
                number => number.ok(),
            };
            rules.komi = Komi::new(number.ok_or_else(|| {
                let found = convert::type_name(&komi);
                PyTypeError::new_err(format!("komi must be a number, not {found}"))
            })?)?;
        }
        if let Some(ko) = options.get_item("ko")? {
            rules.ko = named(&ko, "ko", KoRule::ALL, KoRule::name)?;
        }
        if let Some(suicide) = options.get_item("suicide")? {
            rules.suicide = flag(&suicide, "suicide")?;
        }
        Ok(rules)
    }

    fn options<'py>(py: Python<'py>, rules: &Rules) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        options.set_item("komi", rules.komi.points())?;
        options.set_item("ko", rules.ko.name())?;
        options.set_item("suicide", rules.suicide)?;
        options.set_item("handicap", rules.handicap)?;
        Ok(options)
    }

    fn restore(rules: &mut Rules, options: &Bound<'_, PyDict>) -> PyResult<()> {
        if let Some(handicap) = options.get_item("handicap")? {
            rules.handicap = convert::integer_in(&handicap, "handicap", 0, 9)? as u8;
        }
        Ok(())
    }
}

/// The one of `all` with the name given.
fn named<T: Copy>(
    value: &Bound<'_, PyAny>,
    what: &str,
    all: impl IntoIterator<Item = T> + Clone,
    name: impl Fn(T) -> &'static str,
) -> PyResult<T> {
    let found: Option<String> = value.extract().ok();
    let matching = all.clone().into_iter().find(|&one| found.as_deref() == Some(name(one)));
    matching.ok_or_else(|| {
        let allowed: Vec<_> = all.into_iter().map(|one| format!("{:?}", name(one))).collect();
        let message = format!("{what} must be one of {}, not {value:?}", allowed.join(", "));
        if found.is_some() { PyValueError::new_err(message) } else { PyTypeError::new_err(message) }
    })
}

/// Points of stones from any iterable of integers, never reading more than the board has.
fn points(value: &Bound<'_, PyAny>, size: BoardSize) -> PyResult<Vec<usize>> {
    let points = value.try_iter()?.take(size.points() + 1);
    points
        .map(|point| {
            let number = convert::integer(&point?, "a stone's point")?;
            Ok(number.and_then(|number| usize::try_from(number).ok()).unwrap_or(usize::MAX))
        })
        .collect()
}

fn stones_setup(
    black: &Bound<'_, PyAny>,
    white: &Bound<'_, PyAny>,
    turn: Color,
    size: BoardSize,
) -> PyResult<Setup> {
    let stones = ByColor { black: points(black, size)?, white: points(white, size)? };
    Ok(Setup::from_stones(size, &stones, turn)?)
}

fn turn_or_black(turn: Option<&Bound<'_, PyAny>>) -> PyResult<Color> {
    turn.map_or(Ok(Color::Black), convert::color)
}

struct FromPlanes<G: Game>(G::Rules, Option<u32>);

impl<G: Game> WithPlanes for FromPlanes<G> {
    type Output = Result<G, SetupError>;

    fn with<T: Cell>(self, planes: &ndarray::ArrayView3<'_, T>) -> Self::Output {
        G::from_planes(self.0, planes, self.1)
    }
}

fn play<G: Game>(py: Python<'_>, game: &mut G, action: &Bound<'_, PyAny>) -> PyResult<()> {
    let action = convert::action(game, action)?;
    game.play(action).map_err(|error| illegal_action(py, game, action, error))
}

fn resign<G: Game>(py: Python<'_>, game: &mut G, color: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let color = color.map_or_else(|| Ok(game.turn()), convert::color)?;
    game.resign(color).map_err(|error| illegal(py, error, "nobody can resign: the game is over"))
}

fn action_mask<'py, G: Game>(py: Python<'py>, game: &G) -> Bound<'py, PyArray1<i8>> {
    let mut mask = [0; BoardSize::MAX_POINTS + 1];
    let mask = &mut mask[..game.size().num_actions()];
    game.write_action_mask(mask);
    PyArray1::from_slice(py, mask)
}

fn actions_array(
    py: Python<'_>,
    actions: impl IntoIterator<Item = Action>,
) -> Bound<'_, PyArray1<i64>> {
    PyArray1::from_vec(py, actions.into_iter().map(|action| action.index() as i64).collect())
}

fn replay<G: Game>(py: Python<'_>, game: &G, actions: &Bound<'_, PyAny>) -> PyResult<G> {
    let mut replayed = game.start();
    for (index, action) in actions.try_iter()?.enumerate() {
        let action = convert::action(game, &action?)?;
        let error = replayed.play(action);
        error.map_err(|error| illegal_replay(py, crate::ReplayError { index, action, error }))?;
    }
    Ok(replayed)
}

/// Most actions `history_planes` looks back on: enough for any game, and little enough memory.
const MAX_HISTORY: i64 = 10_000;

macro_rules! game_class {
    ($class:ident, $game:ty, $name:literal, $default_size:literal, $doc:literal, { $($own:tt)* }) => {
        #[doc = $doc]
        #[pyclass(name = $name, module = "sixplane")]
        #[derive(Clone)]
        pub(super) struct $class {
            pub(super) game: $game,
        }

        impl From<$game> for $class {
            fn from(game: $game) -> Self {
                Self { game }
            }
        }

        #[pymethods]
        impl $class {
            $($own)*

            #[classmethod]
            #[pyo3(signature = (text, turn=None, **rules))]
            fn from_text(
                cls: &Bound<'_, pyo3::types::PyType>,
                text: &str,
                turn: Option<&Bound<'_, PyAny>>,
                rules: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<Self> {
                let (rules, max_moves) = self::rules::<$game>(cls.py(), rules)?;
                let setup = Setup::from_text(text, turn_or_black(turn)?)?;
                Ok(<$game>::from_setup(rules, setup, max_moves)?.into())
            }

            #[classmethod]
            #[pyo3(signature = (black, white, turn=None, size=None, **rules))]
            fn from_stones(
                cls: &Bound<'_, pyo3::types::PyType>,
                black: &Bound<'_, PyAny>,
                white: &Bound<'_, PyAny>,
                turn: Option<&Bound<'_, PyAny>>,
                size: Option<&Bound<'_, PyAny>>,
                rules: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<Self> {
                let (rules, max_moves) = self::rules::<$game>(cls.py(), rules)?;
                let size = size.map_or_else(|| Ok(BoardSize::square($default_size)?), convert::size)?;
                let setup = stones_setup(black, white, turn_or_black(turn)?, size)?;
                Ok(<$game>::from_setup(rules, setup, max_moves)?.into())
            }

            #[classmethod]
            #[pyo3(signature = (planes, **rules))]
            fn from_planes(
                cls: &Bound<'_, pyo3::types::PyType>,
                planes: &Bound<'_, PyAny>,
                rules: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<Self> {
                let (rules, max_moves) = self::rules::<$game>(cls.py(), rules)?;
                Ok(with_planes(planes, FromPlanes::<$game>(rules, max_moves))??.into())
            }

            fn play(&mut self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<()> {
                play(py, &mut self.game, action)
            }

            fn undo(&mut self) -> PyResult<()> {
                Ok(self.game.undo()?)
            }

            #[pyo3(signature = (color=None))]
            fn resign(&mut self, py: Python<'_>, color: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
                resign(py, &mut self.game, color)
            }

            #[getter]
            fn planes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<u8>> {
                PyArray3::from_array(py, &self.game.planes())
            }

            #[getter]
            fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
                action_mask(py, &self.game)
            }

            #[getter]
            fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
                actions_array(py, self.game.legal_actions())
            }

            fn history_planes<'py>(
                &self,
                py: Python<'py>,
                k: &Bound<'_, PyAny>,
            ) -> PyResult<Bound<'py, PyArray3<u8>>> {
                let k = convert::integer_in(k, "k", 1, MAX_HISTORY)?;
                Ok(PyArray3::from_array(py, &self.game.history_planes(k as usize)))
            }

            #[getter]
            fn turn(&self) -> usize {
                self.game.turn().index()
            }

            fn set_turn(&mut self, py: Python<'_>, color: &Bound<'_, PyAny>) -> PyResult<()> {
                let color = convert::color(color)?;
                let error = self.game.set_turn(color);
                error.map_err(|error| illegal(py, error, "the turn cannot be set: the game is over"))
            }

            #[getter]
            fn is_over(&self) -> bool {
                self.game.is_over()
            }

            #[getter]
            fn is_truncated(&self) -> bool {
                matches!(self.game.status(), Status::Done { ending: Ending::Truncation, .. })
            }

            #[getter]
            fn outcome(&self) -> Option<&'static str> {
                self.game.outcome().map(crate::Outcome::name)
            }

            fn score(&self) -> f64 {
                self.game.score()
            }

            #[getter]
            fn move_number(&self) -> u32 {
                self.game.state().moves()
            }

            #[getter]
            fn last_action(&self) -> Option<usize> {
                self.game.state().actions().next_back().map(Action::index)
            }

            #[getter]
            fn actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
                actions_array(py, self.game.state().actions())
            }

            #[getter]
            fn rows(&self) -> usize {
                self.game.size().rows()
            }

            #[getter]
            fn cols(&self) -> usize {
                self.game.size().cols()
            }

            #[getter]
            fn num_actions(&self) -> usize {
                self.game.size().num_actions()
            }

            #[getter]
            fn max_moves(&self) -> Option<u32> {
                self.game.state().max_moves()
            }

            #[getter]
            fn hash(&self) -> u64 {
                self.game.state().hash()
            }

            fn copy(&self) -> Self {
                self.clone()
            }

            fn __copy__(&self) -> Self {
                self.clone()
            }

            fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
                self.clone()
            }

            fn __eq__(&self, other: &Self) -> bool {
                self.game == other.game
            }

            fn __hash__(&self) -> u64 {
                use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
                BuildHasherDefault::<DefaultHasher>::default().hash_one(&self.game)
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
                let py = slf.py();
                let game = &slf.borrow().game;
                let size = (game.size().rows(), game.size().cols());
                let state = pickle::dump(py, game)?;
                (slf.get_type(), (size,), state).into_pyobject(py)
            }

            fn __setstate__(&mut self, state: &Bound<'_, PyAny>) -> PyResult<()> {
                self.game = pickle::load(state)?;
                Ok(())
            }

            fn replay(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Self> {
                Ok(replay(py, &self.game, actions)?.into())
            }

            fn action_to_name(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<String> {
                let _ = py;
                let action = convert::action(&self.game, action)?;
                Ok(<$game>::NOTATION.name(self.game.size(), action))
            }

            fn name_to_action(&self, text: &str) -> PyResult<usize> {
                let size = self.game.size();
                let found = <$game>::NOTATION.action(size, text);
                found.map(Action::index).ok_or_else(|| {
                    let last = <$game>::NOTATION.name(size, Action::new(size.points() - 1));
                    let first = <$game>::NOTATION.name(size, Action::new(0));
                    PyValueError::new_err(format!(
                        "{text:?} names no action on {size}: the points are {first} (top left) to \
                         {last} (bottom right), or \"pass\""
                    ))
                })
            }

            fn __str__(&self) -> String {
                let state = self.game.state();
                let last = state.actions().next_back();
                <$game>::NOTATION.draw(state.planes(), last)
            }

            fn __repr__(&self) -> String {
                let state = self.game.state();
                let standing = match self.game.outcome() {
                    Some(outcome) => format!("over: {}", outcome.name()),
                    None => format!("{} to play", self.game.turn().name()),
                };
                format!("<sixplane.{} {}, move {}, {standing}>", $name, state.size(), state.moves())
            }
        }
    };
}

game_class!(PyGo, Go, "Go", 9, "A game of Go.", {
    #[new]
    #[pyo3(
        signature = (
            size=None, *, komi=None, ko=None, suicide=None, handicap=None, max_moves=None
        ),
        text_signature = "(size=9, *, komi=7.5, ko='positional', suicide=False, handicap=0, \
                          max_moves=None)"
    )]
    fn new(
        py: Python<'_>,
        size: Option<&Bound<'_, PyAny>>,
        komi: Option<&Bound<'_, PyAny>>,
        ko: Option<&Bound<'_, PyAny>>,
        suicide: Option<&Bound<'_, PyAny>>,
        handicap: Option<&Bound<'_, PyAny>>,
        max_moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let options = PyDict::new(py);
        for (name, value) in [("komi", komi), ("ko", ko), ("suicide", suicide)] {
            if let Some(value) = value {
                options.set_item(name, value)?;
            }
        }
        let mut rules = Go::read_rules(&options)?;
        let size = size.map_or_else(|| Ok(BoardSize::square(9)?), convert::size)?;
        if let Some(handicap) = handicap {
            rules.handicap = convert::integer_in(handicap, "handicap", 0, 9)? as u8;
        }
        Ok(Go::with_rules(size, rules, convert::max_moves(max_moves)?)?.into())
    }

    #[getter]
    fn komi(&self) -> f64 {
        self.game.rules().komi.points()
    }

    #[getter]
    fn ko(&self) -> &'static str {
        self.game.rules().ko.name()
    }

    #[getter]
    fn suicide(&self) -> bool {
        self.game.rules().suicide
    }

    #[getter]
    fn handicap(&self) -> u8 {
        self.game.rules().handicap
    }

    #[getter]
    fn captures(&self) -> (usize, usize) {
        let ByColor { black, white } = self.game.captures();
        (black, white)
    }

    fn areas(&self) -> (usize, usize) {
        let ByColor { black, white } = self.game.areas();
        (black, white)
    }

    fn ownership<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i8>> {
        PyArray2::from_array(py, &self.game.ownership())
    }

    fn chains<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        PyArray2::from_array(py, &self.game.chains())
    }

    fn liberties<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        PyArray2::from_array(py, &self.game.liberties())
    }

    #[pyo3(signature = (action, color=None, rule=None))]
    fn is_eye(
        &self,
        action: &Bound<'_, PyAny>,
        color: Option<&Bound<'_, PyAny>>,
        rule: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let action = convert::action(&self.game, action)?;
        let color = color.map_or_else(|| Ok(self.game.turn()), convert::color)?;
        let rule = rule.map_or(Ok(EyeRule::Diagonal), |rule| {
            named(rule, "rule", EyeRule::ALL, EyeRule::name)
        })?;
        Ok(self.game.is_eye(action, color, rule))
    }
});
