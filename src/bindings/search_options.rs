//! The options of `sixplane.search.MCTS`.

use std::time::Duration;

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::arrays::integers;
use super::convert::{flag, integer_in, named, type_name};
use super::evaluator::{CellType, Form};
use crate::search::{Noise, Reward, Selection, Settings, View};

/// The share of the noise where only its parameter is given (`AlphaZero`'s).
const NOISE_FRACTION: f64 = 0.25;

/// Every option of the class, by name.
const NAMES: &str = "selection simulations seconds max_nodes c noise leaves threads seed symmetry cache \
    reward history rave prior_visits first_play rescale considered planes dtype pad_to";

/// The options as Python gives them; None counts as not given.
pub(super) struct SearchOptions<'a, 'py> {
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

/// A `ValueError` with this message, unless all is well.
fn require(is_allowed: bool, message: impl Into<String>) -> PyResult<()> {
    if is_allowed { Ok(()) } else { Err(PyValueError::new_err(message.into())) }
}

impl<'py> SearchOptions<'_, 'py> {
    pub(super) fn get(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.given.map(|given| given.get_item(name)).transpose()?.flatten();
        Ok(value.filter(|value| !value.is_none()))
    }

    /// An integer option.
    pub(super) fn count(&self, name: &str, default: usize, low: i64, high: i64) -> PyResult<usize> {
        let value = self.get(name)?;
        value.map_or(Ok(default), |value| Ok(integer_in(&value, name, low, high)? as usize))
    }

    fn number(&self, name: &str, low: f64, high: f64) -> PyResult<Option<f64>> {
        self.get(name)?.map(|value| number(&value, name, low, high)).transpose()
    }

    pub(super) fn flag(&self, name: &str, default: bool) -> PyResult<bool> {
        self.get(name)?.map_or(Ok(default), |value| flag(&value, name))
    }

    /// An option that is one of these words; the first is the default.
    fn word<T: Copy, const N: usize>(
        &self,
        name: &str,
        words: [(&'static str, T); N],
    ) -> PyResult<T> {
        let Some(value) = self.get(name)? else { return Ok(words[0].1) };
        Ok(named(&value, name, words, |(word, _)| word)?.1)
    }

    /// An error for an option that is not among these names.
    pub(super) fn refuse_others(&self, allowed: &str) -> PyResult<()> {
        let names = self.given.map(|given| given.keys().extract::<Vec<String>>());
        let names = names.transpose()?.unwrap_or_default();
        let is_allowed = |name: &String| allowed.split(' ').any(|one| one == name);
        names.iter().find(|&name| !is_allowed(name)).map_or(Ok(()), |name| {
            let allowed = allowed.replace(' ', ", ");
            Err(PyTypeError::new_err(format!("unexpected option {name:?}: allowed are {allowed}")))
        })
    }

    pub(super) fn settings(&self) -> PyResult<Settings> {
        self.refuse_others(NAMES)?;
        let defaults = Settings::default();
        let selection = self.word(
            "selection",
            [("ucb", Selection::Ucb), ("puct", Selection::Puct), ("gumbel", Selection::Gumbel)],
        )?;
        let (simulations, time) = self.limits(selection)?;
        let (noise, gumbel_scale) = self.noise(selection)?;
        let rave = self.number("rave", 1e-3, 1e9)?;
        let prior_visits = self.number("prior_visits", 0.0, 1e6)?.unwrap_or(0.0);
        let first_play = self.number("first_play", 0.0, 1e6)?;
        let rescale = self.flag("rescale", true)?;
        let considered = self.count("considered", defaults.considered, 1, 1000)?;
        let plays_out = selection == Selection::Ucb && !self.has_evaluator;
        let (is_puct, is_gumbel) = (selection == Selection::Puct, selection == Selection::Gumbel);
        require(
            plays_out || rave.is_none(),
            "rave goes with selection \"ucb\" and playouts, not with priors or an evaluator",
        )?;
        require(
            plays_out || prior_visits == 0.0,
            "prior_visits goes with selection \"ucb\" and playouts, not with an evaluator",
        )?;
        require(is_puct || first_play.is_none(), "first_play goes with selection \"puct\"")?;
        require(is_gumbel || rescale, "rescale goes with selection \"gumbel\"")?;
        require(
            is_gumbel || considered == defaults.considered,
            "considered goes with selection \"gumbel\"",
        )?;
        let c = self.number("c", 0.0, 1e6)?.map(|c| c as f32);
        let settings = Settings {
            selection,
            simulations,
            time,
            max_nodes: self.count("max_nodes", defaults.max_nodes, 1, 1 << 31)?,
            c: c.unwrap_or_else(|| Settings::default_c(selection)),
            noise,
            gumbel_scale,
            considered,
            rescale,
            rave: rave.map(|rave| rave as f32),
            prior_visits: prior_visits as f32,
            first_play: first_play.map(|reduction| reduction as f32),
            leaves: self.count("leaves", 1, 1, 1 << 15)?,
            threads: self.count("threads", 1, 1, 1024)?,
            symmetry: self.flag("symmetry", false)?,
            reward: self
                .word("reward", [("outcome", Reward::Outcome), ("margin", Reward::Margin)])?,
            history: self.count("history", 0, 0, 1000)?,
            view: self.word("planes", [("black", View::Black), ("player", View::Player)])?,
        };
        let form = self.form()?;
        for (is_default, name) in [
            (settings.leaves == 1, "leaves"),
            (!settings.symmetry, "symmetry"),
            (settings.history == 0, "history"),
            (settings.view == View::Black, "planes"),
            (form.cells == CellType::U8, "dtype"),
            (form.pad_to == 1, "pad_to"),
        ] {
            self.require_evaluator(is_default, name)?;
        }
        Ok(settings)
    }

    fn require_evaluator(&self, is_default: bool, name: &str) -> PyResult<()> {
        let is_allowed = is_default || self.has_evaluator;
        require(is_allowed, format!("{name} is for evaluators, and there is none"))
    }

    /// The most simulations and the most time of a search.
    pub(super) fn limits(&self, selection: Selection) -> PyResult<(u32, Option<Duration>)> {
        let time = self.number("seconds", 1e-6, 1e6)?.map(Duration::from_secs_f64);
        let simulations = self.count("simulations", 0, 1, i64::from(i32::MAX))?;
        require(
            simulations > 0 || time.is_none() || selection != Selection::Gumbel,
            "selection \"gumbel\" plans its simulations: their number is needed",
        )?;
        let simulations = match (simulations, time) {
            (0, None) => Settings::default().simulations,
            (0, Some(_)) => u32::MAX,
            (simulations, _) => simulations as u32,
        };
        Ok((simulations, time))
    }

    /// The form in which the evaluator gets planes.
    pub(super) fn form(&self) -> PyResult<Form> {
        let cells = self.word("dtype", [("uint8", CellType::U8), ("float32", CellType::F32)])?;
        Ok(Form { cells, pad_to: self.count("pad_to", 1, 1, 1 << 20)? })
    }

    pub(super) fn cache(&self) -> PyResult<usize> {
        let cache = self.count("cache", 0, 0, 1 << 31)?;
        self.require_evaluator(cache == 0, "cache")?;
        Ok(cache)
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

/// Simulations of each game of a batch: one number for all, or an array with one for each; 0 leaves a
/// game out.
pub(super) fn simulations_of(value: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<u32>> {
    const MOST: i64 = i32::MAX as i64;
    let is_one = match value.cast::<PyUntypedArray>() {
        Ok(array) => array.ndim() == 0,
        Err(_) => value.len().is_err(),
    };
    if is_one {
        let number = integer_in(value, "simulations", 0, MOST)?;
        return Ok(vec![number as u32; count]);
    }
    // A range, say, may be longer than any memory.
    if value.len()? != count {
        return Err(PyValueError::new_err(format!(
            "{} simulations for {count} games: one integer, or one for each is needed",
            value.len()?
        )));
    }
    let numbers = integers(value, "simulations", Some(count))?;
    if let Some(i) = numbers.iter().position(|number| !(0..=MOST).contains(number)) {
        return Err(PyValueError::new_err(format!(
            "simulations must be from 0 to {MOST}, not {} (game {i})",
            numbers[i]
        )));
    }
    Ok(numbers.into_iter().map(|number| number as u32).collect())
}
