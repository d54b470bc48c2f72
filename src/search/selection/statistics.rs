//! What the selection formulas compute with.

use super::super::node::Node;

/// Below the score of every child that has a prior.
const LEFT_OUT: f32 = -1e30;

/// The score of a child, or without a prior one so low that it is taken only if all open children have none, in
/// turns: so evaluators leave actions out.
#[inline]
pub(super) fn unless_left_out(score: f32, prior: f32, visits: f32) -> f32 {
    if prior > 0.0 { score } else { LEFT_OUT * (1.0 + visits) }
}

/// The statistics of the children of a node, side by side. A simulation under way counts as a visit
/// that lost.
#[derive(Debug, Default)]
pub(in crate::search) struct Statistics {
    /// `[A]`: `N(s, a)`.
    pub(super) visits: Vec<f32>,
    /// `[A]`: `N(s, a) Q(s, a)`.
    pub(super) sums: Vec<f32>,
    /// `N(s)`, the sum of the visits.
    pub(super) total: f32,
    /// The fewest visits of a child.
    pub(super) fewest: f32,
    /// The visits of all children, those that are proven lost included.
    pub(super) simulated: f32,
    /// `[A]`: what is proven of each child; empty where nothing is.
    proofs: Vec<Option<i8>>,
    scores: Vec<f32>,
}

impl Statistics {
    /// With `reads_proofs`, children that are proven lost count as never visited.
    pub(in crate::search) fn read(
        &mut self,
        children: &[Node],
        virtual_loss: f32,
        reads_proofs: bool,
    ) {
        self.visits.clear();
        self.sums.clear();
        let (mut total, mut fewest) = (0, u32::MAX);
        self.visits.extend(children.iter().map(|child| {
            let visits = child.visits() + child.pending();
            total += visits;
            fewest = fewest.min(visits);
            visits as f32
        }));
        let sum = |child: &Node| child.sum() as f32 - virtual_loss * child.pending() as f32;
        self.sums.extend(children.iter().map(sum));
        (self.total, self.fewest) = (total as f32, fewest as f32);
        self.simulated = self.total;
        self.proofs.clear();
        if reads_proofs {
            self.read_proofs(children);
        }
    }

    fn read_proofs(&mut self, children: &[Node]) {
        self.proofs.extend(children.iter().map(Node::proof));
        self.fewest = f32::INFINITY;
        for ((proof, visits), sum) in self.proofs.iter().zip(&mut self.visits).zip(&mut self.sums) {
            match proof {
                None => self.fewest = self.fewest.min(*visits),
                Some(-1) => {
                    self.total -= *visits;
                    (*visits, *sum) = (0.0, 0.0);
                }
                Some(_) => {}
            }
        }
    }

    /// What is proven of a child.
    pub(super) fn proof(&self, child: usize) -> Option<i8> {
        self.proofs.get(child).copied().flatten()
    }

    /// The child of the highest of these scores, one for each, among those without a proof.
    pub(super) fn highest_open(&self, scores: impl Iterator<Item = f32>) -> usize {
        if self.proofs.is_empty() {
            return highest(scores);
        }
        let open = scores.zip(&self.proofs);
        highest(open.map(|(score, proof)| if proof.is_none() { score } else { f32::NEG_INFINITY }))
    }

    /// `[A]`: `N(s, a) Q(s, a)` and `N(s, a)`.
    pub(super) fn edges(&self) -> impl Iterator<Item = (f32, f32)> {
        self.sums.iter().copied().zip(self.visits.iter().copied())
    }

    /// The child of the highest score among those without a proof. The score is made of `N(s, a) Q(s, a)`, `N(s, a)` and the node.
    pub(super) fn highest(
        &mut self,
        children: &[Node],
        score: impl Fn(f32, f32, &Node) -> f32,
    ) -> usize {
        let Self { visits, sums, scores, .. } = self;
        scores.clear();
        let edges = sums.iter().zip(visits).zip(children);
        scores.extend(edges.map(|((&sum, &mut visits), child)| score(sum, visits, child)));
        self.highest_open(self.scores.iter().copied())
    }

    /// Of the children without visits and without a proof, the one of the highest prior above 0.
    pub(super) fn next_unvisited(&self, children: &[Node]) -> Option<usize> {
        if self.fewest > 0.0 {
            return None;
        }
        let priors = children.iter().map(Node::prior).enumerate();
        let is_new = |i: usize| self.visits[i] == 0.0 && self.proof(i).is_none();
        let new = priors.filter(|&(i, prior)| prior > 0.0 && is_new(i));
        new.reduce(|best, one| if one.1 > best.1 { one } else { best }).map(|(i, _)| i)
    }

    /// The smallest `N(s, a)` of so many and more among the children without a proof.
    pub(super) fn fewest_from(&self, least: f32) -> Option<f32> {
        let open = self.visits.iter().enumerate().filter(|&(i, _)| self.proof(i).is_none());
        open.map(|(_, &visits)| visits).filter(|&visits| visits >= least).reduce(f32::min)
    }

    /// The largest `N(s, a)`.
    pub(super) fn most_visits(&self) -> f32 {
        self.visits.iter().fold(0.0, |most, &visits| most.max(visits))
    }
}

/// The index of the highest score, the first one of equal scores.
pub(super) fn highest(scores: impl Iterator<Item = f32>) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (i, score) in scores.enumerate() {
        if score > best.1 {
            best = (i, score);
        }
    }
    best.0
}
