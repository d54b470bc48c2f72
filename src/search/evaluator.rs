//! Positions out, logits and values in: how a network takes part in a search.

use super::error::{EvaluationError, NoMemory};
use super::settings::{Settings, View};
use crate::color::Color;
use crate::game::Game;
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

/// The priors and values of `L` positions with `A` actions each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluations {
    /// `(L, A)`: logarithms of probabilities, up to a constant. Those of illegal actions do not matter.
    pub logits: Vec<f32>,
    /// `(L,)`: from -1, a loss of the player to play, to 1.
    pub values: Vec<f32>,
}

/// Judges positions, many at a time.
pub trait Evaluator {
    /// Why it failed.
    type Error;

    /// Judges positions, in their order.
    ///
    /// # Errors
    /// Whatever keeps it from doing so. The search then ends with this error, and no tree changes.
    fn evaluate(&mut self, leaves: Leaves) -> Result<Evaluations, Self::Error>;
}

/// How far beyond -1 and 1 a value may be by rounding.
const ROUNDING: f32 = 1e-3;

impl Evaluations {
    /// The logits of a position.
    pub(super) fn row(&self, leaf: usize) -> &[f32] {
        let actions = self.logits.len() / self.values.len();
        &self.logits[leaf * actions..][..actions]
    }

    /// Adds a position.
    pub(super) fn push(&mut self, logits: &[f32], value: f32) {
        self.logits.extend_from_slice(logits);
        self.values.push(value);
    }

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
pub(super) fn write_planes<G: Game>(
    game: &G,
    &Settings { history, view, .. }: &Settings,
    symmetry: Symmetry,
    cells: &mut Vec<u8>,
) -> Result<(), NoMemory> {
    let points = game.size().points();
    cells.try_reserve(num_planes(history) * points).map_err(|_| NoMemory)?;
    let begin = cells.len();
    if history > 0 {
        cells.extend(&symmetry.planes(game.history_planes(history).view()));
    } else if symmetry == Symmetry::IDENTITY {
        cells.extend_from_slice(game.state().planes().cells());
    } else {
        cells.extend(&symmetry.planes(game.planes()));
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

/// The probabilities that go with logits, in place: their softmax. At least one logit is above `-inf`.
pub(super) fn softmax(logits: &mut [f32]) {
    let highest = logits.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    for logit in &mut *logits {
        *logit = (*logit - highest).exp();
    }
    let share = 1.0 / logits.iter().sum::<f32>();
    for probability in logits {
        *probability *= share;
    }
}
