//! The settings of a search: how it selects, how long it goes on, what the end of a game is worth.

use std::time::Duration;

use crate::batch::View;
use crate::status::Outcome;

/// How a simulation selects actions.
///
/// ```
/// use sixplane::search::{Selection, Settings};
///
/// assert_eq!(Settings::default().selection, Selection::Ucb);
/// assert_eq!(Settings::default_c(Selection::Gumbel), 0.1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// UCB1: every action once, then the highest upper bound of the mean.
    #[default]
    Ucb,
    /// PUCT: the mean, and a bonus in proportion to the prior.
    Puct,
    /// At the root sequential halving over actions sampled by Gumbel noise; below it the action whose
    /// share of the visits falls furthest behind an improved policy.
    Gumbel,
}

/// What a win is worth beside its points with [`Reward::Margin`], so that winning goes before points.
const WIN_BONUS: f32 = 10.0;

/// What the end of a game is worth.
///
/// ```
/// use sixplane::search::{Reward, Search, Settings};
/// use sixplane::{Game, Reversi};
///
/// let settings = Settings { reward: Reward::Margin, simulations: 50, ..Settings::default() };
/// let mut search = Search::new(&Reversi::new(4)?, settings, 1)?;
/// search.run(&mut || false)?;
/// assert!(search.report().value.abs() <= 10.0 + 16.0); // ten, and the discs of the lead
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reward {
    /// +1, 0 or -1.
    #[default]
    Outcome,
    /// The lead and ten more for the winner, the same below zero for the loser; 0 for a draw.
    Margin,
}

impl Reward {
    /// The value for Black.
    ///
    /// ```
    /// use sixplane::search::Reward;
    /// use sixplane::{Color, Outcome};
    ///
    /// let lost = Outcome::Win(Color::White);
    /// assert_eq!((Reward::Outcome.of(lost, -2.5), Reward::Margin.of(lost, -2.5)), (-1.0, -12.5));
    /// ```
    #[must_use]
    pub fn of(self, outcome: Outcome, score: f64) -> f64 {
        let sign = f64::from(outcome.sign());
        match self {
            Self::Outcome => sign,
            Self::Margin => sign * (f64::from(WIN_BONUS) + score.abs()),
        }
    }

    /// The value of a position where an evaluator says this of it; None if it may not.
    #[must_use]
    pub(super) fn taken(self, value: f32) -> Option<f32> {
        // Rounding may bring a value of a network beyond its bound.
        const ROUNDING: f32 = 1e-3;
        match self {
            Self::Outcome => (value.abs() <= 1.0 + ROUNDING).then(|| value.clamp(-1.0, 1.0)),
            Self::Margin => value.is_finite().then_some(value),
        }
    }

    /// The least value of a win, and what a simulation under way is taken to have lost.
    #[must_use]
    pub(super) fn unit(self) -> f32 {
        match self {
            Self::Outcome => 1.0,
            Self::Margin => WIN_BONUS,
        }
    }
}

/// Dirichlet noise mixed into the priors of the root.
///
/// ```
/// use sixplane::search::{Noise, Selection, Settings};
///
/// let noise = Some(Noise { alpha: 10.0 / 81.0, fraction: 0.25 });
/// let settings = Settings { selection: Selection::Puct, noise, ..Settings::default() };
/// assert_eq!(settings.simulations, 1000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The parameter of each action, greater than 0; small ones favor few actions.
    pub alpha: f64,
    /// The share of the noise, 0 to 1.
    pub fraction: f64,
}

/// The settings of a search.
///
/// ```
/// use std::time::Duration;
///
/// use sixplane::search::{Noise, Selection, Settings};
///
/// // Self-play with a network, as AlphaZero does it.
/// let settings = Settings {
///     selection: Selection::Puct,
///     c: Settings::default_c(Selection::Puct),
///     simulations: 800,
///     noise: Some(Noise { alpha: 0.03, fraction: 0.25 }),
///     ..Settings::default()
/// };
/// assert_eq!((settings.c, settings.time), (1.25, None::<Duration>));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How a simulation selects actions.
    pub selection: Selection,
    /// The most simulations of one search; 0 for none at all.
    pub simulations: u32,
    /// The most time of one search.
    pub time: Option<Duration>,
    /// The most nodes of a tree; one takes 32 bytes, or 40 with `rave`. A full tree no longer grows,
    /// but its statistics do.
    pub max_nodes: usize,
    /// How much is explored: `c` of UCB1, `c_init` of PUCT, `c_scale` of Gumbel selection.
    pub c: f32,
    /// Noise on the priors of the root, for [`Selection::Puct`].
    pub noise: Option<Noise>,
    /// The scale of the Gumbel noise: 1 for self-play, 0 for none.
    pub gumbel_scale: f32,
    /// The most actions of the root that Gumbel selection considers.
    pub considered: usize,
    /// Whether Gumbel selection brings the values of a position's actions to 0 to 1 before it adds them
    /// to logits.
    pub rescale: bool,
    /// RAVE's `k`, for [`Selection::Ucb`] with playouts: at so many visits of the position an action's own mean
    /// and that of all playouts with it weigh the same (Gelly and Silver, 2011). With `prior_visits`, the mean of
    /// all playouts never weighs more than so many visits of the action.
    pub rave: Option<f32>,
    /// As how many visits the heuristic value of an action counts
    /// ([`write_heuristic_values`](crate::Playouts::write_heuristic_values)); 0 leaves it out. For [`Selection::Ucb`] with
    /// playouts.
    pub prior_visits: f32,
    /// First-play urgency, for [`Selection::Puct`]: the mean of an action without visits is that of the
    /// visited ones less this; `None`: it is 0, an even game.
    pub first_play: Option<f32>,
    /// Leaves of one tree for each call of an evaluator.
    pub leaves: usize,
    /// Threads: on the one tree of [`Search::run`](super::Search::run), or on the trees of a batch.
    pub threads: usize,
    /// The seed of the symmetry through which an evaluator sees a position; `None`: it sees it as it is.
    pub symmetry: Option<u64>,
    /// What the end of a game is worth.
    pub reward: Reward,
    /// How many boards back an evaluator sees ([`State::history_planes`](crate::State::history_planes));
    /// 0 for the six planes.
    pub history: usize,
    /// Whose side it sees the six planes from. Those of the history are always the player's.
    pub view: View,
    /// Whether the search proves wins, draws and losses, with the game's solver ([`Exact`](crate::Exact)), and
    /// leaves alone what is proven. A search ends when its best action is certain, and after an eighth of its limits
    /// when its root is lost. With another reward than [`Reward::Outcome`] it counts as false: a proof says who
    /// wins, not by how much.
    pub exact: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            selection: Selection::Ucb,
            simulations: 1000,
            time: None,
            max_nodes: 1 << 24,
            c: 1.0,
            noise: None,
            gumbel_scale: 1.0,
            considered: 16,
            rescale: true,
            rave: None,
            prior_visits: 0.0,
            first_play: None,
            leaves: 1,
            threads: 1,
            symmetry: None,
            reward: Reward::Outcome,
            history: 0,
            view: View::Black,
            exact: false,
        }
    }
}

impl Settings {
    /// The default `c` of a selection: that of the source of its formula.
    #[must_use]
    pub fn default_c(selection: Selection) -> f32 {
        match selection {
            Selection::Ucb => 1.0,
            Selection::Puct => 1.25,
            Selection::Gumbel => 0.1,
        }
    }

    /// Whether the search proves anything.
    pub(super) fn proves(&self) -> bool {
        self.exact && self.reward == Reward::Outcome
    }
}
