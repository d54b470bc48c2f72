//! Random play from a position to the end of the game.

use std::fmt::Debug;

use rand::{Rng, RngExt};

use crate::bits::Bits;
use crate::game::Game;
use crate::geometry::Action;
use crate::random::RandomStream;

/// The most actions of a playout, in points of the board: games of Go under simple ko may never
/// end.
const MAX_PLIES: usize = 3;

/// A game that can be played at random to its end.
pub trait Playouts: Game {
    /// What a playout is played on. A caller keeps one and hands it to every playout, so that none
    /// of them allocates; it fits any position of the game, whatever was played on it before.
    type Scratch: Debug + Default + Send + Sync;

    /// Plays at random from this position to the end of the game, or to the [`limit`], and returns
    /// the score from Black's view. Adds the actions to `played`. [`uniform`] does it for any game.
    fn playout(
        &self,
        scratch: &mut Self::Scratch,
        rng: &mut RandomStream,
        played: Option<&mut Vec<Action>>,
    ) -> f64;

    /// The playout filter: whether random players leave out this legal action, because it would
    /// never end games or waste their own gains.
    fn is_filtered(&self, _action: Action) -> bool {
        false
    }

    /// Whether random players may go on for ever: positions may come again and no move limit ends
    /// the game.
    fn may_be_endless(&self) -> bool {
        false
    }
}

/// How many actions a playout from this position may have.
#[must_use]
pub fn limit<G: Game>(game: &G) -> usize {
    let left = game.state().max_moves().map_or(u32::MAX, |max| max - game.state().moves());
    (MAX_PLIES * game.size().points()).min(left as usize)
}

/// A playout on a copy of the game: uniformly random legal actions that the playout filter
/// ([`Playouts::is_filtered`]) does not leave out.
pub fn uniform<G: Playouts>(
    game: &G,
    scratch: &mut Option<G>,
    rng: &mut RandomStream,
    mut played: Option<&mut Vec<Action>>,
) -> f64 {
    let copy = match scratch {
        Some(copy) => {
            copy.clone_from(game);
            copy
        }
        None => scratch.insert(game.clone()),
    };
    for _ in 0..limit(game) {
        if copy.is_over() {
            break;
        }
        let action = sample_action(copy, rng, |action| !copy.is_filtered(action));
        copy.play_unchecked(action);
        if let Some(played) = &mut played {
            played.push(action);
        }
    }
    copy.score()
}

/// A uniformly random legal action among those accepted. If no point is, the pass; where a pass is
/// not allowed, any legal action. The pass of a game that is over.
#[inline]
pub fn sample_action<G: Game>(
    game: &G,
    rng: &mut RandomStream,
    accepts: impl Fn(Action) -> bool,
) -> Action {
    let legal = *game.state().legal();
    let point = sample_point(legal, rng, |point| accepts(Action::new(point)));
    let forced = || if game.may_pass() { None } else { sample_point(legal, rng, |_| true) };
    point.or_else(forced).map_or(game.size().pass(), Action::new)
}

/// A uniformly random point among those accepted; `None` if none is.
///
/// Each choice is exactly uniform: a point that is not accepted is left out and another sampled.
#[inline]
pub(crate) fn sample_point<const W: usize>(
    mut points: Bits<W>,
    rng: &mut impl Rng,
    accepts: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut count = points.count() as u32;
    while count > 0 {
        let point = points.nth(rng.random_range(0..count) as usize);
        if accepts(point) {
            return Some(point);
        }
        points.remove(point);
        count -= 1;
    }
    None
}
