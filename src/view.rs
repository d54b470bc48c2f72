//! Whose side planes and rewards are seen from: the only place that exchanges colors for a viewer.

use crate::color::Color;
use crate::planes::{NUM_PLANES, Plane};

/// Whose side planes and rewards are seen from.
///
/// ```
/// use sixplane::batch::{GameBatch, StepOptions, View};
/// use sixplane::{Game, Go};
///
/// let mut batch = GameBatch::new(&Go::new(3)?, 1, 1, None);
/// let (mut planes, mut masks) = (vec![0; 6 * 9], vec![0; 10]);
/// let options = StepOptions { view: View::Player, ..StepOptions::default() };
/// batch.step(&[4], options, None, &mut planes, &mut masks)?;
/// assert_eq!(planes[9..18], [0, 0, 0, 0, 1, 0, 0, 0, 0]); // White sees an opponent's stone
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// Black's: the planes are in absolute colors, and rewards are Black's.
    #[default]
    Black,
    /// White's: plane 0 has the white stones, and rewards are White's.
    White,
    /// The player's: planes 0 and 1 are the stones of the player to play and of the opponent;
    /// rewards go to the player who has just played.
    Player,
}

impl View {
    /// The color whose side it is when this one plays.
    ///
    /// ```
    /// use sixplane::Color;
    /// use sixplane::batch::View;
    ///
    /// let sides = [View::Black, View::White, View::Player].map(|view| view.side(Color::White));
    /// assert_eq!(sides, [Color::Black, Color::White, Color::White]);
    /// ```
    #[must_use]
    #[inline]
    pub const fn side(self, player: Color) -> Color {
        match self {
            Self::Black => Color::Black,
            Self::White => Color::White,
            Self::Player => player,
        }
    }

    /// Brings six planes in absolute colors, one after another, into the view of this side.
    #[inline]
    pub(crate) fn orient<T: Copy>(self, turn: Color, planes: &mut [T]) {
        if self.side(turn) == Color::White {
            let points = planes.len() / NUM_PLANES;
            exchange_colors(&mut planes[..Plane::Turn as usize * points], points);
        }
    }

    /// Brings the boards of history planes, which begin with the player to play, into the view of this side.
    #[inline]
    pub(crate) fn orient_history<T: Copy>(self, turn: Color, boards: &mut [T], points: usize) {
        if self.side(turn) != turn {
            exchange_colors(boards, points);
        }
    }
}

/// Exchanges the stones of both colors on each of these boards of two planes.
#[inline]
pub(crate) fn exchange_colors<T>(boards: &mut [T], points: usize) {
    for board in boards.chunks_exact_mut(2 * points) {
        let (black, white) = board.split_at_mut(points);
        black.swap_with_slice(white);
    }
}
