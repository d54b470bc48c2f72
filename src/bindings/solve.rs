//! `game.solve()`: exact values for people.

use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::any_game::{AnyGame, with_any};
use super::at_exit::PythonCall;
use super::callbacks::callback;
use super::convert;
use crate::exact::{Effort, Exact, Memory, Solution, Task};
use crate::geometry::Action;

/// Time between two looks at whether the user has pressed Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(20);

/// Most seconds that a user may give: a hundred years.
const MOST_SECONDS: f64 = 100.0 * 365.0 * 24.0 * 3600.0;

/// The limits of a call.
pub(super) struct Limits {
    is_scored: bool,
    nodes: Option<u64>,
    time: Option<Duration>,
}

impl Limits {
    pub(super) fn read(
        score: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        seconds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let is_scored = score.map_or(Ok(false), |score| convert::flag(score, "score"))?;
        let nodes =
            nodes.map(|nodes| convert::integer_in(nodes, "nodes", 1, i64::MAX)).transpose()?;
        let time = seconds.map(|seconds| {
            let wrong = || convert::wrong_type("seconds must be a number", seconds);
            let number: f64 = seconds.extract().map_err(|_| wrong())?;
            if number > 0.0 && number <= MOST_SECONDS {
                Ok(Duration::from_secs_f64(number))
            } else {
                let message = format!("seconds must be more than 0, and finite, not {number}");
                Err(PyValueError::new_err(message))
            }
        });
        Ok(Self { is_scored, nodes: nodes.map(|nodes| nodes as u64), time: time.transpose()? })
    }
}

/// A `sixplane.exact.Solution` of a game, of which `copy` is another copy.
#[allow(clippy::redundant_closure_for_method_calls)] // The method alone is for one lifetime only.
pub(super) fn solve<'py>(
    game: &AnyGame,
    copy: Bound<'py, PyAny>,
    limits: &Limits,
) -> PyResult<Bound<'py, PyAny>> {
    let py = copy.py();
    if game.state().is_over() {
        return Err(PyValueError::new_err("there is nothing to solve: the game is over"));
    }
    with_any!(game, |game| game.check_solvable())
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let (begin, mut signal) = (Instant::now(), Ok(()));
    let mut asked = begin;
    let solution = py.detach(|| {
        let mut interrupt = || {
            if asked.elapsed() > PATIENCE {
                asked = Instant::now();
                let call = PythonCall::begin();
                signal = call.and_then(|_call| Python::attach(|py| py.check_signals()));
            }
            signal.is_err() || limits.time.is_some_and(|time| begin.elapsed() >= time)
        };
        let mut task = Task::new(Effort::Whole, &mut interrupt);
        task = if limits.is_scored { task.with_score() } else { task };
        task = task.with_nodes(limits.nodes.unwrap_or(u64::MAX));
        with_any!(game, |game| game.solve(&mut task, &mut Memory::default()))
    });
    signal?;
    let Solution { value, score, best, line, nodes } = solution;
    let line: Vec<_> = line.into_iter().map(Action::index).collect();
    let seconds = begin.elapsed().as_secs_f64();
    let fields = (value, score, best.map(Action::index), line, nodes, seconds, copy);
    callback(py, "Solution")?.call1(fields)
}
