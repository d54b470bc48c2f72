//! What is found out about the root once, before the first simulation from it.

use rand_distr::{Distribution, Gamma};

use super::node::Node;
use super::settings::Noise;
use super::simulation::{SearchState, Searchable};
use super::tree::ROOT;
use crate::random::RandomStream;
use crate::status::Outcome;

/// What is known of the children of the root, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Root {
    /// Their priors without noise.
    pub(super) priors: Vec<f32>,
    /// Those that win at once, and what that is worth to the player to play.
    pub(super) wins: Vec<(usize, f32)>,
}

impl Root {
    /// Plays every action of the root that may end the game on a copy of it.
    pub(super) fn of<G: Searchable>(state: &SearchState<G>) -> Self {
        let (_, children) = state.tree.children(ROOT);
        let mut game = state.root.clone();
        let mut wins = Vec::new();
        for (i, action) in children.iter().map(Node::action).enumerate() {
            if !state.root.may_end(action) {
                continue;
            }
            game.clone_from(&state.root);
            game.play_unchecked(action);
            if game.outcome() == Some(Outcome::Win(state.root.turn())) {
                wins.push((i, state.value_of_end(&game) as f32));
            }
        }
        Self { priors: children.iter().map(Node::prior).collect(), wins }
    }
}

/// Mixes Dirichlet noise into the priors of the root's children, as `AlphaZero` does (Silver and others,
/// 2018). A Dirichlet variable is a row of gamma variables over their sum.
pub(super) fn mix_noise(children: &[Node], noise: Noise, rng: &mut RandomStream) {
    let Ok(gamma) = Gamma::new(noise.alpha, 1.0) else { return };
    let sampled: Vec<f64> = gamma.sample_iter(rng).take(children.len()).collect();
    let sum: f64 = sampled.iter().sum();
    if sum <= 0.0 {
        return; // All of them are too small to be told from 0.
    }
    for (child, sampled) in children.iter().zip(sampled) {
        let prior = f64::from(child.prior());
        child.set_prior((prior + noise.fraction * (sampled / sum - prior)) as f32);
    }
}
