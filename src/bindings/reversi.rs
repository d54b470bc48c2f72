//! `sixplane.Reversi`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::any_game::{PyGame, PythonGame, Records, object};
use super::convert;
use super::record::{RecordOptions, records};
use crate::game::Game;
use crate::games::reversi::{Reversi, ReversiRules};

impl PythonGame for Reversi {
    type Class = PyReversi;

    const DEFAULT_SIDE: usize = 8;

    const RULES: &'static [&'static str] = &[];

    const RECORDS: Option<Records<Self>> = Some(records());

    fn read_rules(_options: &Bound<'_, PyDict>) -> PyResult<ReversiRules> {
        Ok(ReversiRules)
    }

    fn write_options(&self, _options: &Bound<'_, PyDict>) -> PyResult<()> {
        Ok(())
    }
}

impl RecordOptions for Reversi {
    fn given(_options: &Bound<'_, PyDict>) -> PyResult<()> {
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
        let size = convert::size_or(Reversi::DEFAULT_SIDE, size)?;
        let max_moves = convert::max_moves(max_moves)?;
        Ok(object(Reversi::with_rules(size, ReversiRules, max_moves)?))
    }
}
