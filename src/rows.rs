//! What a batch writes: one row for each game in each of several arrays.

use crate::geometry::BoardSize;
use crate::planes::NUM_PLANES;
use crate::workers::Split;

/// The arrays of a step that belong to the caller.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    size: BoardSize,
    /// `(B, 6, rows, cols)`.
    pub planes: Vec<u8>,
    /// `(B, A)`: 1 where an action is legal.
    pub masks: Vec<i8>,
    /// `(B,)`: 0 black, 1 white to play.
    pub turns: Vec<i8>,
    /// `(B,)`: from Black's view, 0 while the game goes on.
    pub rewards: Vec<f32>,
    /// `(B,)`: the action ended the game by its rules.
    pub terminated: Vec<bool>,
    /// `(B,)`: the action ended the game by the move limit.
    pub truncated: Vec<bool>,
    /// `(B,)`: +1 black, 0 draw, -1 white, -2 running.
    pub outcomes: Vec<i8>,
    /// `(B,)`: the score of the board from Black's view.
    pub scores: Vec<f32>,
}

/// The same arrays by reference, or a run of their rows.
#[derive(Debug)]
pub struct RowsMut<'a> {
    /// The size of the boards.
    pub size: BoardSize,
    /// `(B, 6, rows, cols)`.
    pub planes: &'a mut [u8],
    /// `(B, A)`.
    pub masks: &'a mut [i8],
    /// `(B,)`.
    pub turns: &'a mut [i8],
    /// `(B,)`.
    pub rewards: &'a mut [f32],
    /// `(B,)`.
    pub terminated: &'a mut [bool],
    /// `(B,)`.
    pub truncated: &'a mut [bool],
    /// `(B,)`.
    pub outcomes: &'a mut [i8],
    /// `(B,)`.
    pub scores: &'a mut [f32],
}

impl Rows {
    /// Rows for so many games, all zeros.
    #[must_use]
    pub fn new(size: BoardSize, games: usize) -> Self {
        Self {
            size,
            planes: vec![0; games * NUM_PLANES * size.points()],
            masks: vec![0; games * size.num_actions()],
            turns: vec![0; games],
            rewards: vec![0.0; games],
            terminated: vec![false; games],
            truncated: vec![false; games],
            outcomes: vec![0; games],
            scores: vec![0.0; games],
        }
    }

    /// All rows by reference.
    pub fn as_mut(&mut self) -> RowsMut<'_> {
        RowsMut {
            size: self.size,
            planes: &mut self.planes,
            masks: &mut self.masks,
            turns: &mut self.turns,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            outcomes: &mut self.outcomes,
            scores: &mut self.scores,
        }
    }
}

impl Split for RowsMut<'_> {
    fn split_at(self, count: usize) -> (Self, Self) {
        let size = self.size;
        let (planes, planes_after) = self.planes.split_at_mut(count * NUM_PLANES * size.points());
        let (masks, masks_after) = self.masks.split_at_mut(count * size.num_actions());
        let (turns, turns_after) = self.turns.split_at_mut(count);
        let (rewards, rewards_after) = self.rewards.split_at_mut(count);
        let (terminated, terminated_after) = self.terminated.split_at_mut(count);
        let (truncated, truncated_after) = self.truncated.split_at_mut(count);
        let (outcomes, outcomes_after) = self.outcomes.split_at_mut(count);
        let (scores, scores_after) = self.scores.split_at_mut(count);
        (
            RowsMut {
                size,
                planes,
                masks,
                turns,
                rewards,
                terminated,
                truncated,
                outcomes,
                scores,
            },
            RowsMut {
                size,
                planes: planes_after,
                masks: masks_after,
                turns: turns_after,
                rewards: rewards_after,
                terminated: terminated_after,
                truncated: truncated_after,
                outcomes: outcomes_after,
                scores: scores_after,
            },
        )
    }
}
