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
        let games: Vec<&G> = match index {
            None => self.games.iter().collect(),
            Some(index) => index.iter().map(|&i| &self.games[i]).collect(),
        };
        let mut rows: Vec<&mut [T]> = cells[..games.len() * each].chunks_exact_mut(each).collect();
        let work = (games.as_slice(), rows.as_mut_slice());
        self.workers.runs(&self.paces.write_history, games.len(), work, |_, (games, rows)| {
            for (game, row) in games.iter().zip(rows) {
                game.state().write_history(k, row);
            }
        });
    }
}
