//! Whole games between random players, on several threads.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::random::RandomPlayer;
use crate::playout::Playouts;
use crate::random::stream_seed;

/// A pool of this many threads; `None` for as many as there are processors.
///
/// # Errors
/// [`ThreadPoolBuildError`] if the system gives no more threads.
pub fn pool(threads: Option<usize>) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build()
}

/// Games `first .. first + count` of the series with this seed, played from `prototype` to their
/// ends. Game `i` depends on the seed and `i` alone, never on the threads.
///
/// Does not return while a game goes on: see [`Playouts::may_be_endless`].
///
/// ```
/// use sixplane::players::selfplay::{play_games, pool};
/// use sixplane::{Game, Go};
///
/// let games = play_games(&Go::new(5)?, 0, 4, 1, &pool(Some(2))?);
/// assert!(games.iter().all(Game::is_over));
/// assert_eq!(games[2], play_games(&Go::new(5)?, 2, 1, 1, &pool(Some(1))?)[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn play_games<G: Playouts>(
    prototype: &G,
    first: u64,
    count: usize,
    seed: u64,
    pool: &ThreadPool,
) -> Vec<G> {
    pool.install(|| {
        (0..count as u64)
            .into_par_iter()
            .map(|i| play_game(prototype.clone(), stream_seed(seed, first.wrapping_add(i))))
            .collect()
    })
}

fn play_game<G: Playouts>(mut game: G, seed: u64) -> G {
    let mut player = RandomPlayer::new(seed);
    while !game.is_over() {
        let action = player.select_action(&game);
        game.play_unchecked(action);
    }
    game
}
