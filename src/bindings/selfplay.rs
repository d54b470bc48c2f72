//! Self-play on all cores with the interpreter lock released.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::any_game::{PyGame, checked, object_of, with_any};
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
    let objects: PyResult<Vec<_>> = with_any!(&start, |start| {
        let played = py.detach(|| play_games(start, first, games, seed, threads));
        checked(start.clone())?;
        played.into_iter().map(|game| object_of(py, game)).collect()
    });
    PyList::new(py, objects?)
}
