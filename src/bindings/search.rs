//! `sixplane.search.MCTS`.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};

use super::any_batch::{PyGameBatch, games_of};
use super::any_game::{PyGame, PythonGame as _, map_any, with_any};
use super::arrays::{flags, flags_of_shape};
use super::batch_arguments::seed_or_system;
use super::convert::wrong_type;
use super::evaluator::{Callable, Form};
use super::exclusive::Exclusive;
use super::search_options::{SearchOptions, simulations_of};
use super::search_result::{batch_result, result};
use super::searches::{
    AnySearches, Choices, Searches, Task, nothing_to_advance, nothing_to_follow,
};
use crate::random::stream_seed;
use crate::search::{Cache, Report, Settings};

/// The number of the pickles written.
const FORMAT: u32 = 1;

/// What changes from one search to the next.
struct Inside {
    cache: Cache,
    /// Number of searches begun: each has a seed of its own.
    calls: u64,
    /// A copy gets it as it is: a seed of the system may be beyond those that users give.
    seed: u64,
    searches: Option<AnySearches>,
}

#[doc = stub!(MCTS)]
#[pyclass(name = "MCTS", module = "sixplane.search", frozen)]
pub(super) struct PyMcts {
    settings: Settings,
    form: Form,
    /// The options as they were given.
    options: Py<PyDict>,
    /// Its lock is held while it is read or cleared, never while anything is called.
    evaluator: Mutex<Option<Py<PyAny>>>,
    inside: Exclusive<Inside>,
}

/// What a call asks for.
struct Asked<'a> {
    settings: Settings,
    choices: Choices<'a>,
    /// The number of the first game's random stream.
    stream: u64,
    resumes: bool,
}

impl PyMcts {
    fn evaluator(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        let evaluator = self.evaluator.lock().unwrap_or_else(PoisonError::into_inner);
        evaluator.as_ref().map(|evaluator| evaluator.clone_ref(py))
    }

    /// Searches the games that were taken.
    fn reports(
        &self,
        py: Python<'_>,
        inside: &mut Inside,
        asked: &Asked<'_>,
    ) -> PyResult<Vec<Report>> {
        let &Asked { settings, choices, stream, resumes } = asked;
        let Inside { cache, calls, seed, searches } = inside;
        let Some(searches) = searches else { return Ok(Vec::new()) };
        let (seed, call) = (*seed, *calls);
        let seeds = |i: usize| stream_seed(stream_seed(seed, stream.wrapping_add(i as u64)), call);
        let settings = &Settings { symmetry: settings.symmetry.map(|_| seed), ..settings };
        let evaluator = self.evaluator(py);
        let evaluator = evaluator.as_ref().map(|evaluator| Callable { evaluator, form: self.form });
        let task = Task { settings, choices, seeds: &seeds, evaluator, resumes };
        // A pickled state may hold any number.
        *calls = calls.wrapping_add(1);
        with_any!(searches, |searches| searches.search(py, &task, cache))
    }
}

#[pymethods]
impl PyMcts {
    #[new]
    #[pyo3(
        signature = (evaluator=None, **options),
        text_signature = "(evaluator=None, *, selection='ucb', simulations=None, seconds=None, \
            max_nodes=16777216, leaves=1, threads=1, seed=None, symmetry=False, cache=0, \
            reward='outcome', history=0, view='black', dtype='uint8', pad_to=1, exact=False)"
    )]
    fn new(
        py: Python<'_>,
        evaluator: Option<Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        if let Some(evaluator) = evaluator.as_ref().filter(|evaluator| !evaluator.is_callable()) {
            return Err(wrong_type("an evaluator must be callable", evaluator));
        }
        let given = SearchOptions(options);
        let settings = given.settings(evaluator.is_some())?;
        let seed = seed_or_system(given.get("seed")?.as_ref())?;
        let cache = Cache::new(given.cache()?)
            .map_err(|_| PyMemoryError::new_err("there is no memory for so large a cache"))?;
        let options = options.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)?;
        Ok(Self {
            settings,
            form: given.form()?,
            options: options.unbind(),
            evaluator: Mutex::new(evaluator.map(Bound::unbind)),
            inside: Exclusive::new("MCTS", Inside { cache, calls: 0, seed, searches: None }),
        })
    }

    #[doc = stub!(MCTS.search)]
    #[pyo3(
        signature = (game, **options),
        text_signature = "(self, game, *, simulations=None, seconds=None, allowed=None, resume=False, \
            stream=0)"
    )]
    fn search<'py>(
        &self,
        game: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = game.py();
        let options = SearchOptions(options);
        options.refuse_others("simulations seconds allowed resume stream")?;
        let mut settings = self.settings;
        if options.get("simulations")?.is_some() || options.get("seconds")?.is_some() {
            (settings.simulations, settings.time) = options.limits(settings.selection)?;
        }
        let resumes = options.flag("resume", false)?;
        let stream = options.count("stream", 0, 0, i64::MAX)? as u64;
        let mut inside = self.inside.enter()?;
        let given =
            game.cast::<PyGame>().map_err(|_| wrong_type("what is searched is a game", game))?;
        let busy = "another call of this game is running: it takes one call at a time";
        let game = given.try_borrow().map_err(|_| PyRuntimeError::new_err(busy))?.game.clone();
        if game.state().is_over() {
            return Err(PyValueError::new_err("there is nothing to search: the game is over"));
        }
        let allowed = options.get("allowed")?;
        let actions = [game.state().size().num_actions()];
        let allowed = allowed.map(|mask| flags_of_shape(&mask, "allowed", &actions)).transpose()?;
        // The caller may play on in the game while it is searched.
        let searched = given.call_method0("copy")?;
        let simulations = &[settings.simulations];
        let choices = Choices { simulations, allowed: allowed.as_deref() };
        inside.searches = Some(map_any!(game, |game| {
            let games = vec![game.with_failure(&Arc::default())];
            Searches::of(games, false, choices, &mut inside.searches)?
        }));
        let asked = Asked { settings, choices, stream, resumes };
        let reports = self.reports(py, &mut inside, &asked)?;
        result(py, &reports[0], searched)
    }

    #[doc = stub!(MCTS.search_batch)]
    #[pyo3(
        signature = (batch, **options),
        text_signature = "(self, batch, *, simulations=None, where=None, allowed=None, stream=0)"
    )]
    fn search_batch<'py>(
        &self,
        batch: &Bound<'py, PyGameBatch>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = batch.py();
        let options = SearchOptions(options);
        options.refuse_others("simulations where allowed stream")?;
        let mut settings = self.settings;
        let count = batch.get().count;
        let games = batch.get().enter()?;
        let simulations = options.get("simulations")?;
        let mut simulations = if let Some(given) = simulations {
            settings.time = None;
            simulations_of(&given, count)?
        } else {
            vec![settings.simulations; count]
        };
        if let Some(wanted) = options.get("where")? {
            let wanted = flags(&wanted, "where", count)?;
            simulations.iter_mut().zip(wanted).for_each(|(n, wanted)| *n *= u32::from(wanted));
        }
        let allowed = options.get("allowed")?;
        let actions = [count, batch.get().size.num_actions()];
        let allowed = allowed.map(|mask| flags_of_shape(&mask, "allowed", &actions)).transpose()?;
        let stream = options.count("stream", 0, 0, i64::MAX)? as u64;
        let mut inside = self.inside.enter()?;
        let choices = Choices { simulations: &simulations, allowed: allowed.as_deref() };
        inside.searches = Some(map_any!(&*games, |batch| {
            Searches::of(games_of(py, batch)?, true, choices, &mut inside.searches)?
        }));
        // The evaluator may look at the batch meanwhile, and others may play on.
        drop(games);
        let asked = Asked { settings, choices, stream, resumes: false };
        let reports = self.reports(py, &mut inside, &asked)?;
        batch_result(py, &reports)
    }

    #[doc = stub!(MCTS.variation)]
    fn variation(&self, action: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let inside = self.inside.enter()?;
        let searches = inside.searches.as_ref().ok_or_else(nothing_to_follow)?;
        Ok(with_any!(searches, |searches| searches.variation(action))?.0)
    }

    #[doc = stub!(MCTS.variation_visits)]
    fn variation_visits(&self, action: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        let inside = self.inside.enter()?;
        let searches = inside.searches.as_ref().ok_or_else(nothing_to_follow)?;
        Ok(with_any!(searches, |searches| searches.variation(action))?.1)
    }

    #[doc = stub!(MCTS.advance)]
    fn advance(&self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut inside = self.inside.enter()?;
        let searches = inside.searches.as_mut().ok_or_else(nothing_to_advance)?;
        with_any!(searches, |searches| searches.advance(action))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, mcts) = (slf.py(), slf.get());
        let Inside { calls, seed, .. } = *mcts.inside.enter()?;
        let make = py.import("copyreg")?.getattr("__newobj_ex__")?;
        let arguments = (slf.get_type(), (mcts.evaluator(py),), mcts.options.bind(py).copy()?);
        Ok((make, arguments, (FORMAT, seed, calls)).into_pyobject(py)?.into_any())
    }

    fn __setstate__(&self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let Ok((format, seed, calls)) = state.extract::<(u32, u64, u64)>() else {
            return Err(PyValueError::new_err("this is no state of an MCTS of sixplane"));
        };
        if format != FORMAT {
            return Err(PyValueError::new_err(format!(
                "an MCTS of pickle format {format}: this version of sixplane reads format {FORMAT}"
            )));
        }
        let mut inside = self.inside.enter()?;
        (inside.seed, inside.calls, inside.searches) = (seed, calls, None);
        Ok(())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.options)?;
        // Not found here, the evaluator is taken to be held by others: that keeps it.
        self.evaluator.try_lock().map_or(Ok(()), |evaluator| visit.call(&*evaluator))
    }

    fn __clear__(&self) {
        let evaluator = self.evaluator.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(evaluator);
    }
}
