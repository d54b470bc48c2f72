//! The leaf batch: the leaves of many trees that go to the evaluator in one call.

use std::time::Instant;

use rand::RngExt;

use super::cache::Cache;
use super::error::{NoMemory, SearchError};
use super::evaluator::{Evaluations, Evaluator, Leaves};
use super::node::NodeId;
use super::proofs::solving_ends;
use super::settings::{Reward, Settings};
use super::simulation::{Search, Worker};
use super::tree::ROOT;
use crate::bits::Bits;
use crate::exact::Exact;
use crate::game::Game;
use crate::geometry::Action;
use crate::planes::NUM_PLANES;
use crate::playout::Playouts;
use crate::random::{RandomStream, stream_seed};
use crate::symmetry::Symmetry;
use crate::threads::Threads;

/// So many searches are worth a task of their own: to select a leaf takes some microseconds.
const SEARCHES_A_TASK: usize = 4;

/// Runs simulations of all these searches, whose settings are the same but for the number of simulations,
/// until their limits are reached: again and again it selects leaves in each tree, evaluates all of them
/// in one call, expands them and backs their values up. Searches of games that are over, and those that
/// are to run no simulations, stay as they are. `interrupt` is called for each leaf batch, of which there is
/// at least one, and with [`Settings::exact`] while the roots are solved.
///
/// ```
/// use std::convert::Infallible;
///
/// use sixplane::search::{
///     Cache, Evaluations, Evaluator, Leaves, Search, Settings, run_with_evaluator,
/// };
/// use sixplane::{Game, Reversi};
///
/// /// Counts its calls, and calls every position even.
/// struct Even(usize);
///
/// impl Evaluator for Even {
///     type Error = Infallible;
///
///     fn evaluate(&mut self, leaves: Leaves) -> Result<Evaluations, Infallible> {
///         self.0 += 1;
///         let logits = vec![0.0; leaves.count * leaves.size.num_actions()];
///         Ok(Evaluations { logits, values: vec![0.0; leaves.count] })
///     }
/// }
///
/// let settings = Settings { simulations: 32, ..Settings::default() };
/// let game = Reversi::new(6)?;
/// let mut searches = vec![Search::new(&game, settings, 1)?, Search::new(&game, settings, 2)?];
/// let mut even = Even(0);
/// run_with_evaluator(&mut searches, &mut even, &mut Cache::new(0)?, &mut || false)?;
/// assert!(even.0 <= 33); // both games share the calls
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SearchError`]; the simulations of earlier leaf batches are kept.
///
/// # Panics
/// If the boards have different sizes: the planes of a call are one array.
pub fn run_with_evaluator<G: Playouts + Exact, E: Evaluator>(
    searches: &mut [Search<G>],
    evaluator: &mut E,
    cache: &mut Cache,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<(), SearchError<E::Error>> {
    let begin = Instant::now();
    let Some(Settings { threads, time, .. }) = searches.first().map(|search| search.settings)
    else {
        return Ok(());
    };
    let size = |search: &Search<G>| search.root.size();
    assert!(
        searches.iter().all(|search| size(search) == size(&searches[0])),
        "boards of one size are needed"
    );
    let threads = Threads::new(Some(threads));
    let mut parts = threads.map(searches, Part::new);
    let end = solving_ends(begin, time);
    let mut result = prepare_roots(&mut parts, &threads, end, interrupt);
    while result.is_ok() && parts.iter().any(Part::goes_on) {
        result = run_leaf_batch(&mut parts, &threads, evaluator, cache, interrupt);
        if time.is_some() {
            let elapsed = begin.elapsed();
            for part in &mut parts {
                part.is_late = part.search.is_late(elapsed, time);
            }
        }
    }
    if matches!(result, Err(SearchError::Evaluation(_))) {
        cache.clear(); // It has some of these evaluations.
    }
    for Part { search, waiting, .. } in parts {
        for &id in waiting.iter().flat_map(|(path, _)| path) {
            search.tree.node(id).leave();
        }
        search.elapsed = begin.elapsed();
    }
    result
}

/// Asks the solver about all roots until `end`, and prepares them.
fn prepare_roots<G: Playouts + Exact, E>(
    parts: &mut [Part<'_, G>],
    threads: &Threads,
    end: Option<Instant>,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<(), SearchError<E>> {
    let prepared = threads.try_each(
        parts,
        |part, interrupt| part.prepare_root(end, interrupt),
        interrupt,
        || (),
    );
    prepared.map_err(|()| SearchError::Interrupted)
}

fn run_leaf_batch<G: Playouts + Exact, E: Evaluator>(
    parts: &mut [Part<'_, G>],
    threads: &Threads,
    evaluator: &mut E,
    cache: &mut Cache,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<(), SearchError<E::Error>> {
    each(threads, parts, Part::select)?;
    if interrupt() {
        return Err(SearchError::Interrupted);
    }
    evaluate(parts, evaluator, cache)?;
    Ok(each(threads, parts, Part::expand_and_back_up)?)
}

/// Calls `work` with each part, on several threads.
fn each<P: Send>(
    threads: &Threads,
    parts: &mut [P],
    work: impl Fn(&mut P) -> Result<(), NoMemory> + Sync,
) -> Result<(), NoMemory> {
    let length = threads.task_len(parts.len(), SEARCHES_A_TASK);
    let tasks = parts.chunks_mut(length);
    threads.map(tasks, |parts| parts.iter_mut().try_for_each(&work)).into_iter().collect()
}

/// Evaluates all leaves, but for those that the cache knows.
fn evaluate<G: Playouts, E: Evaluator>(
    parts: &mut [Part<'_, G>],
    evaluator: &mut E,
    cache: &mut Cache,
) -> Result<(), SearchError<E::Error>> {
    let size = parts[0].search.root.size();
    let (mut planes, mut new) = (Vec::new(), Vec::new());
    for leaf in parts.iter_mut().flat_map(|part| &mut part.leaves) {
        if let Some((logits, value)) = cache.get(size, &leaf.planes) {
            leaf.take(logits, value).map_err(SearchError::Evaluation)?;
        } else {
            planes.try_reserve(leaf.planes.len()).map_err(|_| NoMemory)?;
            planes.extend_from_slice(&leaf.planes);
            new.push(leaf);
        }
    }
    if new.is_empty() {
        return Ok(());
    }
    let (count, actions) = (new.len(), size.num_actions());
    let num_planes = planes.len() / (count * size.points());
    let evaluations = evaluator.evaluate(Leaves { count, num_planes, size, planes });
    let Evaluations { logits, values } = evaluations.map_err(SearchError::Evaluator)?;
    if (logits.len(), values.len()) != (count * actions, count) {
        return Err(SearchError::Evaluation(format!(
            "{count} positions of {actions} actions need as many rows of logits and values, not {} \
             logits and {} values",
            logits.len(),
            values.len()
        )));
    }
    for (row, (leaf, (logits, value))) in
        new.into_iter().zip(logits.chunks(actions).zip(values)).enumerate()
    {
        let in_row = |error| SearchError::Evaluation(format!("in position {row} {error}"));
        leaf.take(logits, value).map_err(in_row)?;
        cache.insert(size, &leaf.planes, logits, value);
    }
    Ok(())
}

/// A position that waits for its evaluation.
#[derive(Debug)]
struct Leaf {
    node: NodeId,
    actions: Vec<Action>,
    /// The same actions on the board that the evaluator sees.
    seen: Vec<Action>,
    /// What the evaluator sees.
    planes: Vec<u8>,
    /// The logits of the actions, once it is evaluated.
    logits: Vec<f32>,
    value: f32,
    /// What the value is a value of.
    reward: Reward,
    /// The points where a play loses for certain.
    losing: Bits<10>,
}

impl Leaf {
    fn new<G: Playouts + Exact>(
        node: NodeId,
        search: &Search<G>,
        &Worker { ref game, losing, .. }: &Worker<G>,
    ) -> Result<Self, NoMemory> {
        let (size, settings) = (game.size(), &search.settings);
        let actions = search.actions(node, game);
        let symmetry = settings.symmetry.map_or(Symmetry::IDENTITY, |seed| {
            // By the position, so that it looks the same when it comes again: the cache knows it then.
            let mut rng = RandomStream::new(stream_seed(seed, game.state().hash()));
            let index = rng.random_range(0..game.num_symmetries());
            G::symmetry(index).expect("one of the symmetries")
        });
        let planes = planes_seen(game, settings, symmetry)?;
        let seen = actions.iter().map(|&action| symmetry.action(size, action)).collect();
        let (logits, value, reward) = (Vec::new(), 0.0, settings.reward);
        Ok(Self { node, actions, seen, planes, logits, value, reward, losing })
    }

    /// Takes its evaluation, or says why the numbers cannot be used.
    fn take(&mut self, logits: &[f32], value: f32) -> Result<(), String> {
        self.logits = self.seen.iter().map(|action| logits[action.index()]).collect();
        self.value = self.reward.taken(value).ok_or_else(|| {
            let allowed = match self.reward {
                Reward::Outcome => "from -1 to 1",
                Reward::Margin => "a finite number",
            };
            format!("the value is {value}: it must be {allowed}")
        })?;
        let is_wrong = |logit: &f32| logit.is_nan() || *logit == f32::INFINITY;
        if let Some(wrong) = self.logits.iter().position(is_wrong) {
            Err(format!(
                "the logit of action {} is {}: it must be a number, or -inf to leave the action out",
                self.actions[wrong].index(),
                self.logits[wrong]
            ))
        } else if self.logits.iter().all(|&logit| logit == f32::NEG_INFINITY) {
            Err("the logits of all actions that may be played are -inf".to_owned())
        } else {
            Ok(())
        }
    }
}

/// What an evaluator sees of a position through a symmetry, as the settings ask for it.
fn planes_seen<G: Game>(
    game: &G,
    &Settings { history, view, .. }: &Settings,
    symmetry: Symmetry,
) -> Result<Vec<u8>, NoMemory> {
    let points = game.size().points();
    let pairs = if history == 0 { Some(NUM_PLANES) } else { history.checked_mul(2) };
    let count = pairs.and_then(|count| (count + usize::from(history > 0)).checked_mul(points));
    let mut cells = Vec::new();
    cells.try_reserve_exact(count.ok_or(NoMemory)?).map_err(|_| NoMemory)?;
    if history > 0 {
        cells.extend(&symmetry.planes(game.state().history_planes(history).view()));
    } else if symmetry == Symmetry::IDENTITY {
        cells.extend_from_slice(game.state().planes().cells());
    } else {
        cells.extend(&symmetry.planes(game.planes()));
    }
    if history == 0 {
        view.orient(game.turn(), &mut cells);
    }
    Ok(cells)
}

/// The part of one search in a leaf batch.
#[derive(Debug)]
struct Part<'a, G: Playouts> {
    search: &'a mut Search<G>,
    worker: Worker<G>,
    leaves: Vec<Leaf>,
    /// The path of each simulation that waits, and its leaf.
    waiting: Vec<(Vec<NodeId>, usize)>,
    /// Whether the time of the search is up.
    is_late: bool,
}

impl<'a, G: Playouts + Exact> Part<'a, G> {
    fn new(search: &'a mut Search<G>) -> Self {
        search.begin(true);
        let worker = Worker::new(search.root.clone(), search.seed);
        Self { search, worker, leaves: Vec::new(), waiting: Vec::new(), is_late: false }
    }

    /// Fails if it was interrupted.
    fn prepare_root(
        &mut self,
        end: Option<Instant>,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<(), ()> {
        if self.search.is_wanted() {
            if self.search.solve_root(end, interrupt) {
                return Err(());
            }
            self.search.prepare_root();
        }
        Ok(())
    }

    /// Whether simulations and time are left.
    fn goes_on(&self) -> bool {
        let Self { search, is_late, .. } = self;
        let is_left = search.simulations < search.most_simulations() && !is_late;
        is_left && search.is_wanted() && !search.is_decided()
    }

    /// Selects leaves, as many as the settings say, or the root alone if it is a leaf. Simulations that
    /// reach the end of the game are complete at once.
    fn select(&mut self) -> Result<(), NoMemory> {
        if !self.goes_on() {
            return Ok(());
        }
        let Self { search, worker, leaves, waiting, .. } = self;
        let left = (search.most_simulations() - search.simulations) as usize;
        let has_begun = search.tree.node(ROOT).children().is_some();
        for _ in 0..if has_begun { left.min(search.settings.leaves.max(1)) } else { 1 } {
            if search.is_decided() {
                break;
            }
            let id = search.select(worker);
            // A leaf that waits already gives its evaluation to this simulation, too.
            let waits = leaves.iter().position(|leaf| leaf.node == id);
            if waits.is_none() {
                if let Some(value) = search.known(id, worker) {
                    search.back_up(&worker.path, value);
                    search.simulations += 1;
                    continue;
                }
                leaves.push(Leaf::new(id, search, worker)?);
            }
            waiting.push((worker.path.clone(), waits.unwrap_or(leaves.len() - 1)));
        }
        Ok(())
    }

    /// Expands the leaves and backs their values up.
    fn expand_and_back_up(&mut self) -> Result<(), NoMemory> {
        let Self { search, leaves, waiting, .. } = self;
        for leaf in &mut *leaves {
            softmax(&mut leaf.logits);
            // The evaluation is for the player to play, a node's value for the one who led there.
            search.tree.node(leaf.node).set_value(-leaf.value);
            let children = leaf.actions.iter().zip(&leaf.logits);
            let children = children.map(|(&action, &prior)| (action, prior, 0.0));
            search.tree.expand(leaf.node, children);
        }
        let uses_proofs = search.uses_proofs();
        for (path, leaf) in waiting.drain(..) {
            let leaf = &leaves[leaf];
            let value = f64::from(leaf.value);
            // The player to play is the root's at even depths.
            let value = if path.len() % 2 == 0 { value } else { -value };
            if uses_proofs {
                search.note_losing(&path, &leaf.losing);
            }
            let certain = uses_proofs.then(|| search.certain(&path)).flatten();
            search.back_up(&path, certain.unwrap_or(value));
            search.simulations += u32::from(!path.is_empty());
        }
        if leaves.iter().any(|leaf| leaf.node == ROOT) {
            search.prepare_root();
        }
        leaves.clear();
        if search.tree.is_starved() { Err(NoMemory) } else { Ok(()) }
    }
}

/// The probabilities that go with logits, in place: their softmax. At least one logit is above `-inf`.
fn softmax(logits: &mut [f32]) {
    let highest = logits.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    for logit in &mut *logits {
        *logit = (*logit - highest).exp();
    }
    let share = 1.0 / logits.iter().sum::<f32>();
    for probability in logits {
        *probability *= share;
    }
}
