//! What a search found.

use std::time::Duration;

use super::node::Node;
use super::selection::gumbel::NodeView;
use super::selection::statistics::Statistics;
use super::settings::{Reward, Selection};
use super::simulation::Search;
use super::tree::ROOT;
use crate::exact::Exact;
use crate::geometry::Action;
use crate::playout::Playouts;
use crate::status::Outcome;

/// The entry of [`Report::proofs`] of an action that may win, draw or lose.
///
/// ```
/// use sixplane::search::{OPEN, Search, Settings};
/// use sixplane::{Color, Game, Gomoku};
///
/// let game = Gomoku::from_text("XXXX.\nOOO..\n.....\n.....\n.....", Color::Black)?;
/// let mut search = Search::new(&game, Settings { exact: true, ..Settings::default() }, 1)?;
/// search.run(&mut || false)?;
/// let report = search.report();
/// assert_eq!((report.proven, report.proofs[4], report.proofs[0]), (Some(1), 1, OPEN));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const OPEN: i8 = 2;

/// What a search found of one position with `A` actions.
///
/// ```
/// use sixplane::search::{Search, Settings};
/// use sixplane::{Game, Reversi};
///
/// let settings = Settings { simulations: 100, ..Settings::default() };
/// let mut search = Search::new(&Reversi::new(6)?, settings, 1)?;
/// search.run(&mut || false)?;
/// let report = search.report();
/// assert_eq!(report.visits.len(), 37); // an action for each point, and the pass
/// assert_eq!(report.visits.iter().sum::<u32>(), 100);
/// assert_eq!(report.best, Some(report.principal_variation[0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// `(A,)`: visits of each action. They sum to the simulations, and those of earlier searches that
    /// were kept.
    pub visits: Vec<u32>,
    /// `(A,)`: the mean value of each action for the player to play, or its exact value where that is known; NaN
    /// for other actions without visits.
    pub q: Vec<f32>,
    /// `(A,)`: a probability for each action: its share of the visits, or of Gumbel selection the improved
    /// policy. An action that wins, or keeps a proven draw, has all of it, and one that loses for certain nothing
    /// while another is open; with [`Reward::Margin`] only if none promises more. All 0 when the game is over.
    pub policy: Vec<f32>,
    /// The value of the position for the player to play: the exact one if it is known, or else the mean of the
    /// visits of actions that may be played. NaN when the game is over.
    pub value: f32,
    /// The action to play: one that wins for certain, if there is one; with [`Reward::Margin`] unless another
    /// promises more. `None` when the game is over.
    pub best: Option<Action>,
    /// The best action and the most visited ones after it.
    pub principal_variation: Vec<Action>,
    /// Simulations of this search.
    pub simulations: u32,
    /// How long it took.
    pub elapsed: Duration,
    /// Nodes of the tree: the root and every action of an expanded position, and the few numbers that are left
    /// out where a chunk of memory ends.
    pub nodes: usize,
    /// `(A,)`: the probabilities of the legal actions by the evaluator, without noise; all equal without
    /// an evaluator.
    pub prior: Vec<f32>,
    /// What the evaluator says of the position, for the player to play; NaN without one.
    pub raw_value: f32,
    /// Whether the action to play wins for certain: at once, or with [`Settings::exact`](super::Settings::exact)
    /// at any depth.
    pub wins: bool,
    /// What is certain of the position with best play of both: +1 if the player to play wins, 0 for a draw, -1 for a
    /// loss. `None` if nothing is, and without [`Settings::exact`](super::Settings::exact).
    pub proven: Option<i8>,
    /// `(A,)`: the same of each action, for the player to play; [`OPEN`] if nothing is certain.
    pub proofs: Vec<i8>,
}

impl Report {
    /// Gives an action all of the policy.
    fn play_only(&mut self, action: Action) {
        self.policy.fill(0.0);
        self.policy[action.index()] = 1.0;
    }
}

impl<G: Playouts + Exact> Search<G> {
    /// What was found so far; nothing if the last search was to run no simulations.
    #[must_use]
    pub fn report(&self) -> Report {
        let count = self.root.size().num_actions();
        let mut report = Report {
            visits: vec![0; count],
            q: vec![f32::NAN; count],
            policy: vec![0.0; count],
            prior: vec![0.0; count],
            proofs: vec![OPEN; count],
            value: f32::NAN,
            raw_value: f32::NAN,
            simulations: self.simulations,
            elapsed: self.elapsed,
            nodes: self.tree.len(),
            ..Report::default()
        };
        let (_, children) = self.tree.children(ROOT);
        if children.is_empty() || !self.is_wanted() {
            return report;
        }
        let uses_proofs = self.uses_proofs();
        let may_play = |child: &&Node| !uses_proofs || child.proof() != Some(-1);
        let visits: u32 = children.iter().filter(may_play).map(Node::visits).sum();
        let sum: f64 = children.iter().filter(may_play).map(Node::sum).sum();
        let priors: f64 = children.iter().filter(may_play).map(|c| f64::from(c.prior())).sum();
        // The evaluator may give those that may be played no probability.
        let is_even = visits == 0 && priors <= 0.0;
        let weights = match visits {
            0 if is_even => children.iter().filter(may_play).count() as f64,
            0 if uses_proofs => priors,
            0 => 1.0,
            visits => f64::from(visits),
        };
        for (i, child) in children.iter().enumerate() {
            let (action, n) = (child.action().index(), child.visits());
            report.visits[action] = n;
            // A root that was advanced to and not yet searched has no noise.
            report.prior[action] = self.priors.get(i).copied().unwrap_or(child.prior());
            if n > 0 {
                report.q[action] = child.mean() as f32;
            }
            if may_play(&child) {
                let weight = match visits {
                    0 if is_even => 1.0,
                    0 => child.prior().into(),
                    _ => f64::from(n),
                };
                report.policy[action] = (weight / weights) as f32;
            }
        }
        let value = self.value_to_play(ROOT);
        report.raw_value = if self.has_evaluator { value } else { f32::NAN };
        report.value = if visits > 0 { (sum / f64::from(visits)) as f32 } else { value };
        let mut best = self.most_visited(children);
        let is_open = |&child: &usize| children[child].proof().is_none();
        let by_rank = |child: usize| self.rank(&children[child]);
        let mut open = highest_by((0..children.len()).filter(is_open), by_rank);
        if self.settings.selection == Selection::Gumbel {
            let mut statistics = Statistics::default();
            statistics.read(children, 0.0, uses_proofs);
            let (settings, statistics) = (&self.settings, &statistics);
            let position = NodeView { value, children, statistics, settings };
            for (child, probability) in children.iter().zip(position.improved_policy()) {
                report.policy[child.action().index()] = probability;
            }
            let best_of =
                |accepts: fn(Option<i8>) -> bool| position.best_at_root(&self.schedule, accepts);
            best = best_of(|proof| proof != Some(-1)).unwrap_or(0);
            open = best_of(|proof| proof.is_none());
        }
        if self.settings.proves() {
            best = self.add_proofs(&mut report, children, best, open);
        }
        let wins = self.wins_at_once(children);
        for &(child, value) in &wins {
            let action = children[child].action().index();
            report.q[action] = value;
            if self.settings.proves() {
                (report.proofs[action], report.proven) = (1, Some(1));
            }
        }
        let rank = |(child, value): (usize, f32)| (value, self.rank(&children[child]));
        if let Some((win, value)) = highest_by(wins.into_iter(), rank) {
            let expects_more = self.settings.reward == Reward::Margin
                && report.q[children[best].action().index()] > value;
            if expects_more {
                report.value = report.value.max(value);
            } else {
                // It is certain, whatever the visits say, and what a policy should learn.
                best = win;
                report.play_only(children[best].action());
                (report.value, report.wins) = (value, true);
            }
        }
        report.best = Some(children[best].action());
        let line = self.principal_variation(best);
        report.principal_variation = line.into_iter().map(Node::action).collect();
        report
    }

    /// Adds what is certain, and returns the child to play: `best`, unless another is better for certain. Of a root
    /// that is open, `open` is played before a draw, unless its mean is below 0.
    fn add_proofs(
        &self,
        report: &mut Report,
        children: &[Node],
        best: usize,
        open: Option<usize>,
    ) -> usize {
        let is_lost = self.proven() == Some(-1);
        let certain = |child: &Node| if is_lost { Some(-1) } else { child.proof() };
        for child in children {
            if let Some(value) = certain(child) {
                let action = child.action().index();
                (report.proofs[action], report.q[action]) = (value, value.into());
            }
        }
        report.proven = self.proven();
        if let Some(value) = report.proven {
            (report.value, report.wins) = (value.into(), value > 0);
        }
        let keeps = |wanted: i8| {
            let keeping = (0..children.len()).filter(|&i| certain(&children[i]) == Some(wanted));
            highest_by(keeping, |i| self.rank(&children[i]))
        };
        match report.proven {
            Some(-1) => best,
            Some(value) => {
                let best = keeps(value).unwrap_or(best);
                report.play_only(children[best].action());
                best
            }
            None => {
                // Without visits it has no mean that would speak for it.
                let may_win = |&open: &usize| report.q[children[open].action().index()] >= 0.0;
                open.filter(may_win).or_else(|| keeps(0)).unwrap_or(best)
            }
        }
    }

    /// The children of the root that win at once, and what that is worth to the player to play.
    fn wins_at_once(&self, children: &[Node]) -> Vec<(usize, f32)> {
        let value = |action| {
            let mut game = self.root.clone();
            game.play_unchecked(action);
            let wins = game.outcome() == Some(Outcome::Win(self.root.turn()));
            wins.then(|| self.value_of_end(&game) as f32)
        };
        let actions = children.iter().map(Node::action).enumerate();
        let may_end = actions.filter(|&(_, action)| self.root.may_end(action));
        may_end.filter_map(|(child, action)| Some((child, value(action)?))).collect()
    }

    /// An action of the root and the most visited ones after it, in the tree as it is; empty if the action
    /// was never visited.
    #[must_use]
    pub fn variation(&self, action: Action) -> Vec<Action> {
        self.line_of(action).into_iter().map(Node::action).collect()
    }

    /// The visits of each action of [`Search::variation`].
    #[must_use]
    pub fn variation_visits(&self, action: Action) -> Vec<u32> {
        self.line_of(action).into_iter().map(Node::visits).collect()
    }

    fn line_of(&self, action: Action) -> Vec<&Node> {
        let (_, children) = self.tree.children(ROOT);
        let is_visited = |child: &Node| child.action() == action && child.visits() > 0;
        let child = children.iter().position(is_visited);
        child.map_or_else(Vec::new, |child| self.principal_variation(child))
    }

    fn principal_variation(&self, best: usize) -> Vec<&Node> {
        let (mut line, mut next) = (Vec::new(), best);
        let (mut first, mut children) = self.tree.children(ROOT);
        loop {
            line.push(&children[next]);
            (first, children) = self.tree.children(first + next as u32);
            if children.iter().all(|child| child.visits() == 0) {
                return line;
            }
            next = self.most_visited(children);
        }
    }

    fn most_visited(&self, children: &[Node]) -> usize {
        highest_by(0..children.len(), |child| self.rank(&children[child])).unwrap_or(0)
    }

    /// What is certain, visits, mean value, and what selection goes by before the first visit.
    fn rank(&self, child: &Node) -> (i8, u32, f64, f32) {
        let is_heuristic = self.heuristic_visits() > 0.0;
        let before = if is_heuristic { child.value() } else { child.prior() };
        // A draw is no more certain to be best than what is open.
        let proof = child.proof().unwrap_or(0);
        (proof, child.visits(), child.mean(), before)
    }
}

/// The first item of the highest key.
fn highest_by<T: Copy, K: PartialOrd>(
    items: impl Iterator<Item = T>,
    key: impl Fn(T) -> K,
) -> Option<T> {
    items.reduce(|best, item| if key(item) > key(best) { item } else { best })
}
