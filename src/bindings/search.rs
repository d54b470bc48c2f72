//! `sixplane.search.MCTS`.

use std::time::{Duration, Instant};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};

use super::arrays::integers;
use super::batch::{PyGameBatch, seed_or_system};
use super::class::GameClass;
use super::convert;
use super::error::{illegal_action, off_board};
use super::game::flag;
use super::go::PyGo;
use super::gomoku::PyGomoku;
use super::held::{AnyBatch, Held};
use super::reversi::PyReversi;
use super::search_options::{Callable, Options};
use crate::batch::NO_ACTION;
use crate::game::Game;
use crate::geometry::Action;
use crate::players::series_seed;
use crate::search::{Cache, Report, Search, SearchError, Settings, run_games, run_waves};

/// Time between two looks at whether the user has pressed Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(20);

/// What an object of the class is asked to search with.
struct Task<'a, 'py> {
    py: Python<'py>,
    settings: &'a Settings,
    evaluator: Option<&'a Py<PyAny>>,
    cache: &'a mut Cache,
    /// Whether a tree of the same game goes on, though nothing was advanced.
    resumes: bool,
}

/// The searches of one game class behind one door.
trait AnySearches: Send + Sync {
    /// The reports of a game, or of every game of a batch; `None` if the games are of another class.
    fn search(
        &mut self,
        games: &Games<'_, '_>,
        seeds: &dyn Fn(usize) -> u64,
        task: &mut Task<'_, '_>,
    ) -> Option<PyResult<Vec<Report>>>;
    fn advance(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()>;
}

/// What is to be searched.
enum Games<'a, 'py> {
    One(&'a Bound<'py, PyAny>),
    Batch(&'a dyn AnyBatch),
}

struct Searches<C: GameClass> {
    trees: Vec<Search<C::Game>>,
    /// Whether the trees go on where `advance` has left them.
    is_advanced: bool,
    is_batch: bool,
}

impl<C: GameClass> Searches<C> {
    fn boxed() -> Box<dyn AnySearches> {
        Box::new(Self { trees: Vec::new(), is_advanced: false, is_batch: false })
    }

    /// Makes a tree for each game: the one there is, if it may go on and is of this game.
    fn prepare(
        &mut self,
        games: &[C::Game],
        seeds: &dyn Fn(usize) -> u64,
        settings: &Settings,
        goes_on: bool,
    ) {
        self.trees.truncate(games.len());
        for (i, game) in games.iter().enumerate() {
            let seed = seeds(i);
            match self.trees.get_mut(i) {
                Some(search) if goes_on && search.root() == game => search.reseed(seed),
                Some(search) => search.restart(game, seed),
                None => self.trees.push(Search::new(game, *settings, seed)),
            }
            self.trees[i].limit(settings.simulations, settings.time);
        }
    }
}

impl<C: GameClass> AnySearches for Searches<C> {
    fn search(
        &mut self,
        games: &Games<'_, '_>,
        seeds: &dyn Fn(usize) -> u64,
        task: &mut Task<'_, '_>,
    ) -> Option<PyResult<Vec<Report>>> {
        let (games, is_batch) = match games {
            Games::One(game) => match game.cast::<C>().ok()?.try_borrow() {
                Ok(game) => (vec![game.game().clone()], false),
                Err(error) => return Some(Err(error.into())),
            },
            Games::Batch(batch) => (Held::<C>::games(*batch)?, true),
        };
        if !is_batch && games[0].is_over() {
            return Some(Err(PyValueError::new_err(
                "there is nothing to search: the game is over",
            )));
        }
        let is_alike = self.is_batch == is_batch;
        self.is_batch = is_batch;
        let was_advanced = self.is_advanced && is_alike;
        let goes_on = is_alike && (was_advanced || task.resumes);
        self.prepare(&games, seeds, task.settings, goes_on);
        let (trees, evaluator, cache) = (&mut self.trees, task.evaluator, &mut *task.cache);
        let result = task.py.detach(|| run(trees, is_batch, evaluator, cache));
        // A search that failed may be tried again, and should find the tree that it failed in.
        self.is_advanced = was_advanced && result.is_err();
        Some(result)
    }

    fn advance(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.is_batch {
            return self.advance_all(action);
        }
        let Some(search) = self.trees.first_mut() else { return Err(nothing_to_advance()) };
        let played = convert::action(search.root(), action)?;
        let refused = search.advance(played);
        refused.map_err(|error| illegal_action(action.py(), search.root(), played, error))?;
        self.is_advanced = true;
        Ok(())
    }
}

impl<C: GameClass> Searches<C> {
    /// Plays one action in each game of a batch, or none in any.
    fn advance_all(&mut self, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let given = integers(given, "actions", Some(self.trees.len()))?;
        Python::attach(|py| {
            for (search, &action) in self.trees.iter().zip(&given) {
                let root = search.root();
                if root.is_over() && action == NO_ACTION {
                    continue;
                }
                let Ok(index) = usize::try_from(action) else {
                    return Err(off_board(py, root, &action.to_string()));
                };
                let played = Action::new(index);
                root.check(played).map_err(|error| illegal_action(py, root, played, error))?;
            }
            Ok(())
        })?;
        for (search, &action) in self.trees.iter_mut().zip(&given) {
            if action != NO_ACTION {
                // Checked above.
                let _ = search.advance(Action::new(action as usize));
            }
        }
        self.is_advanced = true;
        Ok(())
    }
}

fn nothing_to_advance() -> PyErr {
    PyValueError::new_err("there is nothing to advance: a search comes first")
}

/// Searches, with the interpreter lock released but for the evaluator.
#[allow(clippy::redundant_closure_for_method_calls)] // The method alone is for one lifetime only.
fn run<G: Game>(
    searches: &mut [Search<G>],
    is_batch: bool,
    evaluator: Option<&Py<PyAny>>,
    cache: &mut Cache,
) -> PyResult<Vec<Report>> {
    let mut asked = Instant::now();
    let mut signal = Ok(());
    let mut interrupt = || {
        if asked.elapsed() > PATIENCE {
            asked = Instant::now();
            signal = Python::attach(|py| py.check_signals());
        }
        signal.is_err()
    };
    let result = if let Some(evaluator) = evaluator {
        run_waves(searches, &mut Callable { evaluator }, cache, &mut interrupt)
    } else {
        match searches {
            [search] if !is_batch => search.run(&mut interrupt),
            _ => run_games(searches, &mut interrupt),
        };
        Ok(())
    };
    signal?;
    match result {
        Err(SearchError::Evaluator(error)) => Err(error),
        Err(SearchError::Evaluation(error)) => Err(PyValueError::new_err(error.to_string())),
        Ok(()) | Err(SearchError::Interrupted) => Ok(searches.iter().map(Search::report).collect()),
    }
}

/// Monte-Carlo tree search of any game.
#[pyclass(name = "MCTS", module = "sixplane.search")]
pub(super) struct PyMcts {
    settings: Settings,
    evaluator: Option<Py<PyAny>>,
    seed: u64,
    cache: Cache,
    /// Number of searches begun: each draws from a seed of its own.
    calls: u64,
    searches: Option<Box<dyn AnySearches>>,
}

impl PyMcts {
    fn reports(
        &mut self,
        py: Python<'_>,
        games: &Games<'_, '_>,
        first: u64,
        settings: &Settings,
        resumes: bool,
    ) -> PyResult<Option<Vec<Report>>> {
        let (seed, calls) = (self.seed, self.calls);
        let seeds = |i: usize| series_seed(series_seed(seed, first + i as u64), calls);
        let (cache, evaluator) = (&mut self.cache, self.evaluator.as_ref());
        let mut task = Task { py, settings, evaluator, cache, resumes };
        let held = self.searches.as_mut();
        if let Some(reports) = held.and_then(|held| held.search(games, &seeds, &mut task)) {
            self.calls += 1;
            return reports.map(Some);
        }
        for make in
            [Searches::<PyGo>::boxed, Searches::<PyReversi>::boxed, Searches::<PyGomoku>::boxed]
        {
            let mut searches = make();
            if let Some(reports) = searches.search(games, &seeds, &mut task) {
                self.calls += 1;
                self.searches = Some(searches);
                return reports.map(Some);
            }
        }
        Ok(None)
    }
}

#[pymethods]
impl PyMcts {
    #[new]
    #[pyo3(
        signature = (evaluator=None, **options),
        text_signature = "(evaluator=None, *, selection='ucb', simulations=None, seconds=None, \
            max_nodes=16777216, c=None, noise=None, leaves=1, threads=1, seed=None, symmetry=False, \
            cache=0, reward='outcome', history=0, rave=None, prior_visits=0, \
            first_play=None)"
    )]
    fn new(
        evaluator: Option<Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        if let Some(evaluator) = evaluator.as_ref().filter(|evaluator| !evaluator.is_callable()) {
            let found = convert::type_name(evaluator);
            return Err(PyTypeError::new_err(format!(
                "an evaluator must be callable, not {found}"
            )));
        }
        let options = Options { given: options, has_evaluator: evaluator.is_some() };
        Ok(Self {
            settings: options.settings()?,
            evaluator: evaluator.map(Bound::unbind),
            seed: seed_or_system(options.get("seed")?.as_ref())?,
            cache: Cache::new(options.cache()?),
            calls: 0,
            searches: None,
        })
    }

    #[pyo3(
        signature = (game, index=None, **options),
        text_signature = "(self, game, index=0, *, simulations=None, seconds=None, resume=False)"
    )]
    fn search<'py>(
        &mut self,
        game: &Bound<'py, PyAny>,
        index: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let first = index.map_or(Ok(0), |i| convert::integer_in(i, "index", 0, i64::MAX))?;
        let options = Options { given: options, has_evaluator: self.evaluator.is_some() };
        options.refuse_others(&["simulations", "seconds", "resume"])?;
        let mut settings = self.settings;
        if options.get("simulations")?.is_some() || options.get("seconds")?.is_some() {
            (settings.simulations, settings.time) = options.limits(settings.selection)?;
        }
        let resumes = options.get("resume")?.map_or(Ok(false), |value| flag(&value, "resume"))?;
        let games = Games::One(game);
        let Some(reports) = self.reports(game.py(), &games, first as u64, &settings, resumes)?
        else {
            let found = convert::type_name(game);
            return Err(PyTypeError::new_err(format!("what is searched is a game, not {found}")));
        };
        result(game.py(), &reports[0])
    }

    fn search_batch<'py>(
        &mut self,
        batch: &Bound<'py, PyGameBatch>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let games = batch.get().enter()?;
        let settings = self.settings;
        let games = Games::Batch(games.as_ref());
        let reports = self.reports(batch.py(), &games, 0, &settings, false)?;
        batch_result(batch.py(), &reports.unwrap_or_default())
    }

    fn advance(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let searches = self.searches.as_mut().ok_or_else(nothing_to_advance)?;
        searches.advance(action)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.evaluator)
    }

    fn __clear__(&mut self) {
        self.evaluator = None;
    }
}

fn visits(report: &Report) -> impl Iterator<Item = i64> + '_ {
    report.visits.iter().map(|&n| i64::from(n))
}

/// A `sixplane.search.SearchResult`.
fn result<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyAny>> {
    let line: Vec<usize> = report.principal_variation.iter().map(|a| a.index()).collect();
    py.import("sixplane.search")?.getattr("SearchResult")?.call1((
        PyArray1::from_vec(py, visits(report).collect()),
        PyArray1::from_slice(py, &report.q),
        PyArray1::from_slice(py, &report.policy),
        report.value,
        report.best.map(Action::index),
        line,
        report.simulations,
        report.elapsed.as_secs_f64(),
        report.nodes,
    ))
}

/// A `sixplane.search.BatchSearchResult`.
fn batch_result<'py>(py: Python<'py>, reports: &[Report]) -> PyResult<Bound<'py, PyAny>> {
    let (games, actions) = (reports.len(), reports.first().map_or(0, |report| report.visits.len()));
    let rows = |row: fn(&Report) -> &[f32]| {
        let all: Vec<f32> = reports.iter().flat_map(|report| row(report).iter().copied()).collect();
        PyArray1::from_vec(py, all).reshape([games, actions])
    };
    let visits: Vec<i64> = reports.iter().flat_map(visits).collect();
    let best = reports.iter().map(|r| r.best.map_or(NO_ACTION, |best| best.index() as i64));
    let lines: Vec<Vec<usize>> = reports
        .iter()
        .map(|report| report.principal_variation.iter().map(|a| a.index()).collect())
        .collect();
    let seconds = reports.iter().map(|report| report.elapsed.as_secs_f64());
    py.import("sixplane.search")?.getattr("BatchSearchResult")?.call1((
        PyArray1::from_vec(py, visits).reshape([games, actions])?,
        rows(|report| &report.q)?,
        rows(|report| &report.policy)?,
        PyArray1::from_vec(py, reports.iter().map(|report| report.value).collect()),
        PyArray1::from_vec(py, best.collect()),
        lines,
        PyArray1::from_vec(py, reports.iter().map(|r| i64::from(r.simulations)).collect()),
        PyArray1::from_vec(py, seconds.collect()),
        PyArray1::from_vec(py, reports.iter().map(|r| r.nodes as i64).collect()),
    ))
}
