//! `sixplane.search.MCTS`.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};

use super::any_batch::{PyGameBatch, games_of};
use super::any_game::{PyGame, map_any, with_any};
use super::arrays::flags;
use super::batch_arguments::seed_or_system;
use super::convert::wrong_type;
use super::evaluator::{Callable, Form};
use super::exclusive::Exclusive;
use super::search_options::{SearchOptions, simulations_of};
use super::search_result::{batch_result, result};
use super::searches::{AnySearches, Searches, Task, nothing_to_advance, nothing_to_follow};
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

/// Monte-Carlo tree search of any game, with playouts or with an evaluator.
///
/// Args:
///     evaluator: None for playouts: random games from each leaf to their ends. Or a function of planes
///         `(L, 6, rows, cols)` that returns logits `(L, A)` and values `(L,)`, from -1 to 1 for the player
///         to play. Illegal actions are masked here; what the rules say of finished games is exact.
///     selection: `"ucb"` (UCB1: `mean + c * sqrt(2 ln N / n)`, every action once before any twice),
///         `"puct"` (AlphaZero's: priors) or `"gumbel"` (Gumbel AlphaZero's: sequential halving at the root
///         and completed Q-values, as mctx has it). Whichever it is, an action of the root that ends the game
///         in favor of the player to play is always the one to play.
///     simulations: the most of them in one search. None: 1000, or without limit if `seconds` is given.
///     seconds: the most time for one search, or for one call of `search_batch`.
///     max_nodes: the most nodes of one tree. A node takes 32 bytes (40 with `rave`), so the default is
///         512 MiB at most. A full tree no longer grows; what it has goes on being visited. The root and
///         its actions always have nodes.
///     c: how much is explored; None: 1.0 of UCB1, 1.25 (`c_init`) of PUCT, 0.1 (`value_scale`) of Gumbel.
///     noise: `"puct"`: the parameter of Dirichlet noise on the root's priors, which has a share of 0.25, or
///         `(parameter, share)`; it is sampled once for each root. `"gumbel"`: the scale of the Gumbel noise,
///         1 if None; 0 for matches.
///     leaves: leaves of one game for each call of the evaluator (virtual loss keeps them apart).
///     threads: threads on the one tree of `search` with playouts, or on the games of `search_batch`.
///     seed: of all randomness; None takes one from the system. With one thread it repeats exactly, and in
///         `search_batch` with any number.
///     symmetry: whether the evaluator sees each leaf through a random symmetry of the board.
///     cache: how many evaluations are kept for positions that come again.
///     reward: `"outcome"`: +1, 0, -1; or `"margin"`: 10 more than the lead, below zero for the loser.
///     history: 0 for the six planes; `k`: the evaluator gets `history_planes(k)`.
///     rave: with playouts and `"ucb"`: actions are ranked by playouts that have them anywhere (RAVE), too,
///         with half the weight at this many visits of their position.
///     prior_visits: with playouts and `"ucb"`: the game's heuristic value of an action, from -1 to 1 times
///         what a win is worth, counts as this many visits (equivalent experience). Go and Reversi know
///         something; in Gomoku every action counts as even. With `rave`, half the weight is at `rave` visits
///         of the action. 0 leaves it out.
///     first_play: with `"puct"`: an action counts before its first visit as the mean of those visited, less
///         this (first-play urgency). None: as 0, an even game.
///     rescale: with `"gumbel"`: whether the values of a position's actions are brought to 0 to 1 before they
///         are added to logits; if not, they count as they are, from -1 to 1 (`rescale_values` of mctx).
///     considered: with `"gumbel"`: the most actions of the root that are considered, 1 to 1000.
///     planes: whose side the evaluator sees the six planes from. `"black"`: black's stones, white's, and so
///         on. `"player"`: the stones of the player to play first, then the other's; the other four planes
///         are the same. `history_planes` are the player's in any case.
///     dtype: of the planes that the evaluator gets: `"uint8"` or `"float32"`.
///     pad_to: the evaluator gets a multiple of this many rows: planes of zeros follow the leaves, and what
///         it says of them is not looked at. So a compiled network sees few shapes.
///
/// An object pickles and copies with its options, its evaluator and the number of searches begun, so that a
/// copy goes on with the same random numbers. Trees and cached evaluations are not copied. One call at a time
/// may use an object.
///
/// Raises:
///     ValueError: a value outside what is allowed, or two that do not go together.
///     TypeError: a value of another type.
///     MemoryError: there is no memory for the cache.
///
/// Example:
///     >>> import sixplane
///     >>> from sixplane.search import MCTS
///     >>> result = MCTS(simulations=400, seed=1).search(sixplane.Go(size=3, komi=0.5))
///     >>> int(result.visits.sum()), len(result.policy)
///     (400, 10)
///     >>> # What is below the action that is played stays for the next search.
///     >>> search, game = MCTS(simulations=200, seed=1), sixplane.Gomoku(size=5)
///     >>> best = search.search(game).best_action
///     >>> search.variation(best)[0] == best
///     True
///     >>> search.advance(best)
///     >>> game.play(best)
///     >>> bool(search.search(game).visits.sum() > 200)
///     True
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
        settings: &Settings,
        simulations: &[u32],
        stream: u64,
        resumes: bool,
    ) -> PyResult<Vec<Report>> {
        let Inside { cache, calls, seed, searches } = inside;
        let Some(searches) = searches else { return Ok(Vec::new()) };
        let (seed, call) = (*seed, *calls);
        let seeds = |i: usize| stream_seed(stream_seed(seed, stream.wrapping_add(i as u64)), call);
        let evaluator = self.evaluator(py);
        let evaluator = evaluator.as_ref().map(|evaluator| Callable { evaluator, form: self.form });
        let task = Task { settings, simulations, seeds: &seeds, evaluator, resumes };
        *calls += 1;
        with_any!(searches, |searches| searches.search(py, &task, cache))
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
            first_play=None, rescale=True, considered=16, planes='black', dtype='uint8', pad_to=1)"
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

    /// Searches a position.
    ///
    /// The tree starts anew, unless `advance` has led to this game.
    ///
    /// Args:
    ///     game: the position.
    ///     simulations: of this search; with one of the limits given, those of the object do not hold.
    ///     seconds: of this search.
    ///     resume: whether the last search goes on, if it was of this game; its visits count, too.
    ///     stream: the number of the random stream: game i of `search_batch` has stream i.
    ///
    /// Raises:
    ///     ValueError: the game is over, or the evaluator's numbers are of no use.
    ///     TypeError: it is no game.
    ///     MemoryError: the tree finds no memory. It is given up, and the object may be used again.
    ///     RuntimeError: a search of this object is running.
    #[pyo3(
        signature = (game, **options),
        text_signature = "(self, game, *, simulations=None, seconds=None, resume=False, stream=0)"
    )]
    fn search<'py>(
        &self,
        game: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = game.py();
        let options = SearchOptions(options);
        options.refuse_others("simulations seconds resume stream")?;
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
        // The caller may play on in the game while it is searched.
        let searched = given.call_method0("copy")?;
        let before = inside.searches.take();
        inside.searches = Some(map_any!(game, |game| Searches::of(vec![game], false, before)));
        let simulations = [settings.simulations];
        let reports = self.reports(py, &mut inside, &settings, &simulations, stream, resumes)?;
        result(py, &reports[0], searched)
    }

    /// Searches the games of a batch, with one call of the evaluator for the leaves of all.
    ///
    /// Games that are over are left out. Game i uses the stream `(seed, stream + i)`, whatever the others do:
    /// its results are those of `search(game, stream=stream + i)`. The batch may be played on meanwhile.
    ///
    /// Args:
    ///     batch: the games.
    ///     simulations: of this search, for all games or for each, `(B,)` integers from 0; then the limits of
    ///         the object do not hold. 0 leaves a game out.
    ///     where: `(B,)` bool: the games to search; None: all. Of a game left out there are no visits, its
    ///         values are NaN and its best action is -1; its tree stays as it is.
    ///     stream: the number of the first game's random stream.
    ///
    /// Raises:
    ///     ValueError: the evaluator's numbers are of no use, or an array is of another length.
    ///     TypeError: it is no batch, or an array of another type.
    ///     MemoryError: the trees find no memory. They are given up, and the object may be used again.
    ///     RuntimeError: a search of this object is running, or a call of the batch.
    ///
    /// Example:
    ///     >>> import sixplane
    ///     >>> from sixplane.search import MCTS
    ///     >>> batch = sixplane.GameBatch(sixplane.Go(size=5), 3)
    ///     >>> result = MCTS(seed=1).search_batch(batch, simulations=[50, 0, 20])
    ///     >>> result.visits.sum(axis=1).tolist()
    ///     [50, 0, 20]
    #[pyo3(
        signature = (batch, **options),
        text_signature = "(self, batch, *, simulations=None, where=None, stream=0)"
    )]
    fn search_batch<'py>(
        &self,
        batch: &Bound<'py, PyGameBatch>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = batch.py();
        let options = SearchOptions(options);
        options.refuse_others("simulations where stream")?;
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
            for (simulations, wanted) in simulations.iter_mut().zip(flags(&wanted, "where", count)?)
            {
                if !wanted {
                    *simulations = 0;
                }
            }
        }
        let stream = options.count("stream", 0, 0, i64::MAX)? as u64;
        let mut inside = self.inside.enter()?;
        inside.searches = Some(map_any!(&*games, |batch| {
            Searches::of(games_of(py, batch)?, true, inside.searches.take())
        }));
        // The evaluator may look at the batch meanwhile, and others may play on.
        drop(games);
        let reports = self.reports(py, &mut inside, &settings, &simulations, stream, false)?;
        batch_result(py, &reports)
    }

    /// An action at the root of the last search and the most visited ones after it.
    ///
    /// Args:
    ///     action: of the position that was searched.
    ///
    /// Returns:
    ///     The actions, `action` first; none if it was never visited.
    ///
    /// Raises:
    ///     ValueError: no game was searched, or many at once.
    ///     RuntimeError: a search of this object is running.
    fn variation(&self, action: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let inside = self.inside.enter()?;
        let searches = inside.searches.as_ref().ok_or_else(nothing_to_follow)?;
        with_any!(searches, |searches| searches.variation(action))
    }

    /// Plays an action at the root of the last search and keeps what is below it for the next.
    ///
    /// After `search_batch`, one action for each game; -1 where it is over, or where the search left it out
    /// and it stays as it is. Gumbel selection plans its visits from none and keeps nothing.
    ///
    /// Raises:
    ///     IllegalActionError: it is illegal; nothing has changed.
    ///     ValueError: nothing was searched.
    ///     RuntimeError: a search of this object is running.
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
        (inside.seed, inside.calls) = (seed, calls);
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
