//! `sixplane.Hex`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::any_game::{PyGame, PythonGame, game_in, object};
use super::convert::{self, flag, option};
use crate::game::Game;
use crate::games::hex::{Hex, HexRules};
use crate::geometry::Action;
use crate::record::GivenHexRules;

impl PythonGame for Hex {
    type Class = PyHex;

    const RULES: &'static [&'static str] = &["swap"];

    fn read_options(options: &Bound<'_, PyDict>) -> PyResult<HexRules> {
        Ok(HexRules { swap: Self::given(options, None)?.swap.unwrap_or(false) })
    }

    fn write_options(&self, options: &Bound<'_, PyDict>) -> PyResult<()> {
        options.set_item("swap", self.rules().swap)
    }

    fn given(options: &Bound<'_, PyDict>, usual: Option<&Self>) -> PyResult<GivenHexRules> {
        let usual = usual.map_or_else(HexRules::default, |game| *game.rules());
        Ok(GivenHexRules { swap: option(options, "swap", flag)?, usual })
    }
}

#[doc = stub!(Hex)]
#[pyclass(name = "Hex", module = "sixplane", extends = PyGame)]
#[derive(Default)]
pub(super) struct PyHex;

#[pymethods]
impl PyHex {
    #[new]
    #[pyo3(
        signature = (size=None, *, swap=None, max_moves=None),
        text_signature = "(size=11, *, swap=False, max_moves=None)"
    )]
    fn new(
        size: Option<&Bound<'_, PyAny>>,
        swap: Option<&Bound<'_, PyAny>>,
        max_moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let size = convert::size_or(Hex::SIZE, size)?;
        let swap = swap.map_or(Ok(false), |value| flag(value, "swap"))?;
        let max_moves = convert::max_moves(max_moves)?;
        Ok(object(Hex::with_rules(size, HexRules { swap }, max_moves)?))
    }

    #[doc = stub!(Hex.swap)]
    #[getter]
    fn swap(slf: PyRef<'_, Self>) -> bool {
        game_in::<Hex>(&slf).rules().swap
    }

    #[doc = stub!(Hex.winning_line)]
    fn winning_line(slf: PyRef<'_, Self>) -> Option<Vec<usize>> {
        Some(game_in::<Hex>(&slf).winning_line()?.into_iter().map(Action::index).collect())
    }
}
