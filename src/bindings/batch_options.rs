//! What `sixplane.GameBatch` is given: games, seeds, threads, and words for how to step.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use rand::Rng;

use super::arrays::integers;
use super::class::GameClass;
use super::convert;
use super::game::named;
use super::go::PyGo;
use super::gomoku::PyGomoku;
use super::held::{AnyBatch, Held};
use super::reversi::PyReversi;
use crate::batch::{Autoreset, Cutoff, Illegal, StepOptions, View};
use crate::workers::default_threads;

/// More games than any memory holds are refused instead of tried.
pub(super) const MAX_GAMES: i64 = 1 << 20;

/// How to step, from the words for it.
pub(super) fn step_options(
    autoreset: Option<&Bound<'_, PyAny>>,
    illegal: Option<&Bound<'_, PyAny>>,
    view: Option<&Bound<'_, PyAny>>,
    cutoff: Option<&Bound<'_, PyAny>>,
) -> PyResult<StepOptions> {
    let mut options = StepOptions::default();
    if let Some(value) = autoreset {
        let all = [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled];
        options.autoreset = named(value, "autoreset", all, |one| match one {
            Autoreset::SameStep => "same_step",
            Autoreset::NextStep => "next_step",
            Autoreset::Disabled => "disabled",
        })?;
    }
    if let Some(value) = illegal {
        options.illegal =
            named(value, "illegal", [Illegal::Refuse, Illegal::Lose], |one| match one {
                Illegal::Refuse => "raise",
                Illegal::Lose => "lose",
            })?;
    }
    if let Some(value) = view {
        options.view = named(value, "view", [View::Black, View::Player], |one| match one {
            View::Black => "black",
            View::Player => "player",
        })?;
    }
    if let Some(value) = cutoff {
        options.cutoff =
            named(value, "cutoff", [Cutoff::Adjudicate, Cutoff::Truncate], |one| match one {
                Cutoff::Adjudicate => "adjudicate",
                Cutoff::Truncate => "truncate",
            })?;
    }
    Ok(options)
}

pub(super) fn seed_or_system(seed: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    match seed {
        Some(seed) => Ok(convert::integer_in(seed, "seed", 0, i64::MAX)? as u64),
        None => Ok(rand::make_rng::<rand_xoshiro::Xoshiro256PlusPlus>().next_u64()),
    }
}

pub(super) fn threads_of(threads: Option<&Bound<'_, PyAny>>) -> PyResult<Option<usize>> {
    let Some(threads) = threads else {
        // The batch asks again; here it is known how to say that the variable is malformed.
        default_threads()?;
        return Ok(None);
    };
    Ok(Some(convert::integer_in(threads, "threads", 1, 1024)? as usize))
}

/// A batch of games that are all of this class; `None` if the first is not.
fn held<C: GameClass>(
    games: &[Bound<'_, PyAny>],
    count: Option<usize>,
    seed: u64,
    threads: Option<usize>,
) -> Option<PyResult<Box<dyn AnyBatch>>> {
    games.first()?.cast::<C>().ok()?;
    Some(Held::<C>::boxed(games, count, seed, threads))
}

pub(super) fn any_batch(
    games: &[Bound<'_, PyAny>],
    count: Option<usize>,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Box<dyn AnyBatch>> {
    held::<PyGo>(games, count, seed, threads)
        .or_else(|| held::<PyReversi>(games, count, seed, threads))
        .or_else(|| held::<PyGomoku>(games, count, seed, threads))
        .unwrap_or_else(|| {
            let found = games.first().map_or("nothing".to_owned(), convert::type_name);
            Err(PyTypeError::new_err(format!("a batch is made of games, not {found}")))
        })
}

/// How many actions to play in each game, from one number or one for each.
pub(super) fn numbers_of_actions(n: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<u64>> {
    if n.len().is_err() {
        let n = convert::integer_in(n, "n", 0, i64::MAX)?;
        return Ok(vec![n as u64; count]);
    }
    let numbers = integers(n, "n", Some(count))?.into_iter().enumerate();
    let natural = |(i, n): (usize, i64)| {
        let negative = format!("n must be at least 0, got {n} for game {i}");
        u64::try_from(n).map_err(|_| PyValueError::new_err(negative))
    };
    numbers.map(natural).collect()
}
