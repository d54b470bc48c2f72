//! Self-play on all cores with the interpreter lock released.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::any_game::{PyGame, PythonGame, checked, object_of, with_any};
use super::batch_arguments::threads_of;
use super::convert;
use crate::players::selfplay::play_games;
use crate::playout::Playouts;
use crate::threads;

#[doc = stub!(default_threads)]
#[pyfunction]
pub(super) fn default_threads() -> PyResult<usize> {
    Ok(threads::default_threads()?)
}

#[doc = stub!(selfplay)]
#[pyfunction]
#[pyo3(signature = (prototype, first, games, seed, threads=None))]
pub(super) fn selfplay<'py>(
    prototype: &Bound<'py, PyAny>,
    first: &Bound<'_, PyAny>,
    games: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = prototype.py();
    let wrong = |_| convert::wrong_type("the prototype must be a game", prototype);
    let prototype = prototype.cast::<PyGame>().map_err(wrong)?;
    let threads = threads_of(threads)?;
    let first = convert::integer_in(first, "first", 0, i64::MAX)? as u64;
    let games = convert::integer_in(games, "games", 0, 1_000_000)? as usize;
    let seed = convert::integer_in(seed, "seed", 0, i64::MAX)? as u64;
    let start = prototype.try_borrow()?.game.clone();
    if with_any!(&start, |start| start.may_be_endless()) {
        return Err(PyValueError::new_err(
            "random players may go on for ever under these rules: max_moves is needed",
        ));
    }
    let objects: PyResult<Vec<_>> = with_any!(start, |start| {
        // The errors of its rules are not those of the prototype, which others may play meanwhile.
        let start = &start.with_failure(&Arc::default());
        let played = py.detach(|| play_games(start, first, games, seed, threads));
        checked(start.clone())?;
        played.into_iter().map(|game| object_of(py, game)).collect()
    });
    PyList::new(py, objects?)
}
