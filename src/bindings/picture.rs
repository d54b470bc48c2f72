//! Pictures of games, which are drawn in Python: `sixplane.render` needs planes alone.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::class::GameClass;
use crate::game::Game;

/// The module that draws game objects.
const MODULE: &str = "sixplane.render.game";

pub(super) fn game_svg<'py, C: GameClass>(
    game: &Bound<'py, C>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let draw = game.py().import(MODULE)?.getattr("game_svg")?;
    draw.call((game, C::Game::NAME), options)
}

pub(super) fn batch_svg<'py>(
    batch: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    batch.py().import(MODULE)?.getattr("batch_svg")?.call((batch,), options)
}
