//! What counts as an eye: three definitions, none of which sees through every false eye.

use super::board::{Board, EMPTY, OFF_BOARD};
use crate::bits::Bits;
use crate::color::Color;

/// When an empty point whose neighbors along lines are all stones of one color is its eye.
///
/// ```
/// use sixplane::{Color, EyeRule, Game, Go};
///
/// let game = Go::from_text("
///     . X O .
///     X . X .
///     O X . .
///     . . . .", Color::Black)?;
/// // White has two of the four points beside the corners of point 5.
/// assert!(!game.is_eye(5.into(), Color::Black, EyeRule::Diagonal));
/// assert!(game.is_eye(5.into(), Color::Black, EyeRule::Chain));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EyeRule {
    /// At least three of the four diagonal neighbors are that color as well; at the edge and in
    /// the corner, all that are on the board.
    #[default]
    Diagonal,
    /// Each chain around has a liberty besides.
    Chain,
    /// At most one diagonal neighbor is of the other color; at the edge and in the corner none is. The usual
    /// rule of random playouts.
    Playout,
}

impl EyeRule {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Diagonal, Self::Chain, Self::Playout];

    /// `"diagonal"`, `"chain"` or `"playout"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Diagonal => "diagonal",
            Self::Chain => "chain",
            Self::Playout => "playout",
        }
    }
}

impl<const W: usize> Board<W> {
    /// Whether an empty point is an eye of `color`.
    #[must_use]
    #[inline]
    pub fn is_eye(&self, point: usize, color: Color, rule: EyeRule) -> bool {
        if !self.is_enclosed(point, color) {
            return false;
        }
        match rule {
            EyeRule::Diagonal => {
                let (own, _, on_board) = self.count_diagonals(point, color);
                own >= if on_board == 4 { 3 } else { on_board }
            }
            EyeRule::Chain => self.ataris_at(point, color).next().is_none(),
            EyeRule::Playout => {
                let (_, enemy, on_board) = self.count_diagonals(point, color);
                enemy + usize::from(on_board < 4) < 2
            }
        }
    }

    /// All eyes of `color`.
    #[must_use]
    pub fn eyes(&self, color: Color, rule: EyeRule) -> Bits<W> {
        let board = self.frame().board();
        let others = board & !self.stones[color.index()];
        let enclosed = self.empty() & !self.frame().dilate(others, board);
        enclosed.iter().filter(|&point| self.is_eye(point, color, rule)).collect()
    }

    /// Whether `point` is empty and every neighbor of it on the board is a stone of `color`.
    #[inline]
    fn is_enclosed(&self, point: usize, color: Color) -> bool {
        let mut enclosed = self.cells[point] == EMPTY;
        for n in self.neighbors(point) {
            // Neighbors are anything: a branch on one costs more than it would skip.
            enclosed &= self.is_stone(n, color) | (self.cells[n] == OFF_BOARD);
        }
        enclosed
    }

    /// The diagonal neighbors of `point`: stones of `color`, stones of the other, and points.
    #[inline]
    fn count_diagonals(&self, point: usize, color: Color) -> (usize, usize, usize) {
        let mut counts = [0; 4];
        for d in self.layout.diagonals(point) {
            counts[self.cells[d] as usize & 3] += 1;
        }
        let on_board = 4 - counts[OFF_BOARD as usize];
        (counts[color.index()], counts[color.opponent().index()], on_board)
    }
}
