//! Players without search.

use numpy::PyArray1;
use pyo3::prelude::*;

use super::game;
use super::gomoku::PyGomoku;
use crate::players::score_table::best_actions;

/// The points that the score table holds to be best, ascending.
#[pyfunction]
pub(super) fn score_table_actions<'py>(game: &Bound<'py, PyGomoku>) -> Bound<'py, PyArray1<i64>> {
    game::actions(game.py(), best_actions(&game.borrow().game))
}
