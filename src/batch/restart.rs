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
        let work = (self.games.as_mut_slice(), self.legal.as_mut(), self.draws.as_mut_slice());
        self.workers.runs(&self.paces.restart, work.0.len(), work, |first, run| {
            let (games, mut legal, draws) = run;
            for (i, (old, draws)) in games.iter_mut().zip(draws).enumerate() {
                if mask.is_some_and(|mask| mask.get(first + i) != Some(&true)) {
                    continue;
                }
                old.clone_from(game);
                legal.note(i, game);
                if let Some(seed) = seed {
                    *draws = Draws::new(seed, first + i);
                }
            }
        });
        true
    }

    /// Puts a game in the place of another, whatever its rules; `false` if there is no such place
    /// or if the size differs.
    pub fn put(&mut self, index: usize, game: G) -> bool {
        let fits = game.size() == self.size();
        match self.games.get_mut(index) {
            Some(old) if fits => {
                self.legal.note(index, &game);
                *old = game;
                true
            }
            _ => false,
        }
    }
}
