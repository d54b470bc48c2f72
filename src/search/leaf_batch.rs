//! The leaf batch: the leaves of many trees that go to the evaluator in one call.

use rand::RngExt;

use super::cache::Cache;
use super::error::{EvaluationError, NoMemory, SearchError};
use super::evaluator::{Evaluations, Evaluator, Leaves, num_planes, softmax, write_planes};
use super::node::NodeId;
use super::settings::Settings;
use super::simulation::{SearchState, Searchable, Worker};
use super::tree::ROOT;
use crate::geometry::{Action, BoardSize};
use crate::symmetry::Symmetry;

/// A position that waits for its evaluation.
#[derive(Debug)]
struct Leaf {
    node: NodeId,
    actions: Vec<Action>,
    /// The same actions on the board that the evaluator sees.
    seen: Vec<Action>,
}

/// The part of one tree in a leaf batch.
#[derive(Debug, Default)]
pub(super) struct LeafBatch {
    leaves: Vec<Leaf>,
    /// `[leaves, planes, rows, cols]`: what the evaluator sees.
    planes: Vec<u8>,
    /// The path of each simulation that waits, and its leaf.
    waiting: Vec<(Vec<NodeId>, usize)>,
    /// The row of the first leaf among the leaves of all trees.
    first: usize,
    /// The logits of the legal actions of each leaf, one leaf after another.
    logits: Vec<f32>,
    /// Whether there was no memory for a leaf.
    pub(super) is_starved: bool,
}

impl LeafBatch {
    /// Selects leaves, as many as the settings say, or the root alone if it is a leaf. Simulations that
    /// reach the end of the game are complete at once.
    pub(super) fn select<G: Searchable>(
        &mut self,
        state: &mut SearchState<G>,
        worker: &mut Worker<G>,
    ) {
        let left = state.settings.simulations - state.simulations;
        let has_begun = state.tree.node(ROOT).children().is_some();
        let wanted = if has_begun { state.settings.leaves.min(left as usize) } else { 1 };
        for _ in 0..wanted {
            let id = state.select(worker);
            if worker.game.is_over() {
                state.back_up(&worker.path, state.value_of_end(&worker.game));
                state.simulations += 1;
                continue;
            }
            let node = state.tree.node(id);
            // A leaf that waits already gives its evaluation to this simulation, too.
            let mut leaf = self.leaves.iter().position(|leaf| leaf.node == id).unwrap_or(0);
            if node.claim() {
                if self.push(id, &state.settings, worker).is_err() {
                    node.unclaim();
                    state.withdraw(&worker.path);
                    self.is_starved = true;
                    return;
                }
                leaf = self.leaves.len() - 1;
            }
            self.waiting.push((worker.path.clone(), leaf));
        }
    }

    fn push<G: Searchable>(
        &mut self,
        node: NodeId,
        settings: &Settings,
        worker: &mut Worker<G>,
    ) -> Result<(), NoMemory> {
        let Worker { game, rng, .. } = worker;
        let (size, actions) = (game.size(), game.legal_actions());
        let count = if size.is_square() { 8 } else { 4 };
        let index = if settings.symmetry { rng.random_range(0..count) } else { 0 };
        let symmetry = Symmetry::new(index).unwrap_or_default();
        write_planes(game, settings, symmetry, &mut self.planes)?;
        let seen = if symmetry == Symmetry::IDENTITY {
            actions.clone()
        } else {
            actions.iter().map(|&action| symmetry.action(size, action)).collect()
        };
        self.leaves.push(Leaf { node, actions, seen });
        Ok(())
    }

    /// Takes the logits of the legal actions, if all of them can be used.
    pub(super) fn read_logits(&mut self, evaluations: &Evaluations) -> Result<(), EvaluationError> {
        self.logits.clear();
        for (row, leaf) in (self.first..).zip(&self.leaves) {
            let (begin, all) = (self.logits.len(), evaluations.row(row));
            self.logits.extend(leaf.seen.iter().map(|action| all[action.index()]));
            let logits = &self.logits[begin..];
            let mut edges = logits.iter().zip(&leaf.actions);
            let wrong = edges.find(|(logit, _)| logit.is_nan() || **logit == f32::INFINITY);
            if let Some((&logit, action)) = wrong {
                let action = Some(action.index());
                return Err(EvaluationError::Logit { leaf: row, action, logit });
            }
            if logits.iter().all(|&logit| logit == f32::NEG_INFINITY) {
                let logit = f32::NEG_INFINITY;
                return Err(EvaluationError::Logit { leaf: row, action: None, logit });
            }
        }
        Ok(())
    }

    /// Expands the leaves and backs their values up. Says whether the root was one of them.
    pub(super) fn expand_and_back_up<G: Searchable>(
        &mut self,
        state: &mut SearchState<G>,
        evaluations: &Evaluations,
    ) -> bool {
        let mut logits = self.logits.as_mut_slice();
        for (row, leaf) in (self.first..).zip(&self.leaves) {
            let (priors, others) = logits.split_at_mut(leaf.actions.len());
            softmax(priors);
            logits = others;
            // The evaluation is for the player to play, a node's value for the one who led there.
            state.tree.node(leaf.node).set_value(-evaluations.values[row]);
            let children = leaf.actions.iter().zip(priors);
            let children = children.map(|(&action, prior)| (action, *prior, 0.0));
            state.tree.expand(leaf.node, leaf.actions.len(), children);
        }
        for (path, leaf) in self.waiting.drain(..) {
            let value = f64::from(evaluations.values[self.first + leaf]);
            // The player to play is the root's at even depths.
            state.back_up(&path, if path.len() % 2 == 0 { value } else { -value });
            state.simulations += u32::from(!path.is_empty());
        }
        let has_root = self.leaves.first().is_some_and(|leaf| leaf.node == ROOT);
        self.leaves.clear();
        self.planes.clear();
        has_root
    }

    /// Gives up what waits for an evaluation.
    pub(super) fn withdraw<G: Searchable>(&mut self, state: &SearchState<G>) {
        for (path, _) in self.waiting.drain(..) {
            state.withdraw(&path);
        }
        for leaf in self.leaves.drain(..) {
            state.tree.node(leaf.node).unclaim();
        }
        self.planes.clear();
        self.is_starved = false;
    }
}

/// Evaluates the leaves of all trees, but for those that the cache knows.
pub(super) fn evaluate<'a, E: Evaluator>(
    batches: impl Iterator<Item = &'a mut LeafBatch>,
    size: BoardSize,
    history: usize,
    evaluator: &mut E,
    cache: &mut Cache,
) -> Result<Evaluations, SearchError<E::Error>> {
    let num_planes = num_planes(history);
    let cells = num_planes * size.points();
    let (mut new_planes, mut rows, mut count) = (Vec::new(), Vec::new(), 0);
    for batch in batches {
        batch.first = count;
        count += batch.leaves.len();
        let mut add = |planes: &[u8]| {
            new_planes.try_reserve(planes.len()).map_err(|_| NoMemory)?;
            new_planes.extend_from_slice(planes);
            Ok::<(), NoMemory>(())
        };
        if cache.keeps_nothing() {
            add(&batch.planes)?;
            continue;
        }
        for planes in batch.planes.chunks(cells) {
            // Boards of other sizes may have as many cells.
            let key = [&[size.rows() as u8, size.cols() as u8], planes].concat();
            let found = cache.get(&key).map(|(logits, value)| (logits.to_vec(), value));
            if found.is_none() {
                add(planes)?;
            }
            rows.push((key, found));
        }
    }
    let count = new_planes.len() / cells;
    let mut new = Evaluations::default();
    if count > 0 {
        let leaves = Leaves { count, num_planes, size, planes: new_planes };
        new = evaluator.evaluate(leaves).map_err(SearchError::Evaluator)?;
        new.check(count, size.num_actions()).map_err(SearchError::Evaluation)?;
    }
    if cache.keeps_nothing() {
        return Ok(new);
    }
    let (mut next, mut all) = (0.., Evaluations::default());
    for (key, found) in rows {
        if let Some((logits, value)) = &found {
            all.push(logits, *value);
        } else if let Some(row) = next.next() {
            all.push(new.row(row), new.values[row]);
            cache.insert(&key, new.row(row), new.values[row]);
        }
    }
    Ok(all)
}
