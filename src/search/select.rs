//! Which child of a node a simulation follows.

// Visits are whole numbers, exact as floats; the highest score is one of the scores.
#![allow(clippy::float_cmp)]

use rand::RngExt;

use super::settings::{Selection, Settings};
use super::tree::{Amaf, Node};
use crate::random::RandomStream;

/// UCB1: the mean and the half-width of its confidence interval (Auer, Cesa-Bianchi and Fischer, 2002;
/// as a tree search, Kocsis and Szepesvari, 2006). `spread` is `c * sqrt(2 ln N)`.
#[inline]
fn ucb1(sum: f32, visits: f32, spread: f32) -> f32 {
    let share = 1.0 / visits;
    sum * share + spread * share.sqrt()
}

/// The `c * sqrt(2 ln N)` of UCB1 for a node with `total` visits of its children.
#[inline]
fn ucb1_spread(c: f32, total: f32) -> f32 {
    c * (2.0 * total.max(1.0).ln()).sqrt()
}

/// UCB1 with what the game knows of an action as `n` visits before the first (Gelly and Silver, 2007:
/// equivalent experience).
#[inline]
fn ucb1_from(sum: f32, visits: f32, (n, prior): (f32, f32), spread: f32) -> f32 {
    ucb1(sum + n * prior, visits + n, spread)
}

/// PUCT: the mean, `first` without visits, and a bonus that falls with the visits (`AlphaZero`: Silver
/// and others, 2018). `bonus` is `c(N) * sqrt(N)`.
#[inline]
fn puct(sum: f32, visits: f32, first: f32, prior: f32, bonus: f32) -> f32 {
    let mean = if visits == 0.0 { first } else { sum / visits };
    mean + bonus * prior / (1.0 + visits)
}

/// What an action counts as before its first visit: `reduction` less than the mean of the visited ones
/// (first-play urgency: Gelly and Wang, 2006; from the mean of the position, as in Leela Zero).
#[inline]
fn first_play(reduction: f32, sums: &[f32], total: f32) -> f32 {
    sums.iter().sum::<f32>() / total.max(1.0) - reduction
}

/// The `c(N) * sqrt(N)` of PUCT, with the constant of its source; `N` are the visits of the node, that
/// of its own evaluation included.
#[inline]
fn puct_bonus(c: f32, visits: f32) -> f32 {
    const C_BASE: f32 = 19652.0;
    (((1.0 + visits + C_BASE) / C_BASE).ln() + c) * visits.sqrt()
}

/// The share of AMAF in the value of an action of a node with `total` visits: with `equivalence` of
/// them, a half (RAVE, the hand-made schedule: Gelly and Silver, 2011).
#[inline]
fn amaf_share(equivalence: f32, total: f32) -> f32 {
    (equivalence / (3.0 * total + equivalence)).sqrt()
}

/// The mean of an action's own visits and of AMAF, in these shares, and UCB1's bonus. One visit more is
/// taken for the bonus, so that AMAF ranks actions before their first visit.
#[inline]
fn rave(sum: f32, visits: f32, (amaf_visits, amaf_sum): (f32, f32), beta: f32, spread: f32) -> f32 {
    let (own, amaf) = (sum / visits.max(1.0), amaf_sum / amaf_visits.max(1.0));
    // Whichever of the two is missing leaves all to the other.
    let beta = if amaf_visits == 0.0 {
        0.0
    } else if visits == 0.0 {
        1.0
    } else {
        beta
    };
    own + beta * (amaf - own) + spread / (visits + 1.0).sqrt()
}

/// RAVE with what the game knows of an action as `n` visits of its own and `n` of AMAF before the
/// first (equivalent experience: Gelly and Silver, 2007).
///
/// The share of AMAF is that of the least squared error, `a / (v + a + v a / k)`, if its bias is such that
/// any number of its visits is worth `k` own ones (Gelly and Silver, 2011): then
/// `(1 - share) * sum / v + share * amaf / a` is one fraction.
#[inline]
fn rave_from(
    sum: f32,
    visits: f32,
    (amaf_visits, amaf_sum): (f32, f32),
    (n, prior): (f32, f32),
    equivalence: f32,
    spread: f32,
) -> f32 {
    let known = n * prior;
    let (visits, amaf_visits) = (visits + n, amaf_visits + n);
    let doubt = amaf_visits / equivalence;
    let worth = (sum + known) * (1.0 + doubt) + amaf_sum + known;
    worth / (visits + amaf_visits + visits * doubt) + spread / visits.sqrt()
}

/// What selection needs to know of the settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub(super) selection: Selection,
    pub(super) c: f32,
    pub(super) virtual_loss: f32,
    pub(super) rave: Option<f32>,
    /// What the game knows of an action counts as this many visits.
    pub(super) prior_visits: f32,
    /// How much worse than the mean an action counts before its first visit, by PUCT.
    pub(super) first_play: Option<f32>,
    /// Whether priors are an evaluator's; if not, unvisited actions are taken at random.
    pub(super) has_priors: bool,
    /// Whether Gumbel selection brings values to 0 to 1.
    pub(super) rescale: bool,
}

/// The statistics of children side by side, with simulations on their way as visits that lost: what
/// processors compute with several at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) visits: Vec<f32>,
    pub(super) sums: Vec<f32>,
    scores: Vec<f32>,
    pub(super) total: f32,
}

impl Counts {
    pub(super) fn read(&mut self, children: &[Node], virtual_loss: f32) {
        self.visits.clear();
        self.sums.clear();
        let mut total = 0;
        self.visits.extend(children.iter().map(|child| {
            let visits = child.visits() + child.pending();
            total += visits;
            visits as f32
        }));
        self.sums.extend(
            children.iter().map(|child| child.sum() as f32 - virtual_loss * child.pending() as f32),
        );
        self.total = total as f32;
    }
}

impl Rule {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            selection: settings.selection,
            c: settings.c,
            virtual_loss: settings.reward.unit(),
            rave: settings.rave,
            prior_visits: settings.prior_visits,
            first_play: settings.first_play,
            has_priors: false,
            rescale: settings.rescale,
        }
    }

    /// Whether what the game knows of actions counts.
    #[inline]
    pub(super) fn knows(&self) -> bool {
        self.prior_visits > 0.0 && !self.has_priors
    }

    /// The child to follow, by UCB1 or PUCT. There is at least one.
    #[inline]
    pub(super) fn choose(
        &self,
        node: &Node,
        children: &[Node],
        amaf: &[Amaf],
        counts: &mut Counts,
        rng: &mut RandomStream,
    ) -> usize {
        match (self.selection, self.rave) {
            (Selection::Ucb, equivalence) if self.knows() => {
                self.by_knowledge(children, amaf, equivalence, counts)
            }
            (Selection::Ucb, None) => self.by_ucb1(node, children, counts),
            (Selection::Ucb, Some(equivalence)) => {
                self.by_rave(children, amaf, equivalence, counts, rng)
            }
            _ => self.by_puct(children, counts),
        }
    }

    fn by_ucb1(&self, node: &Node, children: &[Node], counts: &mut Counts) -> usize {
        if !self.has_priors {
            if let Some(next) = node.try_next() {
                return next;
            }
        }
        counts.read(children, self.virtual_loss);
        if self.has_priors {
            if let Some(likeliest) = likeliest_unvisited(children, counts) {
                return likeliest;
            }
        }
        let spread = ucb1_spread(self.c, counts.total);
        let Counts { visits, sums, scores, .. } = counts;
        // Of a child that another thread is about to enter this is NaN, which is never the highest.
        let score = |(&sum, &visits): (&f32, &f32)| ucb1(sum, visits, spread);
        scores.clear();
        scores.extend(sums.iter().zip(&*visits).map(score));
        highest(scores)
    }

    /// UCB1 or RAVE, where no action is unknown.
    fn by_knowledge(
        &self,
        children: &[Node],
        amaf: &[Amaf],
        equivalence: Option<f32>,
        counts: &mut Counts,
    ) -> usize {
        counts.read(children, self.virtual_loss);
        let (n, spread) = (self.prior_visits, ucb1_spread(self.c, counts.total));
        let Counts { visits, sums, scores, .. } = counts;
        scores.clear();
        let all = sums.iter().zip(&*visits).zip(children);
        if let Some(equivalence) = equivalence {
            scores.extend(all.zip(amaf).map(|(((&sum, &visits), child), amaf)| {
                rave_from(sum, visits, amaf.get(), (n, child.prior()), equivalence, spread)
            }));
        } else {
            scores.extend(all.map(|((&sum, &visits), child)| {
                ucb1_from(sum, visits, (n, child.prior()), spread)
            }));
        }
        highest(scores)
    }

    fn by_puct(&self, children: &[Node], counts: &mut Counts) -> usize {
        counts.read(children, self.virtual_loss);
        let bonus = puct_bonus(self.c, counts.total + 1.0);
        let Counts { visits, sums, scores, total } = counts;
        let first = self.first_play.map_or(0.0, |reduction| first_play(reduction, sums, *total));
        scores.clear();
        scores.extend(
            sums.iter()
                .zip(&*visits)
                .zip(children)
                .map(|((&sum, &visits), child)| puct(sum, visits, first, child.prior(), bonus)),
        );
        highest(scores)
    }

    fn by_rave(
        &self,
        children: &[Node],
        amaf: &[Amaf],
        equivalence: f32,
        counts: &mut Counts,
        rng: &mut RandomStream,
    ) -> usize {
        counts.read(children, self.virtual_loss);
        let beta = amaf_share(equivalence, counts.total);
        let spread = ucb1_spread(self.c, counts.total);
        let Counts { visits, sums, scores, .. } = counts;
        scores.clear();
        let mut unknown = 0;
        scores.extend(sums.iter().zip(&*visits).zip(amaf).map(|((&sum, &visits), amaf)| {
            let amaf = amaf.get();
            if visits == 0.0 && amaf.0 == 0.0 {
                unknown += 1;
                return f32::INFINITY;
            }
            rave(sum, visits, amaf, beta, spread)
        }));
        if unknown > 0 {
            let rank = rng.random_range(0..unknown) as usize;
            let unknown = (0..scores.len()).filter(|&i| scores[i] == f32::INFINITY).nth(rank);
            return unknown.unwrap_or(0);
        }
        highest(scores)
    }
}

/// Of the children without visits the one of the highest prior.
fn likeliest_unvisited(children: &[Node], counts: &Counts) -> Option<usize> {
    let unvisited = (0..children.len()).filter(|&i| counts.visits[i] == 0.0);
    unvisited.reduce(|best, i| if children[i].prior() > children[best].prior() { i } else { best })
}

/// The first of the highest.
#[inline]
pub(super) fn highest(scores: &[f32]) -> usize {
    // Eight at a time, which processors can do; then where the highest is.
    let mut lanes = [f32::NEG_INFINITY; 8];
    let chunks = scores.chunks_exact(8);
    let rest = chunks.remainder();
    for chunk in chunks {
        for i in 0..8 {
            lanes[i] = if chunk[i] > lanes[i] { chunk[i] } else { lanes[i] };
        }
    }
    let highest = lanes.iter().chain(rest).fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    scores.iter().position(|&score| score == highest).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knowledge_counts_as_visits_that_found_it() {
        let close = |a: f32, b: f32| assert!((a - b).abs() < 1e-5, "{a} is not {b}");
        // Four visits that won twice more than they lost, after six that were worth 0.5 each.
        close(ucb1_from(2.0, 4.0, (6.0, 0.5), 0.0), ucb1(5.0, 10.0, 0.0));
        close(ucb1_from(0.0, 0.0, (6.0, 0.5), 0.0), 0.5);
        close(rave_from(0.0, 0.0, (0.0, 0.0), (6.0, 0.5), 1000.0, 0.0), 0.5);
        // A bonus of as many visits as there seem to be.
        close(rave_from(0.0, 3.0, (0.0, 0.0), (6.0, 0.0), 1000.0, 3.0), 1.0);
        // Ten and fifty visits: 50 / (10 + 50 + 10 * 50 / 25) of AMAF's 0.2, the rest of 1.
        close(rave_from(4.0, 4.0, (44.0, 4.0), (6.0, 1.0), 25.0, 0.0), 0.375 + 0.625 * 0.2);
        // As many visits as AMAF is worth, and any number of that: a half of each.
        close(rave_from(294.0, 294.0, (1e9, -1e9), (6.0, 1.0), 300.0, 0.0), 0.0);
    }

    #[test]
    fn highest_is_the_first_of_the_highest() {
        let mut state = 1_u32;
        for length in 1..100 {
            let scores: Vec<f32> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 28) as f32 - 8.0
                })
                .collect();
            let mut best = 0;
            for i in 1..length {
                if scores[i] > scores[best] {
                    best = i;
                }
            }
            assert_eq!(highest(&scores), best, "{scores:?}");
        }
    }
}
