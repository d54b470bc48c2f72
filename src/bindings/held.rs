//! The games of a `sixplane.GameBatch`, whatever their class.

use std::any::Any;
use std::ops::Range;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use super::any_game::{AnyGame, PythonGame, copy_of};
use super::error::batch_error;
use super::memory::available;
use crate::batch::{BatchError, BatchStep, CounterStream, GameBatch, StepOptions};
use crate::color::Color;
use crate::game::Game;

/// Memory for planes, in one of the types that they are written in.
pub(super) enum PlaneCells<'a> {
    U8(&'a mut [u8]),
    Bool(&'a mut [bool]),
    F32(&'a mut [f32]),
}

/// A [`GameBatch`] of games of any class. Each method without documentation is that of the batch.
pub(super) trait AnyBatch: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn len(&self) -> usize;
    fn prototype(&self) -> &dyn AnyGame;
    /// The game with this number; the prototype beyond the last.
    fn game(&self, index: usize) -> &dyn AnyGame;
    fn streams(&self) -> &[CounterStream];
    /// A copy. Stops at Ctrl-C.
    fn copy(&self, py: Python<'_>, threads: Option<usize>) -> PyResult<Box<dyn AnyBatch>>;
    /// Takes other games, whatever their rules, in the place of all.
    fn restore(
        &mut self,
        games: &[Bound<'_, PyAny>],
        streams: Vec<CounterStream>,
        threads: Option<usize>,
    ) -> PyResult<()>;
    fn set(&mut self, index: usize, game: &Bound<'_, PyAny>) -> PyResult<()>;
    /// Starts games again, from `game` or from the prototype.
    fn reset(
        &mut self,
        py: Python<'_>,
        game: Option<&Bound<'_, PyAny>>,
        mask: Option<&[bool]>,
        seed: Option<u64>,
    ) -> PyResult<()>;
    fn resign(&mut self, index: usize, color: Option<Color>) -> Result<(), BatchError>;
    fn sample(&mut self) -> Vec<i64>;
    fn play(&mut self, actions: &[i64], only: Option<&[bool]>) -> Result<(), BatchError>;
    fn play_random(&mut self, counts: &[usize]);
    fn step(
        &mut self,
        actions: &[i64],
        options: StepOptions,
        only: Option<&[bool]>,
        planes: &mut [u8],
        masks: &mut [i8],
    ) -> Result<BatchStep, BatchError>;
    /// The six planes, or with `history`, those of so many boards.
    fn write_planes(&self, history: Option<usize>, index: Option<&[usize]>, cells: PlaneCells<'_>);
    fn write_ownership(&self, index: Option<&[usize]>, owners: &mut [i8]);
    fn write_scores(&self, scores: &mut [f32]);
}

/// A batch of one game class.
pub(super) struct Held<G: PythonGame>(GameBatch<G>);

impl<G: PythonGame> Held<G> {
    /// `count` copies of the first game, or without a count, copies of these games.
    ///
    /// # Panics
    /// If there are none.
    pub(super) fn boxed(
        games: &[Bound<'_, PyAny>],
        count: Option<usize>,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<Box<dyn AnyBatch>> {
        let py = games[0].py();
        let games = if let Some(count) = count {
            let prototype = copy_of::<G>(&games[0])?;
            copies(py, count, prototype.bytes(), |_| prototype.clone())?
        } else {
            Self::games_of(py, games)?
        };
        let batch = GameBatch::from_games(games, seed, threads);
        Ok(Box::new(Self(batch.map_err(|error| batch_error(py, &error))?)))
    }

    fn games_of(py: Python<'_>, values: &[Bound<'_, PyAny>]) -> PyResult<Vec<G>> {
        let mut games = Vec::new();
        for value in values {
            let game = copy_of::<G>(value)?;
            if games.is_empty() {
                reserve(&mut games, values.len(), game.bytes())?;
            }
            games.push(game);
            if games.len() % PIECE == 0 {
                py.check_signals()?;
            }
        }
        Ok(games)
    }

    /// Copies of the games of a batch; `None` if they are of another class.
    pub(super) fn games(batch: &dyn AnyBatch) -> Option<PyResult<Vec<G>>> {
        let Self(batch) = batch.as_any().downcast_ref()?;
        let mut games = Vec::new();
        let bytes = batch.games().next().map_or(0, Game::bytes);
        Some(reserve(&mut games, batch.len(), bytes).map(|()| {
            games.extend(batch.games().cloned());
            games
        }))
    }
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
    for first in (0..count).step_by(PIECE) {
        if first > 0 {
            py.check_signals()?;
        }
        py.detach(|| each(first..count.min(first + PIECE)));
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

/// Less memory than this is taken without looking how much the system has.
const MANY_BYTES: u64 = 1 << 28;

/// Capacity for so many games, if there is memory for all that they hold, too: to run out of it
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

impl<G: PythonGame> AnyBatch for Held<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn prototype(&self) -> &dyn AnyGame {
        self.0.prototype()
    }

    fn game(&self, index: usize) -> &dyn AnyGame {
        self.0.get(index).unwrap_or(self.0.prototype())
    }

    fn streams(&self) -> &[CounterStream] {
        self.0.streams()
    }

    fn copy(&self, py: Python<'_>, threads: Option<usize>) -> PyResult<Box<dyn AnyBatch>> {
        let bytes = self.0.games().map(Game::bytes).max().unwrap_or_default();
        let prototype = self.0.prototype();
        let copy = |i| self.0.get(i).unwrap_or(prototype).clone();
        let games = copies(py, self.len(), bytes, copy)?;
        let streams = self.0.streams().to_vec();
        let batch = GameBatch::from_parts(prototype.clone(), games, streams, threads);
        Ok(Box::new(Self(batch.map_err(|error| batch_error(py, &error))?)))
    }

    fn restore(
        &mut self,
        games: &[Bound<'_, PyAny>],
        streams: Vec<CounterStream>,
        threads: Option<usize>,
    ) -> PyResult<()> {
        let Some(py) = games.first().map(Bound::py) else { return Ok(()) };
        let (prototype, games) = (self.0.prototype().clone(), Self::games_of(py, games)?);
        let batch = GameBatch::from_parts(prototype, games, streams, threads);
        self.0 = batch.map_err(|error| batch_error(py, &error))?;
        Ok(())
    }

    fn set(&mut self, index: usize, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let set = self.0.set(index, copy_of::<G>(value)?);
        set.map_err(|error| batch_error(value.py(), &error))
    }

    fn reset(
        &mut self,
        py: Python<'_>,
        game: Option<&Bound<'_, PyAny>>,
        mask: Option<&[bool]>,
        seed: Option<u64>,
    ) -> PyResult<()> {
        let start = game.map(copy_of::<G>).transpose()?;
        let restarted = py.detach(|| self.0.reset(start.as_ref(), mask, seed));
        restarted.map_err(|error| batch_error(py, &error))
    }

    fn resign(&mut self, index: usize, color: Option<Color>) -> Result<(), BatchError> {
        self.0.resign(index, color)
    }

    fn sample(&mut self) -> Vec<i64> {
        self.0.sample()
    }

    fn play(&mut self, actions: &[i64], only: Option<&[bool]>) -> Result<(), BatchError> {
        self.0.play(actions, only)
    }

    fn play_random(&mut self, counts: &[usize]) {
        self.0.play_random(counts);
    }

    fn step(
        &mut self,
        actions: &[i64],
        options: StepOptions,
        only: Option<&[bool]>,
        planes: &mut [u8],
        masks: &mut [i8],
    ) -> Result<BatchStep, BatchError> {
        self.0.step(actions, options, only, planes, masks)
    }

    fn write_planes(&self, history: Option<usize>, index: Option<&[usize]>, cells: PlaneCells<'_>) {
        match cells {
            PlaneCells::U8(cells) => self.0.write_planes(history, index, cells),
            PlaneCells::Bool(cells) => self.0.write_planes(history, index, cells),
            PlaneCells::F32(cells) => self.0.write_planes(history, index, cells),
        }
    }

    fn write_ownership(&self, index: Option<&[usize]>, owners: &mut [i8]) {
        self.0.write_ownership(index, owners);
    }

    fn write_scores(&self, scores: &mut [f32]) {
        self.0.write_scores(scores);
    }
}
