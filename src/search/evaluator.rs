//! Positions out, logits and values in: how a network takes part in a search.

use crate::geometry::BoardSize;

/// Positions to be judged.
///
/// ```
/// use sixplane::search::Leaves;
/// use sixplane::{Game, Go};
///
/// let game = Go::new(5)?;
/// let planes = game.state().planes().cells().to_vec();
/// let leaves = Leaves { count: 1, num_planes: 6, size: game.size(), planes };
/// assert_eq!(leaves.planes.len(), leaves.count * leaves.num_planes * leaves.size.points());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaves {
    /// How many, `L`.
    pub count: usize,
    /// Planes of each: 6, or `2k + 1` with `history = k`.
    pub num_planes: usize,
    /// The size of the boards.
    pub size: BoardSize,
    /// `(L, num_planes, rows, cols)` of 0 and 1.
    pub planes: Vec<u8>,
}

/// The priors and values of `L` positions with `A` actions each.
///
/// ```
/// use sixplane::BoardSize;
/// use sixplane::search::Evaluations;
///
/// let (count, actions) = (8, BoardSize::square(9)?.num_actions());
/// let even = Evaluations { logits: vec![0.0; count * actions], values: vec![0.0; count] };
/// assert_eq!((even.logits.len(), even.values.len()), (656, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluations {
    /// `(L, A)`: logarithms of probabilities, up to a constant. Those of illegal actions do not matter. `-inf`
    /// leaves an action out, as does any logit so low that its probability is 0: it is searched only if all others
    /// have a proof. At least one action that may be played needs a finite one.
    pub logits: Vec<f32>,
    /// `(L,)`: from -1, a loss of the player to play, to 1; with [`Reward::Margin`](super::Reward::Margin)
    /// the margins expected.
    pub values: Vec<f32>,
}

/// Judges positions, many at a time.
///
/// ```
/// use std::convert::Infallible;
///
/// use sixplane::search::{Cache, Evaluations, Evaluator, Leaves, Search, Selection, Settings, run_with_evaluator};
/// use sixplane::{Game, Gomoku};
///
/// /// Knows nothing: a network would stand here.
/// struct Even;
///
/// impl Evaluator for Even {
///     type Error = Infallible;
///
///     fn evaluate(&mut self, leaves: Leaves) -> Result<Evaluations, Infallible> {
///         let (count, actions) = (leaves.count, leaves.size.num_actions());
///         assert_eq!(leaves.planes.len(), count * 6 * leaves.size.points());
///         Ok(Evaluations { logits: vec![0.0; count * actions], values: vec![0.0; count] })
///     }
/// }
///
/// let settings = Settings { selection: Selection::Puct, simulations: 64, ..Settings::default() };
/// let mut searches = vec![Search::new(&Gomoku::new(7)?, settings, 1)?];
/// run_with_evaluator(&mut searches, &mut Even, &mut Cache::new(1000)?, &mut || false)?;
/// assert_eq!(searches[0].report().visits.iter().sum::<u32>(), 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluator {
    /// Why it failed.
    type Error;

    /// Judges positions, in their order.
    ///
    /// # Errors
    /// Whatever keeps it from doing so. The search then ends with this error, and no tree has
    /// anything of its positions.
    fn evaluate(&mut self, leaves: Leaves) -> Result<Evaluations, Self::Error>;
}
