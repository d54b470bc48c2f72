//! `game.solve()`: exact values for people; and those of many games at once.

use std::time::{Duration, Instant};

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::any_batch::PyGameBatch;
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
                let message = format!(
                    "seconds must be more than 0 and at most {MOST_SECONDS:?}, not {number:?}"
                );
                Err(PyValueError::new_err(message))
            }
        });
        Ok(Self { is_scored, nodes: nodes.map(|nodes| nodes as u64), time: time.transpose()? })
    }

    fn task<'a>(&self, effort: Effort, interrupt: &'a mut dyn FnMut() -> bool) -> Task<'a> {
        let task = Task::new(effort, interrupt).with_nodes(self.nodes.unwrap_or(u64::MAX));
        if self.is_scored { task.with_score() } else { task }
    }

    /// Works without the interpreter lock. The work is given what says whether to stop: when the time is up, or
    /// the user has pressed Ctrl-C.
    #[allow(clippy::redundant_closure_for_method_calls)] // The method alone is for one lifetime only.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl Send + FnOnce(&mut dyn FnMut() -> bool) -> T,
    ) -> PyResult<T> {
        let (begin, mut signal) = (Instant::now(), Ok(()));
        let (mut asked, mut is_first) = (begin, true);
        let done = py.detach(|| {
            work(&mut || {
                // Each game asks anew: the first exception stays.
                if signal.is_ok() && asked.elapsed() > PATIENCE {
                    asked = Instant::now();
                    let call = PythonCall::begin();
                    signal = call.and_then(|_call| Python::attach(|py| py.check_signals()));
                }
                // The first question comes before the first position: a large table may have taken the time.
                let is_late = || self.time.is_some_and(|time| begin.elapsed() >= time);
                signal.is_err() || !std::mem::take(&mut is_first) && is_late()
            })
        });
        signal.map(|()| done)
    }
}

/// A `sixplane.exact.Solution` of a game, of which `copy` is another copy.
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
    let begin = Instant::now();
    let Solution { value, score, best, line, nodes } = limits.work(py, |interrupt| {
        let mut task = limits.task(Effort::Whole, interrupt);
        with_any!(game, |game| game.solve(&mut task, &mut Memory::default()))
    })?;
    let line: Vec<_> = line.into_iter().map(Action::index).collect();
    let seconds = begin.elapsed().as_secs_f64();
    let fields = (value, score, best.map(Action::index), line, nodes, seconds, copy);
    callback(py, "Solution")?.call1(fields)
}

type Column<'py> = Bound<'py, PyArray1<f64>>;

#[doc = stub!(exact_values)]
#[pyfunction]
#[pyo3(
    signature = (batch, *, score=None, nodes=None, leaf=false),
    text_signature = "(batch, *, score=False, nodes=None, leaf=False)"
)]
pub(super) fn exact_values<'py>(
    batch: &Bound<'py, PyGameBatch>,
    score: Option<&Bound<'py, PyAny>>,
    nodes: Option<&Bound<'py, PyAny>>,
    leaf: bool,
) -> PyResult<(Column<'py>, Column<'py>)> {
    let (py, limits) = (batch.py(), Limits::read(score, nodes, None)?);
    let effort = if leaf { Effort::Leaf } else { Effort::Whole };
    let any = batch.get().enter()?;
    let (values, scores) = with_any!(&*any, |batch| {
        limits.work(py, |interrupt| -> (Vec<_>, Vec<_>) {
            let mut memory = Memory::default();
            let found = batch.games().map(|game| {
                let found = game.solve(&mut limits.task(effort, interrupt), &mut memory);
                (found.value.map_or(f64::NAN, f64::from), found.score.unwrap_or(f64::NAN))
            });
            found.unzip()
        })
    })?;
    Ok((PyArray1::from_vec(py, values), PyArray1::from_vec(py, scores)))
}
