//! `sixplane.ConnectFour`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::any_game::{PyGame, PythonGame, game_in, object};
use super::convert;
use crate::game::Game;
use crate::games::connect_four::ConnectFour;
use crate::geometry::Action;
use crate::record::action_named;

impl PythonGame for ConnectFour {
    type Class = PyConnectFour;

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

    /// A column alone names its lowest empty point, or the highest one where none may be played: an action that
    /// the game refuses with the reason.
    fn action_named(&self, name: &str) -> Option<Action> {
        action_named::<Self>(self.size(), name).or_else(|| {
            let column = |col: &usize| {
                name.trim()
                    .eq_ignore_ascii_case(Self::NOTATION.column(*col).encode_utf8(&mut [0; 4]))
            };
            let col = (0..self.size().cols()).find(column)?;
            self.action_in(col).or(Some(Action::new(col)))
        })
    }
}

#[doc = stub!(ConnectFour)]
#[pyclass(name = "ConnectFour", module = "sixplane", extends = PyGame)]
#[derive(Default)]
pub(super) struct PyConnectFour;

#[pymethods]
impl PyConnectFour {
    #[new]
    #[pyo3(
        signature = (size=None, *, max_moves=None),
        text_signature = "(size=(6, 7), *, max_moves=None)"
    )]
    fn new(
        size: Option<&Bound<'_, PyAny>>,
        max_moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let size = convert::size_or(ConnectFour::SIZE, size)?;
        let max_moves = convert::max_moves(max_moves)?;
        Ok(object(ConnectFour::with_rules(size, (), max_moves)?))
    }

    #[doc = stub!(ConnectFour.winning_line)]
    fn winning_line(slf: PyRef<'_, Self>) -> Option<Vec<usize>> {
        Some(game_in::<ConnectFour>(&slf).winning_line()?.into_iter().map(Action::index).collect())
    }
}
