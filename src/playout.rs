//! Random play from a position to the end of the game.

use rand::{Rng, RngExt};

use crate::bits::nth_of_words;
use crate::game::Game;
use crate::geometry::Action;
use crate::random::RandomStream;
use crate::symmetry::Symmetry;

/// The most actions of a playout, in points of the board: games of Go under simple ko may never
/// end.
const MAX_PLIES: usize = 3;

/// What random players and searches ask of a game beside its rules.
///
/// ```
/// use sixplane::playout::Scratch;
/// use sixplane::{Game, Go, Playouts, RandomStream};
///
/// let game = Go::new(5)?;
/// let (mut scratch, mut rng, mut played) = (Scratch::default(), RandomStream::new(1), Vec::new());
/// let score = game.playout(&mut scratch, &mut rng, Some(&mut played));
/// assert!(score.abs() <= 25.0 + 7.5); // all points of the board, and the komi
/// assert_eq!((game.state().moves(), played.is_empty()), (0, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Playouts: Game {
    /// Plays at random from this position to the end of the game, or to the [`limit`], and returns
    /// the score from Black's view. Adds the actions to `played`. Unless a game says otherwise, they
    /// are uniformly random among those that the playout filter does not leave out.
    ///
    /// It is played on `scratch`, which needs no new memory if it was used for such a game before.
    fn playout(
        &self,
        scratch: &mut Scratch<Self>,
        rng: &mut RandomStream,
        played: Option<&mut Vec<Action>>,
    ) -> f64 {
        play_out(self, scratch, rng, played)
    }

    /// The playout filter: whether random players leave out this legal action, because games would
    /// not end with it, or because it gives away what they have.
    fn is_filtered(&self, _action: Action) -> bool {
        false
    }

    /// Whether random players may go on for ever: positions may come again and no move limit ends
    /// the game.
    fn may_be_endless(&self) -> bool {
        false
    }

    /// How many of the board's symmetries the rules keep ([`Playouts::symmetry`] names them): unless a
    /// game says otherwise, all.
    #[must_use]
    fn num_symmetries(&self) -> usize {
        Symmetry::all(self.size()).count()
    }

    /// One of those symmetries, counted from 0; `None` beyond them. Unless a game says otherwise, the
    /// one with this number.
    #[must_use]
    fn symmetry(index: usize) -> Option<Symmetry> {
        Symmetry::new(index)
    }

    /// Writes the heuristic value of each of these legal actions: its mean worth to the player to
    /// play, from -1 to 1. A game that knows nothing writes 0.
    fn write_heuristic_values(&self, _actions: &[Action], values: &mut [f32]) {
        values.fill(0.0);
    }
}

/// What [`Playouts::playout`] does unless a game says otherwise.
pub(crate) fn play_out<G: Playouts>(
    game: &G,
    scratch: &mut Scratch<G>,
    rng: &mut RandomStream,
    mut played: Option<&mut Vec<Action>>,
) -> f64 {
    let copy = scratch.game_like(game);
    copy.clone_from(game);
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

/// The memory of playouts. What a playout leaves in it is no game, so nobody can read it.
///
/// ```
/// use sixplane::playout::Scratch;
/// use sixplane::{Game, Go, Playouts, RandomStream};
///
/// let (game, mut scratch, mut rng) = (Go::new(5)?, Scratch::default(), RandomStream::new(1));
/// let scores: Vec<f64> = (0..3).map(|_| game.playout(&mut scratch, &mut rng, None)).collect();
/// assert_eq!(scores.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Scratch<G>(Option<G>);

impl<G> Default for Scratch<G> {
    fn default() -> Self {
        Self(None)
    }
}

impl<G: Clone> Scratch<G> {
    /// The game in it; a new one is a copy of this game.
    pub(crate) fn game_like(&mut self, game: &G) -> &mut G {
        self.0.get_or_insert_with(|| game.clone())
    }
}

/// How many actions a playout from this position may have.
///
/// ```
/// use sixplane::playout::limit;
/// use sixplane::{BoardSize, Game, Go, Rules};
///
/// assert_eq!(limit(&Go::new(5)?), 75); // three actions a point
/// let short = Go::with_rules(BoardSize::square(5)?, Rules::default(), Some(40))?;
/// assert_eq!(limit(&short), 40);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn limit<G: Game>(game: &G) -> usize {
    let left = game.state().max_moves().map_or(u32::MAX, |max| max - game.state().moves());
    (MAX_PLIES * game.size().points()).min(left as usize)
}

/// A uniformly random legal action among those accepted. If no point is, the pass; where a pass is
/// not allowed, any legal action. The pass of a game that is over.
#[inline]
pub(crate) fn sample_action<G: Game>(
    game: &G,
    rng: &mut RandomStream,
    accepts: impl Fn(Action) -> bool,
) -> Action {
    let legal = *game.state().legal();
    let words = ..game.size().points().div_ceil(64);
    let accepts = |point| accepts(Action::new(point));
    let mut points = legal.0;
    let point = sample_point(&mut points[words], rng, accepts).or_else(|| {
        points = legal.0;
        if game.may_pass() { None } else { sample_point(&mut points[words], rng, |_| true) }
    });
    point.map_or(game.size().pass(), Action::new)
}

/// A uniformly random point among those accepted, of words of bits; `None` if none is.
///
/// Each choice is exactly uniform: a point that is not accepted is left out and another sampled.
#[inline]
pub(crate) fn sample_point(
    points: &mut [u64],
    rng: &mut impl Rng,
    accepts: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut count: u32 = points.iter().map(|word| word.count_ones()).sum();
    while count > 0 {
        let point = nth_of_words(points, rng.random_range(0..count));
        if accepts(point) {
            return Some(point);
        }
        points[point >> 6] &= !(1 << (point & 63));
        count -= 1;
    }
    None
}
