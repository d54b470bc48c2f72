//! Random playouts on the inner board: how strong programs without networks judge a position.

use std::any::Any;

use rand::Rng;

use super::board::Board;
use super::eyes::EyeRule;
use crate::color::{ByColor, Color};
use crate::geometry::Action;
use crate::playout::sample_point;
use crate::state::State;
use crate::step::Change;

impl<const W: usize> Board<W> {
    /// Plays uniformly random legal points that fill no own eye ([`EyeRule::Playout`]) under
    /// simple ko, passing when there is none, until two passes in a row or `max_moves` actions.
    /// Returns the number of actions, passes included.
    pub fn playout(&mut self, turn: Color, max_moves: usize, rng: &mut impl Rng) -> usize {
        self.playout_from(turn, false, max_moves, rng, &mut Vec::new(), None)
    }

    /// The same after an action that may have been a pass, with memory for the changes of a play;
    /// adds the actions to `played`.
    #[inline]
    fn playout_from(
        &mut self,
        mut turn: Color,
        mut passed: bool,
        max_moves: usize,
        rng: &mut impl Rng,
        changes: &mut Vec<Change>,
        mut played: Option<&mut Vec<Action>>,
    ) -> usize {
        changes.reserve(self.size().points() + 1);
        for moves in 1..=max_moves {
            let legal = self.legal(turn, false);
            let fills_no_eye = |point| !self.is_eye(point, turn, EyeRule::Playout);
            let point = sample_point(legal, rng, fills_no_eye);
            if let Some(played) = &mut played {
                played.push(point.map_or(self.size().pass(), Action::new));
            }
            if let Some(point) = point {
                changes.clear();
                self.play(point, turn, changes);
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

/// The board that playouts of Go are played on, of any size, and its memory for changes.
#[derive(Debug, Default)]
pub struct Scratch {
    /// A [`Board`] of the last size.
    board: Option<Box<dyn Any + Send + Sync>>,
    changes: Vec<Change>,
}

impl Scratch {
    /// Plays on a copy of the board, which is that of the state, as [`Board::playout`]. Adds the
    /// actions to `played` and returns the number of points of each color's area.
    pub(super) fn playout<const W: usize>(
        &mut self,
        start: &Board<W>,
        state: &State,
        max_moves: usize,
        rng: &mut impl Rng,
        played: Option<&mut Vec<Action>>,
    ) -> ByColor<usize> {
        let kept = self.board.take().and_then(|board| board.downcast::<Board<W>>().ok());
        let mut board = kept.unwrap_or_else(|| Box::new(start.clone()));
        (*board).clone_from(start);
        let (turn, passed, changes) = (state.turn(), state.passed(), &mut self.changes);
        board.playout_from(turn, passed, max_moves, rng, changes, played);
        let areas = board.count_areas();
        self.board = Some(board);
        areas
    }
}
