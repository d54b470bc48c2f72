//! Proofs: which positions of a tree are won, drawn or lost for certain.
//!
//! A node is proven where the game is over, where the game's solver says so, and where its children decide: by one
//! that wins, or by all of them. Simulations leave proven actions alone while others are open, and nothing is
//! simulated below a proof. A root that is lost is searched as if nothing were known, but for a part of the limits: all
//! its actions are equal, and the opponent may still err.

use std::iter;
use std::time::{Duration, Instant};

use super::node::{Node, NodeId};
use super::simulation::{Search, Worker};
use super::tree::ROOT;
use crate::bits::Bits;
use crate::exact::{Effort, Exact, Memory, Task};
use crate::playout::Playouts;

/// The share of a search's time that the solver may take at its roots.
const ROOT_SHARE: u32 = 4;

/// Positions that the solver may look at in the root, for each simulation of the search; and always so many.
const ROOT_NODES: u64 = 500;
const LEAST_ROOT_NODES: u64 = 20_000;

/// A search whose root is lost ends after this part of its simulations or of its time.
const LOST_SHARE: u32 = 8;

/// When the solver has to be done with the roots of a search that has so much time; `None`: it may take its own.
pub(super) fn solving_ends(begin: Instant, time: Option<Duration>) -> Option<Instant> {
    time.map(|time| begin + time / ROOT_SHARE)
}

/// What the children say for certain of the position: its value for the player to play.
pub(super) fn decided_by(children: &[Node]) -> Option<i8> {
    let mut best = Some(-1);
    for child in children {
        match child.proof() {
            Some(1) => return Some(1),
            Some(value) => best = best.map(|best| best.max(value)),
            None => best = None,
        }
    }
    best
}

impl<G: Playouts + Exact> Search<G> {
    /// What is certain of the root with best play of both: +1 if the player to play wins, 0 for a draw, -1 for a
    /// loss; `None` while that is open. With [`Search::restrict`], of the actions that are allowed.
    ///
    /// ```
    /// use sixplane::search::{Search, Settings};
    /// use sixplane::{Game, Reversi};
    ///
    /// let settings = Settings { exact: true, simulations: 1, ..Settings::default() };
    /// let mut search = Search::new(&Reversi::new(4)?, settings, 1)?;
    /// search.run(&mut || false)?;
    /// assert_eq!(search.proven(), Some(-1)); // White wins on so small a board.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn proven(&self) -> Option<i8> {
        let proof = self.tree.node(ROOT).proof();
        proof.filter(|_| self.settings.proves()).map(|value| -value)
    }

    /// Whether the first search of a root has found it lost.
    fn is_cut_short(&self) -> bool {
        !self.was_searched && self.proven() == Some(-1)
    }

    /// How many simulations the search has at most.
    pub(super) fn most_simulations(&self) -> u32 {
        let simulations = self.settings.simulations;
        if self.is_cut_short() { simulations.div_ceil(LOST_SHARE) } else { simulations }
    }

    /// Whether the time of the search is up.
    pub(super) fn is_late(&self, elapsed: Duration, time: Option<Duration>) -> bool {
        let part = if self.is_cut_short() { LOST_SHARE } else { 1 };
        time.is_some_and(|time| elapsed >= time / part)
    }

    /// Whether proofs say where simulations go.
    pub(super) fn uses_proofs(&self) -> bool {
        self.settings.proves() && self.proven() != Some(-1)
    }

    /// Whether the action to play is certain: nothing is left to search.
    pub(super) fn is_decided(&self) -> bool {
        self.uses_proofs() && self.proven().is_some() && self.tree.node(ROOT).children().is_some()
    }

    /// Asks the solver about the root. What it has not found by `end` is left open, and it is asked again once it
    /// has twice the time: it begins anew each time. Returns whether it was interrupted, and may be asked again in
    /// any case.
    pub(super) fn solve_root(
        &mut self,
        end: Option<Instant>,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> bool {
        let (_, children) = self.tree.children(ROOT);
        let is_known = !children.is_empty() && decided_by(children).is_some();
        let time = end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        let is_asked = self.solver_time.checked_mul(2).is_none_or(|needed| time < needed);
        if !self.settings.proves() || is_asked || is_known || self.allowed.is_some() {
            return false;
        }
        let (mut is_interrupted, mut is_late) = (false, false);
        let mut is_over = || {
            is_interrupted = is_interrupted || interrupt();
            is_late = is_late || end.is_some_and(|end| Instant::now() >= end);
            is_interrupted || is_late
        };
        let nodes = LEAST_ROOT_NODES.max(ROOT_NODES * u64::from(self.settings.simulations));
        let mut task = Task::new(Effort::Root, &mut is_over).with_nodes(nodes);
        let solution = Memory::of_thread(|memory| self.root.solve(&mut task, memory));
        if !is_interrupted {
            let is_open = is_late && solution.value.is_none();
            self.solver_time = if is_open { time } else { Duration::MAX };
        }
        let root = self.tree.node(ROOT);
        // What is known of a root without children is of no use: they say which action to play.
        root.reopen();
        if let Some(value) = solution.value {
            root.prove(-value);
            self.solution = solution.best;
        }
        is_interrupted
    }

    /// Notes the action that keeps what the solver has found, once the root has children.
    pub(super) fn note_solution(&self) {
        let (_, children) = self.tree.children(ROOT);
        let best = children.iter().find(|child| Some(child.action()) == self.solution);
        if let Some((best, value)) = best.zip(self.proven().filter(|&value| value >= 0)) {
            best.prove(value);
            self.tree.node(ROOT).note_proven_child();
        }
    }

    /// The value of the worker's position to the root's player, if it needs no evaluation: the game is over, or
    /// the solver knows it. If not, the worker has what loses there.
    pub(super) fn known(&self, id: NodeId, worker: &mut Worker<G>) -> Option<f64> {
        let Worker { game, path, .. } = worker;
        let end = game.is_over().then(|| self.value_of_end(game));
        if !self.uses_proofs() {
            return end;
        }
        let node = self.tree.node(id);
        let of_end = end.map(|value| if path.len() % 2 == 1 { value } else { -value } as i8);
        let mut value = of_end.or_else(|| node.proof());
        worker.losing = Bits::EMPTY;
        // Once is enough: the solver says the same again.
        if value.is_none() && node.visits() == 0 {
            let (found, losing) = Memory::of_thread(|memory| game.at_leaf(memory));
            (value, worker.losing) = (found.map(|value| -value), losing);
        }
        // The root is evaluated in any case: its children are what a search chooses from.
        self.prove(path, value.filter(|_| id != ROOT)?);
        self.certain(path)
    }

    /// Notes which children of the last node of a path lose for certain, by their points.
    pub(super) fn note_losing(&self, path: &[NodeId], losing: &Bits<10>) {
        if losing.is_empty() {
            return;
        }
        let (_, children) = self.tree.children(last(path));
        for child in children.iter().filter(|child| losing.contains(child.action().index())) {
            child.prove(-1);
        }
        self.tree.node(last(path)).note_proven_child();
        if let Some(value) = decided_by(children).filter(|_| !children.is_empty()) {
            self.prove(path, -value);
        }
    }

    /// Notes what is certain of the last node of a path, for the player who led there, and what follows for those
    /// above it.
    fn prove(&self, path: &[NodeId], mut value: i8) {
        for depth in (0..=path.len()).rev() {
            let is_new = self.tree.node(last(&path[..depth])).prove(value);
            if is_new && value < 0 {
                self.leave_out(&path[..depth]);
            }
            let Some((_, above)) = path[..depth].split_last() else { return };
            self.tree.node(last(above)).note_proven_child();
            let (_, siblings) = self.tree.children(last(above));
            let Some(best) = decided_by(siblings) else { return };
            value = -best;
        }
    }

    /// Takes the visits of the last node of a path, which loses, out of the means above it: each counts from now on
    /// as the mean of the others. The root has no mean of its own.
    fn leave_out(&self, path: &[NodeId]) {
        let [above @ .., child] = path else { return };
        let Some(&parent) = above.last() else { return };
        let (parent, child) = (self.tree.node(parent), self.tree.node(*child));
        let others = f64::from(parent.visits().saturating_sub(child.visits()));
        if others > 0.0 {
            // Of a child the values are for the other player.
            let mean = ((parent.sum() + child.sum()) / others).clamp(-1.0, 1.0);
            let mut change = mean * f64::from(parent.visits()) - parent.sum();
            for &id in above.iter().rev() {
                self.tree.node(id).shift(change);
                change = -change;
            }
        }
    }

    /// What is certain of a path, to the root's player: the proof nearest to the root.
    pub(super) fn certain(&self, path: &[NodeId]) -> Option<f64> {
        let mut nodes = iter::once(&ROOT).chain(path).enumerate();
        nodes.find_map(|(depth, &id)| {
            let value = f64::from(self.tree.node(id).proof()?);
            Some(if depth % 2 == 1 { value } else { -value })
        })
    }
}

/// The last node of a path.
fn last(path: &[NodeId]) -> NodeId {
    path.last().copied().unwrap_or(ROOT)
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // The values are sums of powers of two.
mod tests {
    use super::*;
    use crate::search::Settings;
    use crate::{Game, Gomoku};

    /// The nodes of the first actions of a search: one at the root, and two below it.
    fn nodes(search: &Search<Gomoku>) -> [NodeId; 3] {
        let mut worker = Worker::new(search.root.clone(), 1);
        search.expand(ROOT, &mut worker);
        let (first, children) = search.tree.children(ROOT);
        worker.game.play_unchecked(children[0].action());
        worker.path.push(first);
        search.expand(first, &mut worker);
        let (below, _) = search.tree.children(first);
        [first, below, below + 1]
    }

    #[test]
    fn a_lost_action_counts_as_the_mean_of_the_others() {
        let settings = Settings { exact: true, ..Settings::default() };
        let search = Search::new(&Gomoku::new(5).expect("a size"), settings, 1).expect("memory");
        let [first, lost, other] = nodes(&search);
        let visit = |path: &[NodeId], value| {
            for &id in path {
                search.tree.node(id).enter();
            }
            search.back_up(path, value);
        };
        // For the root's player, who plays the first action.
        visit(&[first], 0.25);
        visit(&[first, lost], -1.0);
        visit(&[first, lost], -0.5);
        visit(&[first, other], 0.75);
        assert_eq!(search.tree.node(first).mean(), -0.125);
        search.prove(&[first, lost], -1);
        let node = search.tree.node(first);
        assert_eq!((node.visits(), node.mean(), node.proof()), (4, 0.5, None));
        search.prove(&[first, lost], -1); // Nothing is left out twice.
        assert_eq!(node.mean(), 0.5);
        assert_eq!(search.certain(&[first, lost]), Some(1.0));
        // One action that wins decides the position; for the player who led there it is lost.
        search.prove(&[first, other], 1);
        assert_eq!((node.proof(), search.certain(&[first, other])), (Some(-1), Some(-1.0)));
        assert_eq!(search.proven(), None);
    }

    #[test]
    fn a_lost_action_changes_the_means_of_both_players_above_it() {
        let settings = Settings { exact: true, ..Settings::default() };
        let search = Search::new(&Gomoku::new(5).expect("a size"), settings, 1).expect("memory");
        let [first, reply, _] = nodes(&search);
        let mut worker = Worker::new(search.root.clone(), 1);
        for id in [first, reply] {
            worker.game.play_unchecked(search.tree.node(id).action());
            worker.path.push(id);
        }
        search.expand(reply, &mut worker);
        let (lost, _) = search.tree.children(reply);
        for (id, value) in [(lost, -1.0), (lost + 1, 0.5)] {
            let path = [first, reply, id];
            for &id in &path {
                search.tree.node(id).enter();
            }
            search.back_up(&path, value);
        }
        search.prove(&[first, reply, lost], -1);
        assert_eq!([first, reply].map(|id| search.tree.node(id).mean()), [0.5, -0.5]);
    }

    #[test]
    fn a_root_that_the_solver_has_no_time_for_stays_open() {
        let settings = Settings { exact: true, ..Settings::default() };
        let game = crate::Reversi::new(4).expect("a size");
        for (end, proven) in [(Some(Instant::now()), None), (None, Some(-1))] {
            let mut search = Search::new(&game, settings, 1).expect("memory");
            assert!(!search.solve_root(end, &mut || false));
            assert_eq!(search.proven(), proven);
        }
    }

    #[test]
    fn a_solver_that_was_interrupted_is_asked_again() {
        let settings = Settings { exact: true, ..Settings::default() };
        let game = crate::Reversi::new(4).expect("a size");
        let mut search = Search::new(&game, settings, 1).expect("memory");
        assert!(search.solve_root(None, &mut || true));
        assert_eq!(search.proven(), None);
        assert!(!search.solve_root(None, &mut || false));
        assert_eq!(search.proven(), Some(-1));
    }

    #[test]
    fn a_solver_that_had_too_little_time_is_asked_again_with_twice_as_much() {
        let settings = Settings { exact: true, ..Settings::default() };
        let game = crate::Reversi::new(4).expect("a size");
        let mut search = Search::new(&game, settings, 1).expect("memory");
        let within = |seconds| Some(Instant::now() + Duration::from_secs(seconds));
        assert!(!search.solve_root(Some(Instant::now()), &mut || false));
        assert_eq!((search.proven(), search.solver_time), (None, Duration::ZERO));
        search.solver_time = Duration::from_secs(100);
        for (seconds, proven) in [(150, None), (300, Some(-1))] {
            assert!(!search.solve_root(within(seconds), &mut || false));
            assert_eq!(search.proven(), proven);
        }
        assert_eq!(search.solver_time, Duration::MAX);
    }

    #[test]
    fn a_solver_that_searches_gets_another_memory() {
        let kept = || Memory::of_thread(|memory| std::mem::replace(memory.of::<u8>(), 7));
        assert_eq!(kept(), 0);
        assert_eq!(Memory::of_thread(|_| kept()), 0); // The outer one has the 7.
        assert_eq!(kept(), 7);
    }

    #[test]
    fn a_position_is_decided_by_a_win_or_by_all_its_actions() {
        let proven = |proofs: &[Option<i8>]| {
            let node = |&proof: &Option<i8>| {
                let node = Node::default();
                proof.map(|value| node.prove(value));
                node
            };
            decided_by(&proofs.iter().map(node).collect::<Vec<_>>())
        };
        assert_eq!(proven(&[None, Some(1), Some(-1)]), Some(1));
        assert_eq!(proven(&[Some(0), Some(-1)]), Some(0));
        assert_eq!(proven(&[Some(-1), Some(-1)]), Some(-1));
        assert_eq!(proven(&[Some(0), None]), None);
    }
}
