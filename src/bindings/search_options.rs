//! The options of `sixplane.search.MCTS`, and Python callables as evaluators.

use std::time::Duration;

use numpy::PyUntypedArrayMethods;
use numpy::{PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::convert::{integer_in, type_name};
use super::game::{flag, named};
use crate::search::{Evaluations, Evaluator, Leaves, Noise, Reward, Selection, Settings};

/// The share of the noise where only its parameter is given (`AlphaZero`'s).
const NOISE_FRACTION: f64 = 0.25;

/// Every option there is.
const NAMES: [&str; 16] = [
    "selection",
    "simulations",
    "seconds",
    "max_nodes",
    "c",
    "noise",
    "leaves",
    "threads",
    "seed",
    "symmetry",
    "cache",
    "reward",
    "history",
    "rave",
    "prior_visits",
    "first_play",
];

/// The options as Python gives them; None is as good as nothing.
pub(super) struct Options<'a, 'py> {
    pub(super) given: Option<&'a Bound<'py, PyDict>>,
    pub(super) has_evaluator: bool,
}

fn number(value: &Bound<'_, PyAny>, what: &str, low: f64, high: f64) -> PyResult<f64> {
    let Ok(number) = value.extract::<f64>() else {
        let found = type_name(value);
        return Err(PyTypeError::new_err(format!("{what} must be a number, not {found}")));
    };
    if (low..=high).contains(&number) {
        return Ok(number);
    }
    Err(PyValueError::new_err(format!("{what} must be from {low} to {high}, not {number}")))
}

impl<'py> Options<'_, 'py> {
    pub(super) fn get(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.given.map(|given| given.get_item(name)).transpose()?.flatten();
        Ok(value.filter(|value| !value.is_none()))
    }

    fn count(&self, name: &str, default: usize, low: i64, high: i64) -> PyResult<usize> {
        let value = self.get(name)?;
        value.map_or(Ok(default), |value| Ok(integer_in(&value, name, low, high)? as usize))
    }

    fn number(&self, name: &str, low: f64, high: f64) -> PyResult<Option<f64>> {
        self.get(name)?.map(|value| number(&value, name, low, high)).transpose()
    }

    /// An error for an option that is not among the names.
    pub(super) fn refuse_others(&self, allowed: &[&str]) -> PyResult<()> {
        let names = self.given.map(|given| given.keys().extract::<Vec<String>>());
        for name in names.transpose()?.unwrap_or_default() {
            if !allowed.contains(&name.as_str()) {
                return Err(PyTypeError::new_err(format!(
                    "unexpected option {name:?}: allowed are {}",
                    allowed.join(", ")
                )));
            }
        }
        Ok(())
    }

    pub(super) fn settings(&self) -> PyResult<Settings> {
        self.refuse_others(&NAMES)?;
        let defaults = Settings::default();
        let selection = self.selection()?;
        let (simulations, time) = self.limits(selection)?;
        let (noise, gumbel_scale) = self.noise(selection)?;
        let rave = self.number("rave", 1e-3, 1e9)?;
        if rave.is_some() && (selection != Selection::Ucb || self.has_evaluator) {
            return Err(PyValueError::new_err(
                "rave goes with selection \"ucb\" and rollouts, not with priors or an evaluator",
            ));
        }
        let prior_visits = self.number("prior_visits", 0.0, 1e6)?.unwrap_or(0.0);
        if prior_visits > 0.0 && (selection != Selection::Ucb || self.has_evaluator) {
            return Err(PyValueError::new_err(
                "prior_visits goes with selection \"ucb\" and rollouts, not with an evaluator",
            ));
        }
        let first_play = self.number("first_play", 0.0, 1e6)?;
        if first_play.is_some() && selection != Selection::Puct {
            return Err(PyValueError::new_err("first_play goes with selection \"puct\""));
        }
        let c = self.number("c", 0.0, 1e6)?.map(|c| c as f32);
        let settings = Settings {
            selection,
            simulations,
            time,
            max_nodes: self.count("max_nodes", defaults.max_nodes, 1, 1 << 31)?,
            c: c.unwrap_or_else(|| Settings::default_c(selection)),
            noise,
            gumbel_scale,
            rave: rave.map(|rave| rave as f32),
            prior_visits: prior_visits as f32,
            first_play: first_play.map(|reduction| reduction as f32),
            leaves: self.count("leaves", 1, 1, 1 << 15)?,
            threads: self.count("threads", 1, 1, 1024)?,
            symmetry: self.get("symmetry")?.map_or(Ok(false), |value| flag(&value, "symmetry"))?,
            reward: self.reward()?,
            history: self.count("history", 0, 0, 1000)?,
        };
        let asks = [
            (settings.leaves > 1, "leaves"),
            (settings.symmetry, "symmetry"),
            (settings.history > 0, "history"),
        ];
        match asks.iter().find(|(asked, _)| *asked && !self.has_evaluator) {
            Some((_, what)) => {
                Err(PyValueError::new_err(format!("{what} is for evaluators, and there is none")))
            }
            None => Ok(settings),
        }
    }

    /// The most simulations and the most time of a search.
    pub(super) fn limits(&self, selection: Selection) -> PyResult<(u32, Option<Duration>)> {
        let time = self.number("seconds", 1e-6, 1e6)?.map(Duration::from_secs_f64);
        let simulations = self.count("simulations", 0, 1, i64::from(i32::MAX))?;
        if simulations == 0 && time.is_some() && selection == Selection::Gumbel {
            return Err(PyValueError::new_err(
                "selection \"gumbel\" plans its simulations: their number is needed",
            ));
        }
        let simulations = match (simulations, time) {
            (0, None) => Settings::default().simulations,
            (0, Some(_)) => u32::MAX,
            (simulations, _) => simulations as u32,
        };
        Ok((simulations, time))
    }

    pub(super) fn cache(&self) -> PyResult<usize> {
        let cache = self.count("cache", 0, 0, 1 << 31)?;
        if cache > 0 && !self.has_evaluator {
            return Err(PyValueError::new_err("cache is for evaluators, and there is none"));
        }
        Ok(cache)
    }

    fn selection(&self) -> PyResult<Selection> {
        let all = [Selection::Ucb, Selection::Puct, Selection::Gumbel];
        self.get("selection")?.map_or(Ok(Selection::Ucb), |value| {
            named(&value, "selection", all, |one| match one {
                Selection::Ucb => "ucb",
                Selection::Puct => "puct",
                Selection::Gumbel => "gumbel",
            })
        })
    }

    fn reward(&self) -> PyResult<Reward> {
        self.get("reward")?.map_or(Ok(Reward::Outcome), |value| {
            named(&value, "reward", [Reward::Outcome, Reward::Margin], |one| match one {
                Reward::Outcome => "outcome",
                Reward::Margin => "margin",
            })
        })
    }

    /// Dirichlet noise, and the scale of Gumbel noise.
    fn noise(&self, selection: Selection) -> PyResult<(Option<Noise>, f32)> {
        let Some(value) = self.get("noise")? else { return Ok((None, 1.0)) };
        match selection {
            Selection::Ucb => Err(PyValueError::new_err(
                "noise is mixed into priors, which selection \"ucb\" has none of",
            )),
            Selection::Gumbel => Ok((None, number(&value, "noise", 0.0, 1e3)? as f32)),
            Selection::Puct => {
                let (alpha, fraction) = match value.cast::<PyTuple>() {
                    Ok(pair) if pair.len() == 2 => (pair.get_item(0)?, Some(pair.get_item(1)?)),
                    _ => (value.clone(), None),
                };
                let alpha = number(&alpha, "noise", 1e-3, 1e3)?;
                let fraction = fraction.map_or(Ok(NOISE_FRACTION), |fraction| {
                    number(&fraction, "the share of the noise", 0.0, 1.0)
                })?;
                Ok((Some(Noise { alpha, fraction }), 1.0))
            }
        }
    }
}

/// A Python callable as an evaluator.
pub(super) struct Callable<'a> {
    pub(super) evaluator: &'a Py<PyAny>,
}

impl Evaluator for Callable<'_> {
    type Error = PyErr;

    fn evaluate(&mut self, leaves: Leaves) -> PyResult<Evaluations> {
        Python::attach(|py| {
            let Leaves { count, num_planes, size, planes } = leaves;
            let shape = [count, num_planes, size.rows(), size.cols()];
            let planes = PyArray1::from_vec(py, planes).reshape(shape)?;
            let given = self.evaluator.bind(py).call1((planes,))?;
            let pair: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)> = given.extract().ok();
            let Some((logits, values)) = pair else {
                let found = type_name(&given);
                return Err(PyTypeError::new_err(format!(
                    "an evaluator must return a tuple (logits, values), not {found}"
                )));
            };
            Ok(Evaluations {
                logits: floats(&logits, "logits", &[count, size.num_actions()])?,
                values: floats(&values, "values", &[count])?,
            })
        })
    }
}

/// The numbers of an array of this shape, or of anything that can be made one.
fn floats(value: &Bound<'_, PyAny>, what: &str, shape: &[usize]) -> PyResult<Vec<f32>> {
    let numpy = value.py().import("numpy")?;
    let array = match value.cast::<PyUntypedArray>() {
        Ok(array) => array.clone(),
        Err(_) => numpy.call_method1("asarray", (value,))?.cast_into::<PyUntypedArray>()?,
    };
    if array.shape() != shape {
        let found = array.shape();
        return Err(PyValueError::new_err(format!(
            "an evaluator's {what} have shape {found:?}: {shape:?} is needed"
        )));
    }
    if !matches!(array.dtype().kind(), b'f' | b'i' | b'u') {
        let found = array.dtype();
        return Err(PyTypeError::new_err(format!(
            "an evaluator's {what} must be real numbers, not {found}"
        )));
    }
    let array = match array.cast::<PyArrayDyn<f32>>() {
        Ok(array) => array.clone(),
        Err(_) => array.call_method1("astype", ("float32",))?.cast_into::<PyArrayDyn<f32>>()?,
    };
    let array = array.try_readonly()?;
    Ok(match array.as_slice() {
        Ok(numbers) => numbers.to_vec(),
        Err(_) => array.as_array().iter().copied().collect(),
    })
}
