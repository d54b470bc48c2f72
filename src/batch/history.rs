//! Boards of the last actions of every game of a batch.

use super::{GameBatch, Slot};
use crate::game::Game;
use crate::planes::Cell;

impl<G: Game> GameBatch<G> {
    /// Writes [`Game::history_planes`] of the games with these numbers (`None`: of all), one after
    /// another: `(count, 2k + 1, rows, cols)`.
    ///
    /// # Panics
    /// If there is no such game, or `cells` is shorter than their planes.
    pub fn write_history<T: Cell + Send>(
        &self,
        k: usize,
        index: Option<&[usize]>,
        cells: &mut [T],
    ) {
        let each = (2 * k + 1) * self.size().points();
        let mut slots: Vec<&Slot<G>> = match index {
            None => self.slots.iter().collect(),
            Some(index) => index.iter().map(|&i| &self.slots[i]).collect(),
        };
        let mut rows: Vec<&mut [T]> = cells[..slots.len() * each].chunks_exact_mut(each).collect();
        self.workers.pairs(&mut slots, &mut rows, |slot, row| {
            for (cell, &value) in row.iter_mut().zip(slot.game.history_planes(k).iter()) {
                *cell = if value == 0 { T::ZERO } else { T::ONE };
            }
        });
    }
}
