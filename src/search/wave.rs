//! Waves of leaves: many trees, one call of the evaluator.

use std::ops::Range;
use std::time::Instant;

use rand::RngExt;

use super::Searchable;
use super::ask::ask;
use super::cache::Cache;
use super::error::SearchError;
use super::evaluator::{
    EvaluationError, Evaluations, Evaluator, log_softmax, softmax, write_planes,
};
use super::settings::Selection;
use super::tree::{NodeId, ROOT};
use super::trunk::Walker;
use super::{Search, Settings};
use crate::geometry::{Action, BoardSize};
use crate::state::LegalPoints;
use crate::symmetry::Symmetry;
use crate::threads::Threads;

/// A position that waits for its evaluation.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    node: NodeId,
    legal: LegalPoints,
    may_pass: bool,
    symmetry: Symmetry,
}

impl Leaf {
    /// The legal actions.
    #[inline]
    fn actions(&self, size: BoardSize) -> impl Iterator<Item = Action> {
        let pass = self.may_pass.then(|| size.pass());
        self.legal.iter().map(Action::new).chain(pass)
    }

    fn count(&self) -> usize {
        self.legal.count() + usize::from(self.may_pass)
    }

    /// All that an evaluation depends on: what the evaluator sees and which actions are legal.
    pub(super) fn key(&self, size: BoardSize, planes: &[u8], history: usize) -> Vec<u8> {
        let mut key = vec![size.rows() as u8, size.cols() as u8, u8::from(self.may_pass)];
        key.extend_from_slice(planes);
        if history > 0 {
            // The planes do not say which points are legal.
            key.push(self.symmetry.index() as u8);
            key.extend(self.legal.0.iter().flat_map(|word| word.to_le_bytes()));
        }
        key
    }
}

/// The leaves that one tree adds to a wave.
#[derive(Debug)]
pub(super) struct Wave<G: Searchable> {
    pub(super) walker: Walker<G>,
    pub(super) leaves: Vec<Leaf>,
    /// Their planes, one after another.
    pub(super) planes: Vec<u8>,
    /// The path of each simulation, and its leaf.
    waiting: Vec<(Range<usize>, usize)>,
    paths: Vec<NodeId>,
    priors: Vec<f32>,
    /// Whether there was no memory for a leaf.
    is_starved: bool,
}

impl<G: Searchable> Wave<G> {
    pub(super) fn new(game: G, seed: u64) -> Self {
        Self {
            walker: Walker::new(game, seed),
            leaves: Vec::new(),
            planes: Vec::new(),
            waiting: Vec::new(),
            paths: Vec::new(),
            priors: Vec::new(),
            is_starved: false,
        }
    }

    pub(super) fn reseed(&mut self, seed: u64) {
        let game = self.walker.game.clone();
        self.walker = Walker::new(game, seed);
    }

    fn clear(&mut self) {
        self.leaves.clear();
        self.planes.clear();
        self.waiting.clear();
        self.paths.clear();
        self.is_starved = false;
    }
}

/// Runs simulations of all these searches, whose settings are the same but for the number of simulations,
/// until their limits are reached: wave after wave, select in each tree, evaluate all leaves at once,
/// expand and back up in each tree. Searches of games that are over, and those that are to run no
/// simulations, stay as they are. `interrupt` is asked in each wave; there is at least one.
///
/// # Errors
/// [`SearchError`]; the simulations of earlier waves are kept.
pub fn run_waves<G: Searchable, E: Evaluator>(
    searches: &mut [Search<G>],
    evaluator: &mut E,
    cache: &mut Cache,
    interrupt: &mut dyn FnMut() -> bool,
) -> Result<(), SearchError<E::Error>> {
    let begin = Instant::now();
    let Some(Settings { threads, time, .. }) = searches.first().map(|s| s.settings) else {
        return Ok(());
    };
    let threads = Threads::new(Some(threads));
    let is_late = || time.is_some_and(|time| begin.elapsed() >= time);
    let (mut result, mut has_begun) = (Ok(()), false);
    each(&threads, searches, Search::begin_waves);
    while result.is_ok() && searches.iter().any(Search::goes_on) && !(has_begun && is_late()) {
        has_begun = true;
        each(&threads, searches, Search::gather);
        result = if interrupt() {
            Err(SearchError::Interrupted)
        } else if searches.iter().any(|search| search.wave.is_starved) {
            Err(SearchError::NoMemory)
        } else {
            ask(searches, evaluator, cache).and_then(|found| {
                absorb(searches, &threads, &found).map_err(SearchError::Evaluation)
            })
        };
        if result.is_ok() && searches.iter().any(|search| search.trunk.tree.is_starved()) {
            result = Err(SearchError::NoMemory);
        }
    }
    if matches!(result, Err(SearchError::Evaluation(_))) {
        cache.clear(); // Some of what was asked last is of no use.
    }
    for search in searches {
        search.withdraw();
        search.elapsed = begin.elapsed();
    }
    result
}

/// So many searches are worth a task of their own: to select a leaf takes some microseconds.
const SEARCHES_A_TASK: usize = 4;

/// Calls `work` with each search, on several threads.
fn each<G: Searchable>(threads: &Threads, searches: &mut [Search<G>], work: fn(&mut Search<G>)) {
    let length = threads.task_len(searches.len(), SEARCHES_A_TASK);
    threads.map(searches.chunks_mut(length), |searches| searches.iter_mut().for_each(work));
}

/// Brings evaluations, in the order of the searches and their leaves, into the trees: into all or none.
fn absorb<G: Searchable>(
    searches: &mut [Search<G>],
    threads: &Threads,
    evaluations: &Evaluations,
) -> Result<(), EvaluationError> {
    let mut after = 0;
    let first_leaf = |search: &Search<G>| {
        let first = after;
        after += search.wave.leaves.len();
        first
    };
    let firsts: Vec<usize> = searches.iter().map(first_leaf).collect();
    let length = threads.task_len(searches.len(), SEARCHES_A_TASK);
    let tasks = searches.chunks_mut(length).zip(firsts.chunks(length));
    let weighed = threads.map(tasks, |(searches, firsts)| {
        let mut all = searches.iter_mut().zip(firsts);
        all.try_for_each(|(search, &first)| search.weigh(evaluations, first))
    });
    weighed.into_iter().collect::<Result<(), _>>()?;
    let tasks = searches.chunks_mut(length).zip(firsts.chunks(length));
    threads.map(tasks, |(searches, firsts)| {
        for (search, &first) in searches.iter_mut().zip(firsts) {
            search.absorb(evaluations, first);
        }
    });
    Ok(())
}

impl<G: Searchable> Search<G> {
    fn begin_waves(&mut self) {
        self.begin(false, self.settings.leaves > 1);
        if self.is_wanted() {
            self.plan();
        }
    }

    /// Whether there are simulations left.
    fn goes_on(&self) -> bool {
        !self.trunk.root.is_over() && self.done < self.settings.simulations
    }

    /// Selects leaves: as many as the settings say, one of them the root if it is none yet.
    fn gather(&mut self) {
        self.wave.clear();
        if !self.goes_on() {
            return;
        }
        let left = self.settings.simulations - self.done;
        let has_begun = self.trunk.tree.node(ROOT).is_expanded();
        let wanted = if has_begun { self.settings.leaves.min(left as usize) } else { 1 };
        for _ in 0..wanted {
            let node = self.trunk.select(&mut self.wave.walker);
            let Wave { walker, leaves, planes, waiting, paths, .. } = &mut self.wave;
            if walker.game.is_over() {
                self.trunk.back_up(&walker.path, self.trunk.worth(&walker.game));
                self.done += 1;
                continue;
            }
            let found = if self.trunk.tree.node(node).claim() {
                let symmetry = draw_symmetry(walker, self.settings.symmetry);
                if write_planes(&walker.game, &self.settings, symmetry, planes).is_err() {
                    self.trunk.tree.node(node).unclaim();
                    self.trunk.withdraw(&walker.path);
                    self.wave.is_starved = true;
                    return;
                }
                let legal = *walker.game.state().legal();
                leaves.push(Leaf { node, legal, may_pass: walker.game.may_pass(), symmetry });
                leaves.len() - 1
            } else {
                // On its way already: this simulation waits for the same evaluation.
                leaves.iter().position(|leaf| leaf.node == node).unwrap_or(0)
            };
            let begin = paths.len();
            paths.extend_from_slice(&walker.path);
            waiting.push((begin..paths.len(), found));
        }
    }

    /// Makes the logits of the leaves, whose evaluations begin at `first`, priors of their actions.
    fn weigh(&mut self, evaluations: &Evaluations, first: usize) -> Result<(), EvaluationError> {
        let size = self.trunk.root.size();
        let count = size.num_actions();
        let Wave { leaves, priors, .. } = &mut self.wave;
        priors.clear();
        for (row, leaf) in (first..).zip(leaves.iter()) {
            let (begin, symmetry) = (priors.len(), leaf.symmetry);
            let logits = &evaluations.logits[row * count..][..count];
            if symmetry == Symmetry::IDENTITY {
                priors.extend(leaf.actions(size).map(|a| logits[a.index()]));
            } else {
                priors.extend(leaf.actions(size).map(|a| logits[symmetry.action(size, a).index()]));
            }
            let priors = &mut priors[begin..];
            let is_logit = |logit: &f32| *logit < f32::INFINITY; // NaN is not.
            if !priors.iter().fold(true, |all, logit| all & is_logit(logit)) {
                let i = priors.iter().position(|logit| !is_logit(logit)).unwrap_or(0);
                let action = leaf.actions(size).nth(i).map(Action::index);
                return Err(EvaluationError::Logit { leaf: row, action, logit: priors[i] });
            }
            if !priors.iter().fold(false, |any, &logit| any | (logit > f32::NEG_INFINITY)) {
                let logit = f32::NEG_INFINITY;
                return Err(EvaluationError::Logit { leaf: row, action: None, logit });
            }
            match self.settings.selection {
                Selection::Gumbel => log_softmax(priors),
                _ => softmax(priors),
            }
        }
        Ok(())
    }

    /// Expands the leaves and backs their values up.
    fn absorb(&mut self, evaluations: &Evaluations, first: usize) {
        let size = self.trunk.root.size();
        let Wave { leaves, priors, waiting, paths, .. } = &mut self.wave;
        let values = &evaluations.values[first..];
        let mut priors = priors.as_slice();
        for (leaf, &value) in leaves.iter().zip(values) {
            let (own, others) = priors.split_at(leaf.count());
            let children = leaf.actions(size).zip(own.iter().copied());
            self.trunk.tree.expand(leaf.node, value, own.len(), children);
            priors = others;
        }
        for (path, leaf) in waiting.drain(..) {
            let (path, value) = (&paths[path], f64::from(values[leaf]));
            // The evaluation is for the player to play, who is the root's at even depths.
            self.trunk.back_up(path, if path.len() % 2 == 0 { value } else { -value });
            self.done += u32::from(!path.is_empty());
        }
        let is_root = leaves.first().is_some_and(|leaf| leaf.node == ROOT);
        self.wave.clear();
        if is_root {
            self.plan();
        }
    }

    /// Gives up what a wave began: nothing is on its way.
    fn withdraw(&mut self) {
        for (path, _) in self.wave.waiting.drain(..) {
            self.trunk.withdraw(&self.wave.paths[path]);
        }
        for leaf in &self.wave.leaves {
            let node = self.trunk.tree.node(leaf.node);
            if !node.is_expanded() {
                node.unclaim();
            }
        }
        self.wave.clear();
    }
}

fn draw_symmetry<G: Searchable>(walker: &mut Walker<G>, wanted: bool) -> Symmetry {
    if !wanted {
        return Symmetry::IDENTITY;
    }
    let count = if walker.game.size().is_square() { 8 } else { 4 };
    Symmetry::new(walker.rng.random_range(0..count)).unwrap_or_default()
}
