//! PUCT, the selection of `AlphaZero` (Silver and others, "A general reinforcement learning algorithm that
//! masters chess, shogi, and Go through self-play", 2018).

use rand_distr::{Distribution, Gamma};

use super::super::node::Node;
use super::super::settings::{Noise, Settings};
use super::statistics::{Statistics, unless_left_out};
use crate::random::RandomStream;

/// `Q(s, a) + c(s) P(s, a) sqrt(N(s)) / (1 + N(s, a))`, where `exploration` is `c(s) sqrt(N(s))`.
fn puct(q: f32, visits: f32, prior: f32, exploration: f32) -> f32 {
    q + exploration * prior / (1.0 + visits)
}

/// `c(s) sqrt(N(s))` with `c(s) = ln((1 + N(s) + 19652) / 19652) + c`. Here `N(s)` counts the evaluation
/// of the position itself, too.
fn exploration(c: f32, visits: f32) -> f32 {
    const C_BASE: f32 = 19652.0;
    (((1.0 + visits + C_BASE) / C_BASE).ln() + c) * visits.sqrt()
}

/// `Q(s, a)` of an action without visits: the mean of the visited ones less `reduction` (first-play
/// urgency: Gelly and Wang, 2006).
fn first_play_urgency(reduction: f32, statistics: &Statistics) -> f32 {
    statistics.sums.iter().sum::<f32>() / statistics.total.max(1.0) - reduction
}

/// The child of the highest PUCT.
pub(in crate::search) fn select(
    settings: &Settings,
    children: &[Node],
    statistics: &mut Statistics,
) -> usize {
    let exploration = exploration(settings.c, statistics.total + 1.0);
    let unvisited = settings.first_play.map_or(0.0, |r| first_play_urgency(r, statistics));
    statistics.highest(children, |sum, visits, child| {
        let q = if visits == 0.0 { unvisited } else { sum / visits };
        let prior = child.prior();
        unless_left_out(puct(q, visits, prior, exploration), prior, visits)
    })
}

/// Mixes Dirichlet noise into the priors of the root's children, as `AlphaZero` does. A Dirichlet
/// variable is a row of gamma variables over their sum. Actions without a probability keep none.
pub(in crate::search) fn mix_noise(children: &[Node], noise: Noise, rng: &mut RandomStream) {
    let children: Vec<&Node> = children.iter().filter(|child| child.prior() > 0.0).collect();
    let Ok(gamma) = Gamma::new(noise.alpha, 1.0) else { return };
    let sampled: Vec<f64> = gamma.sample_iter(rng).take(children.len()).collect();
    let sum: f64 = sampled.iter().sum();
    if sum <= 0.0 {
        return; // All of them are too small to be told from 0.
    }
    for (child, sampled) in children.into_iter().zip(sampled) {
        let prior = f64::from(child.prior());
        child.set_prior((prior + noise.fraction * (sampled / sum - prior)) as f32);
    }
}
