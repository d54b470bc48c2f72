//! Many games stepped together: one call, one action a game, one array of planes.
//!
//! By law a batch equals its games played one by one: the number of threads and the company a
//! game is in never change what happens in it. Game `i` draws from a generator that follows from
//! the batch's seed and `i` alone.

mod draws;
mod error;
mod history;
mod restart;

pub use draws::Draws;
pub use error::{BatchError, Refusal};

use crate::color::Color;
use crate::error::PlayError;
use crate::game::Game;
use crate::geometry::Action;
use crate::planes::{Cell, NUM_PLANES};
use crate::rows::{Rows, RowsMut};
use crate::status::{Ending, Outcome, Status};
use crate::workers::Workers;
use draws::draw;

/// When a finished game starts again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Autoreset {
    /// In the step that finishes it: what the step shows is the new game, and the last planes of
    /// the old one are handed out beside.
    #[default]
    SameStep,
    /// In the step after, which ignores the game's action.
    NextStep,
    /// Never by itself.
    Disabled,
}

/// What an illegal action does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Illegal {
    /// Nothing is played anywhere.
    #[default]
    Refuse,
    /// Its player loses the game. An action off the board is refused all the same.
    Lose,
}

/// The entry of [`GameBatch`]'s actions for a game that is over.
pub const NO_ACTION: i64 = -1;

/// A game of a batch and its source of randomness.
#[derive(Clone, Debug)]
struct Slot<G> {
    game: G,
    draws: Draws,
}

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
/// use sixplane::batch::{Autoreset, GameBatch, Illegal};
/// use sixplane::rows::Rows;
/// use sixplane::{Game, Go};
///
/// let mut batch = GameBatch::new(&Go::new(5)?, 64, 1, Some(2));
/// let mut rows = Rows::new(batch.size(), batch.len());
/// for _ in 0..100 {
///     let actions = batch.sample();
///     batch.step(&actions, Autoreset::SameStep, Illegal::Refuse, &mut rows)?;
/// }
/// assert_eq!(rows.planes.len(), 64 * 6 * 25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameBatch<G> {
    prototype: G,
    slots: Vec<Slot<G>>,
    workers: Workers,
}

impl<G: Game> GameBatch<G> {
    /// `count` copies of a game, its history included; a reset returns to it. `threads`: `None`
    /// for as many as there are processors.
    #[must_use]
    pub fn new(prototype: &G, count: usize, seed: u64, threads: Option<usize>) -> Self {
        let slot = |index| Slot { game: prototype.clone(), draws: Draws::new(seed, index) };
        Self {
            prototype: prototype.clone(),
            slots: (0..count).map(slot).collect(),
            workers: Workers::new(threads),
        }
    }

    /// A batch of these games; a reset returns to the first one as given. `None` if there is no
    /// game, or if sizes, rules or move limits differ.
    #[must_use]
    pub fn from_games(games: Vec<G>, seed: u64, threads: Option<usize>) -> Option<Self> {
        let prototype = games.first()?.clone();
        if !games.iter().all(|game| same_kind(game, &prototype)) {
            return None;
        }
        let slot = |(index, game)| Slot { game, draws: Draws::new(seed, index) };
        let slots = games.into_iter().enumerate().map(slot).collect();
        Some(Self { prototype, slots, workers: Workers::new(threads) })
    }

    /// Number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
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
        self.slots.get(index).map(|slot| &slot.game)
    }

    /// The games in order.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &G> {
        self.slots.iter().map(|slot| &slot.game)
    }

    /// Puts a game in the place of another; `false` if there is no such place, or if size, rules
    /// or move limit differ.
    pub fn set(&mut self, index: usize, game: G) -> bool {
        let fits = same_kind(&game, &self.prototype);
        match self.slots.get_mut(index) {
            Some(slot) if fits => {
                slot.game = game;
                true
            }
            _ => false,
        }
    }

    /// The randomness of each game, for a copy elsewhere to go on with.
    pub fn draws(&self) -> impl ExactSizeIterator<Item = Draws> + '_ {
        self.slots.iter().map(|slot| slot.draws)
    }

    /// Goes on with the randomness of another batch.
    pub fn set_draws(&mut self, draws: impl IntoIterator<Item = Draws>) {
        for (slot, draws) in self.slots.iter_mut().zip(draws) {
            slot.draws = draws;
        }
    }

    /// Ends a game by the resignation of `color`.
    ///
    /// # Errors
    /// [`PlayError::GameOver`] if it is over; [`PlayError::OffBoard`] if there is no such game.
    pub fn resign(&mut self, index: usize, color: Option<Color>) -> Result<(), PlayError> {
        let game = &mut self.slots.get_mut(index).ok_or(PlayError::OffBoard)?.game;
        let color = color.unwrap_or(game.turn());
        game.resign(color)
    }

    /// Resets the games whose entry in `mask` is set (`None`: all), and with a seed, their
    /// generators.
    pub fn reset(&mut self, mask: Option<&[bool]>, seed: Option<u64>) {
        for (index, slot) in self.slots.iter_mut().enumerate() {
            if mask.is_none_or(|mask| mask.get(index) == Some(&true)) {
                slot.game.clone_from(&self.prototype);
                if let Some(seed) = seed {
                    slot.draws = Draws::new(seed, index);
                }
            }
        }
    }

    /// A uniformly random legal action for each game; [`NO_ACTION`] where it is over.
    pub fn sample(&mut self) -> Vec<i64> {
        let mut actions = vec![NO_ACTION; self.len()];
        self.workers.pairs(&mut self.slots, &mut actions, |slot, action| {
            if let Some(drawn) = draw(&slot.game, &mut slot.draws) {
                *action = drawn.index() as i64;
            }
        });
        actions
    }

    /// Plays `count` uniformly random legal actions in each game; one that is over stays.
    pub fn play_random(&mut self, count: usize) {
        self.workers.each(&mut self.slots, |slot| {
            for _ in 0..count {
                let Some(action) = draw(&slot.game, &mut slot.draws) else { return };
                slot.game.play_unchecked(action);
            }
        });
    }

    /// Plays one action in each game; [`NO_ACTION`] where it is over.
    ///
    /// # Errors
    /// [`BatchError`] if any action may not be played: then none is.
    pub fn play(&mut self, actions: &[i64]) -> Result<(), BatchError> {
        self.check(actions, Autoreset::Disabled, Illegal::Refuse)?;
        let mut actions = actions.to_vec();
        self.workers.pairs(&mut self.slots, &mut actions, |slot, &mut action| {
            if !slot.game.is_over() {
                slot.game.play_unchecked(Action::new(action as usize));
            }
        });
        Ok(())
    }

    /// Plays one action in each game and writes what follows.
    ///
    /// Rewards, flags, outcomes and scores speak of the action just played; planes, masks and
    /// turns of what comes next. A game that is over before the step takes [`NO_ACTION`] and
    /// repeats its outcome and score if resets are disabled; else it ignores its action and is
    /// reset, with reward 0 and outcome "running".
    ///
    /// # Errors
    /// [`BatchError`] if any action is refused: then nothing has changed anywhere.
    pub fn step(
        &mut self,
        actions: &[i64],
        autoreset: Autoreset,
        illegal: Illegal,
        rows: &mut Rows,
    ) -> Result<Finals, BatchError> {
        self.step_into(actions, autoreset, illegal, rows.as_mut())
    }

    /// The same into rows whose memory belongs to somebody else.
    ///
    /// # Errors
    /// [`BatchError`] as [`GameBatch::step`].
    pub fn step_into(
        &mut self,
        actions: &[i64],
        autoreset: Autoreset,
        illegal: Illegal,
        rows: RowsMut<'_>,
    ) -> Result<Finals, BatchError> {
        self.check(actions, autoreset, illegal)?;
        let prototype = &self.prototype;
        let finals = self.workers.rows(&mut self.slots, rows, |first, slots, mut rows| {
            let mut finals = Finals::default();
            for (i, slot) in slots.iter_mut().enumerate() {
                let action = actions[first + i];
                let finished =
                    step_game(&mut slot.game, action, autoreset, prototype, &mut rows, i);
                if finished {
                    finals.index.push((first + i) as i64);
                    finals.planes.extend_from_slice(slot.game.state().planes().cells());
                    slot.game.clone_from(prototype);
                }
                rows.write_position(i, &slot.game);
            }
            finals
        });
        Ok(finals.into_iter().fold(Finals::default(), |mut all, some| {
            all.index.extend(some.index);
            all.planes.extend(some.planes);
            all
        }))
    }

    /// Writes the planes of the games with these numbers (`None`: of all), one after another.
    ///
    /// # Panics
    /// If there is no such game, or `cells` is shorter than their planes.
    pub fn write_planes<T: Cell>(&self, index: Option<&[usize]>, cells: &mut [T]) {
        let each = NUM_PLANES * self.size().points();
        let count = index.map_or(self.len(), <[usize]>::len);
        for (i, cells) in cells[..count * each].chunks_exact_mut(each).enumerate() {
            let game = &self.slots[index.map_or(i, |index| index[i])].game;
            for (cell, &value) in cells.iter_mut().zip(game.state().planes().cells()) {
                *cell = if value == 0 { T::ZERO } else { T::ONE };
            }
        }
    }

    fn check(
        &self,
        actions: &[i64],
        autoreset: Autoreset,
        illegal: Illegal,
    ) -> Result<(), BatchError> {
        if actions.len() != self.len() {
            return Err(BatchError::Length { games: self.len(), actions: actions.len() });
        }
        let refusal = |(index, (slot, &action)): (usize, (&Slot<G>, &i64))| {
            let error = refuse(&slot.game, action, autoreset, illegal)?;
            Some(Refusal { index, error })
        };
        let refusals: Vec<_> =
            self.slots.iter().zip(actions).enumerate().filter_map(refusal).collect();
        if refusals.is_empty() { Ok(()) } else { Err(BatchError::Illegal(refusals)) }
    }
}

impl<G: Game> PartialEq for GameBatch<G> {
    /// Whether both hold equal games in the same order and return to equal ones.
    fn eq(&self, other: &Self) -> bool {
        self.prototype == other.prototype && self.games().eq(other.games())
    }
}

fn same_kind<G: Game>(one: &G, other: &G) -> bool {
    one.size() == other.size()
        && one.rules() == other.rules()
        && one.state().max_moves() == other.state().max_moves()
}

/// Why an entry is refused, if it is.
#[inline]
fn refuse<G: Game>(
    game: &G,
    action: i64,
    autoreset: Autoreset,
    illegal: Illegal,
) -> Option<PlayError> {
    if game.is_over() {
        let ignored = autoreset != Autoreset::Disabled || action == NO_ACTION;
        return if ignored { None } else { Some(PlayError::GameOver) };
    }
    match usize::try_from(action) {
        Ok(index) if index <= game.size().points() => match game.check(Action::new(index)) {
            Err(error) if illegal == Illegal::Refuse => Some(error),
            _ => None,
        },
        _ => Some(PlayError::OffBoard),
    }
}

/// Plays an accepted entry in one game and writes what came of it. `true` if the game is to be
/// reset in this step and its last planes handed out.
#[inline]
fn step_game<G: Game>(
    game: &mut G,
    action: i64,
    autoreset: Autoreset,
    prototype: &G,
    rows: &mut RowsMut<'_>,
    row: usize,
) -> bool {
    if game.is_over() {
        if autoreset != Autoreset::Disabled {
            game.clone_from(prototype);
        }
        rows.write_result(row, game, false);
        if autoreset != Autoreset::Disabled {
            rows.outcomes[row] = RUNNING;
        }
        return false;
    }
    let action = Action::new(action as usize);
    if game.play(action).is_err() {
        // Checked before: illegal actions come here only where they lose the game, which goes on.
        let _ = game.resign(game.turn());
    }
    rows.write_result(row, game, true);
    autoreset == Autoreset::SameStep && game.is_over()
}

/// The outcome of a game that goes on, where others are +1, 0 and -1.
pub const RUNNING: i8 = -2;

impl RowsMut<'_> {
    /// Writes what the action just played led to, or with `fresh` false, only outcome and score.
    #[inline]
    fn write_result<G: Game>(&mut self, row: usize, game: &G, fresh: bool) {
        let (outcome, truncated) = match game.status() {
            Status::Ongoing => (None, false),
            Status::Done { outcome, ending } => (Some(outcome), ending == Ending::Truncation),
        };
        let done = fresh && outcome.is_some();
        self.outcomes[row] = outcome.map_or(RUNNING, Outcome::sign);
        self.rewards[row] = if done { f32::from(self.outcomes[row]) } else { 0.0 };
        self.terminated[row] = done && !truncated;
        self.truncated[row] = done && truncated;
        self.scores[row] = game.score() as f32;
    }

    /// Writes planes, mask and turn of the position now.
    #[inline]
    fn write_position<G: Game>(&mut self, row: usize, game: &G) {
        let planes = game.state().planes().cells();
        self.planes[row * planes.len()..][..planes.len()].copy_from_slice(planes);
        let actions = game.size().num_actions();
        game.write_action_mask(&mut self.masks[row * actions..][..actions]);
        self.turns[row] = game.turn().index() as i8;
    }
}
