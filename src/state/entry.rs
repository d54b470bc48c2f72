//! One entry of a game's log.

use crate::color::Color;
use crate::log::Step;

/// A step, and what held before it, in eight bytes: with twelve, a step of a large batch takes a tenth
/// longer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) step: Step,
    /// How many stones had changed since the start, times 4, plus 2 if the action before was a pass,
    /// plus the player to play.
    before: u32,
}

impl Entry {
    #[inline]
    pub(super) fn new(step: Step, changes: usize, turn: Color, passed: bool) -> Self {
        Self { step, before: (changes as u32) << 2 | u32::from(passed) << 1 | turn.index() as u32 }
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
