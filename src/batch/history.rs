//! Boards of the last actions of every game of a batch.

use super::GameBatch;
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
        self.write_each(&self.paces.write_history, index, each, cells, |game, cells| {
            game.state().write_history(k, cells);
        });
    }
}
