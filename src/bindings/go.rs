//! `sixplane.Go`.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::PyClassInitializer;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyTuple, PyType};

use super::base::PyGame;
use super::class::{GameClass, game_class};
use super::game::{self, Options, flag, named};
use super::record::{self, Details, RecordOptions};
use super::{convert, pickle, picture};
use crate::color::ByColor;
use crate::game::Game;
use crate::games::go::{EyeRule, Go, KoRule, Komi, Rules};
use crate::geometry::Action;
use crate::record::GivenRules;
use crate::status::Outcome;

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
        rules.handicap = handicap(options)?.unwrap_or(0);
        Ok(())
    }
}

impl RecordOptions for Go {
    const GIVEN: &'static [&'static str] = &["komi", "ko", "suicide", "handicap"];

    fn given(options: &Bound<'_, PyDict>) -> PyResult<GivenRules> {
        let rules = Go::read_rules(options)?;
        Ok(GivenRules {
            komi: options.contains("komi")?.then_some(rules.komi),
            ko: options.contains("ko")?.then_some(rules.ko),
            suicide: options.contains("suicide")?.then_some(rules.suicide),
            handicap: handicap(options)?,
        })
    }
}

fn handicap(options: &Bound<'_, PyDict>) -> PyResult<Option<u8>> {
    let stones = options.get_item("handicap")?;
    let stones = stones.map(|stones| convert::integer_in(&stones, "handicap", 0, 9)).transpose()?;
    Ok(stones.map(|stones| stones as u8))
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
        let size = convert::size_or(9, size)?;
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
