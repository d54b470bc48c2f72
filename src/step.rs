//! What the log of a game is made of: steps, and the stones they changed.

use crate::color::Color;
use crate::geometry::Action;

/// One entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A point played, or a pass.
    Action(Action),
    /// The player to play was set to this color.
    SetTurn(Color),
}

/// A stone that appeared or vanished, in 16 bits. Each stands for its own reversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change(u16);

impl Change {
    const WHITE: u16 = 1 << 15;

    /// A stone of `color` at `point` appeared or vanished.
    #[must_use]
    #[inline]
    pub fn new(color: Color, point: usize) -> Self {
        Self(point as u16 | (color.index() as u16) << 15)
    }

    /// The plane of the stone: 0 or 1.
    #[inline]
    pub(crate) fn plane(self) -> usize {
        (self.0 >> 15) as usize
    }

    /// The color of the stone.
    #[must_use]
    #[inline]
    pub fn color(self) -> Color {
        Color::ALL[self.plane()]
    }

    /// The point.
    #[must_use]
    #[inline]
    pub fn point(self) -> usize {
        (self.0 & !Self::WHITE) as usize
    }
}
