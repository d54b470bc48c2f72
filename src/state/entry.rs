//! One entry of a game's log.

use super::update::Now;
use crate::color::Color;
use crate::step::Step;

/// A step, and what held before it, in eight bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) step: Step,
    /// Where its stone changes begin in `State::changes`, times 4, plus 2 if the action before was
    /// a pass, plus the player to play.
    before: u32,
}

impl Entry {
    #[inline]
    pub(super) fn new(step: Step, now: Now, changes: usize) -> Self {
        let flags = u32::from(now.passed) << 1 | now.turn.index() as u32;
        Self { step, before: (changes as u32) << 2 | flags }
    }

    #[inline]
    pub(super) fn changes(self) -> usize {
        (self.before >> 2) as usize
    }

    #[inline]
    pub(super) fn passed(self) -> bool {
        self.before >> 1 & 1 == 1
    }

    #[inline]
    pub(super) fn turn(self) -> Color {
        Color::ALL[(self.before & 1) as usize]
    }
}
