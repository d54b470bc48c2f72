//! Many games stepped together: one call, one action a game, one array of planes.
//!
//! By law a batch equals its games played one by one: the number of threads and the company a
//! game is in never change what happens in it. Game `i` draws from a generator that follows from
//! the batch's seed and `i` alone.

mod draws;
mod error;
mod history;
mod legal;
mod options;
mod ownership;
mod play;
mod restart;
mod step;

pub use draws::Draws;
pub use error::{BatchError, Refusal};
pub use options::{Autoreset, Cutoff, Illegal, StepOptions, View};
pub use step::{NOBODY, RUNNING, StepEnding};

use crate::color::Color;
use crate::error::PlayError;
use crate::game::Game;
use crate::planes::{Cell, NUM_PLANES};
use crate::workers::{Pace, Workers};
use legal::LegalActions;

/// The entry of [`GameBatch`]'s actions for a game that is over.
pub const NO_ACTION: i64 = -1;

/// The games of a step that started again: their numbers, and their last planes one after
/// another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finals {
    /// Ascending.
    pub index: Vec<i64>,
    /// `(index.len(), 6, rows, cols)`.
    pub planes: Vec<u8>,
}

/// Many games of one kind, size and rules, stepped together.
///
/// ```
/// use sixplane::batch::{GameBatch, StepOptions};
/// use sixplane::rows::Rows;
/// use sixplane::{Game, Go};
///
/// let mut batch = GameBatch::new(&Go::new(5)?, 64, 1, Some(2));
/// let mut rows = Rows::new(batch.size(), batch.len());
/// for _ in 0..100 {
///     let actions = batch.sample();
///     batch.step(&actions, StepOptions::default(), None, &mut rows)?;
/// }
/// assert_eq!(rows.planes.len(), 64 * 6 * 25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameBatch<G> {
    prototype: G,
    games: Vec<G>,
    /// Of each game now.
    legal: LegalActions,
    /// Of each game.
    draws: Vec<Draws>,
    workers: Workers,
    paces: Paces,
}

/// What the work on a game takes.
#[derive(Clone, Debug, Default)]
struct Paces {
    step: Pace,
    play: Pace,
    play_random: Pace,
    restart: Pace,
    score: Pace,
    sample: Pace,
    write_planes: Pace,
    write_history: Pace,
    write_ownership: Pace,
}

impl<G: Game> GameBatch<G> {
    /// `count` copies of a game, its history included; a reset returns to it. `threads`: `None`
    /// for as many as there are processors, or as the environment variable `SIXPLANE_THREADS`
    /// allows.
    #[must_use]
    pub fn new(prototype: &G, count: usize, seed: u64, threads: Option<usize>) -> Self {
        Self::of(prototype.clone(), vec![prototype.clone(); count], seed, threads)
    }

    /// A batch of these games; a reset returns to the first one as given. `None` if there is no
    /// game, or if sizes, rules or move limits differ.
    #[must_use]
    pub fn from_games(games: Vec<G>, seed: u64, threads: Option<usize>) -> Option<Self> {
        let prototype = games.first()?.clone();
        if !games.iter().all(|game| same_kind(game, &prototype)) {
            return None;
        }
        Some(Self::of(prototype, games, seed, threads))
    }

    fn of(prototype: G, games: Vec<G>, seed: u64, threads: Option<usize>) -> Self {
        Self {
            legal: LegalActions::new(prototype.size(), games.iter()),
            draws: (0..games.len()).map(|index| Draws::new(seed, index)).collect(),
            prototype,
            games,
            workers: Workers::new(threads),
            paces: Paces::default(),
        }
    }

    /// A copy of this batch around copies of its games, which the caller made: as [`Clone`] does
    /// it, but for those who copy many games piece by piece.
    ///
    /// # Panics
    /// If these are more or fewer games than there are here.
    #[must_use]
    pub fn clone_with(&self, games: Vec<G>) -> Self {
        assert_eq!(games.len(), self.len(), "one copy of each game is needed");
        Self {
            prototype: self.prototype.clone(),
            games,
            legal: self.legal.clone(),
            draws: self.draws.clone(),
            workers: self.workers.clone(),
            paces: self.paces.clone(),
        }
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
    pub fn size(&self) -> crate::BoardSize {
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

    /// Puts a game in the place of another; `false` if there is no such place, or if size, rules
    /// or move limit differ.
    pub fn set(&mut self, index: usize, game: G) -> bool {
        same_kind(&game, &self.prototype) && self.put(index, game)
    }

    /// The randomness of each game, for a copy elsewhere to go on with.
    pub fn draws(&self) -> impl ExactSizeIterator<Item = Draws> + '_ {
        self.draws.iter().copied()
    }

    /// Goes on with the randomness of another batch.
    pub fn set_draws(&mut self, draws: impl IntoIterator<Item = Draws>) {
        for (old, new) in self.draws.iter_mut().zip(draws) {
            *old = new;
        }
    }

    /// Ends a game by the resignation of `color`.
    ///
    /// # Errors
    /// [`PlayError::GameOver`] if it is over; [`PlayError::OffBoard`] if there is no such game.
    pub fn resign(&mut self, index: usize, color: Option<Color>) -> Result<(), PlayError> {
        let game = self.games.get_mut(index).ok_or(PlayError::OffBoard)?;
        let color = color.unwrap_or(game.turn());
        game.resign(color)?;
        self.legal.note(index, game);
        Ok(())
    }

    /// Resets the games whose entry in `mask` is set (`None`: all), and with a seed, their
    /// generators.
    pub fn reset(&mut self, mask: Option<&[bool]>, seed: Option<u64>) {
        let prototype = self.prototype.clone();
        self.restart_from(&prototype, mask, seed);
    }

    /// A uniformly random legal action for each game; [`NO_ACTION`] where it is over.
    pub fn sample(&mut self) -> Vec<i64> {
        let mut actions = vec![NO_ACTION; self.len()];
        let work = (self.draws.as_mut_slice(), self.legal.as_mut(), actions.as_mut_slice());
        self.workers.runs(&self.paces.sample, work.0.len(), work, |_, (draws, legal, actions)| {
            for (i, (draws, action)) in draws.iter_mut().zip(actions).enumerate() {
                if let Some(drawn) = legal.draw(i, draws) {
                    *action = drawn.index() as i64;
                }
            }
        });
        actions
    }

    /// Writes the planes of the games with these numbers (`None`: of all), one after another.
    ///
    /// # Panics
    /// If there is no such game, or `cells` is shorter than their planes.
    pub fn write_planes<T: Cell + Send>(&self, index: Option<&[usize]>, cells: &mut [T]) {
        let each = NUM_PLANES * self.size().points();
        self.write_each(&self.paces.write_planes, index, each, cells, |game, cells| {
            for (cell, &value) in cells.iter_mut().zip(game.state().planes().cells()) {
                *cell = if value == 0 { T::ZERO } else { T::ONE };
            }
        });
    }

    /// Writes the score of each game from Black's view.
    ///
    /// # Panics
    /// If `scores` is shorter than the batch.
    pub fn write_scores(&self, scores: &mut [f32]) {
        self.write_each(&self.paces.score, None, 1, scores, |game, score| {
            score[0] = game.score() as f32;
        });
    }

    /// Writes so many cells for each of the games with these numbers, one after another.
    fn write_each<T: Send>(
        &self,
        pace: &Pace,
        index: Option<&[usize]>,
        each: usize,
        cells: &mut [T],
        write: impl Fn(&G, &mut [T]) + Sync,
    ) {
        let games: Vec<&G> = match index {
            None => self.games.iter().collect(),
            Some(index) => index.iter().map(|&i| &self.games[i]).collect(),
        };
        let mut rows: Vec<&mut [T]> = cells[..games.len() * each].chunks_exact_mut(each).collect();
        let work = (games.as_slice(), rows.as_mut_slice());
        self.workers.runs(pace, games.len(), work, |_, (games, rows)| {
            for (game, row) in games.iter().zip(rows) {
                write(game, row);
            }
        });
    }
}

impl<G: Game> PartialEq for GameBatch<G> {
    /// Whether both hold equal games in the same order and return to equal ones.
    fn eq(&self, other: &Self) -> bool {
        self.prototype == other.prototype && self.games().eq(other.games())
    }
}

/// Whether a game is among those whose entry in a mask is set; without a mask, every game is.
fn is_in(mask: Option<&[bool]>, index: usize) -> bool {
    mask.is_none_or(|mask| mask.get(index) == Some(&true))
}

fn same_kind<G: Game>(one: &G, other: &G) -> bool {
    one.size() == other.size()
        && one.rules() == other.rules()
        && one.state().max_moves() == other.state().max_moves()
}
