//! `sixplane.Go`.

use ndarray::Array2;
use numpy::PyArray2;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBool, PyDict};

use super::any_batch::PyGameBatch;
use super::any_game::{PyGame, PythonGame, game_in, object};
use super::arrays::integers;
use super::convert::{self, flag, integer_in, named, option, wrong_type};
use super::error::illegal_action;
use crate::batch::GameBatch;
use crate::color::ByColor;
use crate::game::Game;
use crate::games::go::{EyeRule, Go, KoRule, Komi, Rules};
use crate::record::{GivenRules, NamedRules};

impl PythonGame for Go {
    type Class = PyGo;

    const SIZE: (usize, usize) = (9, 9);

    const RULES: &'static [&'static str] = &["komi", "ko", "suicide"];

    const GIVEN: &'static [&'static str] = &["komi", "ko", "suicide", "handicap"];

    fn read_options(options: &Bound<'_, PyDict>) -> PyResult<Rules> {
        let (given, usual) = (Self::given(options, None)?, Rules::default());
        Ok(Rules {
            komi: given.komi.unwrap_or(usual.komi),
            ko: given.ko.unwrap_or(usual.ko),
            suicide: given.suicide.unwrap_or(usual.suicide),
            handicap: given.handicap.unwrap_or(usual.handicap),
        })
    }

    fn write_options(&self, options: &Bound<'_, PyDict>) -> PyResult<()> {
        let rules = self.rules();
        options.set_item("komi", rules.komi.points())?;
        options.set_item("ko", rules.ko.name())?;
        options.set_item("suicide", rules.suicide)?;
        options.set_item("handicap", rules.handicap)
    }

    fn given(options: &Bound<'_, PyDict>, usual: Option<&Self>) -> PyResult<GivenRules> {
        Ok(GivenRules {
            komi: option(options, "komi", komi)?,
            ko: option(options, "ko", |ko, what| named(ko, what, KoRule::ALL, KoRule::name))?,
            suicide: option(options, "suicide", flag)?,
            handicap: option(options, "handicap", |stones, what| {
                Ok(integer_in(stones, what, 0, 9)? as u8)
            })?,
            usual: usual.map_or_else(Rules::default, |game| *game.rules()),
        })
    }
}

fn komi(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Komi> {
    let number = match value.extract::<f64>() {
        _ if value.is_instance_of::<PyBool>() => None,
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Some(f64::NAN),
        number => number.ok(),
    };
    let wrong = || wrong_type(&format!("{what} must be a number"), value);
    Ok(Komi::new(number.ok_or_else(wrong)?)?)
}

#[doc = stub!(Go)]
#[pyclass(name = "Go", module = "sixplane", extends = PyGame)]
#[derive(Default)]
pub(super) struct PyGo;

#[pymethods]
impl PyGo {
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
    ) -> PyResult<PyClassInitializer<Self>> {
        let given = [("komi", komi), ("ko", ko), ("suicide", suicide), ("handicap", handicap)];
        let given = given.into_iter().filter(|(_, value)| value.is_some());
        let rules = Go::read_options(&given.into_py_dict(py)?)?;
        let size = convert::size_or(Go::SIZE, size)?;
        Ok(object(Go::with_rules(size, rules, convert::max_moves(max_moves)?)?))
    }

    #[doc = stub!(Go.komi)]
    #[getter]
    fn komi(slf: PyRef<'_, Self>) -> f64 {
        game_in::<Go>(&slf).rules().komi.points()
    }

    #[doc = stub!(Go.ko)]
    #[getter]
    fn ko(slf: PyRef<'_, Self>) -> &'static str {
        game_in::<Go>(&slf).rules().ko.name()
    }

    #[doc = stub!(Go.suicide)]
    #[getter]
    fn suicide(slf: PyRef<'_, Self>) -> bool {
        game_in::<Go>(&slf).rules().suicide
    }

    #[doc = stub!(Go.handicap)]
    #[getter]
    fn handicap(slf: PyRef<'_, Self>) -> u8 {
        game_in::<Go>(&slf).rules().handicap
    }

    #[doc = stub!(Go.play_repetition)]
    fn play_repetition(mut slf: PyRefMut<'_, Self>, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = action.py();
        let object = slf.as_super();
        let action = object.action(action)?;
        let game: &mut Go = object.game.downcast_mut().expect("a game of this class");
        game.play_repetition(action).map_err(|error| illegal_action(py, game, action, error))
    }

    #[doc = stub!(Go.captures)]
    #[getter]
    fn captures(slf: PyRef<'_, Self>) -> (usize, usize) {
        let ByColor { black, white } = game_in::<Go>(&slf).captures();
        (black, white)
    }

    #[doc = stub!(Go.areas)]
    fn areas(slf: PyRef<'_, Self>) -> (usize, usize) {
        let ByColor { black, white } = game_in::<Go>(&slf).areas();
        (black, white)
    }

    #[doc = stub!(Go.ownership)]
    fn ownership(slf: PyRef<'_, Self>) -> Bound<'_, PyArray2<i8>> {
        PyArray2::from_owned_array(slf.py(), game_in::<Go>(&slf).ownership())
    }

    #[doc = stub!(Go.pass_alive)]
    fn pass_alive(slf: PyRef<'_, Self>) -> Bound<'_, PyArray2<i8>> {
        PyArray2::from_owned_array(slf.py(), game_in::<Go>(&slf).pass_alive())
    }

    #[doc = stub!(Go.score_bounds)]
    fn score_bounds(slf: PyRef<'_, Self>) -> (f64, f64) {
        game_in::<Go>(&slf).score_bounds()
    }

    #[doc = stub!(Go.chains)]
    fn chains(slf: PyRef<'_, Self>) -> Bound<'_, PyArray2<i32>> {
        PyArray2::from_owned_array(slf.py(), game_in::<Go>(&slf).chains())
    }

    #[doc = stub!(Go.liberties)]
    fn liberties(slf: PyRef<'_, Self>) -> Bound<'_, PyArray2<i32>> {
        PyArray2::from_owned_array(slf.py(), game_in::<Go>(&slf).liberties())
    }

    #[doc = stub!(Go.is_eye)]
    #[pyo3(signature = (action, color=None, rule=None))]
    fn is_eye(
        slf: PyRef<'_, Self>,
        action: &Bound<'_, PyAny>,
        color: Option<&Bound<'_, PyAny>>,
        rule: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let game = game_in::<Go>(&slf);
        let action = convert::action(game.size(), action)?;
        let color = convert::color_or(color, game.turn())?;
        let rule = rule.map_or(Ok(EyeRule::Diagonal), eye_rule)?;
        Ok(game.is_eye(action, color, rule))
    }
}

fn eye_rule(name: &Bound<'_, PyAny>) -> PyResult<EyeRule> {
    named(name, "rule", EyeRule::ALL, EyeRule::name)
}

#[doc = stub!(own_eyes)]
#[pyfunction]
pub(super) fn own_eyes<'py>(
    batch: &Bound<'py, PyGameBatch>,
    index: &Bound<'py, PyAny>,
    rule: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let (index, rule) = (integers(index, "index", None)?, eye_rule(rule)?);
    let any = batch.get().enter()?;
    let Some(games) = any.downcast_ref::<GameBatch<Go>>() else {
        return Err(PyValueError::new_err(format!("{} has no eyes", batch.get().name)));
    };
    let wanted = index.iter().map(|&i| usize::try_from(i).ok().and_then(|i| games.get(i)));
    let Some(games) = wanted.collect::<Option<Vec<_>>>() else {
        return Err(PyValueError::new_err(format!("index must be from 0 to {}", games.len() - 1)));
    };
    let mut eyes = Array2::from_elem((games.len(), batch.get().size.points()), false);
    for (mut row, game) in eyes.rows_mut().into_iter().zip(games) {
        game.eyes(game.turn(), rule).iter().for_each(|eye| row[eye.index()] = true);
    }
    Ok(PyArray2::from_owned_array(batch.py(), eyes))
}

/// Names of rules that count by area, in lower case: which ko rule they have, and whether suicide.
pub(super) fn named_rules(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let rules = NamedRules::ALL.iter().filter(|rules| rules.counts_area);
    rules
        .map(|rules| (rules.name.to_lowercase(), (rules.ko.name(), rules.suicide)))
        .into_py_dict(py)
}
