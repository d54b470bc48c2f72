//! Games of a batch that start again from elsewhere.

use super::{Draws, GameBatch};
use crate::game::Game;

impl<G: Game> GameBatch<G> {
    /// Puts copies of a game, history and rules included, in the place of the games whose entry
    /// in `mask` is set (`None`: all), and with a seed, new generators. A later reset returns to
    /// the prototype again. `false`, and nothing has changed, if the board has another size.
    pub fn restart_from(&mut self, game: &G, mask: Option<&[bool]>, seed: Option<u64>) -> bool {
        if game.size() != self.size() {
            return false;
        }
        for (index, slot) in self.slots.iter_mut().enumerate() {
            if mask.is_none_or(|mask| mask.get(index) == Some(&true)) {
                slot.game.clone_from(game);
                if let Some(seed) = seed {
                    slot.draws = Draws::new(seed, index);
                }
            }
        }
        true
    }

    /// Puts a game in the place of another, whatever its rules; `false` if there is no such place
    /// or if the size differs.
    pub fn put(&mut self, index: usize, game: G) -> bool {
        let fits = game.size() == self.size();
        match self.slots.get_mut(index) {
            Some(slot) if fits => {
                slot.game = game;
                true
            }
            _ => false,
        }
    }
}
