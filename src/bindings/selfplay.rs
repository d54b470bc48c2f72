//! Self-play on all cores with the interpreter lock released.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::class::GameClass;
use super::convert;
use super::go::PyGo;
use super::gomoku::PyGomoku;
use super::reversi::PyReversi;
use crate::players::selfplay::play_games;
use crate::playout::Playouts;
use crate::threads;

/// How many threads are used where nobody asks for a number.
///
/// As many as there are processors, or fewer if the environment variable `SIXPLANE_THREADS` says so.
///
/// Raises:
///     ValueError: the variable is no positive integer.
#[pyfunction]
pub(super) fn default_threads() -> PyResult<usize> {
    Ok(threads::default_threads()?)
}

/// Plays random games from a game's position to the end, on all cores. In Go no own eye is filled.
///
/// Args:
///     prototype: the position and rules all games start from.
///     first: the number of the first game in its series.
///     games: how many to play.
///     seed: the series; game `i` depends on `seed` and `i` only.
///     threads: how many threads; None for as many as there are processors, or as the environment
///         variable `SIXPLANE_THREADS` allows.
#[pyfunction]
#[pyo3(signature = (prototype, first, games, seed, threads=None))]
pub(super) fn selfplay<'py>(
    prototype: &Bound<'py, PyAny>,
    first: &Bound<'_, PyAny>,
    games: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let play = [played::<PyGo>, played::<PyReversi>, played::<PyGomoku>];
    let series = || -> PyResult<Series> {
        let threads = threads.map(|n| convert::integer_in(n, "threads", 1, 1024)).transpose()?;
        let threads = match threads {
            Some(threads) => threads as usize,
            None => threads::default_threads()?,
        };
        Ok(Series {
            first: convert::integer_in(first, "first", 0, i64::MAX)? as u64,
            games: convert::integer_in(games, "games", 0, 1_000_000)? as usize,
            seed: convert::integer_in(seed, "seed", 0, i64::MAX)? as u64,
            threads,
        })
    };
    play.into_iter().find_map(|play| play(prototype, &series)).unwrap_or_else(|| {
        let found = convert::type_name(prototype);
        Err(PyTypeError::new_err(format!("the prototype must be a game, not {found}")))
    })
}

struct Series {
    first: u64,
    games: usize,
    seed: u64,
    threads: usize,
}

/// The games played, if the prototype is of this class.
fn played<'py, C: GameClass>(
    prototype: &Bound<'py, PyAny>,
    series: &dyn Fn() -> PyResult<Series>,
) -> Option<PyResult<Bound<'py, PyList>>> {
    let class = prototype.cast::<C>().ok()?;
    Some(series().and_then(|Series { first, games, seed, threads }| {
        let py = prototype.py();
        let start = class.try_borrow()?.game().clone();
        if start.may_be_endless() {
            return Err(PyValueError::new_err(
                "random players may go on for ever under these rules: max_moves is needed",
            ));
        }
        let played = py.detach(|| play_games(&start, first, games, seed, Some(threads)));
        PyList::new(
            py,
            played
                .into_iter()
                .map(C::of)
                .map(|game| Py::new(py, game))
                .collect::<PyResult<Vec<_>>>()?,
        )
    }))
}
