//! Random play from a position to its end.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::Game;
use crate::geometry::Action;

/// The most actions of a rollout, in points of the board: games of Go under simple ko may never
/// end.
const MAX_PLIES: usize = 3;

/// How many actions a rollout from this position may have.
#[must_use]
pub fn limit<G: Game>(game: &G) -> usize {
    let left = game.state().max_moves().map_or(u32::MAX, |max| max - game.state().moves());
    (MAX_PLIES * game.size().points()).min(left as usize)
}

/// Plays uniformly random legal actions that are not [wasteful](Game::is_wasteful) until the
/// game or the [`limit`] ends; adds them to `played`.
pub fn uniform<G: Game>(
    game: &mut G,
    rng: &mut Xoshiro256PlusPlus,
    mut played: Option<&mut Vec<Action>>,
) {
    for _ in 0..limit(game) {
        if game.is_over() {
            return;
        }
        let action = draw(game, rng);
        game.play_unchecked(action);
        if let Some(played) = &mut played {
            played.push(action);
        }
    }
}

/// A uniformly random legal action that is not wasteful; if all points are, the pass, or where
/// that is not allowed, any of them.
#[inline]
fn draw<G: Game>(game: &G, rng: &mut Xoshiro256PlusPlus) -> Action {
    let legal = *game.state().legal();
    let mut left = legal;
    let mut count = legal.count() as u32;
    while count > 0 {
        let point = left.nth(rng.random_range(0..count) as usize);
        if !game.is_wasteful(Action::new(point)) {
            return Action::new(point);
        }
        left.remove(point);
        count -= 1;
    }
    let forced = legal.count() as u32;
    if game.may_pass() || forced == 0 {
        return game.size().pass();
    }
    Action::new(legal.nth(rng.random_range(0..forced) as usize))
}
