//! What a search found.

use std::borrow::Cow;
use std::time::Duration;

use super::Search;
use super::Searchable;
use super::root::Root;
use super::settings::Selection;
use super::tree::{Node, ROOT};
use crate::geometry::Action;

/// What a search found of one position, `A` actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// `(A,)`: visits of each action. They sum to the simulations, and those of earlier searches that
    /// were kept.
    pub visits: Vec<u32>,
    /// `(A,)`: the mean worth of each action to the player to play; NaN where unvisited, but for actions
    /// that win at once.
    pub q: Vec<f32>,
    /// `(A,)`: a probability for each action: its share of the visits, or of Gumbel selection the improved
    /// policy. An action that wins at once has all of it. All 0 when the game is over.
    pub policy: Vec<f32>,
    /// The worth of the position to the player to play: that of an action that wins at once, or else the
    /// mean of the visits. NaN when the game is over.
    pub value: f32,
    /// The action to play: one that wins at once, if there is one. `None` when the game is over.
    pub best: Option<Action>,
    /// What both would play: the best action and the most visited ones after it.
    pub principal_variation: Vec<Action>,
    /// Simulations of this search.
    pub simulations: u32,
    /// How long it took.
    pub elapsed: Duration,
    /// Nodes of the tree: the root and every action that was considered anywhere.
    pub nodes: usize,
    /// `(A,)`: the probabilities of the legal actions by the evaluator, without noise; all equal without
    /// an evaluator.
    pub prior: Vec<f32>,
    /// What the evaluator says of the position, for the player to play; NaN without one.
    pub raw_value: f32,
    /// Whether the action to play wins at once.
    pub wins: bool,
}

impl<G: Searchable> Search<G> {
    /// What was found so far; nothing if the last search was to run no simulations.
    #[must_use]
    pub fn report(&self) -> Report {
        let count = self.trunk.root.size().num_actions();
        let mut report = Report {
            visits: vec![0; count],
            q: vec![f32::NAN; count],
            policy: vec![0.0; count],
            value: f32::NAN,
            best: None,
            principal_variation: Vec::new(),
            simulations: self.done,
            elapsed: self.elapsed,
            nodes: self.trunk.tree.len(),
            prior: vec![0.0; count],
            raw_value: f32::NAN,
            wins: false,
        };
        let (_, children) = self.trunk.tree.children(ROOT);
        if children.is_empty() || !self.is_wanted() {
            return report;
        }
        // Nothing is known of a root that was advanced to and not yet searched.
        let studied = || Cow::Owned(self.trunk.study_root(&mut self.trunk.root.clone()));
        let known = self.known.as_ref().map_or_else(studied, Cow::Borrowed);
        let Root { priors, wins } = known.as_ref();
        let (mut visits, mut sum) = (0, 0.0);
        for (child, &prior) in children.iter().zip(priors) {
            report.prior[child.action().index()] = prior;
            let (action, n) = (child.action().index(), child.visits());
            (visits, sum) = (visits + n, sum + child.sum());
            report.visits[action] = n;
            if n > 0 {
                report.q[action] = (child.sum() / f64::from(n)) as f32;
            }
        }
        report.value = if visits > 0 {
            (sum / f64::from(visits)) as f32
        } else {
            self.trunk.tree.node(ROOT).value()
        };
        if self.trunk.rule.has_priors {
            report.raw_value = self.trunk.tree.node(ROOT).value();
        }
        let mut best = if self.trunk.rule.selection == Selection::Gumbel {
            self.trunk.improve_policy(&mut report.policy)
        } else {
            for child in children {
                let share = f64::from(child.visits()) / f64::from(visits);
                report.policy[child.action().index()] =
                    if visits > 0 { share as f32 } else { child.prior() };
            }
            most_visited(children)
        };
        if let Some((child, worth)) = best_win(children, wins) {
            // It is certain, whatever the visits say, and what a policy should learn.
            best = child;
            report.policy.fill(0.0);
            for &(child, worth) in wins {
                report.q[children[child].action().index()] = worth;
            }
            report.policy[children[best].action().index()] = 1.0;
            (report.value, report.wins) = (worth, true);
        }
        report.best = Some(children[best].action());
        report.principal_variation = self.principal_variation(best);
        report
    }

    fn principal_variation(&self, best: usize) -> Vec<Action> {
        let tree = &self.trunk.tree;
        let (first, _) = tree.children(ROOT);
        let mut id = first + best as u32;
        let mut actions = vec![tree.node(id).action()];
        loop {
            let (first, children) = tree.children(id);
            if children.iter().all(|child| child.visits() == 0) {
                return actions;
            }
            let next = most_visited(children);
            actions.push(children[next].action());
            id = first + next as u32;
        }
    }
}

/// Of the children that win at once the one of the highest worth; among equals as [`most_visited`].
fn best_win(children: &[Node], wins: &[(usize, f32)]) -> Option<(usize, f32)> {
    let rank = |&(child, worth): &(usize, f32)| (worth, rank(&children[child]));
    wins.iter().copied().reduce(|best, win| if rank(&win) > rank(&best) { win } else { best })
}

/// The first child of the most visits; among equals that of the highest mean, and without visits that of
/// the highest prior.
pub(super) fn most_visited(children: &[Node]) -> usize {
    let better =
        |best: usize, i: usize| if rank(&children[i]) > rank(&children[best]) { i } else { best };
    (0..children.len()).reduce(better).unwrap_or(0)
}

fn rank(child: &Node) -> (u32, f64, f32) {
    let visits = child.visits();
    let mean = child.sum() / f64::from(visits.max(1));
    (visits, mean, child.prior())
}
