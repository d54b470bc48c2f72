//! Pictures of games: the package draws them from planes.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::provided::provided;

/// The picture of a game, drawn in the style of this name.
pub(super) fn game_svg<'py>(
    game: &Bound<'py, PyAny>,
    style: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    provided(game.py(), "game_svg")?.call((game, style), options)
}

pub(super) fn batch_svg<'py>(
    batch: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    provided(batch.py(), "batch_svg")?.call((batch,), options)
}
