//! The Python class of games whose rules are Python, which the class of each such game extends.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use super::any_game::{PyGame, PythonGame, checked, game_in, object};
use super::at_exit::PythonCall;
use super::convert;
use super::own_game::{Failure, Given, OwnGame, PyOwnRules, Rules};
use crate::game::Game;
use crate::geometry::BoardSize;

/// The option that holds the class, and the one that holds the options that were given.
const CLASS: &str = "class";
const OPTIONS: &str = "options";

impl PythonGame for OwnGame {
    type Class = PyOwnGame;

    const RULES: &'static [&'static str] = &[];

    const GIVEN: &'static [&'static str] = &[CLASS, OPTIONS];

    const MAY_FAIL: bool = true;

    fn options<'py>(
        class: &Bound<'py, PyType>,
        given: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = class.py();
        let (rules, options) = (PyDict::new(py), PyDict::new(py));
        if let Some(given) = given {
            rules.update(given.as_mapping())?;
        }
        if let Some(limit) = rules.get_item("max_moves")? {
            options.set_item("max_moves", limit)?;
            rules.del_item("max_moves")?;
        }
        let Ok(make) = class.getattr("_make_rules") else {
            let message =
                "sixplane.OwnGame has no rules: sixplane.game_class makes a class that has";
            return Err(PyTypeError::new_err(message));
        };
        let _call = PythonCall::begin()?;
        make.call_method1("converted", (&rules,))?;
        options.set_item(CLASS, class)?;
        options.set_item(OPTIONS, rules)?;
        Ok(options)
    }

    fn read_options(options: &Bound<'_, PyDict>) -> PyResult<Rules> {
        let class = options.get_item(CLASS)?.ok_or_else(|| PyTypeError::new_err("no rules"))?;
        let _call = PythonCall::begin()?;
        let made = class.getattr("_make_rules")?.call1((options.get_item(OPTIONS)?,))?;
        Ok(made.cast::<PyOwnRules>()?.get().rules.clone())
    }

    fn check_size(rules: &Rules, size: BoardSize) -> PyResult<()> {
        rules.setup(size).map(drop)
    }

    fn write_options(&self, options: &Bound<'_, PyDict>) -> PyResult<()> {
        let given = self.rules.arbiter(options.py()).getattr("options")?;
        options.update(given.cast::<PyDict>()?.as_mapping())
    }

    fn given(options: &Bound<'_, PyDict>, usual: Option<&Self>) -> PyResult<Given> {
        let Some(class) = options.get_item(CLASS)? else {
            let usual = usual.map_or_else(Rules::default, |usual| usual.rules.clone());
            let class = usual.is_some().then(|| usual.games(options.py()).unbind());
            return Ok(Given { class, options: None, usual });
        };
        let given = options.get_item(OPTIONS)?.map(Bound::cast_into::<PyDict>);
        let given = given.transpose()?.map(Bound::unbind);
        Ok(Given { class: Some(class.unbind()), options: given, usual: Rules::default() })
    }

    fn name(&self) -> &str {
        self.rules.name()
    }

    fn is_of_class(&self, other: &Self) -> bool {
        self.rules.are_of_the_class_of(&other.rules)
    }

    fn failure(&self) -> Option<&Arc<Failure>> {
        Some(&self.failure)
    }

    fn with_failure(mut self, failure: &Arc<Failure>) -> Self {
        self.failure = Arc::clone(failure);
        self
    }

    fn into_object(self, py: Python<'_>) -> PyResult<Bound<'_, PyGame>> {
        let class = self.rules.games(py);
        let game = Bound::new(py, PyGame { game: self.with_failure(&Arc::default()).into() })?;
        Ok(class.call1((game,))?.cast_into()?)
    }
}

#[doc = stub!(OwnGame)]
#[pyclass(name = "OwnGame", module = "sixplane", extends = PyGame, subclass)]
#[derive(Default)]
pub(super) struct PyOwnGame;

#[pymethods]
impl PyOwnGame {
    /// A size, or one of the core's games, which the object shall be.
    #[new]
    #[classmethod]
    #[pyo3(signature = (size=None, **rules))]
    fn new(
        class: &Bound<'_, PyType>,
        size: Option<&Bound<'_, PyAny>>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        if let Some(made) = size.and_then(|size| size.cast::<PyGame>().ok()) {
            let made = made.try_borrow()?;
            if let Some(game) = made.game.downcast_ref::<OwnGame>() {
                if game.rules.games(class.py()).is(class) {
                    return Ok(object(game.clone().with_failure(&Arc::default())));
                }
            }
        }
        let options = OwnGame::options(class, rules)?;
        let rules = OwnGame::read_options(&options)?;
        let usual = class.getattr("default_size")?;
        let size = convert::size_or((0, 0), Some(size.unwrap_or(&usual)))?;
        let (setup, max_moves) = (rules.setup(size)?, convert::max_moves_among(&options)?);
        Ok(object(checked(OwnGame::from_setup(rules, setup, max_moves)?)?))
    }

    #[doc = stub!(OwnGame.rules)]
    #[getter]
    fn rules(slf: PyRef<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        game_in::<OwnGame>(&slf).rules().arbiter(slf.py()).getattr("rules")
    }

    /// What asks the rules.
    #[getter]
    fn _arbiter(slf: PyRef<'_, Self>) -> Bound<'_, PyAny> {
        game_in::<OwnGame>(&slf).rules().arbiter(slf.py())
    }
}
