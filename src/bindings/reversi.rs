//! `sixplane.Reversi`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::any_game::{PyGame, PythonGame, object};
use super::convert;
use crate::game::Game;
use crate::games::reversi::{Reversi, ReversiRules};

impl PythonGame for Reversi {
    type Class = PyReversi;

    const RULES: &'static [&'static str] = &[];

    fn read_options(_options: &Bound<'_, PyDict>) -> PyResult<ReversiRules> {
        Ok(ReversiRules)
    }

    fn write_options(&self, _options: &Bound<'_, PyDict>) -> PyResult<()> {
        Ok(())
    }

    fn given(_options: &Bound<'_, PyDict>, _usual: Option<&Self>) -> PyResult<()> {
        Ok(())
    }
}

#[doc = stub!(Reversi)]
#[pyclass(name = "Reversi", module = "sixplane", extends = PyGame)]
#[derive(Default)]
pub(super) struct PyReversi;

#[pymethods]
impl PyReversi {
    #[new]
    #[pyo3(
        signature = (size=None, *, max_moves=None),
        text_signature = "(size=8, *, max_moves=None)"
    )]
    fn new(
        size: Option<&Bound<'_, PyAny>>,
        max_moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let size = convert::size_or(Reversi::SIZE, size)?;
        let max_moves = convert::max_moves(max_moves)?;
        Ok(object(Reversi::with_rules(size, ReversiRules, max_moves)?))
    }
}
