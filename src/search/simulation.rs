//! One simulation: select, expand, evaluate, back up.

use std::time::Duration;

use rand::seq::SliceRandom;

use super::node::{Node, NodeId};
use super::selection::gumbel::{NodeView, Schedule};
use super::selection::statistics::Statistics;
use super::selection::{puct, ucb};
use super::settings::{Selection, Settings};
use super::tree::{ROOT, Tree};
use crate::bits::Bits;
use crate::color::Color;
use crate::exact::{Exact, Memory};
use crate::geometry::Action;
use crate::playout::{Playouts, Scratch};
use crate::random::RandomStream;
use crate::status::Outcome;

/// A position, its tree, and how it is searched.
///
/// ```
/// use sixplane::search::{Search, Settings};
/// use sixplane::{Game, Go};
///
/// let settings = Settings { simulations: 200, threads: 2, ..Settings::default() };
/// let mut search = Search::new(&Go::new(5)?, settings, 1)?;
/// search.run(&mut || false)?;
/// let report = search.report();
/// let best = report.best.expect("the game goes on");
/// assert_eq!(report.visits[best.index()], *report.visits.iter().max().unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search<G> {
    pub(super) root: G,
    pub(super) tree: Tree,
    pub(super) settings: Settings,
    pub(super) seed: u64,
    /// The legal actions of the root that may be chosen; `None`: all of them.
    pub(super) allowed: Option<Vec<Action>>,
    /// Whether an evaluator judges the leaves; if not, playouts do.
    pub(super) has_evaluator: bool,
    /// The priors of the root's children without noise; none before the first search of this root.
    pub(super) priors: Vec<f32>,
    /// What Gumbel selection does at the root.
    pub(super) schedule: Schedule,
    /// The most time that the solver had for the root and found too short; the maximum once it was not.
    pub(super) solver_time: Duration,
    /// Whether this root was searched before.
    pub(super) was_searched: bool,
    /// The action of the root that the solver found.
    pub(super) solution: Option<Action>,
    /// Simulations of this search until now.
    pub(super) simulations: u32,
    /// How long the last search took.
    pub(super) elapsed: Duration,
}

/// What one thread takes through the tree.
#[derive(Debug)]
pub(super) struct Worker<G: Playouts> {
    /// The position that the simulation has reached.
    pub(super) game: G,
    /// The nodes below the root that lead to it.
    pub(super) path: Vec<NodeId>,
    /// The points where a play loses for certain, once the solver was asked.
    pub(super) losing: Bits<10>,
    pub(super) rng: RandomStream,
    statistics: Statistics,
    scratch: Scratch<G>,
    /// The actions of this simulation's playout, where AMAF needs them.
    played: Vec<Action>,
}

impl<G: Playouts> Worker<G> {
    pub(super) fn new(game: G, seed: u64) -> Self {
        Self {
            game,
            path: Vec::new(),
            losing: Bits::EMPTY,
            rng: RandomStream::new(seed),
            statistics: Statistics::default(),
            scratch: Scratch::default(),
            played: Vec::new(),
        }
    }
}

impl<G: Playouts + Exact> Search<G> {
    /// One simulation with a playout.
    pub(super) fn simulate(&self, worker: &mut Worker<G>) {
        // Where the value is known, nothing is played after the path.
        worker.played.clear();
        let id = self.select(worker);
        let value = self.known(id, worker).unwrap_or_else(|| self.evaluate(worker));
        self.back_up(&worker.path, value);
        if self.settings.rave.is_some() {
            self.back_up_amaf(worker, value);
        }
    }

    /// Goes from the root to the end of the game, or to a node that has no children yet. With playouts,
    /// a node is expanded on its second visit.
    pub(super) fn select(&self, worker: &mut Worker<G>) -> NodeId {
        worker.game.clone_from(&self.root);
        worker.path.clear();
        let uses_proofs = self.uses_proofs();
        let mut id = ROOT;
        loop {
            let (first, children) = self.tree.children(id);
            if children.is_empty() {
                return id;
            }
            let choice = self.select_child(id, first, children, uses_proofs, worker);
            let child = &children[choice];
            id = first + choice as NodeId;
            child.enter();
            worker.path.push(id);
            worker.game.play_unchecked(child.action());
            if worker.game.is_over() || uses_proofs && child.proof().is_some() {
                return id;
            }
            if !self.has_evaluator && child.visits() > 0 {
                self.expand(id, worker);
                if uses_proofs && child.proof().is_some() {
                    return id;
                }
            }
        }
    }

    /// The child of an expanded node that the simulation follows.
    fn select_child(
        &self,
        id: NodeId,
        first: NodeId,
        children: &[Node],
        uses_proofs: bool,
        worker: &mut Worker<G>,
    ) -> usize {
        let Self { tree, settings, .. } = self;
        let Worker { statistics, rng, .. } = worker;
        let heuristic_visits = self.heuristic_visits();
        // Playouts have equal priors: without other knowledge, first visits follow the order.
        let in_order = settings.selection == Selection::Ucb && !self.has_evaluator;
        let in_order = in_order && settings.rave.is_none() && heuristic_visits == 0.0;
        while let Some(next) = in_order.then(|| tree.node(id).next_untried()).flatten() {
            if !uses_proofs || children[next].proof().is_none() {
                return next;
            }
        }
        let reads_proofs = uses_proofs && tree.node(id).has_proven_child();
        statistics.read(children, settings.reward.unit(), reads_proofs);
        match settings.selection {
            Selection::Ucb => {
                let amaf = tree.amaf(first, children.len());
                ucb::select(settings, heuristic_visits, children, amaf, statistics, rng)
            }
            Selection::Puct => puct::select(settings, children, statistics),
            Selection::Gumbel => {
                let value = self.value_to_play(id);
                let position = NodeView { value, children, statistics, settings };
                match id {
                    ROOT => position.select_at_root(&self.schedule),
                    _ => position.select_below_root(),
                }
            }
        }
    }

    /// The actions that a node of this position has children for.
    pub(super) fn actions(&self, id: NodeId, game: &G) -> Vec<Action> {
        match &self.allowed {
            Some(allowed) if id == ROOT => allowed.clone(),
            _ => game.legal_actions(),
        }
    }

    /// The value of a position before any search, for its player to play.
    pub(super) fn value_to_play(&self, id: NodeId) -> f32 {
        -self.tree.node(id).value()
    }

    /// As how many visits the heuristic value of an action counts; 0 where heuristic values are not used.
    pub(super) fn heuristic_visits(&self) -> f32 {
        let is_used = self.settings.selection == Selection::Ucb && !self.has_evaluator;
        if is_used { self.settings.prior_visits } else { 0.0 }
    }

    /// Gives children to the node of the worker's position, with equal priors, unless it has some or
    /// another thread is at it.
    pub(super) fn expand(&self, id: NodeId, worker: &mut Worker<G>) {
        let Worker { game, rng, path, .. } = worker;
        let node = self.tree.node(id);
        if !node.claim() {
            return;
        }
        let mut actions = self.actions(id, game);
        // Their first visits follow this order, and no part of the board should come before others.
        actions.shuffle(rng);
        let mut values = vec![0.0; actions.len()];
        if self.heuristic_visits() > 0.0 {
            game.write_heuristic_values(&actions, &mut values);
        } else {
            // What the first playout from here found.
            node.set_value(node.mean() as f32);
        }
        let prior = 1.0 / actions.len() as f32;
        let unit = self.settings.reward.unit();
        let children = actions.into_iter().zip(values);
        let children = children.map(|(action, value)| (action, prior, unit * value));
        if self.tree.expand(id, children) && self.uses_proofs() && node.proof().is_none() {
            let (_, losing) = Memory::of_thread(|memory| game.at_leaf(memory));
            self.note_losing(path, &losing);
        }
    }

    /// The value of a playout from the worker's position to the root's player.
    fn evaluate(&self, worker: &mut Worker<G>) -> f64 {
        let Worker { game, rng, scratch, played, .. } = worker;
        let score = game.playout(scratch, rng, self.settings.rave.map(|_| played));
        self.to_root(self.settings.reward.of(Outcome::of_score(score), score))
    }

    /// The value of a finished game to the root's player.
    pub(super) fn value_of_end(&self, game: &G) -> f64 {
        let outcome = game.outcome().unwrap_or(Outcome::Draw);
        self.to_root(self.settings.reward.of(outcome, game.score()))
    }

    /// Black's value as that of the root's player.
    fn to_root(&self, value: f64) -> f64 {
        match self.root.turn() {
            Color::Black => value,
            Color::White => -value,
        }
    }

    /// Adds a visit to every node of the path. `value` is for the root's player, who plays the actions at
    /// even depths.
    pub(super) fn back_up(&self, path: &[NodeId], mut value: f64) {
        for &id in path {
            let node = self.tree.node(id);
            node.add_visit(value);
            node.leave();
            value = -value;
        }
    }

    /// Adds the value to every action that the same player played first from its node on, in the tree
    /// or in the playout (AMAF).
    fn back_up_amaf(&self, worker: &mut Worker<G>, value: f64) {
        let Worker { path, played, .. } = worker;
        // Who plays each action first, seen from some node of the path on: an even or odd depth.
        let mut first_by = vec![None; self.root.size().num_actions()];
        for (i, action) in played.iter().enumerate().rev() {
            first_by[action.index()] = Some((path.len() + i) % 2);
        }
        // That a pass came later says nothing of passing now.
        let pass = self.root.size().points();
        for depth in (0..path.len()).rev() {
            let player = depth % 2;
            first_by[self.tree.node(path[depth]).action().index()] = Some(player);
            let parent = if depth == 0 { ROOT } else { path[depth - 1] };
            let (first, siblings) = self.tree.children(parent);
            let value = if player == 0 { value } else { -value } as f32;
            for (node, amaf) in siblings.iter().zip(self.tree.amaf(first, siblings.len())) {
                let point = node.action().index();
                if first_by[point] == Some(player) && point != pass {
                    amaf.add(value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::Amaf;
    use super::*;
    use crate::{Game, Gomoku};

    /// A search whose root and whose child at point 0 are expanded, and a worker.
    fn search() -> (Search<Gomoku>, Worker<Gomoku>) {
        let root = Gomoku::new(5).expect("a size");
        let mut worker = Worker::new(root.clone(), 1);
        let settings = Settings { rave: Some(100.0), max_nodes: 100, ..Settings::default() };
        let search = Search::new(&root, settings, 1).expect("memory");
        search.expand(ROOT, &mut worker);
        worker.game.play_unchecked(Action::new(0));
        search.expand(child(&search, ROOT, 0), &mut worker);
        (search, worker)
    }

    fn child<G>(search: &Search<G>, parent: NodeId, action: usize) -> NodeId {
        let (first, children) = search.tree.children(parent);
        let found = children.iter().position(|node| node.action() == Action::new(action));
        first + found.expect("a legal action") as NodeId
    }

    #[test]
    fn a_simulation_without_a_playout_counts_its_own_actions_alone() {
        let mut root = Gomoku::new(5).expect("a size");
        // Black wins at 4; all else is far from a line.
        for action in [0, 10, 1, 12, 2, 19, 3, 23] {
            root.play(Action::new(action)).expect("legal");
        }
        let settings = Settings { rave: Some(100.0), max_nodes: 1000, ..Settings::default() };
        let search = Search::new(&root, settings, 1).expect("memory");
        let mut worker = Worker::new(root, 1);
        search.expand(ROOT, &mut worker);
        let (first, children) = search.tree.children(ROOT);
        let amaf = || search.tree.amaf(first, children.len()).iter().map(|amaf| amaf.get().0);
        let mut ended = 0;
        for _ in 0..500 {
            let before: Vec<_> = amaf().collect();
            search.simulate(&mut worker);
            if worker.path.len() == 1 && worker.game.is_over() {
                let counted = amaf().zip(before).filter(|(now, before)| now > before).count();
                assert_eq!(counted, 1, "the winning action alone");
                ended += 1;
            }
        }
        assert!(ended > 100, "{ended}");
    }

    #[test]
    fn amaf_counts_what_the_same_player_plays_first() {
        let (search, mut worker) = search();
        let black = child(&search, ROOT, 0);
        worker.path = vec![black, child(&search, black, 7)];
        // Black, White, and so on: Black plays 3 first, White 4; both play 9, Black first.
        worker.played = [3, 4, 9, 9].map(Action::new).to_vec();
        search.back_up_amaf(&mut worker, 1.0);
        let seen = |parent| {
            let (first, children) = search.tree.children(parent);
            let amaf = search.tree.amaf(first, children.len()).iter().map(Amaf::get);
            let all = children.iter().map(|node| node.action().index()).zip(amaf);
            let mut seen: Vec<_> = all.filter(|(_, amaf)| amaf.0 > 0.0).collect();
            seen.sort_by_key(|&(action, _)| action);
            seen
        };
        // The value is Black's: at the root, where Black plays, and below, where White does.
        assert_eq!(seen(ROOT), [(0, (1.0, 1.0)), (3, (1.0, 1.0)), (9, (1.0, 1.0))]);
        assert_eq!(seen(black), [(4, (1.0, -1.0)), (7, (1.0, -1.0))]);
    }

    #[test]
    fn a_pass_that_comes_later_is_none_of_now() {
        let root = crate::Go::new(3).expect("a size");
        let mut worker = Worker::new(root.clone(), 1);
        let settings = Settings { rave: Some(100.0), ..Settings::default() };
        let search = Search::new(&root, settings, 1).expect("memory");
        search.expand(ROOT, &mut worker);
        worker.path = vec![child(&search, ROOT, 0)];
        worker.played = [9, 3, 4, 9].map(Action::new).to_vec(); // White passes, Black plays 3.
        search.back_up_amaf(&mut worker, 1.0);
        worker.played = [4, 9].map(Action::new).to_vec(); // Black passes.
        search.back_up_amaf(&mut worker, 1.0);
        let (first, children) = search.tree.children(ROOT);
        let amaf = search.tree.amaf(first, children.len());
        let counted = children.iter().zip(amaf).filter(|(_, amaf)| amaf.get().0 > 0.0);
        let mut counted: Vec<_> = counted.map(|(node, _)| node.action().index()).collect();
        counted.sort_unstable();
        assert_eq!(counted, [0, 3]);
    }
}
