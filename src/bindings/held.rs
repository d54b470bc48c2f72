//! A batch of any one game class behind one door.

use std::any::Any;
use std::ops::Range;

use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::class::GameClass;
use super::convert;
use super::memory::available;
use crate::batch::{BatchError, Draws, Finals, GameBatch, RUNNING, StepOptions};
use crate::color::Color;
use crate::error::PlayError;
use crate::game::Game;
use crate::geometry::BoardSize;
use crate::planes::Cell;
use crate::rows::RowsMut;
use crate::status::Outcome;

/// Where one game of a batch stands.
pub(super) struct Standing {
    pub(super) turn: i8,
    pub(super) done: bool,
    pub(super) outcome: i8,
    pub(super) moves: i64,
}

/// What the Python class asks of a batch, whatever its games are.
pub(super) trait AnyBatch: Send + Sync {
    /// A copy. Stops at Ctrl-C.
    fn copy(&self, py: Python<'_>) -> PyResult<Box<dyn AnyBatch>>;
    fn as_any(&self) -> &dyn Any;
    /// Whether these games of two batches are equal, and what both return to.
    fn equals(&self, other: &dyn AnyBatch, games: Range<usize>) -> bool;
    fn name(&self) -> &'static str;
    fn len(&self) -> usize;
    fn size(&self) -> BoardSize;
    /// Whether a game goes on of which so many actions are left.
    fn goes_on(&self, left: &[u64]) -> bool;
    fn step_into(
        &mut self,
        actions: &[i64],
        options: StepOptions,
        only: Option<&[bool]>,
        rows: RowsMut<'_>,
    ) -> Result<Finals, BatchError>;
    fn play(&mut self, actions: &[i64], only: Option<&[bool]>) -> Result<(), BatchError>;
    fn sample(&mut self) -> Vec<i64>;
    fn play_random(&mut self, counts: &[usize]);
    fn reset(&mut self, mask: Option<&[bool]>, seed: Option<u64>);
    fn restart_from(
        &mut self,
        game: &Bound<'_, PyAny>,
        mask: Option<&[bool]>,
        seed: Option<u64>,
    ) -> PyResult<()>;
    fn put(&mut self, index: usize, game: &Bound<'_, PyAny>) -> PyResult<()>;
    fn resign(&mut self, index: usize, color: Option<Color>) -> Result<(), PlayError>;
    fn write_planes_u8(&self, history: Option<usize>, index: Option<&[usize]>, cells: &mut [u8]);
    fn write_planes_bool(
        &self,
        history: Option<usize>,
        index: Option<&[usize]>,
        cells: &mut [bool],
    );
    fn write_planes_f32(&self, history: Option<usize>, index: Option<&[usize]>, cells: &mut [f32]);
    fn write_masks(&self, masks: &mut [i8]);
    fn write_ownership(&self, index: Option<&[usize]>, owners: &mut [i8]);
    fn standings(&self) -> Box<dyn Iterator<Item = Standing> + '_>;
    fn write_scores(&self, scores: &mut [f32]);
    fn prototype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn get<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>>;
    fn set(&mut self, index: usize, game: &Bound<'_, PyAny>) -> PyResult<()>;
    fn draws(&self) -> Box<dyn Iterator<Item = Draws> + '_>;
    fn set_draws(&mut self, draws: Vec<Draws>);
}

/// A batch of one game class.
pub(super) struct Held<C: GameClass> {
    batch: GameBatch<C::Game>,
}

impl<C: GameClass> Held<C> {
    /// `count` copies of one game, or without a count, these games.
    pub(super) fn boxed(
        games: &[Bound<'_, PyAny>],
        count: Option<usize>,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<Box<dyn AnyBatch>> {
        let games = match (count, games.first()) {
            (Some(count), Some(first)) => {
                let prototype = game::<C>(first)?;
                copies(first.py(), count, prototype.bytes(), |_| prototype.clone())?
            }
            _ => Self::given(games)?,
        };
        let batch = GameBatch::from_games(games, seed, threads).ok_or_else(other_kind)?;
        Ok(Box::new(Self { batch }))
    }
}

impl<C: GameClass> Held<C> {
    /// Copies of the games that Python gave.
    fn given(values: &[Bound<'_, PyAny>]) -> PyResult<Vec<C::Game>> {
        let mut games = Vec::new();
        for value in values {
            let game = game::<C>(value)?;
            if games.is_empty() {
                reserve(&mut games, values.len(), game.bytes())?;
            }
            games.push(game);
            if games.len() % PIECE == 0 {
                value.py().check_signals()?;
            }
        }
        Ok(games)
    }

    /// Copies of the games of a batch; `None` if they are of another class.
    pub(super) fn games(batch: &dyn AnyBatch) -> Option<PyResult<Vec<C::Game>>> {
        let held = batch.as_any().downcast_ref::<Self>()?;
        let mut games = Vec::new();
        let bytes = held.batch.games().next().map_or(0, Game::bytes);
        Some(reserve(&mut games, held.batch.len(), bytes).map(|()| {
            games.extend(held.batch.games().cloned());
            games
        }))
    }
}

fn game<C: GameClass>(value: &Bound<'_, PyAny>) -> PyResult<C::Game> {
    let Ok(class) = value.cast::<C>() else {
        let (name, found) = (C::Game::NAME, convert::type_name(value));
        return Err(PyTypeError::new_err(format!("a game of {name} is needed, not {found}")));
    };
    let game = class.try_borrow()?.game().clone();
    Ok(game)
}

/// Games between two looks at whether the user has pressed Ctrl-C.
const PIECE: usize = 1024;

/// Calls with one piece of so many games after another, the interpreter lock released.
///
/// # Errors
/// What a signal handler raises in between, such as `KeyboardInterrupt`.
pub(super) fn in_pieces(
    py: Python<'_>,
    count: usize,
    mut each: impl FnMut(Range<usize>) + Send,
) -> PyResult<()> {
    let mut first = 0;
    while first < count {
        let end = count.min(first + PIECE);
        py.detach(|| each(first..end));
        if end < count {
            py.check_signals()?;
        }
        first = end;
    }
    Ok(())
}

/// So many games of so many bytes each.
fn copies<G: Game>(
    py: Python<'_>,
    count: usize,
    bytes: usize,
    copy: impl Fn(usize) -> G + Sync,
) -> PyResult<Vec<G>> {
    let mut copies = Vec::new();
    reserve(&mut copies, count, bytes)?;
    in_pieces(py, count, |piece| copies.extend(piece.map(&copy)))?;
    Ok(copies)
}

/// Below so many bytes, nobody looks how much memory there is.
const MANY_BYTES: u64 = 1 << 28;

/// Capacity for so many games, if memory for all that they hold can be had, too: to run out of it
/// later would end the process.
fn reserve<G>(games: &mut Vec<G>, count: usize, bytes: usize) -> PyResult<()> {
    // What an allocator and the batch itself add comes to less than an eighth.
    let all = bytes.saturating_mul(count).saturating_add(bytes.saturating_mul(count) / 8);
    let is_there = (all as u64) < MANY_BYTES || available().is_none_or(|most| (all as u64) < most);
    let probe = || Vec::<u8>::new().try_reserve_exact(all);
    if is_there && probe().is_ok() && games.try_reserve_exact(count).is_ok() {
        return Ok(());
    }
    Err(PyMemoryError::new_err(format!("no memory for {count} games of {bytes} bytes each")))
}

fn write<G: Game, T: Cell + Send>(
    batch: &GameBatch<G>,
    history: Option<usize>,
    index: Option<&[usize]>,
    cells: &mut [T],
) {
    match history {
        None => batch.write_planes(index, cells),
        Some(k) => batch.write_history(k, index, cells),
    }
}

fn other_size(size: BoardSize) -> PyErr {
    PyValueError::new_err(format!("a game of size {size} is needed"))
}

fn other_kind() -> PyErr {
    PyValueError::new_err("the games of a batch must have the same size, rules and max_moves")
}

impl<C: GameClass> AnyBatch for Held<C> {
    fn copy(&self, py: Python<'_>) -> PyResult<Box<dyn AnyBatch>> {
        let (batch, count) = (&self.batch, self.batch.len());
        let bytes = batch.games().map(Game::bytes).max().unwrap_or_default();
        let game = |i: usize| batch.get(i).unwrap_or(batch.prototype()).clone();
        let games = copies(py, count, bytes, game)?;
        Ok(Box::new(Self { batch: batch.clone_with(games) }))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn AnyBatch, games: Range<usize>) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| {
            self.batch.len() == other.batch.len()
                && self.batch.prototype() == other.batch.prototype()
                && games.into_iter().all(|i| self.batch.get(i) == other.batch.get(i))
        })
    }

    fn name(&self) -> &'static str {
        C::Game::NAME
    }

    fn len(&self) -> usize {
        self.batch.len()
    }

    fn size(&self) -> BoardSize {
        self.batch.size()
    }

    fn goes_on(&self, left: &[u64]) -> bool {
        self.batch.games().zip(left).any(|(game, &left)| left > 0 && !game.is_over())
    }

    fn step_into(
        &mut self,
        actions: &[i64],
        options: StepOptions,
        only: Option<&[bool]>,
        rows: RowsMut<'_>,
    ) -> Result<Finals, BatchError> {
        self.batch.step_into(actions, options, only, rows)
    }

    fn play(&mut self, actions: &[i64], only: Option<&[bool]>) -> Result<(), BatchError> {
        self.batch.play(actions, only)
    }

    fn sample(&mut self) -> Vec<i64> {
        self.batch.sample()
    }

    fn play_random(&mut self, counts: &[usize]) {
        self.batch.play_random_each(counts);
    }

    fn reset(&mut self, mask: Option<&[bool]>, seed: Option<u64>) {
        self.batch.reset(mask, seed);
    }

    fn restart_from(
        &mut self,
        value: &Bound<'_, PyAny>,
        mask: Option<&[bool]>,
        seed: Option<u64>,
    ) -> PyResult<()> {
        let game = game::<C>(value)?;
        let restarted = value.py().detach(|| self.batch.restart_from(&game, mask, seed));
        if restarted { Ok(()) } else { Err(other_size(self.size())) }
    }

    fn put(&mut self, index: usize, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.batch.put(index, game::<C>(value)?) { Ok(()) } else { Err(other_size(self.size())) }
    }

    fn resign(&mut self, index: usize, color: Option<Color>) -> Result<(), PlayError> {
        self.batch.resign(index, color)
    }

    fn write_planes_u8(&self, history: Option<usize>, index: Option<&[usize]>, cells: &mut [u8]) {
        write(&self.batch, history, index, cells);
    }

    fn write_planes_bool(
        &self,
        history: Option<usize>,
        index: Option<&[usize]>,
        cells: &mut [bool],
    ) {
        write(&self.batch, history, index, cells);
    }

    fn write_planes_f32(&self, history: Option<usize>, index: Option<&[usize]>, cells: &mut [f32]) {
        write(&self.batch, history, index, cells);
    }

    fn write_masks(&self, masks: &mut [i8]) {
        for (game, mask) in
            self.batch.games().zip(masks.chunks_exact_mut(self.size().num_actions()))
        {
            game.write_action_mask(mask);
        }
    }

    fn write_ownership(&self, index: Option<&[usize]>, owners: &mut [i8]) {
        self.batch.write_ownership(index, owners);
    }

    fn standings(&self) -> Box<dyn Iterator<Item = Standing> + '_> {
        Box::new(self.batch.games().map(|game| Standing {
            turn: game.turn().index() as i8,
            done: game.is_over(),
            outcome: game.outcome().map_or(RUNNING, Outcome::sign),
            moves: i64::from(game.state().moves()),
        }))
    }

    fn write_scores(&self, scores: &mut [f32]) {
        self.batch.write_scores(scores);
    }

    fn prototype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(py, C::of(self.batch.prototype().clone()))?.into_any())
    }

    fn get<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let game = self.batch.get(index).unwrap_or_else(|| self.batch.prototype());
        Ok(Bound::new(py, C::of(game.clone()))?.into_any())
    }

    fn set(&mut self, index: usize, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.batch.set(index, game::<C>(value)?) { Ok(()) } else { Err(other_kind()) }
    }

    fn draws(&self) -> Box<dyn Iterator<Item = Draws> + '_> {
        Box::new(self.batch.draws())
    }

    fn set_draws(&mut self, draws: Vec<Draws>) {
        self.batch.set_draws(draws);
    }
}
