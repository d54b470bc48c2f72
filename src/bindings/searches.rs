//! Searches of the games of one kind, whichever it is.

use std::time::{Duration, Instant};

use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

use super::any_game::{PythonGame, any_of_type};
use super::arrays::integers;
use super::at_exit::PythonCall;
use super::convert;
use super::error::{illegal_action, off_board};
use super::evaluator::Callable;
use crate::batch::NO_ACTION;
use crate::geometry::{Action, BoardSize};
use crate::search::{
    Cache, NoMemory, Report, Search, SearchError, Settings, run_with_evaluator, run_with_playouts,
};

/// Time between two checks whether the user has pressed Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(20);

/// What a search is asked for.
pub(super) struct Task<'a> {
    pub(super) settings: &'a Settings,
    pub(super) choices: Choices<'a>,
    pub(super) seeds: &'a (dyn Fn(usize) -> u64 + Sync),
    pub(super) evaluator: Option<Callable<'a>>,
    /// Whether a tree of the same game goes on, though nothing was advanced.
    pub(super) resumes: bool,
}

/// Which games are searched, and what may be chosen in them.
#[derive(Clone, Copy)]
pub(super) struct Choices<'a> {
    /// Simulations of each game; 0 leaves it out.
    pub(super) simulations: &'a [u32],
    /// `(B, A)`: the actions that may be chosen in each game; `None`: all.
    pub(super) allowed: Option<&'a [bool]>,
}

impl Choices<'_> {
    /// `(A,)`: the actions that may be chosen in one game.
    fn allowed_in(&self, game: usize, size: BoardSize) -> Option<&[bool]> {
        self.allowed.map(|all| &all[game * size.num_actions()..][..size.num_actions()])
    }

    /// An error if a game that is to be searched has no action to choose.
    fn check<G: PythonGame>(&self, games: &[G], is_batch: bool) -> PyResult<()> {
        let has_none = |(i, game): (usize, &G)| {
            let allowed = self.allowed_in(i, game.size()).filter(|_| self.simulations[i] > 0)?;
            let is_allowed = |action: Action| allowed[action.index()];
            (!game.is_over() && !game.legal_actions().into_iter().any(is_allowed)).then_some(i)
        };
        match games.iter().enumerate().find_map(has_none) {
            None => Ok(()),
            Some(i) => {
                let game = if is_batch { format!(" (game {i})") } else { String::new() };
                let message = format!("none of the allowed actions is legal{game}");
                Err(PyValueError::new_err(message))
            }
        }
    }
}

pub(super) type AnySearches = any_of_type!(Searches);

pub(super) struct Searches<G: PythonGame> {
    /// The games to be searched next.
    games: Vec<G>,
    trees: Vec<Search<G>>,
    /// Whether each tree goes on at the next search: `advance` has led to where it is.
    is_kept: Vec<bool>,
    is_batch: bool,
}

impl<G: PythonGame> Searches<G> {
    /// Searches that take these games next. Those before them leave their trees, if they were of the
    /// same kind of games; what is refused leaves them as they are.
    pub(super) fn of(
        games: Vec<G>,
        is_batch: bool,
        choices: Choices<'_>,
        before: &mut Option<AnySearches>,
    ) -> PyResult<Self> {
        choices.check(&games, is_batch)?;
        let (trees, is_kept) = match before.take().and_then(AnySearches::downcast::<Self>) {
            Some(before) if before.is_batch == is_batch => (before.trees, before.is_kept),
            Some(before) => (before.trees, Vec::new()),
            None => (Vec::new(), Vec::new()),
        };
        Ok(Self { games, trees, is_kept, is_batch })
    }

    /// Makes a tree for each game: the one there is, if it may go on and is of this game.
    fn prepare(&mut self, task: &Task<'_>) -> Result<(), NoMemory> {
        let games = std::mem::take(&mut self.games);
        self.trees.truncate(games.len());
        self.is_kept.resize(games.len(), false);
        for (i, (game, &simulations)) in games.iter().zip(task.choices.simulations).enumerate() {
            let seed = (task.seeds)(i);
            let goes_on = simulations == 0 || self.is_kept[i] || task.resumes;
            match self.trees.get_mut(i) {
                Some(search) if goes_on && search.root() == game => {}
                Some(search) => {
                    self.is_kept[i] = false;
                    search.restart(game, seed)?;
                }
                None => self.trees.push(Search::new(game, *task.settings, seed)?),
            }
            self.trees[i].configure(simulations, task.settings.time, seed);
            if simulations > 0 {
                self.trees[i].restrict(task.choices.allowed_in(i, game.size()));
            }
        }
        Ok(())
    }

    /// Plays one action in each game of a batch, or none in any.
    fn advance_all(&mut self, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = given.py();
        let given = integers(given, "actions", Some(self.trees.len()))?;
        for (search, &action) in self.trees.iter().zip(&given) {
            let root = search.root();
            if action == NO_ACTION && !search.is_wanted() {
                continue;
            }
            let index = usize::try_from(action).ok().filter(|&index| index <= root.size().points());
            let Some(index) = index else {
                return Err(off_board(py, root.size(), &action.to_string()));
            };
            let played = Action::new(index);
            root.check(played).map_err(|error| illegal_action(py, root, played, error))?;
        }
        // A tree may have millions of positions to copy.
        py.detach(|| {
            for (i, &action) in given.iter().enumerate() {
                if action != NO_ACTION {
                    // Checked above.
                    let _ = self.trees[i].advance(Action::new(action as usize));
                    self.is_kept[i] = true;
                }
            }
        });
        self.check_rules()
    }

    /// The reports of the games that were taken.
    pub(super) fn search(
        &mut self,
        py: Python<'_>,
        task: &Task<'_>,
        cache: &mut Cache,
    ) -> PyResult<Vec<Report>> {
        let result = py.detach(|| {
            self.prepare(task)?;
            run(&mut self.trees, self.is_batch, task, cache)
        });
        self.check_rules()?;
        // A search that failed may be tried again, and should find the tree that it failed in.
        for (is_kept, &simulations) in self.is_kept.iter_mut().zip(task.choices.simulations) {
            *is_kept &= result.is_err() || simulations == 0;
        }
        result.map_err(|error| match error {
            SearchError::Evaluator(error) => error,
            SearchError::NoMemory(error) => {
                (self.trees, self.is_kept) = (Vec::new(), Vec::new()); // Gives all memory back.
                PyMemoryError::new_err(error.to_string())
            }
            error => PyValueError::new_err(error.to_string()),
        })
    }

    /// The error of the rules, if they failed: then no tree is kept.
    fn check_rules(&mut self) -> PyResult<()> {
        let failed = self.trees.iter().find_map(|search| search.root().failure()?.take());
        let Some(error) = failed else { return Ok(()) };
        (self.trees, self.is_kept) = (Vec::new(), Vec::new());
        Err(error)
    }

    /// An action of the root and the most visited ones after it, with their visits; empty if it was never
    /// visited.
    pub(super) fn variation(&self, action: &Bound<'_, PyAny>) -> PyResult<(Vec<usize>, Vec<u32>)> {
        let search = self.trees.first().filter(|_| !self.is_batch).ok_or_else(nothing_to_follow)?;
        let action = convert::action(search.root().size(), action)?;
        let line = search.variation(action).into_iter().map(Action::index);
        Ok((line.collect(), search.variation_visits(action)))
    }

    /// Plays one action at the root of each tree.
    pub(super) fn advance(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.is_batch {
            return self.advance_all(action);
        }
        let Some(search) = self.trees.first_mut() else { return Err(nothing_to_advance()) };
        let played = convert::action(search.root().size(), action)?;
        let advanced = action.py().detach(|| search.advance(played));
        advanced.map_err(|error| illegal_action(action.py(), search.root(), played, error))?;
        self.check_rules()?;
        self.is_kept.fill(true);
        Ok(())
    }
}

pub(super) fn nothing_to_follow() -> PyErr {
    PyValueError::new_err("there is no variation: a search of one game comes first")
}

pub(super) fn nothing_to_advance() -> PyErr {
    PyValueError::new_err("there is nothing to advance: a search comes first")
}

/// Searches, with the interpreter lock released but for the evaluator. An exception that a signal handler
/// raises, and the end of the interpreter, count as the evaluator's.
#[allow(clippy::redundant_closure_for_method_calls)] // The method alone is for one lifetime only.
fn run<G: PythonGame>(
    searches: &mut [Search<G>],
    is_batch: bool,
    task: &Task<'_>,
    cache: &mut Cache,
) -> Result<Vec<Report>, SearchError<PyErr>> {
    let mut asked = Instant::now();
    let mut signal = Ok(());
    let failures: Vec<_> =
        searches.iter().filter_map(|one| one.root().failure().cloned()).collect();
    let mut interrupt = || {
        // Whoever searches may ask again before the search has ended: the first exception stays.
        if signal.is_ok() && asked.elapsed() > PATIENCE {
            asked = Instant::now();
            let call = PythonCall::begin();
            signal = call.and_then(|_call| Python::attach(|py| py.check_signals()));
        }
        signal.is_err() || failures.iter().any(|failure| failure.has_failed())
    };
    let result = if let Some(mut evaluator) = task.evaluator {
        run_with_evaluator(searches, &mut evaluator, cache, &mut interrupt)
    } else {
        let result = match searches {
            [search] if !is_batch => search.run(&mut interrupt),
            _ => run_with_playouts(searches, &mut interrupt),
        };
        result.map_err(|error| match error {
            SearchError::NoMemory(error) => error.into(),
            _ => SearchError::Interrupted, // There is no evaluator to fail.
        })
    };
    signal.map_err(SearchError::Evaluator)?;
    match result {
        Ok(()) | Err(SearchError::Interrupted) => Ok(searches.iter().map(Search::report).collect()),
        Err(error) => Err(error),
    }
}
