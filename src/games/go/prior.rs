//! What experience says of plays before any search: a guess at the worth of each.

use super::board::Board;
use super::eyes::EyeRule;
use super::shapes;
use crate::bits::Bits;
use crate::color::Color;
use crate::geometry::Action;

/// Taking stones; and for each of them and of the own stones in atari that it sets free.
pub(super) const CAPTURE: f32 = 0.3;
pub(super) const CAPTURED_STONE: f32 = 0.08;
/// Extending stones in atari to two liberties, and to more; and for each of the stones.
pub(super) const EXTENSION: f32 = 0.1;
pub(super) const LONG_EXTENSION: f32 = 0.25;
pub(super) const EXTENDED_STONE: f32 = 0.05;
/// A chain left with one liberty and nothing taken: of one stone, and of more.
pub(super) const THROW_IN: f32 = -0.35;
pub(super) const SELF_ATARI: f32 = -0.7;
/// An enemy chain left with one liberty.
pub(super) const ATARI: f32 = 0.1;
pub(super) const OWN_EYE: f32 = -0.9;
pub(super) const SHAPE: f32 = 0.15;
/// Beside the last play, and one point further.
pub(super) const NEAR: f32 = 0.15;
pub(super) const NEARBY: f32 = 0.08;
/// With no stone within two steps: on the first line, and on the second.
pub(super) const EMPTY_FIRST: f32 = -0.5;
pub(super) const EMPTY_SECOND: f32 = -0.15;
pub(super) const PASS: f32 = -0.7;
/// More stones than these make nothing more urgent.
pub(super) const MANY: usize = 6;

/// What is found once for all plays of a player.
struct Survey<const W: usize> {
    /// Liberties of own chains with three or more: whoever plays there has two at least.
    safe: Bits<W>,
    /// Liberties of enemy chains with two.
    threats: Bits<W>,
    /// Points within two steps of a stone.
    met: Bits<W>,
}

impl<const W: usize> Board<W> {
    /// Writes a worth from -1 to 1 for each of these legal actions of a player.
    pub(super) fn write_heuristic_values(
        &self,
        color: Color,
        last: Option<Action>,
        actions: &[Action],
        priors: &mut [f32],
    ) {
        let survey = self.survey(color);
        let last = last.map(Action::index).filter(|&last| last < self.size().points());
        for (action, prior) in actions.iter().zip(priors) {
            let point = action.index();
            *prior = if point == self.size().points() {
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
            let liberties = frame.neighbors_in(chain, self.empty());
            let count = liberties.count();
            if own.contains(head) {
                if count > 2 {
                    safe |= liberties;
                }
            } else if count == 2 {
                threats |= liberties;
            }
        }
        Survey { safe, threats, met: frame.dilate(frame.dilate(stones)) }
    }

    /// Where on the board, and beside what.
    #[inline]
    fn worth_of_place(&self, point: usize, last: Option<usize>, survey: &Survey<W>) -> f32 {
        let size = self.size();
        let place = |point: usize| (point / size.cols(), point % size.cols());
        let (row, col) = place(point);
        let mut worth = if survey.met.contains(point) {
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
        if shapes::is_known(self.around(point)) {
            worth += SHAPE;
        }
        worth
    }

    /// What is taken, saved and lost.
    #[inline]
    fn worth_of_fight(&self, point: usize, color: Color, survey: &Survey<W>) -> f32 {
        let mut worth = 0.0;
        let taken = self.ataris_taken_at(point, color.opponent()).1;
        if taken > 0 {
            worth +=
                CAPTURE + CAPTURED_STONE * (taken + self.freed_at(point, color)).min(MANY) as f32;
        }
        let may_be_short = !survey.safe.contains(point) && self.empty_next_to(point) < 2;
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

    /// Own stones in atari beside the chains that a play takes.
    fn freed_at(&self, point: usize, color: Color) -> usize {
        let in_atari = self.stones(color) & self.atari();
        if in_atari.is_empty() {
            return 0;
        }
        let taken = self.ataris_at(point, color.opponent());
        let taken = taken.fold(Bits::EMPTY, |all, head| all | self.chain_stones(head));
        self.frame().fill(self.frame().neighbors_in(taken, in_atari), in_atari).count()
    }

    /// Stones and liberties of the chain of a play that takes nothing.
    fn chain_after(&self, point: usize, color: Color) -> (usize, usize) {
        let own = self.stones(color);
        let mut chain = Bits::point(point);
        for n in self.next_to(point) {
            if own.contains(n) && !chain.contains(n) {
                if let Some(head) = self.chain_at(n) {
                    chain |= self.chain_stones(head);
                }
            }
        }
        let mut empty = self.empty();
        empty.remove(point);
        (chain.count(), self.frame().neighbors_in(chain, empty).count())
    }
}
