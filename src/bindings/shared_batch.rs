//! A batch of games that several threads of Python may call, and the arrays about all its games.

use ndarray::{Dimension, IntoDimension};
use numpy::{PyArray, PyArray1};
use pyo3::prelude::*;

use super::any_game::AnyGame;
use super::arrays;
use super::error::batch_error;
use super::exclusive::{Entered, Exclusive};
use super::held::{AnyBatch, in_pieces};
use super::memory::{Number, Pool, array_of, zeros};
use crate::batch::StepOptions;
use crate::geometry::BoardSize;
use crate::state::State;

/// A batch that one call at a time may use. What never changes can be read at any time.
pub(super) struct SharedBatch {
    batch: Exclusive<Box<dyn AnyBatch>>,
    pub(super) count: usize,
    pub(super) size: BoardSize,
    pub(super) name: &'static str,
    pool: Pool,
}

/// Actions in each game between two looks at whether the user has pressed Ctrl-C.
const PLAYS_AT_ONCE: u64 = 64;

impl SharedBatch {
    pub(super) fn new(batch: Box<dyn AnyBatch>) -> Self {
        Self {
            count: batch.len(),
            size: batch.prototype().state().size(),
            name: batch.prototype().name(),
            batch: Exclusive::new("GameBatch", batch),
            pool: Pool::default(),
        }
    }

    /// The games, for this call alone.
    pub(super) fn enter(&self) -> PyResult<Entered<'_, Box<dyn AnyBatch>>> {
        self.batch.enter()
    }

    /// Calls `work` with the games, the interpreter lock released.
    pub(super) fn detached<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyBatch) -> R + Send,
    ) -> PyResult<R> {
        let mut batch = self.enter()?;
        let batch = batch.as_mut();
        Ok(py.detach(|| work(batch)))
    }

    /// A new array of this shape that `write` fills, the interpreter lock released.
    pub(super) fn array<'py, T: Number, D: Dimension>(
        &self,
        py: Python<'py>,
        shape: impl IntoDimension<Dim = D>,
        write: impl FnOnce(&dyn AnyBatch, &mut [T]) + Send,
    ) -> PyResult<Bound<'py, PyArray<T, D>>> {
        let mut array = zeros(shape)?;
        let cells = array.as_slice_mut();
        self.detached(py, |batch| write(batch, cells))?;
        array.into_array(py)
    }

    /// An array of one number for each game.
    pub(super) fn column<'py, T: Number>(
        &self,
        py: Python<'py>,
        number: impl Fn(&State) -> T,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let batch = self.enter()?;
        let states = (0..self.count).map(|i| batch.game(i).state());
        array_of(py, [self.count], states.map(number))
    }

    /// Steps into new arrays, as the named tuple that users get.
    pub(super) fn step<'py>(
        &self,
        py: Python<'py>,
        actions: &[i64],
        options: StepOptions,
        only: Option<&[bool]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut batch = self.enter()?;
        let batch = batch.as_mut();
        arrays::step(py, &self.pool, self.count, self.size, |planes, masks| {
            let step = || batch.step(actions, options, only, planes, masks);
            py.detach(step).map_err(|error| batch_error(py, &error))
        })
    }

    /// Plays so many random actions in each game. Stops at Ctrl-C.
    pub(super) fn play_random(&self, py: Python<'_>, mut left: Vec<u64>) -> PyResult<()> {
        let mut batch = self.enter()?;
        let batch = batch.as_mut();
        let mut some = vec![0; self.count];
        while (0..self.count).any(|i| left[i] > 0 && !batch.game(i).state().is_over()) {
            for (some, left) in some.iter_mut().zip(&mut left) {
                *some = PLAYS_AT_ONCE.min(*left) as usize;
                *left -= *some as u64;
            }
            py.detach(|| batch.play_random(&some));
            py.check_signals()?;
        }
        Ok(())
    }

    /// Whether both hold equal games. Stops at Ctrl-C.
    pub(super) fn equals(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        if self.count != other.count {
            return Ok(false);
        }
        let (one, other) = (self.enter()?, other.enter()?);
        let (one, other) = (one.as_ref(), other.as_ref());
        let mut equal = one.prototype().is_equal(other.prototype());
        in_pieces(py, self.count, |mut piece| {
            equal = equal && piece.all(|i| one.game(i).is_equal(other.game(i)));
        })?;
        Ok(equal)
    }
}

/// A Python object with a copy of a game.
pub(super) fn object_of<'py>(py: Python<'py>, game: &dyn AnyGame) -> PyResult<Bound<'py, PyAny>> {
    Ok(game.boxed_clone().into_object(py)?.into_any())
}
