//! Monte-Carlo tree search, with rollouts or with an evaluator.
//!
//! A simulation selects a leaf of the tree, expands it, has it evaluated and backs the value up. With
//! rollouts it does so on its own, and several threads share one tree ([`Search::run`]). With an
//! [`Evaluator`] the leaves of many trees are evaluated together, wave after wave ([`run_waves`]); one tree
//! is a batch of one.
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
//! let mut search = Search::new(&game, Settings { simulations: 500, ..Settings::default() }, 1);
//! search.run(&mut || false)?;
//! let best = search.report().best.expect("the game goes on");
//! assert!([12, 17].contains(&best.index()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arena;
mod ask;
mod budget;
mod cache;
mod error;
mod evaluator;
mod gumbel;
mod noise;
mod report;
mod root;
mod select;
mod settings;
mod tree;
mod trunk;
mod wave;

use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

pub use cache::Cache;
pub use error::{NoMemory, SearchError};
pub use evaluator::{EvaluationError, Evaluations, Evaluator, Leaves};
pub use report::Report;
pub use settings::{Noise, Reward, Selection, Settings, View};
pub use wave::run_waves;

use budget::Budget;
use gumbel::Plan;
use root::Root;
use select::Rule;
use tree::{ROOT, Tree};
use trunk::{Trunk, Walker};
use wave::Wave;

use crate::geometry::Action;
use crate::heuristics::HeuristicValues;
use crate::playout::Playouts;
use crate::random::{RandomStream, stream_seed};

/// What a search asks of a game: its rules, playouts and heuristic values.
pub trait Searchable: Playouts + HeuristicValues {}

impl<G: Playouts + HeuristicValues> Searchable for G {}

/// A position, its tree, and what searches of it are told.
#[derive(Debug)]
pub struct Search<G: Searchable> {
    settings: Settings,
    trunk: Trunk<G>,
    wave: Wave<G>,
    seed: u64,
    /// Nothing before the root has children, and again after it has changed.
    known: Option<Root>,
    /// Simulations of the last search.
    done: u32,
    elapsed: Duration,
}

impl<G: Searchable> Search<G> {
    /// A tree with the position of a game as its root.
    ///
    /// # Panics
    /// If there is no memory for a tree of one node; [`Search::try_new`] does not.
    #[must_use]
    pub fn new(game: &G, settings: Settings, seed: u64) -> Self {
        Self::try_new(game, settings, seed).expect("memory for a node")
    }

    /// The same, where memory may be short.
    ///
    /// # Errors
    /// [`NoMemory`] if there is none.
    pub fn try_new(game: &G, settings: Settings, seed: u64) -> Result<Self, NoMemory> {
        let rule = Rule::new(&settings);
        let trunk = Trunk {
            root: game.clone(),
            tree: tree_for(game, &settings)?,
            rule,
            reward: settings.reward,
            rolls_out: true,
            is_shared: false,
            plan: Plan::default(),
        };
        let wave = Wave::new(game.clone(), seed);
        let (known, done, elapsed) = (None, 0, Duration::ZERO);
        Ok(Self { settings, trunk, wave, seed, known, done, elapsed })
    }

    /// The position at the root.
    #[must_use]
    pub fn root(&self) -> &G {
        &self.trunk.root
    }

    /// Starts anew from another position and seed, in the memory there is; a larger board may need more.
    ///
    /// # Errors
    /// [`NoMemory`] if there is none; then nothing has changed.
    pub fn restart(&mut self, game: &G, seed: u64) -> Result<(), NoMemory> {
        if self.trunk.tree.capacity() == capacity(game, &self.settings) {
            self.trunk.tree.clear();
        } else {
            self.trunk.tree = tree_for(game, &self.settings)?;
        }
        self.trunk.root.clone_from(game);
        self.seed = seed;
        self.forget();
        Ok(())
    }

    /// Forgets what was found out of another root.
    fn forget(&mut self) {
        self.known = None;
        (self.done, self.elapsed) = (0, Duration::ZERO);
    }

    /// Draws the randomness of what follows from another seed.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Sets the limits of the searches to come. With 0 simulations there is no search: nothing is found.
    pub fn limit(&mut self, simulations: u32, time: Option<Duration>) {
        (self.settings.simulations, self.settings.time) = (simulations, time);
    }

    /// Plays an action at the root and keeps what is below it. Gumbel selection, which plans its visits
    /// from none, starts anew, and so does a search that has no memory for a second tree.
    ///
    /// # Errors
    /// [`PlayError`](crate::PlayError) if it may not be played; then nothing has changed.
    pub fn advance(&mut self, action: Action) -> Result<(), crate::PlayError> {
        self.trunk.root.play(action)?;
        let (first, children) = self.trunk.tree.children(ROOT);
        let kept = children.iter().position(|child| child.action() == action);
        match kept {
            Some(kept) if self.settings.selection != Selection::Gumbel => {
                if let Ok(mut tree) = tree_for(&self.trunk.root, &self.settings) {
                    tree.copy_below(&self.trunk.tree, first + kept as u32);
                    self.trunk.tree = tree;
                } else {
                    self.trunk.tree.clear();
                }
            }
            _ => self.trunk.tree.clear(),
        }
        self.forget();
        Ok(())
    }

    /// Runs simulations with rollouts on as many threads as the settings say, until their limits are
    /// reached or `interrupt`, which is asked now and then, says to stop. Of a game that is over it runs
    /// none.
    ///
    /// # Errors
    /// [`SearchError::Interrupted`] and [`SearchError::NoMemory`]; the simulations until then are kept.
    pub fn run(
        &mut self,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<(), SearchError<Infallible>> {
        self.run_on(self.settings.threads, self.settings.time, interrupt)
    }

    fn run_on(
        &mut self,
        threads: usize,
        time: Option<Duration>,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<(), SearchError<Infallible>> {
        let begin = Instant::now();
        self.begin(true, threads > 1);
        if !self.is_wanted() {
            return Ok(());
        }
        self.wave.walker.game.clone_from(&self.trunk.root);
        self.trunk.grow(ROOT, &mut self.wave.walker);
        self.plan();
        let budget = Budget::new(self.settings.simulations, time.map(|time| begin + time));
        let (trunk, seed) = (&self.trunk, self.seed);
        let work = |thread: u64, interrupt: &mut dyn FnMut() -> bool| {
            let mut walker = Walker::new(trunk.root.clone(), stream_seed(seed, thread));
            budget.spend(interrupt, || {
                trunk.simulate(&mut walker);
                !trunk.tree.is_starved()
            });
        };
        std::thread::scope(|scope| {
            for thread in 1..threads as u64 {
                let work = &work;
                // A thread that the system refuses leaves its work to the others.
                let _ = Builder::new().spawn_scoped(scope, move || work(thread, &mut || false));
            }
            work(0, interrupt);
        });
        self.done = budget.done.into_inner();
        self.elapsed = begin.elapsed();
        if self.trunk.tree.is_starved() {
            return Err(SearchError::NoMemory);
        }
        if budget.interrupted.into_inner() { Err(SearchError::Interrupted) } else { Ok(()) }
    }

    /// Whether there is anything to search, and the limits ask for simulations.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        !self.trunk.root.is_over() && self.settings.simulations > 0
    }

    /// Gets ready for a search.
    fn begin(&mut self, rolls_out: bool, is_shared: bool) {
        (self.done, self.elapsed) = (0, Duration::ZERO);
        if self.settings.selection == Selection::Gumbel {
            self.trunk.tree.clear();
            self.known = None;
        }
        self.trunk.rolls_out = rolls_out;
        self.trunk.is_shared = is_shared;
        self.trunk.rule.has_priors = !rolls_out;
        self.wave.reseed(self.seed);
    }

    /// Decides what is decided at the root before the first simulation, once it has children.
    fn plan(&mut self) {
        let (_, children) = self.trunk.tree.children(ROOT);
        if children.is_empty() {
            return;
        }
        // A stream of its own: a search draws the same noise whatever else it draws.
        let mut rng = RandomStream::new(stream_seed(self.seed, u64::MAX));
        if self.settings.selection == Selection::Gumbel {
            self.trunk.plan = Plan::new(children.len(), &self.settings, &mut rng);
        }
        if self.known.is_none() {
            self.known = Some(self.trunk.study_root(&mut self.wave.walker.game));
            // Noise belongs to the root: a search that goes on has it already.
            if let Some(noise) = self.settings.noise {
                noise::mix(children, noise, &mut rng);
            }
        }
    }
}

/// Most nodes of a tree: a tree without those of the root's actions would find nothing.
fn capacity<G: Searchable>(game: &G, settings: &Settings) -> usize {
    settings.max_nodes.max(1 + game.size().num_actions())
}

fn tree_for<G: Searchable>(game: &G, settings: &Settings) -> Result<Tree, NoMemory> {
    Tree::new(capacity(game, settings), settings.rave.is_some())
}

/// Runs simulations with rollouts in all these searches, whose settings are the same but for the number
/// of simulations: each on one thread, several at a time, in its share of the time.
///
/// # Errors
/// Those of [`Search::run`].
pub fn run_games<G: Searchable>(
    searches: &mut [Search<G>],
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<(), SearchError<Infallible>> {
    let Some(Settings { threads, time, .. }) = searches.first().map(|s| s.settings) else {
        return Ok(());
    };
    let wanted = searches.iter().filter(|search| search.is_wanted()).count().max(1);
    let threads = threads.min(wanted);
    let time = time.map(|time| time.mul_f64(threads as f64 / wanted as f64));
    let result = Mutex::new(Ok(()));
    let fail = |error| *result.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
    let is_over = || result.lock().unwrap_or_else(PoisonError::into_inner).is_err();
    let left = Mutex::new(searches.iter_mut());
    let work = |interrupt: &mut dyn FnMut() -> bool| {
        loop {
            let next = left.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(search) = next else { return };
            if let Err(error) = search.run_on(1, time, interrupt) {
                return fail(error);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            let (work, is_over) = (&work, &is_over);
            let helper = move || work(&mut || is_over());
            let _ = Builder::new().spawn_scoped(scope, helper);
        }
        work(interrupt);
    });
    result.into_inner().unwrap_or_else(PoisonError::into_inner)
}
