//! Whose the points of every board of a batch are.

use super::GameBatch;
use crate::game::Game;

impl<G: Game> GameBatch<G> {
    /// Writes [`Game::write_ownership`] of the games with these numbers (`None`: of all), one after
    /// another: `(count, rows, cols)`.
    ///
    /// # Panics
    /// If there is no such game, or `owners` is shorter than their boards.
    pub fn write_ownership(&self, index: Option<&[usize]>, owners: &mut [i8]) {
        let each = self.size().points();
        self.write_each(&self.paces.write_ownership, index, each, owners, |game, owners| {
            game.write_ownership(owners);
        });
    }
}
