//! Self-play on all cores with the interpreter lock released.

use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;

use super::convert;
use super::go::PyGo;
use crate::players::selfplay::{play_games, pool};

/// Plays games `first .. first + games` of the random series `seed` from a game's position.
#[pyfunction]
#[pyo3(signature = (prototype, first, games, seed, threads=None))]
pub(super) fn selfplay(
    prototype: &Bound<'_, PyAny>,
    first: &Bound<'_, PyAny>,
    games: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<PyGo>> {
    let py = prototype.py();
    let Ok(prototype) = prototype.cast::<PyGo>() else {
        let found = convert::type_name(prototype);
        return Err(PyTypeError::new_err(format!("the prototype must be a game, not {found}")));
    };
    let first = convert::integer_in(first, "first", 0, i64::MAX)? as u64;
    let games = convert::integer_in(games, "games", 0, 1_000_000)? as usize;
    let seed = convert::integer_in(seed, "seed", 0, i64::MAX)? as u64;
    let threads = threads.map(|n| convert::integer_in(n, "threads", 1, 1024)).transpose()?;
    let prototype = prototype.borrow().game.clone();
    let played = py.detach(|| {
        let pool = pool(threads.map(|n| n as usize))?;
        Ok(play_games(&prototype, first, games, seed, &pool))
    });
    let played = played
        .map_err(|error: rayon::ThreadPoolBuildError| PyOSError::new_err(error.to_string()))?;
    Ok(played.into_iter().map(PyGo::from).collect())
}
