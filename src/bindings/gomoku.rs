//! `sixplane.Gomoku`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::any_game::{PyGame, PythonGame, game_in, object};
use super::convert::{self, flag, option};
use crate::game::Game;
use crate::games::gomoku::{Gomoku, GomokuRules};
use crate::geometry::Action;
use crate::record::GivenGomokuRules;

impl PythonGame for Gomoku {
    type Class = PyGomoku;

    const RULES: &'static [&'static str] = &["exact_five"];

    fn read_options(options: &Bound<'_, PyDict>) -> PyResult<GomokuRules> {
        Ok(GomokuRules { exact_five: Self::given(options, None)?.exact_five.unwrap_or(false) })
    }

    fn write_options(&self, options: &Bound<'_, PyDict>) -> PyResult<()> {
        options.set_item("exact_five", self.rules().exact_five)
    }

    fn given(options: &Bound<'_, PyDict>, usual: Option<&Self>) -> PyResult<GivenGomokuRules> {
        let usual = usual.map_or_else(GomokuRules::default, |game| *game.rules());
        Ok(GivenGomokuRules { exact_five: option(options, "exact_five", flag)?, usual })
    }
}

#[doc = stub!(Gomoku)]
#[pyclass(name = "Gomoku", module = "sixplane", extends = PyGame)]
#[derive(Default)]
pub(super) struct PyGomoku;

#[pymethods]
impl PyGomoku {
    #[new]
    #[pyo3(
        signature = (size=None, *, exact_five=None, max_moves=None),
        text_signature = "(size=15, *, exact_five=False, max_moves=None)"
    )]
    fn new(
        size: Option<&Bound<'_, PyAny>>,
        exact_five: Option<&Bound<'_, PyAny>>,
        max_moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let size = convert::size_or(Gomoku::SIZE, size)?;
        let exact_five = exact_five.map_or(Ok(false), |value| flag(value, "exact_five"))?;
        let max_moves = convert::max_moves(max_moves)?;
        let rules = GomokuRules { exact_five };
        Ok(object(Gomoku::with_rules(size, rules, max_moves)?))
    }

    #[doc = stub!(Gomoku.exact_five)]
    #[getter]
    fn exact_five(slf: PyRef<'_, Self>) -> bool {
        game_in::<Gomoku>(&slf).rules().exact_five
    }

    #[doc = stub!(Gomoku.winning_line)]
    fn winning_line(slf: PyRef<'_, Self>) -> Option<Vec<usize>> {
        Some(game_in::<Gomoku>(&slf).winning_line()?.into_iter().map(Action::index).collect())
    }
}
