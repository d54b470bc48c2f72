//! UCB1 (Auer, Cesa-Bianchi and Fischer, 2002; in trees, UCT: Kocsis and Szepesvari, 2006), with rapid
//! action value estimation (RAVE) and heuristic values (Gelly and Silver, 2007 and 2011).

use rand::RngExt;

use super::super::node::{Amaf, Node};
use super::super::settings::Settings;
use super::statistics::{Statistics, unless_left_out};
use crate::random::RandomStream;

/// `Q(s, a) + c sqrt(2 ln N(s) / N(s, a))`, where `exploration` is `c sqrt(2 ln N(s))`.
fn ucb1(sum: f32, visits: f32, exploration: f32) -> f32 {
    let share = 1.0 / visits;
    sum * share + exploration * share.sqrt()
}

/// `c sqrt(2 ln N(s))`.
fn exploration(c: f32, total: f32) -> f32 {
    c * (2.0 * total.max(1.0).ln()).sqrt()
}

/// `(1 - beta) Q(s, a) + beta Q_amaf(s, a)` with UCB1's bonus, of one visit more so that AMAF ranks
/// actions before their first visit. If one of the two means is missing, the other counts alone.
fn rave(
    sum: f32,
    visits: f32,
    (amaf_visits, amaf_sum): (f32, f32),
    beta: f32,
    exploration: f32,
) -> f32 {
    let (q, q_amaf) = (sum / visits.max(1.0), amaf_sum / amaf_visits.max(1.0));
    let beta = if amaf_visits == 0.0 {
        0.0
    } else if visits == 0.0 {
        1.0
    } else {
        beta
    };
    q + beta * (q_amaf - q) + exploration / (visits + 1.0).sqrt()
}

/// `sqrt(k / (3 N(s) + k))`: the hand-selected schedule of Gelly and Silver (2011).
fn rave_share(k: f32, total: f32) -> f32 {
    (k / (3.0 * total + k)).sqrt()
}

/// [`rave`] after `n` more visits of both kinds that found the `heuristic` value, with AMAF's share of the
/// least mean squared error, `a / (v + a + v a / k)`: `v` and `a` are the visits of both kinds, and AMAF's
/// bias is such that no number of its visits is worth more than `k` own ones (Gelly and Silver, 2011).
/// Then `(1 - share) sum / v + share amaf_sum / a` is one fraction.
fn rave_with_heuristic(
    (sum, visits): (f32, f32),
    (amaf_visits, amaf_sum): (f32, f32),
    (n, heuristic): (f32, f32),
    k: f32,
    exploration: f32,
) -> f32 {
    let found = n * heuristic;
    let (visits, amaf_visits) = (visits + n, amaf_visits + n);
    let doubt = amaf_visits / k;
    let value = (sum + found) * (1.0 + doubt) + amaf_sum + found;
    value / (visits + amaf_visits + visits * doubt) + exploration / visits.sqrt()
}

/// The child of the highest upper bound. A child without visits comes first, the one of the highest prior
/// before others, but for children without a prior. With `heuristic_visits` above 0 none is without: the
/// heuristic value of each action counts as so many visits that found it (equivalent experience: Gelly and
/// Silver, 2007).
pub(in crate::search) fn select(
    settings: &Settings,
    heuristic_visits: f32,
    children: &[Node],
    amaf: &[Amaf],
    statistics: &mut Statistics,
    rng: &mut RandomStream,
) -> usize {
    let n = heuristic_visits;
    let exploration = exploration(settings.c, statistics.total);
    match settings.rave {
        Some(k) if n > 0.0 => {
            let edges = statistics.edges().zip(children).zip(amaf);
            statistics.highest_open(edges.map(|((own, child), amaf)| {
                rave_with_heuristic(own, amaf.get(), (n, child.value()), k, exploration)
            }))
        }
        Some(k) => {
            let beta = rave_share(k, statistics.total);
            random_unknown(amaf, statistics, rng).unwrap_or_else(|| {
                let edges = statistics.edges().zip(amaf);
                let score = |((sum, visits), amaf): (_, &Amaf)| {
                    rave(sum, visits, amaf.get(), beta, exploration)
                };
                statistics.highest_open(edges.map(score))
            })
        }
        None => {
            if n > 0.0 {
                return statistics.highest(children, |sum, visits, child| {
                    ucb1(sum + n * child.value(), visits + n, exploration)
                });
            }
            statistics.next_unvisited(children).unwrap_or_else(|| {
                statistics.highest(children, |sum, visits, child| {
                    unless_left_out(ucb1(sum, visits, exploration), child.prior(), visits)
                })
            })
        }
    }
}

/// A random child among those without visits of any kind.
fn random_unknown(amaf: &[Amaf], statistics: &Statistics, rng: &mut RandomStream) -> Option<usize> {
    let is_unknown = |&i: &usize| {
        statistics.visits[i] == 0.0 && amaf[i].get().0 == 0.0 && statistics.proof(i).is_none()
    };
    let unknown = || (0..amaf.len()).filter(is_unknown);
    let count = unknown().count() as u32;
    (count > 0).then(|| unknown().nth(rng.random_range(0..count) as usize))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rave_is_the_mean_of_own_and_amaf_visits_in_their_shares() {
        let close = |a: f32, b: f32| assert!((a - b).abs() < 1e-5, "{a} is not {b}");
        close(rave(2.0, 4.0, (10.0, 1.0), 0.25, 0.0), 0.75 * 0.5 + 0.25 * 0.1);
        close(rave(2.0, 4.0, (0.0, 0.0), 0.25, 0.0), 0.5);
        close(rave(0.0, 0.0, (10.0, 1.0), 0.25, 0.0), 0.1);
        let with_heuristic =
            |own, amaf, heuristic, k| rave_with_heuristic(own, amaf, heuristic, k, 0.0);
        close(with_heuristic((0.0, 0.0), (0.0, 0.0), (6.0, 0.5), 1000.0), 0.5);
        // Ten and fifty visits: 50 / (10 + 50 + 10 * 50 / 25) of AMAF's 0.2, the rest of 1.
        close(with_heuristic((4.0, 4.0), (44.0, 4.0), (6.0, 1.0), 25.0), 0.375 + 0.625 * 0.2);
        // As many visits as AMAF is worth, and any number of that: a half of each.
        close(with_heuristic((294.0, 294.0), (1e9, -1e9), (6.0, 1.0), 300.0), 0.0);
    }
}
