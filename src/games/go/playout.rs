//! Random playouts on the inner board: how strong programs without networks judge a position.

use rand::{Rng, RngExt};

use super::board::Board;
use super::eyes::EyeRule;
use crate::color::Color;
use crate::geometry::Action;
use crate::step::Change;

impl<const W: usize> Board<W> {
    /// Plays uniformly random legal points that fill no own eye ([`EyeRule::Playout`]) under
    /// simple ko, passing when there is none, until two passes in a row or `max_moves` actions.
    /// Returns the number of actions, passes included.
    ///
    /// Each choice is exactly uniform: a point is drawn by its rank in the bitmap of legal
    /// points, and if it is an eye it is left out and another drawn.
    pub fn playout(&mut self, turn: Color, max_moves: usize, rng: &mut impl Rng) -> usize {
        self.playout_from(turn, false, max_moves, rng, |_| ())
    }

    /// The same after an action that may have been a pass; calls `note` with each action played.
    #[inline]
    pub(super) fn playout_from(
        &mut self,
        mut turn: Color,
        mut passed: bool,
        max_moves: usize,
        rng: &mut impl Rng,
        mut note: impl FnMut(Action),
    ) -> usize {
        let mut changes: Vec<Change> = Vec::with_capacity(self.size().points() + 1);
        for moves in 0..max_moves {
            if let Some(point) = self.draw_sensible(turn, rng) {
                changes.clear();
                self.play(point, turn, &mut changes);
                note(Action::new(point));
                passed = false;
            } else {
                self.pass();
                note(self.size().pass());
                if passed {
                    return moves + 1;
                }
                passed = true;
            }
            turn = turn.opponent();
        }
        max_moves
    }

    /// A uniformly random legal point that is no own eye.
    #[inline]
    fn draw_sensible(&self, color: Color, rng: &mut impl Rng) -> Option<usize> {
        let mut legal = self.legal(color, false);
        let mut count = legal.count() as u32;
        while count > 0 {
            let point = legal.nth(rng.random_range(0..count) as usize);
            if !self.is_eye(point, color, EyeRule::Playout) {
                return Some(point);
            }
            legal.remove(point);
            count -= 1;
        }
        None
    }
}
