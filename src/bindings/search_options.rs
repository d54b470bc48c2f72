//! The options of `sixplane.search.MCTS`.

use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::arrays::integers;
use super::callbacks::callback;
use super::convert::{flag, integer_in, refuse_others, word, wrong_type};
use super::evaluator::Form;
use crate::search::{Noise, Reward, Selection, Settings, View};

/// The share of the noise where only its parameter is given (`AlphaZero`'s).
const NOISE_FRACTION: f64 = 0.25;

/// Every option of the class, by name.
const NAMES: &str = "selection simulations seconds max_nodes leaves threads seed symmetry cache reward \
    history view dtype pad_to exact";

/// The classes of `sixplane.search` that hold the settings of one selection.
const CLASSES: [(&str, Selection); 3] =
    [("Ucb", Selection::Ucb), ("Puct", Selection::Puct), ("Gumbel", Selection::Gumbel)];

/// The options as Python gives them; None counts as not given.
pub(super) struct SearchOptions<'a, 'py>(pub(super) Option<&'a Bound<'py, PyDict>>);

fn number(value: &Bound<'_, PyAny>, what: &str, low: f64, high: f64) -> PyResult<f64> {
    let wrong = |_| wrong_type(&format!("{what} must be a number"), value);
    let number = value.extract::<f64>().map_err(wrong)?;
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
        let value = self.0.map(|given| given.get_item(name)).transpose()?.flatten();
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
        word(self.get(name)?.as_ref(), name, words)
    }

    /// An error for an option that is not among these names.
    pub(super) fn refuse_others(&self, allowed: &str) -> PyResult<()> {
        let allowed: Vec<_> = allowed.split(' ').collect();
        self.0.map_or(Ok(()), |given| refuse_others(given, &allowed))
    }

    pub(super) fn settings(&self, has_evaluator: bool) -> PyResult<Settings> {
        self.refuse_others(NAMES)?;
        let defaults = Settings::default();
        let (selection, own) = self.selection()?;
        let own = SearchOptions(own.as_ref());
        let (simulations, time) = self.limits(selection)?;
        let (noise, gumbel_scale) = own.noise(selection)?;
        let single = |name, low, high| -> PyResult<Option<f32>> {
            Ok(own.number(name, low, high)?.map(|number| number as f32))
        };
        let settings = Settings {
            selection,
            simulations,
            time,
            max_nodes: self.count("max_nodes", defaults.max_nodes, 1, 1 << 31)?,
            c: single("c", 0.0, 1e6)?.unwrap_or_else(|| Settings::default_c(selection)),
            noise,
            gumbel_scale,
            considered: own.count("considered", defaults.considered, 1, 1000)?,
            rescale: own.flag("rescale", true)?,
            rave: single("rave", 1e-3, 1e9)?,
            prior_visits: single("prior_visits", 0.0, 1e6)?.unwrap_or(0.0),
            first_play: single("first_play", 0.0, 1e6)?,
            leaves: self.count("leaves", 1, 1, 1 << 15)?,
            threads: self.count("threads", 1, 1, 1024)?,
            symmetry: self.flag("symmetry", false)?.then_some(0), // Each search has the seed.
            reward: self
                .word("reward", [("outcome", Reward::Outcome), ("margin", Reward::Margin)])?,
            history: self.count("history", 0, 0, 1000)?,
            view: self.word("view", [("black", View::Black), ("player", View::Player)])?,
            exact: self.flag("exact", false)?,
        };
        require(
            !settings.exact || settings.reward == Reward::Outcome,
            "exact=True proves who wins, not by how much: it goes with reward=\"outcome\"",
        )?;
        let form = self.form()?;
        for (is_default, name) in
            [(settings.rave.is_none(), "rave"), (settings.prior_visits == 0.0, "prior_visits")]
        {
            let message = format!("{name} goes with playouts, not with an evaluator");
            require(is_default || !has_evaluator, message)?;
        }
        for (is_default, name) in [
            (settings.leaves == 1, "leaves"),
            (settings.symmetry.is_none(), "symmetry"),
            (settings.history == 0, "history"),
            (settings.view == View::Black, "view"),
            (!form.is_float, "dtype"),
            (form.pad_to == 1, "pad_to"),
            (self.cache()? == 0, "cache"),
        ] {
            let message = format!("{name} is for evaluators, and there is none");
            require(is_default || has_evaluator, message)?;
        }
        Ok(settings)
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
        let is_float = self.word("dtype", [("uint8", false), ("float32", true)])?;
        Ok(Form { is_float, pad_to: self.count("pad_to", 1, 1, 1 << 20)? })
    }

    pub(super) fn cache(&self) -> PyResult<usize> {
        self.count("cache", 0, 0, 1 << 31)
    }

    /// How a search selects, and the settings of that by name, if they are given.
    fn selection(&self) -> PyResult<(Selection, Option<Bound<'py, PyDict>>)> {
        let Some(value) = self.get("selection")? else { return Ok((Selection::Ucb, None)) };
        for (name, selection) in CLASSES {
            let class = callback(value.py(), name)?;
            if value.is_instance(&class)? {
                let settings = value.call_method0("_asdict")?.cast_into::<PyDict>()?;
                return Ok((selection, Some(settings)));
            }
        }
        let words =
            [("ucb", Selection::Ucb), ("puct", Selection::Puct), ("gumbel", Selection::Gumbel)];
        Ok((word(Some(&value), "selection", words)?, None))
    }

    /// Dirichlet noise, and the scale of Gumbel noise.
    fn noise(&self, selection: Selection) -> PyResult<(Option<Noise>, f32)> {
        if selection == Selection::Gumbel {
            return Ok((None, self.number("noise", 0.0, 1e3)?.map_or(1.0, |scale| scale as f32)));
        }
        let Some(value) = self.get("noise")? else { return Ok((None, 1.0)) };
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

/// Simulations of each game of a batch: one number for all, or an array with one for each; 0 leaves a
/// game out.
pub(super) fn simulations_of(value: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<u32>> {
    const MOST: i64 = i32::MAX as i64;
    let Ok(length) = value.len() else {
        let number = integer_in(value, "simulations", 0, MOST)?;
        return Ok(vec![number as u32; count]);
    };
    // A range, say, may be longer than any memory.
    require(
        length == count,
        format!("{length} simulations for {count} games: one integer, or one for each is needed"),
    )?;
    let numbers = integers(value, "simulations", Some(count))?;
    if let Some(i) = numbers.iter().position(|number| !(0..=MOST).contains(number)) {
        return Err(PyValueError::new_err(format!(
            "simulations must be from 0 to {MOST}, not {} (game {i})",
            numbers[i]
        )));
    }
    Ok(numbers.into_iter().map(|number| number as u32).collect())
}
