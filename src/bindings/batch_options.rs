//! What `sixplane.GameBatch` is given: games, seeds, threads, and words for how to step.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use rand::Rng;

use super::arrays::integers;
use super::convert::{self, named};
use crate::batch::{Autoreset, Cutoff, Illegal, StepOptions, View};
use crate::threads::default_threads;

/// More games than any memory holds are refused instead of tried.
pub(super) const MAX_GAMES: i64 = 1 << 20;

/// How to step, from the words for it.
pub(super) fn step_options(
    autoreset: Option<&Bound<'_, PyAny>>,
    illegal: Option<&Bound<'_, PyAny>>,
    view: Option<&Bound<'_, PyAny>>,
    cutoff: Option<&Bound<'_, PyAny>>,
) -> PyResult<StepOptions> {
    let resets = [
        ("same_step", Autoreset::SameStep),
        ("next_step", Autoreset::NextStep),
        ("disabled", Autoreset::Disabled),
    ];
    let illegals = [("raise", Illegal::Refuse), ("lose", Illegal::Lose)];
    let views = [("black", View::Black), ("player", View::Player)];
    let cutoffs = [("adjudicate", Cutoff::Adjudicate), ("truncate", Cutoff::Truncate)];
    Ok(StepOptions {
        autoreset: one_of(autoreset, "autoreset", &resets)?,
        illegal: one_of(illegal, "illegal", &illegals)?,
        view: one_of(view, "view", &views)?,
        cutoff: one_of(cutoff, "cutoff", &cutoffs)?,
    })
}

/// The value with the name given, or the default.
fn one_of<T>(value: Option<&Bound<'_, PyAny>>, what: &str, all: &[(&'static str, T)]) -> PyResult<T>
where
    T: Copy + Default,
{
    value.map_or(Ok(T::default()), |value| Ok(named(value, what, all, |one| one.0)?.1))
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
