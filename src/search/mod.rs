//! Monte-Carlo tree search, with playouts or with an evaluator.
//!
//! A simulation selects a leaf of the tree, expands it, has it evaluated and backs the value up. With
//! playouts, several threads share one tree ([`Search::run`]), or each has trees of its own
//! ([`run_with_playouts`]). With an [`Evaluator`], the leaves of many trees are evaluated in one call
//! ([`run_with_evaluator`]).
//!
//! | to find | look into |
//! |---|---|
//! | the loop: select, expand, evaluate, back up | `simulation`; for an evaluator `leaf_batch` |
//! | UCB1 and RAVE; PUCT; Gumbel and sequential halving | `selection/ucb`, `selection/puct`, `selection/gumbel` |
//! | the tree, its nodes and their memory | `tree`, `node` |
//!
//! ```
//! use sixplane::search::{Search, Settings};
//! use sixplane::{Color, Game, Gomoku};
//!
//! // Black wins at F3, the last point of the middle row.
//! let game = Gomoku::from_text("
//!     . . . . . .
//!     . O O O O .
//!     . X X X X .
//!     . . . . . .
//!     . . . . . .", Color::Black)?;
//! let mut search = Search::new(&game, Settings { simulations: 500, ..Settings::default() }, 1)?;
//! search.run(&mut || false)?;
//! let best = search.report().best.expect("the game goes on");
//! assert!([12, 17].contains(&best.index()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;
mod error;
mod evaluator;
mod leaf_batch;
mod limits;
mod node;
mod report;
mod root;
mod selection;
mod settings;
mod simulation;
mod tree;

use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

pub use cache::Cache;
pub use error::{EvaluationError, NoMemory, SearchError};
pub use evaluator::{Evaluations, Evaluator, Leaves};
pub use report::Report;
pub use settings::{Noise, Reward, Selection, Settings, View};
pub use simulation::Searchable;

use leaf_batch::{LeafBatch, evaluate};
use limits::Limits;
use root::{Root, mix_noise};
use selection::gumbel::Schedule;
use simulation::{SearchState, Worker};
use tree::{ROOT, Tree};

use crate::error::PlayError;
use crate::geometry::Action;
use crate::random::{RandomStream, stream_seed};
use crate::threads::{Threads, lock};

/// A position, its tree, and how it is searched.
#[derive(Debug)]
pub struct Search<G: Searchable> {
    state: SearchState<G>,
    worker: Worker<G>,
    leaf_batch: LeafBatch,
    seed: u64,
    /// `None` until the root is expanded, and again when it has changed.
    root: Option<Root>,
    /// How long the last search took.
    elapsed: Duration,
}

impl<G: Searchable> Search<G> {
    /// A tree with the position of a game as its root.
    ///
    /// # Errors
    /// [`NoMemory`] if there is none.
    pub fn new(game: &G, settings: Settings, seed: u64) -> Result<Self, NoMemory> {
        let state = SearchState {
            root: game.clone(),
            tree: tree_for(game, &settings)?,
            settings,
            has_evaluator: false,
            schedule: Schedule::default(),
            simulations: 0,
        };
        let (worker, leaf_batch) = (Worker::new(game.clone(), seed), LeafBatch::default());
        Ok(Self { state, worker, leaf_batch, seed, root: None, elapsed: Duration::ZERO })
    }

    /// The position at the root.
    #[must_use]
    pub fn root(&self) -> &G {
        &self.state.root
    }

    /// Starts anew from another position and seed, in the memory there is; a larger board may need more.
    ///
    /// # Errors
    /// [`NoMemory`] if there is none; then nothing has changed.
    pub fn restart(&mut self, game: &G, seed: u64) -> Result<(), NoMemory> {
        if self.state.tree.capacity == capacity(game, &self.state.settings) {
            self.state.tree.clear();
        } else {
            self.state.tree = tree_for(game, &self.state.settings)?;
        }
        self.state.root.clone_from(game);
        self.seed = seed;
        self.forget_root();
        Ok(())
    }

    /// Forgets what was found out about another root.
    fn forget_root(&mut self) {
        self.root = None;
        (self.state.simulations, self.elapsed) = (0, Duration::ZERO);
    }

    /// Sets the seed of the searches to come.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Sets the limits of the searches to come. With 0 simulations there is no search: nothing is found.
    pub fn limit(&mut self, simulations: u32, time: Option<Duration>) {
        (self.state.settings.simulations, self.state.settings.time) = (simulations, time);
    }

    /// Plays an action at the root and keeps what is below it. The tree starts anew with Gumbel selection,
    /// which schedules all visits of a search, and where there is no memory for a second tree.
    ///
    /// # Errors
    /// [`PlayError`] if it may not be played; then nothing has changed.
    pub fn advance(&mut self, action: Action) -> Result<(), PlayError> {
        let SearchState { root, tree, settings, .. } = &mut self.state;
        root.play(action)?;
        let (first, children) = tree.children(ROOT);
        let kept = children.iter().position(|child| child.action() == action);
        let kept = kept.filter(|_| settings.selection != Selection::Gumbel);
        let new_tree = kept.and_then(|_| tree_for(root, settings).ok());
        if let (Some(kept), Some(mut new_tree)) = (kept, new_tree) {
            new_tree.copy_below(tree, first + kept as u32);
            *tree = new_tree;
        } else {
            tree.clear();
        }
        self.forget_root();
        Ok(())
    }

    /// What was found so far; nothing if the last search was to run no simulations.
    #[must_use]
    pub fn report(&self) -> Report {
        self.state.report(self.root.as_ref(), self.elapsed, self.is_wanted())
    }

    /// Runs simulations with playouts on as many threads as the settings say, until their limits are
    /// reached or `interrupt`, which is called now and then, says to stop. It runs none if the game is over.
    ///
    /// # Errors
    /// [`SearchError::Interrupted`] and [`SearchError::NoMemory`]; the simulations until then are kept.
    pub fn run(
        &mut self,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<(), SearchError<Infallible>> {
        let Settings { threads, time, .. } = self.state.settings;
        self.run_on(threads, time, interrupt)
    }

    fn run_on(
        &mut self,
        threads: usize,
        time: Option<Duration>,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<(), SearchError<Infallible>> {
        let begin = Instant::now();
        self.begin(false);
        if !self.is_wanted() {
            return Ok(());
        }
        self.worker.game.clone_from(&self.state.root);
        self.state.expand(ROOT, &mut self.worker);
        self.prepare_root();
        let limits = Limits::new(self.state.settings.simulations, time.map(|time| begin + time));
        let (state, seed) = (&self.state, self.seed);
        let work = |thread: usize, interrupt: &mut dyn FnMut() -> bool| {
            let mut worker = Worker::new(state.root.clone(), stream_seed(seed, thread as u64));
            limits.run(interrupt, || {
                state.simulate(&mut worker);
                !state.tree.is_starved()
            });
        };
        let helper = |thread| work(thread, &mut || false);
        Threads::new(Some(threads)).share(threads - 1, helper, || work(0, interrupt));
        self.state.simulations = limits.done.into_inner();
        self.elapsed = begin.elapsed();
        if self.state.tree.is_starved() {
            return Err(SearchError::NoMemory);
        }
        if limits.is_interrupted.into_inner() { Err(SearchError::Interrupted) } else { Ok(()) }
    }

    /// Whether there is anything to search, and the limits ask for simulations.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        !self.state.root.is_over() && self.state.settings.simulations > 0
    }

    fn begin(&mut self, has_evaluator: bool) {
        (self.state.simulations, self.elapsed) = (0, Duration::ZERO);
        if self.state.settings.selection == Selection::Gumbel {
            self.state.tree.clear();
            self.root = None;
        }
        self.state.has_evaluator = has_evaluator;
        self.worker.rng = RandomStream::new(self.seed);
    }

    /// Decides what is decided before the first simulation, once the root has children.
    fn prepare_root(&mut self) {
        let Self { state, .. } = self;
        let (_, children) = state.tree.children(ROOT);
        if children.is_empty() {
            return;
        }
        // A stream of its own: the noise does not depend on what else is sampled.
        let mut rng = RandomStream::new(stream_seed(self.seed, u64::MAX));
        if state.settings.selection == Selection::Gumbel {
            state.schedule = Schedule::new(children, &state.settings, &mut rng);
        }
        if self.root.is_none() {
            self.root = Some(Root::of(state));
            // Noise belongs to the root: a search that goes on has it already.
            if let Some(noise) = state.settings.noise {
                mix_noise(children, noise, &mut rng);
            }
        }
    }

    // --- With an evaluator -----------------------------------------------------------------

    fn begin_with_evaluator(&mut self) {
        self.begin(true);
        if self.is_wanted() {
            self.prepare_root();
        }
    }

    /// Whether simulations are left.
    fn goes_on(&self) -> bool {
        !self.state.root.is_over() && self.state.simulations < self.state.settings.simulations
    }

    fn select_leaves(&mut self) {
        if self.goes_on() {
            self.leaf_batch.select(&mut self.state, &mut self.worker);
        }
    }

    fn expand_and_back_up(&mut self, evaluations: &Evaluations) {
        if self.leaf_batch.expand_and_back_up(&mut self.state, evaluations) {
            self.prepare_root();
        }
    }
}

/// Most nodes of a tree: the root and its actions have nodes whatever the limit.
fn capacity<G: Searchable>(game: &G, settings: &Settings) -> usize {
    settings.max_nodes.max(1 + game.size().num_actions())
}

fn tree_for<G: Searchable>(game: &G, settings: &Settings) -> Result<Tree, NoMemory> {
    Tree::new(capacity(game, settings), settings.rave.is_some())
}

/// Runs simulations with playouts in all these searches, whose settings are the same but for the number
/// of simulations: each on one thread, several at a time, in its share of the time.
///
/// # Errors
/// Those of [`Search::run`].
pub fn run_with_playouts<G: Searchable>(
    searches: &mut [Search<G>],
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<(), SearchError<Infallible>> {
    let Some(Settings { threads, time, .. }) = searches.first().map(|s| s.state.settings) else {
        return Ok(());
    };
    let wanted = searches.iter().filter(|search| search.is_wanted()).count().max(1);
    let threads = threads.min(wanted);
    let time = time.map(|time| time.mul_f64(threads as f64 / wanted as f64));
    let (left, result) = (Mutex::new(searches.iter_mut()), Mutex::new(Ok(())));
    let work = |interrupt: &mut dyn FnMut() -> bool| {
        loop {
            let Some(search) = lock(&left).next() else { return };
            if let Err(error) = search.run_on(1, time, interrupt) {
                *lock(&result) = Err(error);
                return;
            }
        }
    };
    let helper = |_| work(&mut || lock(&result).is_err());
    Threads::new(Some(threads)).share(threads - 1, helper, || work(interrupt));
    result.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Runs simulations of all these searches, whose settings are the same but for the number of simulations,
/// until their limits are reached: again and again it selects leaves in each tree, evaluates all of them
/// in one call, expands them and backs their values up. Searches of games that are over, and those that
/// are to run no simulations, stay as they are. `interrupt` is called for each leaf batch; there is at
/// least one.
///
/// # Errors
/// [`SearchError`]; the simulations of earlier leaf batches are kept.
pub fn run_with_evaluator<G: Searchable, E: Evaluator>(
    searches: &mut [Search<G>],
    evaluator: &mut E,
    cache: &mut Cache,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<(), SearchError<E::Error>> {
    let begin = Instant::now();
    let Some(Settings { threads, time, .. }) = searches.first().map(|s| s.state.settings) else {
        return Ok(());
    };
    let threads = &Threads::new(Some(threads));
    each(threads, searches, Search::begin_with_evaluator);
    let mut result = Ok(());
    while result.is_ok() && searches.iter().any(Search::goes_on) {
        result = run_leaf_batch(searches, threads, evaluator, cache, interrupt);
        if time.is_some_and(|time| begin.elapsed() >= time) {
            break;
        }
    }
    if matches!(result, Err(SearchError::Evaluation(_))) {
        cache.clear(); // It has some of these evaluations.
    }
    for search in searches {
        search.leaf_batch.withdraw(&search.state);
        search.elapsed = begin.elapsed();
    }
    result
}

fn run_leaf_batch<G: Searchable, E: Evaluator>(
    searches: &mut [Search<G>],
    threads: &Threads,
    evaluator: &mut E,
    cache: &mut Cache,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<(), SearchError<E::Error>> {
    each(threads, searches, Search::select_leaves);
    if interrupt() {
        return Err(SearchError::Interrupted);
    }
    let is_starved =
        |search: &Search<G>| search.leaf_batch.is_starved || search.state.tree.is_starved();
    if searches.iter().any(is_starved) {
        return Err(SearchError::NoMemory);
    }
    let (size, history) = (searches[0].root().size(), searches[0].state.settings.history);
    let batches = searches.iter_mut().map(|search| &mut search.leaf_batch);
    let evaluations = evaluate(batches, size, history, evaluator, cache)?;
    for search in &mut *searches {
        search.leaf_batch.read_logits(&evaluations).map_err(SearchError::Evaluation)?;
    }
    each(threads, searches, |search| search.expand_and_back_up(&evaluations));
    if searches.iter().any(is_starved) { Err(SearchError::NoMemory) } else { Ok(()) }
}

/// Calls `work` with each search, on several threads.
fn each<G: Searchable>(
    threads: &Threads,
    searches: &mut [Search<G>],
    work: impl Fn(&mut Search<G>) + Sync,
) {
    /// So many searches are worth a task of their own: to select a leaf takes some microseconds.
    const SEARCHES_A_TASK: usize = 4;
    let length = threads.task_len(searches.len(), SEARCHES_A_TASK);
    threads.map(searches.chunks_mut(length), |searches| searches.iter_mut().for_each(&work));
}
