//! Gumbel root selection with sequential halving and completed Q-values (Danihelka, Guez, Schrittwieser
//! and Silver, "Policy improvement by planning with Gumbel", 2022), with the choices that mctx documents.

// Visits are whole numbers, exact as floats.
#![allow(clippy::float_cmp)]

use rand::RngExt;
use rand_distr::Gumbel;

use super::Searchable;
use super::evaluator::exp;
use super::select::{Counts, Rule, highest};
use super::settings::{Selection, Settings};
use super::tree::{Node, NodeId, ROOT};
use super::trunk::Trunk;
use crate::random::RandomStream;

/// The `c_visit` of the transformation of values.
const C_VISIT: f32 = 50.0;

/// What is drawn and decided before the first simulation.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// One Gumbel variable for each child of the root.
    noise: Vec<f32>,
    /// How many visits the action has that each simulation follows.
    visits: Vec<u32>,
}

impl Plan {
    /// Draws noise for so many actions and plans the simulations.
    pub(super) fn new(actions: usize, settings: &Settings, rng: &mut RandomStream) -> Self {
        let Settings { simulations, gumbel_scale: scale, considered, .. } = *settings;
        let gumbel = rng.sample_iter(Gumbel::new(0.0, 1.0).expect("a scale above 0"));
        let noise = gumbel.take(actions).map(|drawn: f32| scale * drawn).collect();
        Self { noise, visits: considered_visits(actions.min(considered), simulations) }
    }

    /// The action of the root that the next simulation follows: of those with as many visits as the plan
    /// says, the one of the highest noise, logit and value.
    pub(super) fn choose<G: Searchable>(
        &self,
        children: &[Node],
        trunk: &Trunk<G>,
        counts: &mut Counts,
    ) -> usize {
        let scores = self.scores(children, trunk, counts);
        let started = counts.total as usize;
        let wanted = self.visits.get(started).or(self.visits.last()).copied().unwrap_or(0) as f32;
        let with = |wanted: f32| {
            let considered = scores.iter().zip(&counts.visits);
            let masked =
                considered.map(|(&score, &n)| if n == wanted { score } else { f32::NEG_INFINITY });
            masked.collect::<Vec<f32>>()
        };
        let considered = with(wanted);
        if considered.iter().any(|&score| score > f32::NEG_INFINITY) {
            return highest(&considered);
        }
        // Simulations of other threads came between plan and visits: the least visited is next.
        let least = counts.visits.iter().fold(f32::INFINITY, |a, &b| a.min(b));
        highest(&with(least))
    }

    /// Noise, logit and transformed value of each action.
    fn scores<G: Searchable>(
        &self,
        children: &[Node],
        trunk: &Trunk<G>,
        counts: &mut Counts,
    ) -> Vec<f32> {
        counts.read(children, trunk.rule.virtual_loss);
        let mut scores =
            improved_logits(trunk.tree.node(ROOT).value(), children, counts, &trunk.rule);
        for (score, noise) in scores.iter_mut().zip(&self.noise) {
            *score += noise;
        }
        scores
    }
}

/// Sequential halving (Karnin, Koren and Somekh, 2013) written as the visits that each simulation's action
/// has before it: rounds of equal visits among the actions left, of which then the better half stays.
fn considered_visits(actions: usize, simulations: u32) -> Vec<u32> {
    let simulations = simulations as usize;
    if actions <= 1 {
        return (0..simulations as u32).collect();
    }
    let rounds = (actions - 1).ilog2() as usize + 1;
    let mut plan = Vec::with_capacity(simulations);
    let (mut left, mut visits) = (actions, 0);
    while plan.len() < simulations {
        for _ in 0..(simulations / (rounds * left)).max(1) {
            plan.resize(plan.len() + left, visits);
            visits += 1;
        }
        left = (left / 2).max(2);
    }
    plan.truncate(simulations);
    plan
}

/// The logits of the improved policy: prior logits and the transformed completed values.
fn improved_logits(value: f32, children: &[Node], counts: &Counts, rule: &Rule) -> Vec<f32> {
    let mut completed = completed_values(value, children, counts);
    if rule.rescale {
        rescale(&mut completed);
    }
    let most = counts.visits.iter().fold(0.0, |a: f32, &b| a.max(b));
    let scale = (C_VISIT + most) * rule.c;
    completed.iter().zip(children).map(|(&q, child)| child.prior() + scale * q).collect()
}

/// The mean of each visited action, and for the others a mixture of the position's evaluation and the
/// means of the visited ones weighed by their priors (the appendix of the paper, "mixed value").
fn completed_values(value: f32, children: &[Node], counts: &Counts) -> Vec<f32> {
    let (mut weights, mut weighted) = (0.0, 0.0);
    let stats = || counts.visits.iter().zip(&counts.sums);
    for ((&visits, &sum), child) in stats().zip(children) {
        if visits > 0.0 {
            // A prior of 0 still weighs something: all visited ones may have it.
            let prior = exp(child.prior()).max(f32::MIN_POSITIVE);
            weights += prior;
            weighted += prior * sum / visits;
        }
    }
    let mixed = if counts.total > 0.0 {
        (value + counts.total * weighted / weights) / (1.0 + counts.total)
    } else {
        value
    };
    stats().map(|(&visits, &sum)| if visits > 0.0 { sum / visits } else { mixed }).collect()
}

/// Brings the lowest to 0 and the highest to 1.
fn rescale(values: &mut [f32]) {
    let lowest = values.iter().fold(f32::INFINITY, |a, &b| a.min(b));
    let highest = values.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    let range = (highest - lowest).max(1e-8);
    for value in values {
        *value = (*value - lowest) / range;
    }
}

impl<G: Searchable> Trunk<G> {
    /// Below the root: the action whose share of the visits falls furthest behind the improved policy.
    pub(super) fn follow_policy(
        &self,
        id: NodeId,
        children: &[Node],
        counts: &mut Counts,
    ) -> usize {
        counts.read(children, self.rule.virtual_loss);
        let value = self.tree.node(id).value();
        let mut policy = improved_logits(value, children, counts, &self.rule);
        super::evaluator::softmax(&mut policy);
        for (probability, visits) in policy.iter_mut().zip(&counts.visits) {
            *probability -= visits / (1.0 + counts.total);
        }
        highest(&policy)
    }

    /// Writes the improved policy of the root, `(A,)`, and returns the child to play: of the most visited
    /// ones, that of the highest noise, logit and value.
    pub(super) fn improve_policy(&self, policy: &mut [f32]) -> usize {
        debug_assert_eq!(self.rule.selection, Selection::Gumbel);
        let (_, children) = self.tree.children(ROOT);
        let mut counts = Counts::default();
        let mut scores = self.plan.scores(children, self, &mut counts);
        let mut improved =
            improved_logits(self.tree.node(ROOT).value(), children, &counts, &self.rule);
        super::evaluator::softmax(&mut improved);
        for (child, probability) in children.iter().zip(improved) {
            policy[child.action().index()] = probability;
        }
        let most = counts.visits.iter().fold(0.0, |a: f32, &b| a.max(b));
        for (score, &visits) in scores.iter_mut().zip(&counts.visits) {
            if visits < most {
                *score = f32::NEG_INFINITY;
            }
        }
        highest(&scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_halving_visits_as_planned() {
        // Four actions once, then twice as many visits for each of the better half.
        let plan = considered_visits(4, 12);
        assert_eq!(plan, [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
        assert_eq!(considered_visits(1, 3), [0, 1, 2]);
        assert_eq!(considered_visits(16, 5), [0; 5]);
        for actions in 2..=16 {
            for simulations in [1, 7, 16, 50, 400] {
                let plan = considered_visits(actions, simulations);
                assert_eq!(plan.len(), simulations as usize);
                // An action with as many visits as wanted is always there.
                let mut visits = vec![0; actions];
                for wanted in plan {
                    let action = visits.iter().position(|&n| n == wanted).expect("one is left");
                    visits[action] += 1;
                }
            }
        }
    }
    #[test]
    fn unvisited_actions_take_the_mixed_value() {
        use crate::geometry::Action;
        use crate::search::tree::{ROOT, Tree};

        let mut tree = Tree::new(100, false).expect("memory");
        assert!(tree.node(ROOT).claim());
        let priors = [0.5_f32, 0.3, 0.2].map(f32::ln);
        let children = (0..3).map(|i| (Action::new(i), priors[i]));
        assert!(tree.expand(ROOT, 0.1, 3, children));
        let (_, children) = tree.children(ROOT);
        for value in [1.0, 0.0] {
            children[0].add_visit(value);
        }
        children[1].add_visit(-1.0);
        let mut counts = Counts::default();
        counts.read(children, 1.0);
        let mut values = completed_values(0.1, children, &counts);
        // (0.1 + 3 (0.5 * 0.5 + 0.3 * -1) / 0.8) / 4
        let mixed = (0.1 + 3.0 * (0.5 * 0.5 - 0.3) / 0.8) / 4.0;
        for (found, expected) in values.iter().zip([0.5, -1.0, mixed]) {
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
        rescale(&mut values);
        assert_eq!((values[0], values[1]), (1.0, 0.0));
        let settings = Settings { selection: Selection::Gumbel, c: 0.1, ..Settings::default() };
        let mut rule = Rule::new(&settings);
        let logits = improved_logits(0.1, children, &counts, &rule);
        assert!((logits[0] - (0.5_f32.ln() + 5.2)).abs() < 1e-5);
        // As it is, the mean of the first is 0.5.
        rule.rescale = false;
        let logits = improved_logits(0.1, children, &counts, &rule);
        assert!((logits[0] - (0.5_f32.ln() + 2.6)).abs() < 1e-5);
        tree.clear();
    }
}
