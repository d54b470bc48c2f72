//! What a search finds out about its root once, before the first simulation from it.

use super::Searchable;
use super::evaluator::exp;
use super::settings::Selection;
use super::tree::ROOT;
use super::trunk::Trunk;
use crate::status::Outcome;

/// What is known of the children of the root, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Root {
    /// Their probabilities as the evaluator has them, without noise; all equal without one.
    pub(super) priors: Vec<f32>,
    /// Those that win at once, and what that is worth to the player to play.
    pub(super) wins: Vec<(usize, f32)>,
}

impl<G: Searchable> Trunk<G> {
    /// Looks at the children of the root, with a game to try their actions on.
    pub(super) fn study_root(&self, game: &mut G) -> Root {
        let (_, children) = self.tree.children(ROOT);
        let equal = 1.0 / children.len() as f32;
        let prior = |prior: f32| match self.rule.selection {
            _ if !self.rule.has_priors => equal,
            Selection::Gumbel => exp(prior),
            _ => prior,
        };
        let priors = children.iter().map(|child| prior(child.prior())).collect();
        let mut wins = Vec::new();
        for (i, action) in children.iter().map(super::tree::Node::action).enumerate() {
            if !self.root.may_end(action) {
                continue;
            }
            game.clone_from(&self.root);
            game.play_unchecked(action);
            if game.outcome() == Some(Outcome::Win(self.root.turn())) {
                wins.push((i, self.worth(game) as f32));
            }
        }
        Root { priors, wins }
    }
}
