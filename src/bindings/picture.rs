//! Pictures of games, which are drawn in Python: `sixplane.render` needs planes alone.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::any_game::PyGame;

/// The module that draws game objects.
const MODULE: &str = "sixplane.render.game";

pub(super) fn game_svg<'py>(
    game: &Bound<'py, PyGame>,
    name: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let draw = game.py().import(MODULE)?.getattr("game_svg")?;
    draw.call((game, name), options)
}

pub(super) fn batch_svg<'py>(
    batch: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    batch.py().import(MODULE)?.getattr("batch_svg")?.call((batch,), options)
}
