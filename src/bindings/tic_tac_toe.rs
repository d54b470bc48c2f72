//! `sixplane.TicTacToe`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::any_game::{PyGame, PythonGame, game_in, object};
use super::convert;
use crate::game::Game;
use crate::games::tic_tac_toe::TicTacToe;
use crate::geometry::Action;

impl PythonGame for TicTacToe {
    type Class = PyTicTacToe;

    const RULES: &'static [&'static str] = &[];

    fn read_options(_options: &Bound<'_, PyDict>) -> PyResult<()> {
        Ok(())
    }

    fn write_options(&self, _options: &Bound<'_, PyDict>) -> PyResult<()> {
        Ok(())
    }

    fn given(_options: &Bound<'_, PyDict>, _usual: Option<&Self>) -> PyResult<()> {
        Ok(())
    }
}

#[doc = stub!(TicTacToe)]
#[pyclass(name = "TicTacToe", module = "sixplane", extends = PyGame)]
#[derive(Default)]
pub(super) struct PyTicTacToe;

#[pymethods]
impl PyTicTacToe {
    #[new]
    #[pyo3(
        signature = (size=None, *, max_moves=None),
        text_signature = "(size=3, *, max_moves=None)"
    )]
    fn new(
        size: Option<&Bound<'_, PyAny>>,
        max_moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let size = convert::size_or(TicTacToe::SIZE, size)?;
        let max_moves = convert::max_moves(max_moves)?;
        Ok(object(TicTacToe::with_rules(size, (), max_moves)?))
    }

    #[doc = stub!(TicTacToe.winning_line)]
    fn winning_line(slf: PyRef<'_, Self>) -> Option<Vec<usize>> {
        Some(game_in::<TicTacToe>(&slf).winning_line()?.into_iter().map(Action::index).collect())
    }
}
