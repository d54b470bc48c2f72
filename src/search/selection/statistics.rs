//! What the selection formulas compute with.

use super::super::node::Node;

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
    scores: Vec<f32>,
}

impl Statistics {
    pub(in crate::search) fn read(&mut self, children: &[Node], virtual_loss: f32) {
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
    }

    /// `[A]`: `N(s, a) Q(s, a)` and `N(s, a)`.
    pub(super) fn edges(&self) -> impl Iterator<Item = (f32, f32)> {
        self.sums.iter().copied().zip(self.visits.iter().copied())
    }

    /// The child of the highest score, which is made of `N(s, a) Q(s, a)`, `N(s, a)` and the node.
    pub(super) fn highest(
        &mut self,
        children: &[Node],
        score: impl Fn(f32, f32, &Node) -> f32,
    ) -> usize {
        let Self { visits, sums, scores, .. } = self;
        scores.clear();
        let edges = sums.iter().zip(visits).zip(children);
        scores.extend(edges.map(|((&sum, &mut visits), child)| score(sum, visits, child)));
        highest(scores.iter().copied())
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
