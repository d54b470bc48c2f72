//! Whole games between random players, on several threads.

use super::random::RandomPlayer;
use crate::playout::Playouts;
use crate::random::stream_seed;
use crate::threads::Threads;

/// Games `first .. first + count` of the series with this seed, played from `prototype` to their
/// ends. Game `i` depends on the seed and `i` alone, never on the number of threads. `threads`:
/// `None` for as many as there are processors, or as the environment variable `SIXPLANE_THREADS`
/// allows.
///
/// Does not return while a game goes on: see [`Playouts::may_be_endless`].
///
/// ```
/// use sixplane::players::selfplay::play_games;
/// use sixplane::{Game, Go};
///
/// let games = play_games(&Go::new(5)?, 0, 4, 1, Some(2));
/// assert!(games.iter().all(Game::is_over));
/// assert_eq!(games[2], play_games(&Go::new(5)?, 2, 1, 1, Some(1))[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn play_games<G: Playouts>(
    prototype: &G,
    first: u64,
    count: usize,
    seed: u64,
    threads: Option<usize>,
) -> Vec<G> {
    Threads::new(threads).map(0..count as u64, |i| {
        let mut player = RandomPlayer::new(stream_seed(seed, first.wrapping_add(i)));
        let mut game = prototype.clone();
        while !game.is_over() {
            game.play_unchecked(player.select_action(&game));
        }
        game
    })
}
