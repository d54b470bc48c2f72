//! What a player's knowledge of Reversi says of plays before any search: a guess at the worth of the
//! positions that they lead to.
//!
//! Corners are never flipped, and discs along the edge from an own corner are not either. A disc beside
//! an empty corner helps the opponent to it. A player with more plays, and with more empty points
//! beside enemy discs to play at later, can choose; the other must give way (mobility and potential
//! mobility: Rosenbloom, 1982).

use super::board::Board;
use super::lines::Lines;
use crate::bits::Bits;
use crate::color::Color;
use crate::geometry::Action;

/// More plays than the opponent, as a share of all plays of both and two.
pub const MOBILITY: f32 = 0.5;
/// More empty points beside enemy discs than the opponent, as such a share.
pub const POTENTIAL: f32 = 0.3;
/// An own corner.
pub const CORNER: f32 = 0.2;
/// An own disc that only own discs lead to along the edge from an own corner.
pub const ANCHORED: f32 = 0.04;
/// An own disc diagonally beside an empty corner.
pub const X_SQUARE: f32 = -0.12;
/// An own disc beside an empty corner on the edge.
pub const C_SQUARE: f32 = -0.05;
/// A corner that the opponent, who plays next, may take.
pub const LOST_CORNER: f32 = -0.2;
/// A corner that the player may take later.
pub const OPEN_CORNER: f32 = 0.1;

impl<const W: usize> Board<W> {
    /// Writes a value from -1 to 1 for each of these legal actions of a player.
    #[inline]
    pub(super) fn write_heuristic_values(
        &self,
        color: Color,
        actions: &[Action],
        values: &mut [f32],
    ) {
        let points = self.lines.board().count();
        for (action, value) in actions.iter().zip(values) {
            let mut after = *self;
            if action.index() < points {
                after.play(color, action.index());
            }
            *value = after.worth(color);
        }
    }

    /// The worth of the position to a player whose opponent plays next.
    #[inline]
    fn worth(&self, color: Color) -> f32 {
        let (lines, other_color) = (&self.lines, color.opponent());
        let (own, other) = (self.discs(color), self.discs(other_color));
        let (may, may_other) = (self.legal(color), self.legal(other_color));
        if may.is_empty() && may_other.is_empty() {
            return match own.count().cmp(&other.count()) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Less => -1.0,
            };
        }
        let (corners, edges) = (lines.corners(), lines.edges());
        let empty = lines.board() & !(own | other);
        let count = |bits: Bits<W>| bits.count() as f32;
        let lead = |bits: Bits<W>| count(own & bits) - count(other & bits);
        let share = |own: Bits<W>, other: Bits<W>| {
            let (own, other) = (count(own), count(other));
            (own - other) / (own + other + 2.0)
        };
        let beside_empty_corners = lines.around(corners & empty) & !corners;
        let worth = MOBILITY * share(may, may_other)
            + POTENTIAL * share(lines.around(other) & empty, lines.around(own) & empty)
            + CORNER * lead(corners)
            + ANCHORED
                * (count(anchored(lines, own) & !corners)
                    - count(anchored(lines, other) & !corners))
            + X_SQUARE * lead(beside_empty_corners & !edges)
            + C_SQUARE * lead(beside_empty_corners & edges)
            + LOST_CORNER * count(may_other & corners)
            + OPEN_CORNER * count(may & corners);
        worth.clamp(-1.0, 1.0)
    }
}

/// The discs on the edge that only discs of their color lead to from a corner of their color.
#[inline]
fn anchored<const W: usize>(lines: &Lines<W>, discs: Bits<W>) -> Bits<W> {
    lines.frame.fill(lines.corners(), discs & lines.edges())
}
