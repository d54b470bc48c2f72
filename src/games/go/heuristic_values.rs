//! What a player's knowledge of Go says of plays before any search: a guess at the worth of each.
//!
//! The worth of a play is the sum of what holds of it, in the unit of outcomes: 1 is a win.

use super::board::{Board, EMPTY};
use super::eyes::EyeRule;
use crate::bits::Bits;
use crate::color::Color;
use crate::geometry::Action;

pub use super::shapes::SHAPES;

/// Taking stones.
pub const CAPTURE: f32 = 0.3;
/// Each stone that is taken, and each own stone in atari that this sets free.
pub const CAPTURED_STONE: f32 = 0.08;
/// Extending stones in atari to two liberties.
pub const EXTENSION: f32 = 0.1;
/// Extending stones in atari to more liberties.
pub const LONG_EXTENSION: f32 = 0.25;
/// Each of the stones extended.
pub const EXTENDED_STONE: f32 = 0.05;
/// A single stone left with one liberty and nothing taken.
pub const THROW_IN: f32 = -0.35;
/// A chain of more stones left with one liberty and nothing taken.
pub const SELF_ATARI: f32 = -0.7;
/// An enemy chain left with one liberty.
pub const ATARI: f32 = 0.1;
/// Filling an own eye.
pub const OWN_EYE: f32 = -0.9;
/// One of the [`SHAPES`].
pub const SHAPE: f32 = 0.15;
/// Next to the last play, diagonals included.
pub const NEAR: f32 = 0.15;
/// Two lines from the last play at most.
pub const NEARBY: f32 = 0.08;
/// On the first line, with no stone within two steps.
pub const EMPTY_FIRST: f32 = -0.5;
/// On the second line, with no stone within two steps.
pub const EMPTY_SECOND: f32 = -0.15;
/// Passing.
pub const PASS: f32 = -0.7;
/// More stones than these make nothing more urgent.
pub const MANY: usize = 6;

/// What the plays of a player have in common.
struct Survey<const W: usize> {
    /// Liberties of own chains with three or more: a play there has at least two.
    safe: Bits<W>,
    /// Liberties of enemy chains with two.
    threats: Bits<W>,
    /// Points within two steps of a stone.
    near_stones: Bits<W>,
}

impl<const W: usize> Board<W> {
    /// Writes a value from -1 to 1 for each of these legal actions of a player.
    pub(super) fn write_heuristic_values(
        &self,
        color: Color,
        last: Option<Action>,
        actions: &[Action],
        values: &mut [f32],
    ) {
        let survey = self.survey(color);
        let last = last.map(Action::index).filter(|&last| last < self.size().points());
        for (action, value) in actions.iter().zip(values) {
            let point = action.index();
            *value = if point == self.size().points() {
                PASS
            } else {
                let worth = self.worth_of_place(point, last, &survey);
                (worth + self.worth_of_fight(point, color, &survey)).clamp(-1.0, 1.0)
            };
        }
    }

    fn survey(&self, color: Color) -> Survey<W> {
        let (frame, own) = (self.frame(), self.stones(color));
        let (mut safe, mut threats) = (Bits::EMPTY, Bits::EMPTY);
        let stones = own | self.stones(color.opponent());
        let mut left = stones & !self.atari();
        while let Some(head) = left.first().and_then(|stone| self.chain_at(stone)) {
            let chain = self.chain_stones(head);
            left &= !chain;
            let liberties = frame.dilate(chain, self.empty());
            let count = liberties.count();
            if own.contains(head) {
                if count > 2 {
                    safe |= liberties;
                }
            } else if count == 2 {
                threats |= liberties;
            }
        }
        let grown = |set| set | frame.dilate(set, frame.board());
        Survey { safe, threats, near_stones: grown(grown(stones)) }
    }

    /// What the place is worth: the line, the last play and the shape of the stones around.
    #[inline]
    fn worth_of_place(&self, point: usize, last: Option<usize>, survey: &Survey<W>) -> f32 {
        let size = self.size();
        let place = |point: usize| (point / size.cols(), point % size.cols());
        let (row, col) = place(point);
        let mut worth = if survey.near_stones.contains(point) {
            0.0
        } else {
            let (below, right) = (size.rows() - 1 - row, size.cols() - 1 - col);
            match row.min(col).min(below).min(right) {
                0 => EMPTY_FIRST,
                1 => EMPTY_SECOND,
                _ => 0.0,
            }
        };
        if let Some(last) = last {
            let (last_row, last_col) = place(last);
            worth += match row.abs_diff(last_row).max(col.abs_diff(last_col)) {
                0 | 1 => NEAR,
                2 => NEARBY,
                _ => 0.0,
            };
        }
        if self.has_shape(point) {
            worth += SHAPE;
        }
        worth
    }

    /// What the stones taken, saved and lost are worth.
    #[inline]
    fn worth_of_fight(&self, point: usize, color: Color, survey: &Survey<W>) -> f32 {
        let mut worth = 0.0;
        let taken = self.ataris_taken_at(point, color.opponent()).1;
        if taken > 0 {
            worth +=
                CAPTURE + CAPTURED_STONE * (taken + self.freed_at(point, color)).min(MANY) as f32;
        }
        let may_be_short = !survey.safe.contains(point) && self.count_empty_next_to(point) < 2;
        let saves = self.ataris_at(point, color).next().is_some();
        let mut is_short = false;
        if taken == 0 && (may_be_short || saves) {
            let (stones, liberties) = self.chain_after(point, color);
            is_short = liberties < 2;
            if is_short {
                worth += if stones == 1 { THROW_IN } else { SELF_ATARI };
            } else if saves {
                let saved = self.ataris_taken_at(point, color).1.min(MANY) as f32;
                let extension = if liberties > 2 { LONG_EXTENSION } else { EXTENSION };
                worth += extension + EXTENDED_STONE * saved;
            }
        }
        if survey.threats.contains(point) && !is_short {
            worth += ATARI;
        }
        if self.is_eye(point, color, EyeRule::Playout) && taken == 0 && !saves {
            worth += OWN_EYE;
        }
        worth
    }

    /// Number of empty points next to a point.
    fn count_empty_next_to(&self, point: usize) -> usize {
        self.neighbors(point).into_iter().filter(|&n| self.cells[n] == EMPTY).count()
    }

    /// Own stones in atari beside the chains that a play takes.
    fn freed_at(&self, point: usize, color: Color) -> usize {
        let in_atari = self.stones(color) & self.atari();
        if in_atari.is_empty() {
            return 0;
        }
        let taken = self.ataris_at(point, color.opponent());
        let taken = taken.fold(Bits::EMPTY, |all, head| all | self.chain_stones(head));
        self.frame().fill(self.frame().dilate(taken, in_atari), in_atari).count()
    }

    /// Stones and liberties of the chain of a play that takes nothing.
    fn chain_after(&self, point: usize, color: Color) -> (usize, usize) {
        let own = self.stones(color);
        let mut chain = Bits::point(point);
        for n in self.neighbors(point) {
            if own.contains(n) && !chain.contains(n) {
                if let Some(head) = self.chain_at(n) {
                    chain |= self.chain_stones(head);
                }
            }
        }
        let mut empty = self.empty();
        empty.remove(point);
        (chain.count(), self.frame().dilate(chain, empty).count())
    }
}
