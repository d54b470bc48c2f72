//! The score table as an evaluator for search: a prior for every action, and a value.

use super::score_table::{Threat, Worth, Worths, center, patterns_of, worths};
use crate::color::Color;
use crate::games::gomoku::GomokuRules;
use crate::geometry::BoardSize;

/// Without threats, how many of the best points of each color say who stands better.
const BEST: usize = 3;

/// About what a point in line with one stone is worth.
const ONE_STONE: f32 = 1000.0;

/// How much larger the logit of the center of an empty board is.
const OPENING: f32 = 10.0;

/// Evaluates a position of Gomoku that goes on, for the player to play.
///
/// Returns a logit for each action, `rows * cols + 1` of them: large for the points that win or
/// must be taken, and growing with the scores of both colors; and the value, from -1 to 1.
/// Without threats it is a guess; fives, and fours that cannot be stopped, are certain.
///
/// `cells` are those of the black and of the white plane, `rows * cols` each.
///
/// # Panics
/// If the lengths are others.
///
/// ```
/// use sixplane::players::table_evaluator::evaluate;
/// use sixplane::{BoardSize, Color, GomokuRules};
///
/// let size = BoardSize::square(9)?;
/// let (mut black, white) = ([0; 81], [0; 81]);
/// black[36..40].fill(1); // a four at the edge, which makes five at 40
/// let (logits, value) = evaluate(size, GomokuRules::default(), [&black, &white], Color::Black);
/// assert_eq!(value, 1.0);
/// assert!(logits.iter().enumerate().all(|(action, &logit)| action == 40 || logit < logits[40]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn evaluate(
    size: BoardSize,
    rules: GomokuRules,
    cells: [&[u8]; 2],
    turn: Color,
) -> (Vec<f32>, f32) {
    assert!(cells.iter().all(|cells| cells.len() == size.points()));
    let mut logits = vec![0.0; size.num_actions()];
    let worths = worths(patterns_of(size, rules, cells, turn), cells);
    for worths in &worths {
        logits[worths.point] = logit(worths);
    }
    if worths.len() == size.points() {
        // Without a stone the patterns say next to nothing: a search would open anywhere.
        logits[center(size)] += OPENING;
    }
    (logits, value(&worths))
}

fn logit(worths: &Worths) -> f32 {
    /// For no threat, a double three, an unstoppable threat and a five: what it adds to make it, and
    /// to prevent it.
    const MAKE: [f32; 4] = [0.0, 5.0, 10.0, 16.0];
    const PREVENT: [f32; 4] = [0.0, 4.0, 7.0, 13.0];
    let (own, other) = (worths.own.threat as usize, worths.other.threat as usize);
    // By ratios, so that without threats the points near stones stand out as well.
    let patterns = |points: u32| (1.0 + points as f32 / ONE_STONE).ln();
    MAKE[own].max(PREVENT[other]) + patterns(worths.own.points) + patterns(worths.other.points)
}

fn value(worths: &[Worths]) -> f32 {
    let own = worths.iter().map(|worths| worths.own).max();
    let other = worths.iter().map(|worths| worths.other).max();
    let (Some(own), Some(other)) = (own, other) else { return 0.0 };
    let fives = worths.iter().filter(|worths| worths.other.threat == Threat::Win).count();
    match (own.threat, other.threat) {
        (Threat::Win, _) => 1.0,
        (_, Threat::Win) if fives > 1 => -1.0,
        // The action is forced; the search sees what comes after it.
        (_, Threat::Win) => -0.1 + balance(worths),
        (Threat::Unstoppable, _) if own.two_ways_to_five => 1.0,
        (Threat::Unstoppable, _) => 0.8,
        (_, Threat::Unstoppable) => -0.2 + balance(worths),
        (Threat::DoubleThree, _) => 0.6,
        _ => 0.1 + balance(worths),
    }
}

/// Who has the better points, from -0.5 to 0.5.
fn balance(worths: &[Worths]) -> f32 {
    let best = |worth: fn(&Worths) -> Worth| {
        let mut points: Vec<u32> = worths.iter().map(|worths| worth(worths).points).collect();
        points.sort_unstable_by(|a, b| b.cmp(a));
        points.into_iter().take(BEST).sum::<u32>() as f32
    };
    let lead = best(|worths| worths.own) - best(|worths| worths.other);
    0.5 * (lead / 30_000.0).tanh()
}
