//! Random playouts on the inner board: how strong programs without networks judge a position.

use rand::{Rng, RngExt};

use super::board::Board;
use super::eyes::EyeRule;
use crate::color::Color;
use crate::step::Change;

impl<const W: usize> Board<W> {
    /// Plays uniformly random legal points that fill no own eye ([`EyeRule::Playout`]) under
    /// simple ko, passing when there is none, until two passes in a row or `max_moves` actions.
    /// Returns the number of actions, passes included.
    ///
    /// Each choice is exactly uniform: a point is drawn by its rank in the bitmap of legal
    /// points, and if it is an eye it is left out and another drawn.
    pub fn playout(&mut self, mut turn: Color, max_moves: usize, rng: &mut impl Rng) -> usize {
        let mut changes: Vec<Change> = Vec::with_capacity(self.size().points() + 1);
        let mut passed = false;
        for moves in 0..max_moves {
            match self.draw_sensible(turn, rng) {
                Some(point) => {
                    changes.clear();
                    self.play(point, turn, &mut changes);
                    passed = false;
                }
                None if passed => return moves + 1,
                None => {
                    self.pass();
                    passed = true;
                }
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
