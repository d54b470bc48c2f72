//! Gumbel `AlphaZero`: sequential halving at the root, and an improved policy below it (Danihelka, Guez,
//! Schrittwieser and Silver, "Policy improvement by planning with Gumbel", 2022), with the choices that
//! mctx documents.

// Visits are whole numbers, exact as floats up to 2^24.
#![allow(clippy::float_cmp)]

use rand::RngExt;
use rand_distr::Gumbel;

use super::super::node::Node;
use super::super::settings::Settings;
use super::statistics::{Statistics, highest, unless_left_out};
use crate::random::RandomStream;

/// What is sampled and decided before the first simulation.
#[derive(Debug, Default)]
pub(in crate::search) struct Schedule {
    /// `[A]`: `g(a) + logit(a)`, a Gumbel variable and the logarithm of the prior of each action.
    priorities: Vec<f32>,
    /// How many visits the action has that each simulation follows, in phases one after the other.
    phases: Vec<Phase>,
    simulations: usize,
}

/// Simulations that visit so many actions in turn.
#[derive(Debug)]
struct Phase {
    /// The number of its first simulation.
    start: usize,
    actions: usize,
    /// The visits that each of the actions has at its start.
    visits: usize,
}

impl Schedule {
    pub(in crate::search) fn new(
        children: &[Node],
        settings: &Settings,
        simulations: u32,
        rng: &mut RandomStream,
    ) -> Self {
        let gumbel = rng.sample_iter(Gumbel::new(0.0, 1.0).expect("a scale above 0"));
        let priority = |(child, g): (&Node, f32)| settings.gumbel_scale * g + child.prior().ln();
        let possible = children.iter().filter(|child| child.prior() > 0.0).count();
        let considered = possible.min(settings.considered);
        Self {
            priorities: children.iter().zip(gumbel).map(priority).collect(),
            phases: phases(considered, simulations as usize),
            simulations: simulations as usize,
        }
    }

    /// How many visits the action has that simulation `now` follows; beyond the plan, as the last one.
    fn visits(&self, now: usize) -> usize {
        let now = now.min(self.simulations.saturating_sub(1));
        let later = self.phases.partition_point(|phase| phase.start <= now);
        let phase = later.checked_sub(1).map(|index| &self.phases[index]);
        phase.map_or(0, |phase| phase.visits + (now - phase.start) / phase.actions)
    }
}

/// Sequential halving (Karnin, Koren and Somekh, 2013): rounds of equal visits among the actions left, of
/// which the better half goes on.
fn phases(actions: usize, simulations: usize) -> Vec<Phase> {
    if actions <= 1 {
        return vec![Phase { start: 0, actions: 1, visits: 0 }];
    }
    let rounds = (actions - 1).ilog2() as usize + 1;
    let mut phases = Vec::new();
    let mut phase = Phase { start: 0, actions, visits: 0 };
    while phase.start < simulations {
        let turns = (simulations / (rounds * phase.actions)).max(1);
        let next = Phase {
            start: phase.start + turns * phase.actions,
            actions: (phase.actions / 2).max(2),
            visits: phase.visits + turns,
        };
        phases.push(std::mem::replace(&mut phase, next));
    }
    phases
}

/// What is known of a position and its actions.
pub(in crate::search) struct NodeView<'a> {
    /// What the evaluator says of it, for the player to play.
    pub(in crate::search) value: f32,
    pub(in crate::search) children: &'a [Node],
    pub(in crate::search) statistics: &'a Statistics,
    pub(in crate::search) settings: &'a Settings,
}

impl NodeView<'_> {
    /// At the root: the highest `g(a) + logit(a) + sigma(q(a))` among the actions with as many visits as the
    /// schedule says; if simulations under way have taken those visits, among the least visited.
    pub(in crate::search) fn select_at_root(&self, schedule: &Schedule) -> usize {
        let now = self.statistics.simulated as usize;
        let planned = schedule.visits(now) as f32;
        let open = |wanted: f32| self.best_of(wanted, schedule, |proof| proof.is_none());
        // Actions that were proven took visits with them: those that are left have had more.
        let more = || open(self.statistics.fewest_from(planned).filter(|&least| least > 0.0)?);
        let least = || open(self.statistics.fewest);
        open(planned).or_else(more).or_else(least).unwrap_or_else(|| self.least_visited())
    }

    /// The least visited action without a proof, one with a probability if there is any.
    fn least_visited(&self) -> usize {
        let edges = self.children.iter().zip(&self.statistics.visits);
        let score =
            |(child, &visits): (&Node, &f32)| unless_left_out(-visits, child.prior(), visits);
        self.statistics.highest_open(edges.map(score))
    }

    /// The action to play at the root, of those with such proofs: the highest `g(a) + logit(a) + sigma(q(a))` among
    /// the most visited.
    pub(in crate::search) fn best_at_root(
        &self,
        schedule: &Schedule,
        accepts: impl Fn(Option<i8>) -> bool,
    ) -> Option<usize> {
        let left = (0..self.children.len()).filter(|&i| accepts(self.statistics.proof(i)));
        let visits = |i: usize| self.statistics.visits[i];
        let most = left.reduce(|best, i| if visits(i) > visits(best) { i } else { best })?;
        // They may have no probability: the first of the most visited.
        self.best_of(visits(most), schedule, accepts).or(Some(most))
    }

    /// The highest among the actions with so many visits and such a proof; `None` if none of them has a
    /// probability.
    fn best_of(
        &self,
        wanted: f32,
        schedule: &Schedule,
        accepts: impl Fn(Option<i8>) -> bool,
    ) -> Option<usize> {
        let scores = self.transformed_values().into_iter().zip(&schedule.priorities);
        let score = |(child, (value, priority)): (usize, (f32, &f32))| {
            let is_wanted = self.statistics.visits[child] == wanted;
            if is_wanted && accepts(self.statistics.proof(child)) {
                priority + value
            } else {
                f32::NEG_INFINITY
            }
        };
        let scores: Vec<f32> = scores.enumerate().map(score).collect();
        Some(highest(scores.iter().copied())).filter(|&best| scores[best] > f32::NEG_INFINITY)
    }

    /// Below the root: the action whose share of the visits falls furthest behind the improved policy,
    /// the highest `pi'(a) - N(s, a) / (1 + N(s))`.
    pub(in crate::search) fn select_below_root(&self) -> usize {
        let lag = |((policy, &visits), child): ((f32, &f32), &Node)| {
            unless_left_out(policy - visits / (1.0 + self.statistics.total), child.prior(), visits)
        };
        let policy = self.improved_policy().into_iter().zip(&self.statistics.visits);
        self.statistics.highest_open(policy.zip(self.children).map(lag))
    }

    /// `[A]`: `pi'(a)`, the softmax of `logit(a) + sigma(q(a))`. Written as `P(s, a) exp(sigma(q(a)))` over its
    /// sum, it needs no logarithms. An action that is proven lost has no share. If the evaluator gives all others
    /// no probability, they have equal shares.
    pub(in crate::search) fn improved_policy(&self) -> Vec<f32> {
        let mut policy = self.transformed_values();
        let prior = |(i, child): (usize, &Node)| {
            if self.statistics.proof(i) == Some(-1) { 0.0 } else { child.prior() }
        };
        let priors = || self.children.iter().enumerate().map(prior);
        let possible = policy.iter().zip(priors()).filter(|&(_, prior)| prior > 0.0);
        let highest = possible.fold(f32::NEG_INFINITY, |highest, (&value, _)| highest.max(value));
        for (value, prior) in policy.iter_mut().zip(priors()) {
            // Above 0 are only values of actions without a probability.
            *value = prior * (*value - highest).min(0.0).exp();
        }
        let sum = policy.iter().sum::<f32>();
        if sum > 0.0 {
            return policy.into_iter().map(|probability| probability * (1.0 / sum)).collect();
        }
        let is_open = |i| self.statistics.proof(i) != Some(-1);
        let share = 1.0 / (0..policy.len()).filter(|&i| is_open(i)).count() as f32;
        (0..policy.len()).map(|i| if is_open(i) { share } else { 0.0 }).collect()
    }

    /// `[A]`: `sigma(q(a)) = (c_visit + max N(s, a)) c q(a)`, where values are brought to 0 to 1 before if the
    /// settings say so.
    fn transformed_values(&self) -> Vec<f32> {
        const C_VISIT: f32 = 50.0;
        let mut values = self.completed_values();
        if self.settings.rescale {
            let is_lost = |i| self.statistics.proof(i) == Some(-1);
            let kept =
                || values.iter().enumerate().filter(|&(i, _)| !is_lost(i)).map(|(_, &value)| value);
            let lowest = kept().fold(f32::INFINITY, f32::min);
            let highest = kept().fold(f32::NEG_INFINITY, f32::max);
            let range = (highest - lowest).max(1e-8);
            for value in &mut values {
                *value = (*value - lowest) / range;
            }
        }
        let scale = (C_VISIT + self.statistics.most_visits()) * self.settings.c;
        values.into_iter().map(|value| value * scale).collect()
    }

    /// `[A]`: `Q(s, a)`, and for actions without visits a mixture of the position's value and of the visited
    /// actions' `Q(s, a)`, weighted by their priors ("mixed value" in the paper's appendix). What is proven counts
    /// as what it is.
    fn completed_values(&self) -> Vec<f32> {
        let total = self.statistics.total;
        let (mut weights, mut weighted) = (0.0, 0.0);
        for ((sum, visits), child) in self.statistics.edges().zip(self.children) {
            if visits > 0.0 {
                // A prior of 0 still weighs something: all visited actions may have it.
                let prior = child.prior().max(f32::MIN_POSITIVE);
                weights += prior;
                weighted += prior * sum / visits;
            }
        }
        let mixed = if total > 0.0 {
            (self.value + total * weighted / weights) / (1.0 + total)
        } else {
            self.value
        };
        let completed = |(child, (sum, visits))| match self.statistics.proof(child) {
            Some(value) => f32::from(value),
            None if visits > 0.0 => sum / visits,
            None => mixed,
        };
        self.statistics.edges().enumerate().map(completed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(actions: usize, simulations: usize) -> Vec<usize> {
        let schedule =
            Schedule { priorities: vec![], phases: phases(actions, simulations), simulations };
        (0..simulations).map(|now| schedule.visits(now)).collect()
    }

    #[test]
    fn sequential_halving_visits_as_planned() {
        // Four actions once, then twice as many visits for each of the better half.
        assert_eq!(plan(4, 12), [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
        assert_eq!(plan(1, 3), [0, 1, 2]);
        assert_eq!(plan(16, 5), [0; 5]);
        for actions in 2..=16 {
            for simulations in [1, 7, 16, 50, 400] {
                // An action with as many visits as wanted is always there.
                let mut visits = vec![0; actions];
                for wanted in plan(actions, simulations) {
                    let action = visits.iter().position(|&n| n == wanted).expect("one is left");
                    visits[action] += 1;
                }
            }
        }
    }

    #[test]
    fn a_long_search_is_planned_in_little_memory() {
        for actions in [1, 2, 16, 626] {
            let phases = phases(actions, i32::MAX as usize);
            assert!(phases.len() < 40, "{} phases", phases.len());
            let ends = phases.iter().skip(1).map(|phase| phase.start);
            let turns =
                phases.iter().zip(ends).map(|(phase, end)| (end - phase.start) % phase.actions);
            assert!(turns.sum::<usize>() == 0);
        }
    }
}
