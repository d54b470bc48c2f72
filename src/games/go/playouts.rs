//! Random playouts on the inner board: how strong programs without networks judge a position.

use rand::Rng;

use super::board::Board;
use super::eyes::EyeRule;
use crate::color::Color;
use crate::geometry::Action;
use crate::playout::sample_point;

impl<const W: usize> Board<W> {
    /// Plays uniformly random legal points that fill no own eye ([`EyeRule::Playout`]) under
    /// simple ko, passing when there is none, until two passes in a row or `max_moves` actions.
    /// `passed` says whether the action before was a pass. Adds the actions to `played` and returns
    /// their number, passes included.
    pub fn playout(
        &mut self,
        mut turn: Color,
        mut passed: bool,
        max_moves: usize,
        rng: &mut impl Rng,
        mut played: Option<&mut Vec<Action>>,
    ) -> usize {
        let mut changes = Vec::with_capacity(self.size().num_actions());
        for moves in 1..=max_moves {
            let mut legal = self.legal(turn, false);
            let fills_no_eye = |point| !self.is_eye(point, turn, EyeRule::Playout);
            let point = sample_point(&mut legal.0, rng, fills_no_eye);
            if let Some(played) = &mut played {
                played.push(point.map_or(self.size().pass(), Action::new));
            }
            if let Some(point) = point {
                changes.clear();
                self.play(point, turn, &mut changes);
            } else {
                self.pass();
                if passed {
                    return moves;
                }
            }
            passed = point.is_none();
            turn = turn.opponent();
        }
        max_moves
    }
}
