//! Noise at the root, for games that explore.

use rand_distr::{Distribution, Gamma};

use super::settings::Noise;
use super::tree::Node;
use crate::random::RandomStream;

/// Mixes Dirichlet noise into the priors of the root's children, as `AlphaZero` does (Silver and others,
/// 2018). A Dirichlet variable is a row of gamma variables over their sum.
pub(super) fn mix(children: &[Node], noise: Noise, rng: &mut RandomStream) {
    let Ok(gamma) = Gamma::new(noise.alpha, 1.0) else { return };
    let drawn: Vec<f64> = gamma.sample_iter(rng).take(children.len()).collect();
    let sum: f64 = drawn.iter().sum();
    if sum <= 0.0 {
        return; // All of them too small to be told from 0.
    }
    for (child, drawn) in children.iter().zip(drawn) {
        let prior = f64::from(child.prior());
        child.set_prior((prior + noise.fraction * (drawn / sum - prior)) as f32);
    }
}
