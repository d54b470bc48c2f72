//! What experience says of plays before any search: a guess at the worth of the positions that they
//! lead to.
//!
//! Corners are never flipped, and discs along the edge from an own corner are not either. A disc beside
//! an empty corner helps the opponent to it. Who has more plays, and more empty points beside enemy
//! discs to play at later, can choose; the other must give way (mobility and potential mobility:
//! Rosenbloom, 1982).

// What is compiled twice must be part of the function that asks for it: see avx2.rs.
#![allow(clippy::inline_always)]

use super::board::{Board, Shape};
use crate::bits::Bits;
use crate::color::Color;
use crate::geometry::Action;

/// More plays than the opponent, as a share of all plays of both and two; and so of empty points
/// beside discs of the other.
pub(super) const MOBILITY: f32 = 0.5;
pub(super) const POTENTIAL: f32 = 0.3;
/// An own corner; and an own disc that only own discs lead to along the edge from an own corner.
pub(super) const CORNER: f32 = 0.2;
pub(super) const ANCHORED: f32 = 0.04;
/// An own disc diagonally beside an empty corner (an X-square), and one beside it on the edge (a
/// C-square).
pub(super) const X_SQUARE: f32 = -0.12;
pub(super) const C_SQUARE: f32 = -0.05;
/// A corner that the opponent, who plays next, may take; and one that the player may.
pub(super) const LOST_CORNER: f32 = -0.2;
pub(super) const OPEN_CORNER: f32 = 0.1;

impl<const W: usize, S: Shape<W>> Board<W, S> {
    /// Writes a worth from -1 to 1 for each of these legal actions of a player.
    #[inline(always)]
    pub(super) fn write_heuristic_values(
        &self,
        color: Color,
        actions: &[Action],
        priors: &mut [f32],
    ) {
        let points = self.shape().board().count();
        for (action, prior) in actions.iter().zip(priors) {
            let mut after = *self;
            if action.index() < points {
                after.play(color, action.index());
            }
            *prior = after.worth(color);
        }
    }

    /// The worth of the position to a player whose opponent plays next.
    #[inline(always)]
    fn worth(&self, color: Color) -> f32 {
        let (shape, other_color) = (self.shape(), color.opponent());
        let (own, other) = (self.discs(color), self.discs(other_color));
        let (may, may_other) = (self.legal(color), self.legal(other_color));
        if may.is_empty() && may_other.is_empty() {
            return match own.count().cmp(&other.count()) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Less => -1.0,
            };
        }
        let (corners, edges) = (shape.corners(), shape.edges());
        let empty = shape.board() & !(own | other);
        let count = |bits: Bits<W>| bits.count() as f32;
        let lead = |bits: Bits<W>| count(own & bits) - count(other & bits);
        let share = |own: Bits<W>, other: Bits<W>| {
            let (own, other) = (count(own), count(other));
            (own - other) / (own + other + 2.0)
        };
        let beside_empty_corners = around(shape, corners & empty) & !corners;
        let worth = MOBILITY * share(may, may_other)
            + POTENTIAL * share(around(shape, other) & empty, around(shape, own) & empty)
            + CORNER * lead(corners)
            + ANCHORED
                * (count(anchored(shape, own) & !corners)
                    - count(anchored(shape, other) & !corners))
            + X_SQUARE * lead(beside_empty_corners & !edges)
            + C_SQUARE * lead(beside_empty_corners & edges)
            + LOST_CORNER * count(may_other & corners)
            + OPEN_CORNER * count(may & corners);
        worth.clamp(-1.0, 1.0)
    }
}

/// The points and those beside them in the eight directions.
#[inline(always)]
fn around<const W: usize>(shape: &impl Shape<W>, points: Bits<W>) -> Bits<W> {
    shape.up_and_down(shape.sideways(points))
}

/// The discs on the edge that only discs of their color lead to from a corner of their color.
#[inline(always)]
fn anchored<const W: usize>(shape: &impl Shape<W>, discs: Bits<W>) -> Bits<W> {
    let discs = discs & shape.edges();
    let mut anchored = discs & shape.corners();
    if anchored.is_empty() {
        return anchored;
    }
    loop {
        let more = (shape.sideways(anchored) | shape.up_and_down(anchored)) & discs;
        if more == anchored {
            return anchored;
        }
        anchored = more;
    }
}
