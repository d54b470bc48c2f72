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
//! | which positions are won or lost for certain | `proofs` |
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
mod node;
mod proofs;
mod report;
mod selection;
mod settings;
mod simulation;
mod tree;

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

pub use crate::batch::View;
pub use cache::Cache;
pub use error::{NoMemory, SearchError};
pub use evaluator::{Evaluations, Evaluator, Leaves};
pub use leaf_batch::run_with_evaluator;
pub use report::{OPEN, Report};
pub use settings::{Noise, Reward, Selection, Settings};
pub use simulation::Search;

use node::Node;
use proofs::solving_ends;
use selection::gumbel::Schedule;
use selection::puct::mix_noise;
use simulation::Worker;
use tree::{ROOT, Tree};

use crate::error::PlayError;
use crate::exact::Exact;
use crate::geometry::Action;
use crate::playout::Playouts;
use crate::random::{RandomStream, stream_seed};
use crate::threads::Threads;

/// So many simulations of a thread between two questions whether the search should be interrupted.
const INTERVAL: u32 = 8;

impl<G: Playouts + Exact> Search<G> {
    /// A tree with the position of a game as its root.
    ///
    /// # Errors
    /// [`NoMemory`] if there is none.
    pub fn new(game: &G, settings: Settings, seed: u64) -> Result<Self, NoMemory> {
        Ok(Self {
            root: game.clone(),
            tree: tree_for(game, &settings)?,
            settings,
            seed,
            allowed: None,
            has_evaluator: false,
            priors: Vec::new(),
            schedule: Schedule::default(),
            solver_time: Duration::ZERO,
            was_searched: false,
            solution: None,
            simulations: 0,
            elapsed: Duration::ZERO,
        })
    }

    /// The position at the root.
    #[must_use]
    pub fn root(&self) -> &G {
        &self.root
    }

    /// Starts anew from another position and seed, in the memory there is; a larger board may need more.
    ///
    /// ```
    /// use sixplane::search::{Search, Settings};
    /// use sixplane::{Game, Gomoku};
    ///
    /// let mut game = Gomoku::new(5)?;
    /// let mut search = Search::new(&game, Settings { simulations: 50, ..Settings::default() }, 1)?;
    /// search.run(&mut || false)?;
    /// game.play_at(2, 2)?;
    /// search.restart(&game, 2)?;
    /// assert_eq!((search.root(), search.report().nodes), (&game, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NoMemory`] if there is none; then nothing has changed.
    pub fn restart(&mut self, game: &G, seed: u64) -> Result<(), NoMemory> {
        if self.tree.capacity == capacity(game, &self.settings) {
            self.tree.clear();
        } else {
            self.tree = tree_for(game, &self.settings)?;
        }
        self.root.clone_from(game);
        self.seed = seed;
        self.forget_root();
        Ok(())
    }

    /// Forgets what was found out about another root, and what was allowed there.
    fn forget_root(&mut self) {
        self.priors.clear();
        self.allowed = None;
        (self.solver_time, self.solution) = (Duration::ZERO, None);
        (self.simulations, self.elapsed) = (0, Duration::ZERO);
    }

    /// Lets searches of this root choose among these of its actions only, `(A,)`; `None` allows all. After the
    /// first action any legal one may follow. The tree starts anew, unless it has just these actions. If none
    /// of them is legal, nothing is searched.
    ///
    /// # Panics
    /// If `allowed` is shorter than the number of actions.
    ///
    /// ```
    /// use sixplane::search::{Search, Settings};
    /// use sixplane::{Game, Gomoku};
    ///
    /// let mut search = Search::new(&Gomoku::new(5)?, Settings::default(), 1)?;
    /// let mut allowed = vec![false; 26];
    /// (allowed[3], allowed[8]) = (true, true);
    /// search.restrict(Some(&allowed));
    /// search.run(&mut || false)?;
    /// let visits = search.report().visits;
    /// assert_eq!(visits[3] + visits[8], 1000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restrict(&mut self, allowed: Option<&[bool]>) {
        let legal = self.root.legal_actions();
        let is_allowed = |action: &Action| allowed.is_none_or(|all| all[action.index()]);
        let wanted: Vec<_> = legal.iter().copied().filter(is_allowed).collect();
        let wanted = (wanted.len() < legal.len()).then_some(wanted);
        if wanted != self.allowed {
            self.tree.clear();
            self.forget_root();
            self.allowed = wanted;
        }
    }

    /// Sets the limits of the searches to come, and the seed of their random choices. With 0 simulations
    /// there is no search: nothing is found.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sixplane::search::{Search, Settings};
    /// use sixplane::{Game, Go};
    ///
    /// let mut search = Search::new(&Go::new(5)?, Settings::default(), 1)?;
    /// search.configure(u32::MAX, Some(Duration::from_millis(20)), 2);
    /// search.run(&mut || false)?;
    /// assert!(search.report().elapsed >= Duration::from_millis(20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn configure(&mut self, simulations: u32, time: Option<Duration>, seed: u64) {
        (self.settings.simulations, self.settings.time, self.seed) = (simulations, time, seed);
    }

    /// Plays an action at the root and keeps what is below it. The tree starts anew with Gumbel selection,
    /// which schedules all visits of a search, and where there is no memory for a second tree.
    ///
    /// ```
    /// use sixplane::search::{Search, Settings};
    /// use sixplane::{Game, Gomoku};
    ///
    /// let settings = Settings { simulations: 200, ..Settings::default() };
    /// let mut search = Search::new(&Gomoku::new(5)?, settings, 1)?;
    /// search.run(&mut || false)?;
    /// let best = search.report().best.expect("the game goes on");
    /// assert_eq!(search.variation(best)[0], best);
    /// search.advance(best)?;
    /// search.run(&mut || false)?;
    /// assert!(search.report().visits.iter().sum::<u32>() > 200); // some were kept
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlayError`] if it may not be played; then nothing has changed.
    pub fn advance(&mut self, action: Action) -> Result<(), PlayError> {
        let Self { root, tree, settings, .. } = self;
        root.play(action)?;
        let (first, children) = tree.children(ROOT);
        let kept = children.iter().position(|child| child.action() == action);
        let kept = kept.filter(|_| settings.selection != Selection::Gumbel);
        let new_tree = kept.and_then(|kept| Some((kept, tree_for(root, settings).ok()?)));
        if let Some((kept, mut new_tree)) = new_tree {
            new_tree.copy_below(tree, first + kept as u32);
            *tree = new_tree;
        } else {
            tree.clear();
        }
        self.forget_root();
        Ok(())
    }

    /// Runs simulations with playouts on as many threads as the settings say, until their limits are
    /// reached or `interrupt`, which is called now and then, says to stop. It runs none if the game is over.
    ///
    /// ```
    /// use sixplane::search::{Search, SearchError, Settings};
    /// use sixplane::{Game, Go};
    ///
    /// let mut search = Search::new(&Go::new(5)?, Settings::default(), 1)?;
    /// let mut calls = 0;
    /// let result = search.run(&mut || {
    ///     calls += 1;
    ///     calls == 3 // stops after a few simulations
    /// });
    /// assert_eq!(result, Err(SearchError::Interrupted));
    /// assert!((1..1000).contains(&search.report().simulations));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SearchError::Interrupted`] and [`SearchError::NoMemory`]; the simulations until then are kept.
    pub fn run(
        &mut self,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<(), SearchError<Infallible>> {
        let Settings { threads, time, .. } = self.settings;
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
        if self.solve_root(solving_ends(begin, time), interrupt) {
            return Err(SearchError::Interrupted);
        }
        self.expand(ROOT, &mut Worker::new(self.root.clone(), self.seed));
        self.prepare_root();
        let (started, is_over) = (AtomicU32::new(0), AtomicBool::new(false));
        let this = &*self;
        let work = |thread: usize, interrupt: &mut dyn FnMut() -> bool| {
            let seed = stream_seed(this.seed, thread as u64);
            let (mut worker, mut done) = (Worker::new(this.root.clone(), seed), 0);
            while !is_over.load(Relaxed)
                && !this.is_decided()
                && started.load(Relaxed) < this.most_simulations()
                && started.fetch_add(1, Relaxed) < this.settings.simulations
            {
                this.simulate(&mut worker);
                done += 1;
                let is_late = || time.is_some() && this.is_late(begin.elapsed(), time);
                if is_late() || this.tree.is_starved() || done % INTERVAL == 0 && interrupt() {
                    is_over.store(true, Relaxed);
                }
            }
        };
        let mut is_interrupted = false;
        let mut interrupt = || {
            is_interrupted = interrupt();
            is_interrupted
        };
        let helper = |thread| work(thread, &mut || false);
        Threads::new(Some(threads))
            .share(threads.saturating_sub(1), &helper, &mut || work(0, &mut interrupt));
        self.simulations = started.into_inner().min(self.settings.simulations);
        self.elapsed = begin.elapsed();
        if self.tree.is_starved() {
            return Err(NoMemory.into());
        }
        if is_interrupted { Err(SearchError::Interrupted) } else { Ok(()) }
    }

    /// Whether there is anything to search, and the limits ask for simulations.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        let may_choose = self.allowed.as_ref().is_none_or(|allowed| !allowed.is_empty());
        may_choose && !self.root.is_over() && self.settings.simulations > 0
    }

    fn begin(&mut self, has_evaluator: bool) {
        (self.simulations, self.elapsed) = (0, Duration::ZERO);
        if self.settings.selection == Selection::Gumbel {
            self.tree.clear();
            self.priors.clear();
            self.solver_time = Duration::ZERO;
        }
        self.was_searched = !self.priors.is_empty();
        self.has_evaluator = has_evaluator;
    }

    /// Decides what is decided before the first simulation, once the root has children.
    fn prepare_root(&mut self) {
        let (_, children) = self.tree.children(ROOT);
        if children.is_empty() {
            return;
        }
        self.note_solution();
        // A stream of its own: the noise does not depend on what else is sampled.
        let mut rng = RandomStream::new(stream_seed(self.seed, u64::MAX));
        if self.settings.selection == Selection::Gumbel {
            self.schedule =
                Schedule::new(children, &self.settings, self.most_simulations(), &mut rng);
        }
        if self.priors.is_empty() {
            self.priors.extend(children.iter().map(Node::prior));
            // Noise belongs to the root: a search that goes on has it already.
            if let Some(noise) = self.settings.noise {
                mix_noise(children, noise, &mut rng);
            }
        }
    }
}

/// Most nodes of a tree: the root and its actions have nodes whatever the limit.
fn capacity<G: Playouts>(game: &G, settings: &Settings) -> usize {
    settings.max_nodes.max(1 + game.size().num_actions())
}

fn tree_for<G: Playouts>(game: &G, settings: &Settings) -> Result<Tree, NoMemory> {
    Tree::new(capacity(game, settings), settings.rave.is_some())
}

/// Runs simulations with playouts in all these searches, whose settings are the same but for the number
/// of simulations: each on one thread, several at a time, in its share of the time.
///
/// ```
/// use sixplane::search::{Search, Settings, run_with_playouts};
/// use sixplane::{Game, Gomoku};
///
/// let settings = Settings { simulations: 50, threads: 2, ..Settings::default() };
/// let search = |seed| Search::new(&Gomoku::new(5).expect("a size"), settings, seed);
/// let mut searches = vec![search(1)?, search(2)?, search(3)?];
/// run_with_playouts(&mut searches, &mut || false)?;
/// assert!(searches.iter().all(|search| search.report().simulations == 50));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`Search::run`].
pub fn run_with_playouts<G: Playouts + Exact>(
    searches: &mut [Search<G>],
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<(), SearchError<Infallible>> {
    let Some(Settings { threads, time, .. }) = searches.first().map(|s| s.settings) else {
        return Ok(());
    };
    let wanted = searches.iter().filter(|search| search.is_wanted()).count().max(1);
    let threads = threads.clamp(1, wanted);
    let share = threads as f64 / wanted as f64;
    let time = time.map(|time| {
        Duration::try_from_secs_f64(share * time.as_secs_f64()).unwrap_or(Duration::MAX)
    });
    Threads::new(Some(threads)).try_each(
        searches,
        |search, interrupt| search.run_on(1, time, interrupt),
        interrupt,
        || SearchError::Interrupted,
    )
}
