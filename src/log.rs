//! What the log of a game is made of: steps, and the stones they changed.

use crate::color::Color;
use crate::geometry::{Action, BoardSize};

/// One entry of the log.
///
/// ```
/// use sixplane::{Color, Game, Go, Step};
///
/// let mut game = Go::new(5)?;
/// game.play_at(2, 2)?;
/// game.set_turn(Color::Black)?;
/// let steps: Vec<_> = game.state().steps().collect();
/// assert_eq!(steps, [Step::Action(12.into()), Step::SetTurn(Color::Black)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A point played, or a pass.
    Action(Action),
    /// The player to play was set to this color.
    SetTurn(Color),
}

/// A stone that appeared or vanished, or one that changed its color, in 16 bits. Each stands for
/// its own reversal.
///
/// ```
/// use sixplane::{Change, Game, Reversi};
///
/// let mut game = Reversi::new(4)?;
/// game.play(game.legal_actions()[0])?;
/// let (_, changes) = game.state().steps_with_changes().next().expect("a step");
/// assert_eq!(changes.len(), 2); // a disc appeared, and one changed its color
/// assert!(changes.contains(&Change::flip(5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change(u16);

impl Change {
    /// One more than the largest [`Change::index`].
    pub(crate) const COUNT: usize = 4 * BoardSize::MAX_POINTS;

    /// A stone of `color` at `point` appeared or vanished.
    #[must_use]
    #[inline]
    pub fn new(color: Color, point: usize) -> Self {
        Self((point << 2) as u16 | 1 << color.index())
    }

    /// The stone at `point` changed its color.
    #[must_use]
    #[inline]
    pub fn flip(point: usize) -> Self {
        Self((point << 2) as u16 | 3)
    }

    /// Whether a stone of this color appeared or vanished: of one that changed its color, each did.
    #[must_use]
    #[inline]
    pub fn is_of(self, color: Color) -> bool {
        self.0 >> color.index() & 1 == 1
    }

    /// The color of the stone; of one that changed it, White.
    #[must_use]
    #[inline]
    pub fn color(self) -> Color {
        Color::ALL[usize::from(self.0 >> 1 & 1)]
    }

    /// The point.
    #[must_use]
    #[inline]
    pub fn point(self) -> usize {
        (self.0 >> 2) as usize
    }

    /// Its number among all changes: four times the point, plus 1 for Black, 2 for White, 3 for a flip.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}
