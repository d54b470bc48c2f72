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
//! search.run(&mut || false);
//! let best = search.report().best.expect("the game goes on");
//! assert!([12, 17].contains(&best.index()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arena;
mod ask;
mod cache;
mod evaluator;
mod gumbel;
mod noise;
mod report;
mod select;
mod settings;
mod tree;
mod trunk;
mod wave;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

pub use cache::Cache;
pub use evaluator::{EvaluationError, Evaluations, Evaluator, Leaves};
pub use report::Report;
pub use settings::{Noise, Reward, Selection, Settings};
pub use wave::{SearchError, run_waves};

use gumbel::Plan;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use select::Rule;
use tree::{ROOT, Tree};
use trunk::{Trunk, Walker};
use wave::Wave;

use crate::game::Game;
use crate::geometry::Action;
use crate::players::series_seed;

/// Time between two looks at whether somebody wants the search to end.
const PATIENCE: Duration = Duration::from_millis(20);

/// A position, its tree, and what searches of it are told.
#[derive(Debug)]
pub struct Search<G> {
    settings: Settings,
    trunk: Trunk<G>,
    wave: Wave<G>,
    seed: u64,
    /// Simulations of the last search.
    done: u32,
    elapsed: Duration,
}

impl<G: Game> Search<G> {
    /// A tree with the position of a game as its root.
    #[must_use]
    pub fn new(game: &G, settings: Settings, seed: u64) -> Self {
        // A tree without room for the root's actions would find nothing.
        let max_nodes = settings.max_nodes.max(1 + game.size().num_actions());
        let settings = Settings { max_nodes, ..settings };
        let rule = Rule {
            selection: settings.selection,
            c: settings.c,
            virtual_loss: settings.reward.unit(),
            rave: settings.rave,
            prior_visits: settings.prior_visits,
            first_play: settings.first_play,
            has_priors: false,
        };
        let trunk = Trunk {
            root: game.clone(),
            tree: Tree::new(settings.max_nodes, settings.rave.is_some()),
            rule,
            reward: settings.reward,
            rolls_out: true,
            is_shared: false,
            plan: Plan::default(),
        };
        let wave = Wave::new(game.clone(), seed);
        Self { settings, trunk, wave, seed, done: 0, elapsed: Duration::ZERO }
    }

    /// The position at the root.
    #[must_use]
    pub fn root(&self) -> &G {
        &self.trunk.root
    }

    /// Starts anew from another position and seed, in the memory there is.
    pub fn restart(&mut self, game: &G, seed: u64) {
        self.trunk.root.clone_from(game);
        self.trunk.tree.clear();
        self.seed = seed;
        (self.done, self.elapsed) = (0, Duration::ZERO);
    }

    /// Draws the randomness of what follows from another seed.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Sets the limits of the searches to come.
    pub fn limit(&mut self, simulations: u32, time: Option<Duration>) {
        (self.settings.simulations, self.settings.time) = (simulations, time);
    }

    /// Plays an action at the root and keeps what is below it. Gumbel selection, which plans its visits
    /// from none, starts anew.
    ///
    /// # Errors
    /// [`PlayError`](crate::PlayError) if it may not be played; then nothing has changed.
    pub fn advance(&mut self, action: Action) -> Result<(), crate::PlayError> {
        self.trunk.root.play(action)?;
        let (first, children) = self.trunk.tree.children(ROOT);
        let kept = children.iter().position(|child| child.action() == action);
        match kept {
            Some(kept) if self.settings.selection != Selection::Gumbel => {
                let mut tree = Tree::new(self.settings.max_nodes, self.settings.rave.is_some());
                tree.copy_below(&self.trunk.tree, first + kept as u32);
                self.trunk.tree = tree;
            }
            _ => self.trunk.tree.clear(),
        }
        (self.done, self.elapsed) = (0, Duration::ZERO);
        Ok(())
    }

    /// Runs simulations with rollouts on as many threads as the settings say, until their limits are
    /// reached or `interrupt`, which is asked now and then, says to stop. Returns whether it did.
    ///
    /// Of a game that is over it runs none.
    pub fn run(&mut self, interrupt: &mut dyn FnMut() -> bool) -> bool {
        self.run_on(self.settings.threads, self.settings.time, interrupt)
    }

    fn run_on(
        &mut self,
        threads: usize,
        time: Option<Duration>,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> bool {
        let begin = Instant::now();
        self.begin(true, threads > 1);
        if self.trunk.root.is_over() {
            return false;
        }
        self.wave.walker.game.clone_from(&self.trunk.root);
        self.trunk.grow(ROOT, &mut self.wave.walker);
        self.plan();
        let budget = Budget::new(self.settings.simulations, time.map(|time| begin + time));
        let (trunk, seed) = (&self.trunk, self.seed);
        let work = |thread: u64, interrupt: &mut dyn FnMut() -> bool| {
            let mut walker = Walker::new(trunk.root.clone(), series_seed(seed, thread));
            budget.spend(interrupt, || trunk.simulate(&mut walker));
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
        budget.interrupted.into_inner()
    }

    /// Gets ready for a search.
    fn begin(&mut self, rolls_out: bool, is_shared: bool) {
        (self.done, self.elapsed) = (0, Duration::ZERO);
        if self.settings.selection == Selection::Gumbel {
            self.trunk.tree.clear();
        }
        self.trunk.rolls_out = rolls_out;
        self.trunk.is_shared = is_shared;
        self.trunk.rule.has_priors = !rolls_out;
        self.wave.reseed(self.seed);
    }

    /// Decides what is decided at the root before the first simulation, once it has children.
    fn plan(&mut self) {
        let (_, children) = self.trunk.tree.children(ROOT);
        // A stream of its own: a search draws the same noise whatever else it draws.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(series_seed(self.seed, u64::MAX));
        let Settings { selection, simulations, gumbel_scale, noise, .. } = self.settings;
        if selection == Selection::Gumbel {
            self.trunk.plan = Plan::new(children.len(), simulations, gumbel_scale, &mut rng);
        }
        if let Some(noise) = noise {
            noise::mix(children, noise, &mut rng);
        }
    }
}

/// Runs simulations with rollouts in all these searches, whose settings are the same: each on one thread,
/// several at a time, in its share of the time. Returns whether `interrupt` ended it.
pub fn run_games<G: Game>(searches: &mut [Search<G>], interrupt: &mut dyn FnMut() -> bool) -> bool {
    let Some(Settings { threads, time, .. }) = searches.first().map(|s| s.settings) else {
        return false;
    };
    let threads = threads.min(searches.len());
    let time = time.map(|time| time.mul_f64(threads as f64 / searches.len() as f64));
    let is_over = AtomicBool::new(false);
    let left = Mutex::new(searches.iter_mut());
    let work = |interrupt: &mut dyn FnMut() -> bool| {
        loop {
            let next = left.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(search) = next else { return };
            if search.run_on(1, time, interrupt) {
                is_over.store(true, Ordering::Relaxed);
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            let (work, is_over) = (&work, &is_over);
            let helper = move || work(&mut || is_over.load(Ordering::Relaxed));
            let _ = Builder::new().spawn_scoped(scope, helper);
        }
        work(interrupt);
    });
    is_over.into_inner()
}

/// How much may still be done, shared by the threads of a search.
struct Budget {
    simulations: u32,
    deadline: Option<Instant>,
    started: AtomicU32,
    done: AtomicU32,
    is_over: AtomicBool,
    interrupted: AtomicBool,
}

impl Budget {
    fn new(simulations: u32, deadline: Option<Instant>) -> Self {
        Self {
            simulations,
            deadline,
            started: 0.into(),
            done: 0.into(),
            is_over: false.into(),
            interrupted: false.into(),
        }
    }

    /// Works until the budget is spent by all threads together. At least one simulation is run.
    fn spend(&self, interrupt: &mut dyn FnMut() -> bool, mut simulate: impl FnMut()) {
        let mut asked = Instant::now();
        let mut done = 0;
        while self.started.fetch_add(1, Ordering::Relaxed) < self.simulations {
            simulate();
            done += 1;
            if done % 8 == 0 || self.deadline.is_some() {
                let now = Instant::now();
                if self.deadline.is_some_and(|deadline| now >= deadline) {
                    self.is_over.store(true, Ordering::Relaxed);
                }
                if now.duration_since(asked) > PATIENCE {
                    asked = now;
                    if interrupt() {
                        self.interrupted.store(true, Ordering::Relaxed);
                        self.is_over.store(true, Ordering::Relaxed);
                    }
                }
                if self.is_over.load(Ordering::Relaxed) {
                    break;
                }
            }
        }
        self.done.fetch_add(done, Ordering::Relaxed);
    }
}
