//! The arguments of the methods of `sixplane.GameBatch`.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use rand::Rng;

use super::arrays::{flags, integers};
use super::convert::{self, word};
use super::game::MAX_HISTORY;
use crate::batch::{Autoreset, Cutoff, Illegal, StepOptions, View};
use crate::threads::default_threads;

/// An argument that may be None.
pub(super) type Optional<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// More games than any memory holds are refused instead of tried.
pub(super) const MAX_GAMES: i64 = 1 << 20;

/// The place of game `number` among so many, from the end if it is negative.
pub(super) fn place(number: &Bound<'_, PyAny>, what: &str, count: usize) -> PyResult<usize> {
    place_of(convert::integer(number, what)?.unwrap_or(i64::MAX), count)
}

/// The places of the games of `index`.
pub(super) fn places(index: Optional<'_, '_>, count: usize) -> PyResult<Option<Vec<usize>>> {
    let numbers = index.map(|index| integers(index, "index", None)).transpose()?;
    numbers.map(|all| all.into_iter().map(|n| place_of(n, count)).collect()).transpose()
}

fn place_of(number: i64, count: usize) -> PyResult<usize> {
    let count = count as i64;
    let place = if number < 0 { number.saturating_add(count) } else { number };
    if (0..count).contains(&place) {
        return Ok(place as usize);
    }
    Err(PyIndexError::new_err(format!("game {number} of a batch of {count}")))
}

/// The games of `where`.
pub(super) fn chosen(mask: Optional<'_, '_>, count: usize) -> PyResult<Option<Vec<bool>>> {
    mask.map(|mask| flags(mask, "where", count)).transpose()
}

/// Whose side planes are seen from: one view of all games, or the colors of so many, one for each.
pub(super) fn views(
    view: Optional<'_, '_>,
    default: View,
    count: usize,
) -> PyResult<impl Fn(usize) -> View + use<>> {
    let of_color = |n| match n {
        0 => Ok(View::Black),
        1 => Ok(View::White),
        _ => Err(PyValueError::new_err(format!("each entry of view must be 0 or 1, not {n}"))),
    };
    let each = match view {
        None => vec![default],
        Some(all) if !all.is_instance_of::<PyString>() && all.len().is_ok() => {
            let colors = integers(all, "view", Some(count))?.into_iter();
            colors.map(of_color).collect::<PyResult<_>>()?
        }
        Some(one) => vec![convert::view(one)?],
    };
    Ok(move |place: usize| each[place.min(each.len() - 1)])
}

/// How to step, from the words for it.
pub(super) fn step_options(
    autoreset: Optional<'_, '_>,
    illegal: Optional<'_, '_>,
    view: Optional<'_, '_>,
    cutoff: Optional<'_, '_>,
    history: Optional<'_, '_>,
    max_steps: Optional<'_, '_>,
) -> PyResult<StepOptions> {
    let number = |value: Optional<'_, '_>, name, low, most| {
        value.map_or(Ok(0), |value| convert::integer_in(value, name, low, most))
    };
    let history = number(history, "history", 0, MAX_HISTORY)? as usize;
    let max_steps = number(max_steps, "max_steps", 1, i64::from(u32::MAX))? as u32;
    Ok(StepOptions {
        autoreset: word(
            autoreset,
            "autoreset",
            [
                ("same_step", Autoreset::SameStep),
                ("next_step", Autoreset::NextStep),
                ("disabled", Autoreset::Disabled),
            ],
        )?,
        illegal: word(illegal, "illegal", [("raise", Illegal::Refuse), ("lose", Illegal::Lose)])?,
        view: word(view, "view", [("black", View::Black), ("player", View::Player)])?,
        cutoff: word(
            cutoff,
            "cutoff",
            [("adjudicate", Cutoff::Adjudicate), ("truncate", Cutoff::Truncate)],
        )?,
        history: (history > 0).then_some(history),
        max_steps: (max_steps > 0).then_some(max_steps),
    })
}

pub(super) fn seed_or_system(seed: Optional<'_, '_>) -> PyResult<u64> {
    match seed {
        Some(seed) => Ok(convert::integer_in(seed, "seed", 0, i64::MAX)? as u64),
        None => Ok(rand::make_rng::<rand_xoshiro::Xoshiro256PlusPlus>().next_u64()),
    }
}

pub(super) fn threads_of(threads: Optional<'_, '_>) -> PyResult<Option<usize>> {
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
