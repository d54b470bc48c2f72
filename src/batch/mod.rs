//! Many games stepped together: one call, one action a game, one array of planes.
//!
//! A batch equals its games played one by one: neither the number of threads nor the other
//! games of the batch change what happens in a game. The random stream of game `i` follows from the
//! seed of the batch and `i` alone.
//!
//! | question | file |
//! |---|---|
//! | What happens in a step? | `step`, whose actions `play` checks and plays |
//! | When does a finished game start again? | `autoreset`; of vector environments: `python/sixplane/envs/autoreset.py` |
//! | What if the rules of a game fail? | `restore` |
//! | Where are planes, history and scores written? | `write` |
//! | Where do masks and samples come from? | `legal`, and the random numbers from `stream` |

mod autoreset;
mod error;
mod legal;
mod options;
mod play;
mod restore;
mod step;
mod stream;
mod write;

pub use crate::view::View;
pub use autoreset::Autoreset;
pub use error::{BatchError, Refusal};
pub use options::{Cutoff, Illegal, StepOptions};
pub use step::{BatchStep, StepEnding, StepResult};
pub use stream::CounterStream;

use crate::color::Color;
use crate::game::Game;
use crate::geometry::BoardSize;
use crate::threads::Threads;
use legal::{row_len, sample, write_row};

/// The entry of [`GameBatch`]'s actions for a game that is over.
pub const NO_ACTION: i64 = -1;

/// So many games are worth a task of their own: to play in one, or to write its board, takes some 100 ns.
const GAMES_A_TASK: usize = 128;

/// So many games are worth a task of their own when an action is sampled in each.
const SAMPLES_A_TASK: usize = 1024;

/// Many games of one kind, size and rules, stepped together.
///
/// ```
/// use sixplane::batch::{GameBatch, StepOptions};
/// use sixplane::{Game, Go};
///
/// let mut batch = GameBatch::new(&Go::new(5)?, 64, 1, Some(2));
/// let mut planes = vec![0; 64 * 6 * 25];
/// let mut masks = vec![0; 64 * 26];
/// for _ in 0..100 {
///     let actions = batch.sample();
///     let step = batch.step(&actions, StepOptions::default(), None, &mut planes, &mut masks)?;
///     assert_eq!(step.results.len(), 64);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameBatch<G> {
    prototype: G,
    games: Vec<G>,
    /// `(B, words)`: the legal actions of each game, a row of bits each.
    legal: Vec<u64>,
    /// Words in a row.
    words: usize,
    /// The random stream of each game.
    streams: Vec<CounterStream>,
    /// The actions in each game since it began, of steps that limit them.
    steps: Vec<u32>,
    threads: Threads,
}

impl<G: Game> GameBatch<G> {
    /// `count` copies of a game, its history included; a reset returns to it. `threads`: `None`
    /// for as many as there are processors, or as the environment variable `SIXPLANE_THREADS`
    /// allows.
    #[must_use]
    pub fn new(prototype: &G, count: usize, seed: u64, threads: Option<usize>) -> Self {
        Self::of(prototype.clone(), vec![prototype.clone(); count], streams(seed, count), threads)
    }

    /// A batch of these games; a reset returns to the first one as given.
    ///
    /// ```
    /// use sixplane::batch::GameBatch;
    /// use sixplane::{Game, Go};
    ///
    /// let mut other = Go::new(5)?;
    /// other.play_at(2, 2)?;
    /// let batch = GameBatch::from_games(vec![Go::new(5)?, other.clone()], 1, None)?;
    /// assert_eq!((batch.len(), batch.get(1)), (2, Some(&other)));
    /// assert_eq!(batch.games().map(|game| game.state().moves()).collect::<Vec<_>>(), [0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::NoGames`]; [`BatchError::OtherKind`] if sizes, rules or move limits differ.
    pub fn from_games(
        games: Vec<G>,
        seed: u64,
        threads: Option<usize>,
    ) -> Result<Self, BatchError> {
        let prototype = games.first().ok_or(BatchError::NoGames)?.clone();
        if !games.iter().all(|game| same_kind(game, &prototype)) {
            return Err(BatchError::OtherKind);
        }
        let streams = streams(seed, games.len());
        Ok(Self::of(prototype, games, streams, threads))
    }

    /// A batch of these games, whatever their rules, that takes their random streams and the numbers of
    /// their steps up where they are.
    ///
    /// # Errors
    /// [`BatchError::OtherSize`] if a board has not the size of the prototype's.
    ///
    /// # Panics
    /// If there is not one stream and one number of steps for each game.
    pub fn from_parts(
        prototype: G,
        games: Vec<G>,
        streams: Vec<CounterStream>,
        steps: Vec<u32>,
        threads: Option<usize>,
    ) -> Result<Self, BatchError> {
        assert_eq!(games.len(), streams.len(), "one stream for each game is needed");
        assert_eq!(games.len(), steps.len(), "one number of steps for each game is needed");
        if games.iter().any(|game| game.size() != prototype.size()) {
            return Err(BatchError::OtherSize(prototype.size()));
        }
        Ok(Self { steps, ..Self::of(prototype, games, streams, threads) })
    }

    fn of(
        prototype: G,
        games: Vec<G>,
        streams: Vec<CounterStream>,
        threads: Option<usize>,
    ) -> Self {
        let words = row_len(prototype.size());
        let mut legal = vec![0; words * games.len()];
        for (game, row) in games.iter().zip(legal.chunks_exact_mut(words)) {
            write_row(game, row);
        }
        let steps = vec![0; games.len()];
        Self { prototype, games, legal, words, streams, steps, threads: Threads::new(threads) }
    }

    /// Number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The size of every board.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.prototype.size()
    }

    /// What a reset returns to.
    #[must_use]
    pub fn prototype(&self) -> &G {
        &self.prototype
    }

    /// A game; `None` beyond the last.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&G> {
        self.games.get(index)
    }

    /// The games in order.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &G> {
        self.games.iter()
    }

    /// Puts a game in the place of another.
    ///
    /// ```
    /// use sixplane::batch::{BatchError, GameBatch};
    /// use sixplane::{Game, Reversi};
    ///
    /// let mut batch = GameBatch::new(&Reversi::new(6)?, 2, 1, None);
    /// assert_eq!(batch.set(0, Reversi::new(8)?), Err(BatchError::OtherKind));
    /// let mut game = batch.prototype().clone();
    /// game.play(game.legal_actions()[0])?;
    /// batch.set(1, game)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::OtherKind`] if size, rules or move limit differ; [`BatchError::NoSuchGame`].
    pub fn set(&mut self, index: usize, game: G) -> Result<(), BatchError> {
        if !same_kind(&game, &self.prototype) {
            return Err(BatchError::OtherKind);
        }
        let old = self.games.get_mut(index).ok_or(BatchError::NoSuchGame(index))?;
        *old = game;
        write_row(old, &mut self.legal[index * self.words..][..self.words]);
        self.steps[index] = 0;
        Ok(())
    }

    /// The random stream of each game, for [`GameBatch::from_parts`].
    #[must_use]
    pub fn streams(&self) -> &[CounterStream] {
        &self.streams
    }

    /// The actions in each game since it began: those of [`GameBatch::step`] with
    /// [`StepOptions::max_steps`], which limits them.
    ///
    /// ```
    /// use sixplane::batch::{GameBatch, StepOptions};
    /// use sixplane::{Game, Go};
    ///
    /// let mut batch = GameBatch::new(&Go::new(3)?, 2, 1, None);
    /// let options = StepOptions { max_steps: Some(2), ..StepOptions::default() };
    /// let (mut planes, mut masks) = (vec![0; 2 * 6 * 9], vec![0; 2 * 10]);
    /// batch.step(&[4, 4], options, None, &mut planes, &mut masks)?;
    /// batch.reset(None, Some(&[false, true]), None)?;
    /// let step = batch.step(&[5, 5], options, None, &mut planes, &mut masks)?;
    /// assert_eq!([step.results[0].out_of_steps, step.results[1].out_of_steps], [true, false]);
    /// assert_eq!(batch.steps(), [0, 1]); // the first one started again
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn steps(&self) -> &[u32] {
        &self.steps
    }

    /// Ends a game by the resignation of `color` (`None`: of the player to play).
    ///
    /// ```
    /// use sixplane::batch::{BatchError, GameBatch};
    /// use sixplane::{Color, Game, Go, Outcome};
    ///
    /// let mut batch = GameBatch::new(&Go::new(5)?, 2, 1, None);
    /// batch.resign(1, None)?; // the player to play: Black
    /// assert_eq!(batch.get(1).and_then(Game::outcome), Some(Outcome::Win(Color::White)));
    /// assert_eq!(batch.resign(1, None), Err(BatchError::GameOver(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::GameOver`] if it is over; [`BatchError::NoSuchGame`].
    pub fn resign(&mut self, index: usize, color: Option<Color>) -> Result<(), BatchError> {
        let game = self.games.get_mut(index).ok_or(BatchError::NoSuchGame(index))?;
        let color = color.unwrap_or(game.turn());
        game.resign(color).map_err(|_| BatchError::GameOver(index))?;
        write_row(game, &mut self.legal[index * self.words..][..self.words]);
        Ok(())
    }

    /// Puts copies of a game (`None`: of the prototype), history and rules included, in the place of
    /// the games whose entry in `only` is set (`None`: all), and with a seed, begins their random
    /// streams anew. A later reset returns to the prototype again.
    ///
    /// ```
    /// use sixplane::batch::GameBatch;
    /// use sixplane::{Game, Go};
    ///
    /// let mut batch = GameBatch::new(&Go::new(5)?, 3, 1, None);
    /// batch.play_random(&[4, 4, 4]);
    /// batch.reset(None, Some(&[false, true, false]), None)?;
    /// assert_eq!(batch.games().map(|game| game.state().moves()).collect::<Vec<_>>(), [4, 0, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::OtherSize`], and nothing has changed, if the board has another size.
    pub fn reset(
        &mut self,
        start: Option<&G>,
        only: Option<&[bool]>,
        seed: Option<u64>,
    ) -> Result<(), BatchError> {
        let start = start.unwrap_or(&self.prototype).clone();
        if start.size() != self.size() {
            return Err(BatchError::OtherSize(self.size()));
        }
        self.map_games(GAMES_A_TASK, |index, game, legal, stream| {
            if is_in(only, index) {
                game.clone_from(&start);
                write_row(game, legal);
                *stream = seed.map_or(*stream, |seed| CounterStream::new(seed, index));
            }
        });
        for (_, steps) in self.steps.iter_mut().enumerate().filter(|(index, _)| is_in(only, *index))
        {
            *steps = 0;
        }
        Ok(())
    }

    /// A uniformly random legal action for each game; [`NO_ACTION`] where it is over.
    ///
    /// ```
    /// use sixplane::batch::{GameBatch, NO_ACTION};
    /// use sixplane::{Game, Go};
    ///
    /// let mut batch = GameBatch::new(&Go::new(5)?, 3, 1, None);
    /// batch.resign(1, None)?;
    /// let actions = batch.sample();
    /// assert_eq!(actions[1], NO_ACTION);
    /// batch.play(&actions, None)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample(&mut self) -> Vec<i64> {
        self.map_games(SAMPLES_A_TASK, |_, _, legal, stream| {
            sample(legal, stream).map_or(NO_ACTION, |sampled| sampled.index() as i64)
        })
    }

    /// Calls `work` with the number of each game, the game, its legal actions and its random stream,
    /// and returns the results in order. At least `least` games are a task of their own.
    fn map_games<R: Send>(
        &mut self,
        least: usize,
        work: impl Fn(usize, &mut G, &mut [u64], &mut CounterStream) -> R + Sync,
    ) -> Vec<R> {
        let (words, count) = (self.words, self.len());
        let length = self.threads.task_len(count, least);
        let games = self.games.chunks_mut(length).zip(self.legal.chunks_mut(length * words));
        let tasks = games.zip(self.streams.chunks_mut(length)).enumerate();
        let results = self.threads.map(tasks, |(task, ((games, legal), streams))| -> Vec<R> {
            let games = games.iter_mut().zip(legal.chunks_exact_mut(words)).zip(streams);
            let games = (task * length..).zip(games);
            games.map(|(index, ((game, legal), stream))| work(index, game, legal, stream)).collect()
        });
        let mut all = Vec::with_capacity(count);
        for part in results {
            all.extend(part);
        }
        all
    }
}

impl<G: Game> PartialEq for GameBatch<G> {
    /// Whether both hold equal games in the same order and return to equal ones.
    fn eq(&self, other: &Self) -> bool {
        self.prototype == other.prototype && self.games().eq(other.games())
    }
}

/// Whether a game is among those whose entry is set; without entries, every game is.
fn is_in(only: Option<&[bool]>, index: usize) -> bool {
    only.is_none_or(|only| only.get(index) == Some(&true))
}

fn same_kind<G: Game>(one: &G, other: &G) -> bool {
    one.size() == other.size()
        && one.rules() == other.rules()
        && one.state().max_moves() == other.state().max_moves()
}

/// The random streams of so many games.
fn streams(seed: u64, count: usize) -> Vec<CounterStream> {
    (0..count).map(|index| CounterStream::new(seed, index)).collect()
}
