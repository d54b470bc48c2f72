//! Random playouts on the inner board: how strong programs without networks judge a position.

use std::any::Any;

use rand::Rng;

use super::board::Board;
use super::eyes::EyeRule;
use crate::bits::Bits;
use crate::color::Color;
use crate::geometry::Action;
use crate::playout::sample_point;
use crate::step::Change;

impl<const W: usize> Board<W> {
    /// Plays uniformly random legal points that fill no own eye ([`EyeRule::Playout`]) under
    /// simple ko, passing when there is none, until two passes in a row or `max_moves` actions.
    /// Returns the number of actions, passes included.
    ///
    /// Each choice is exactly uniform: a point is drawn by its rank in the bitmap of legal
    /// points, and if it is an eye it is left out and another drawn.
    pub fn playout(&mut self, turn: Color, max_moves: usize, rng: &mut impl Rng) -> usize {
        self.playout_from(turn, false, max_moves, rng, &mut Vec::new(), |_| ())
    }

    /// The same after an action that may have been a pass, with memory for the changes of a play;
    /// calls `note` with each action played.
    #[inline]
    fn playout_from(
        &mut self,
        mut turn: Color,
        mut passed: bool,
        max_moves: usize,
        rng: &mut impl Rng,
        changes: &mut Vec<Change>,
        mut note: impl FnMut(Action),
    ) -> usize {
        changes.reserve(self.size().points() + 1);
        for moves in 0..max_moves {
            let legal = self.legal(turn, false);
            let fills_no_eye = |point| !self.is_eye(point, turn, EyeRule::Playout);
            if let Some(point) = sample_point(legal, rng, fills_no_eye) {
                changes.clear();
                self.play(point, turn, changes);
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
}

/// The board that playouts of Go are played on, of any size, and its memory for changes.
#[derive(Debug, Default)]
pub struct Scratch {
    /// A [`Board`] of the last size.
    board: Option<Box<dyn Any + Send + Sync>>,
    changes: Vec<Change>,
}

impl Scratch {
    /// Plays on a copy of the board as [`Board::playout`] and returns each color's area; calls
    /// `note` with each action played.
    #[inline]
    pub(super) fn playout<const W: usize>(
        &mut self,
        start: &Board<W>,
        turn: Color,
        passed: bool,
        max_moves: usize,
        rng: &mut impl Rng,
        note: impl FnMut(Action),
    ) -> [Bits<W>; 2] {
        let kept = self.board.take().and_then(|board| board.downcast::<Board<W>>().ok());
        let mut board = kept.unwrap_or_else(|| Box::new(start.clone()));
        (*board).clone_from(start);
        board.playout_from(turn, passed, max_moves, rng, &mut self.changes, note);
        let areas = board.areas();
        self.board = Some(board);
        areas
    }
}
