//! Positions out, logits and values in: how a network takes part in a search.

use std::fmt;

use ndarray::ArrayView3;

use super::Searchable;
use super::error::NoMemory;
use super::settings::{Settings, View};
use crate::color::Color;
use crate::geometry::BoardSize;
use crate::planes::NUM_PLANES;
use crate::symmetry::Symmetry;

/// Positions to be judged.
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

/// What an evaluator says of `L` positions with `A` actions each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluations {
    /// `(L, A)`: logarithms of how good each action is, up to a constant. Those of illegal actions do
    /// not matter.
    pub logits: Vec<f32>,
    /// `(L,)`: from -1, a loss of the player to play, to 1.
    pub values: Vec<f32>,
}

/// Judges positions, many at a time.
pub trait Evaluator {
    /// Why it could not.
    type Error;

    /// Judges positions, in their order.
    ///
    /// # Errors
    /// Whatever keeps it from doing so: the search then ends with this error, and its trees stay as they
    /// were.
    fn evaluate(&mut self, leaves: Leaves) -> Result<Evaluations, Self::Error>;
}

/// An evaluation that no search can use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EvaluationError {
    /// Not so many numbers as positions and actions ask for.
    Length {
        /// The number of positions.
        leaves: usize,
        /// The number of actions of each.
        actions: usize,
        /// How many logits there were.
        logits: usize,
        /// How many values there were.
        values: usize,
    },
    /// The value of a position is no number from -1 to 1.
    Value {
        /// The position's index.
        leaf: usize,
        /// What was given.
        value: f32,
    },
    /// A legal action's logit is NaN or infinite, or those of all legal actions are `-inf`.
    Logit {
        /// The position's index.
        leaf: usize,
        /// The action; `None` if there is none with a logit above `-inf`.
        action: Option<usize>,
        /// What was given.
        logit: f32,
    },
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { leaves, actions, logits, values } => write!(
                f,
                "{leaves} positions of {actions} actions need as many rows of logits and values, not \
                 {logits} logits and {values} values"
            ),
            Self::Value { leaf, value } => {
                write!(f, "the value of position {leaf} is {value}: it must be from -1 to 1")
            }
            Self::Logit { leaf, action: Some(action), logit } => write!(
                f,
                "the logit of action {action} in position {leaf} is {logit}: it must be a number, or \
                 -inf to leave the action out"
            ),
            Self::Logit { leaf, action: None, .. } => {
                write!(f, "the logits of all legal actions in position {leaf} are -inf")
            }
        }
    }
}

impl std::error::Error for EvaluationError {}

/// How far beyond -1 and 1 a value may be by rounding.
const ROUNDING: f32 = 1e-3;

impl Evaluations {
    /// Whether there are as many numbers as there must be, and whether the values are values.
    pub(super) fn check(&self, leaves: usize, actions: usize) -> Result<(), EvaluationError> {
        let (logits, values) = (self.logits.len(), self.values.len());
        if logits != leaves * actions || values != leaves {
            return Err(EvaluationError::Length { leaves, actions, logits, values });
        }
        let is_value = |value: &f32| value.abs() <= 1.0 + ROUNDING; // NaN is not.
        let wrong = self.values.iter().position(|value| !is_value(value));
        wrong.map_or(Ok(()), |leaf| Err(EvaluationError::Value { leaf, value: self.values[leaf] }))
    }
}

/// Appends the planes of a position seen through a symmetry, as the settings ask for them.
pub(super) fn write_planes<G: Searchable>(
    game: &G,
    &Settings { history, view, .. }: &Settings,
    symmetry: Symmetry,
    cells: &mut Vec<u8>,
) -> Result<(), NoMemory> {
    let points = game.size().points();
    cells.try_reserve(num_planes(history) * points).map_err(|_| NoMemory)?;
    let begin = cells.len();
    if history == 0 && symmetry == Symmetry::IDENTITY {
        cells.extend_from_slice(game.state().planes().cells());
    } else if history == 0 {
        append(&symmetry.planes(game.planes()), cells);
    } else {
        append(&symmetry.planes(game.history_planes(history).view()), cells);
    }
    if view == View::Player && history == 0 && game.turn() == Color::White {
        let (black, white) = cells[begin..].split_at_mut(points);
        black.swap_with_slice(&mut white[..points]);
    }
    Ok(())
}

/// How many planes an evaluator sees of a position.
pub(super) fn num_planes(history: usize) -> usize {
    if history == 0 { NUM_PLANES } else { 2 * history + 1 }
}

fn append(planes: &ArrayView3<'_, u8>, cells: &mut Vec<u8>) {
    cells.extend(planes.iter());
}

/// The probabilities that go with logits: their softmax, in place. There is at least one, and the
/// highest is a number.
pub(super) fn softmax(logits: &mut [f32]) {
    let highest = logits.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    for logit in &mut *logits {
        *logit = exp(*logit - highest);
    }
    let share = 1.0 / logits.iter().sum::<f32>();
    for probability in logits {
        *probability *= share;
    }
}

/// The logarithms of [`softmax`], in place.
pub(super) fn log_softmax(logits: &mut [f32]) {
    let highest = logits.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    let sum: f32 = logits.iter().map(|&logit| exp(logit - highest)).sum();
    let whole = highest + sum.ln();
    for logit in logits {
        *logit -= whole;
    }
}

/// The exponential of a number that is not positive, within three units in the last place; 0 below
/// -87. Straight code, so that processors do several at a time.
///
/// `exp(x) = 2^n exp(r)` with `n` the whole number next to `x / ln 2`, and Taylor's series for the
/// rest, which is at most `ln 2 / 2`.
#[inline]
pub(super) fn exp(x: f32) -> f32 {
    /// Added and taken away again it rounds to a whole number, which its lowest bits hold.
    const ROUNDER: f32 = 12_582_912.0;
    let clamped = if x > -87.0 { x } else { -87.0 };
    let rounded = clamped * std::f32::consts::LOG2_E + ROUNDER;
    let n = rounded - ROUNDER;
    // ln 2 in two parts, the first of which has few enough bits to be multiplied exactly.
    let r = (clamped - n * 0.693_359_4) + n * 2.121_944_4e-4;
    let series = 1.0
        + r * (1.0
            + r * (1.0 / 2.0
                + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0))))));
    let power = f32::from_bits(rounded.to_bits().wrapping_add(127) << 23);
    if x > -87.0 { series * power } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp)] // These must be exact.
    fn exp_is_the_exponential() {
        for i in 0..=870_000_u32 {
            let x = -(i as f32) / 10_000.0;
            let (ours, exact) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((ours / exact - 1.0).abs() < 4e-7 || exact < 1e-37, "{x}: {ours} {exact}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp(-1000.0), 0.0);
    }

    #[test]
    fn softmax_sums_to_one_and_keeps_ratios() {
        let mut logits = [0.0, 2.0_f32.ln(), f32::NEG_INFINITY, 0.0];
        softmax(&mut logits);
        for (found, expected) in logits.into_iter().zip([0.25, 0.5, 0.0, 0.25]) {
            assert!((found - expected).abs() < 1e-6);
        }
    }
}
