//! What `sixplane.GameBatch` holds, and what its methods share.

use std::sync::{Arc, MutexGuard};

use numpy::PyArray1;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use super::any_game::{PyGame, PythonGame, any_of_type, copy_of, map_any, with_any};
use super::convert::wrong_type;
use super::exclusive::Exclusive;
use super::memory::{Number, Pool, array_of, available};
use super::own_game::Failure;
use crate::batch::{BatchError, GameBatch};
use crate::game::Game;
use crate::geometry::BoardSize;
use crate::state::State;

#[doc = stub!(GameBatch)]
#[pyclass(name = "GameBatch", module = "sixplane", frozen)]
pub(super) struct PyGameBatch {
    batch: Exclusive<AnyBatch>,
    pub(super) count: usize,
    pub(super) pool: Pool,
    pub(super) size: BoardSize,
    pub(super) name: String,
    #[doc = stub!(GameBatch.threads)]
    #[pyo3(get)]
    pub(super) threads: Option<usize>,
}

pub(super) type AnyBatch = any_of_type!(GameBatch);

impl PyGameBatch {
    pub(super) fn of(batch: AnyBatch, threads: Option<usize>) -> Self {
        let (count, size) = with_any!(&batch, |batch| (batch.len(), batch.size()));
        let name = with_any!(&batch, |batch| batch.prototype().name().to_owned());
        let batch = Exclusive::new("GameBatch", batch);
        Self { batch, count, size, name, pool: Pool::default(), threads }
    }

    /// The games, for this call alone.
    pub(super) fn enter(&self) -> PyResult<MutexGuard<'_, AnyBatch>> {
        self.batch.enter()
    }

    /// An array of one number for each game.
    pub(super) fn column<'py, T: Number>(
        &self,
        py: Python<'py>,
        number: impl Fn(&State) -> T,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        with_any!(&*self.enter()?, |batch| {
            array_of(py, [self.count], batch.games().map(|game| number(game.state())))
        })
    }
}

/// `count` copies of the first game, or without a count, copies of these games.
///
/// # Panics
/// If there are none.
pub(super) fn any_batch(
    games: &[Bound<'_, PyAny>],
    count: Option<usize>,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<AnyBatch> {
    let Ok(first) = games[0].cast::<PyGame>() else {
        return Err(wrong_type("a batch is made of games", &games[0]));
    };
    let prototype = first.try_borrow()?.game.clone();
    Ok(map_any!(&prototype, |first| {
        let games = match count {
            Some(count) => copies(games[0].py(), std::iter::repeat_n(first, count), first.bytes())?,
            None => copies_of(games)?,
        };
        GameBatch::from_games(games, seed, threads)?
    }))
}

/// Games between two looks at whether the user has pressed Ctrl-C.
const PIECE: usize = 1024;

/// Copies of the games that these objects are.
pub(super) fn copies_of<G: PythonGame>(objects: &[Bound<'_, PyAny>]) -> PyResult<Vec<G>> {
    let mut games = Vec::new();
    for object in objects {
        let game = copy_of::<G>(object)?;
        if games.is_empty() {
            reserve(&mut games, objects.len(), game.bytes())?;
        }
        games.push(game);
        if games.len() % PIECE == 0 {
            object.py().check_signals()?;
        }
    }
    Ok(games)
}

/// Copies of the games of a batch.
pub(super) fn games_of<G: PythonGame>(py: Python<'_>, batch: &GameBatch<G>) -> PyResult<Vec<G>> {
    copies(py, batch.games(), batch.games().map(Game::bytes).max().unwrap_or_default())
}

/// Copies of these games, of which none takes more bytes than this.
fn copies<'a, G: PythonGame>(
    py: Python<'_>,
    mut games: impl ExactSizeIterator<Item = &'a G> + Send,
    bytes: usize,
) -> PyResult<Vec<G>> {
    let (mut copies, failure) = (Vec::new(), Arc::<Failure>::default());
    reserve(&mut copies, games.len(), bytes)?;
    while games.len() > 0 {
        let some = games.by_ref().take(PIECE).cloned();
        py.detach(|| copies.extend(some.map(|game| game.with_failure(&failure))));
        py.check_signals()?;
    }
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

/// Actions in each game between two looks at whether the user has pressed Ctrl-C.
const PLAYS_AT_ONCE: u64 = 64;

/// Plays so many random actions in each game.
pub(super) fn play_random<G: PythonGame>(
    py: Python<'_>,
    batch: &mut GameBatch<G>,
    mut left: Vec<u64>,
) -> PyResult<()> {
    // Many of the actions may have been played when the rules fail, and to undo them would ask the rules again.
    let before = G::MAY_FAIL.then(|| py.detach(|| batch.clone()));
    while batch.games().zip(&left).any(|(game, &left)| left > 0 && !game.is_over()) {
        let some: Vec<_> = left.iter().map(|&left| PLAYS_AT_ONCE.min(left) as usize).collect();
        left.iter_mut().zip(&some).for_each(|(left, &some)| *left -= some as u64);
        py.detach(|| batch.play_random(&some));
        if let Some(error) = taken_failure(batch) {
            if let Some(before) = before {
                *batch = before;
            }
            return Err(error);
        }
        py.check_signals()?;
    }
    Ok(())
}

/// The first error of the rules in the games of a batch. All are taken.
fn taken_failure<G: PythonGame>(batch: &GameBatch<G>) -> Option<PyErr> {
    if !G::MAY_FAIL {
        return None;
    }
    let failed = batch.games().filter_map(|game| game.failure()?.take());
    failed.fold(None, |first: Option<PyErr>, error| first.or(Some(error)))
}

/// Changes a batch with the interpreter lock released, unless the rules of a game fail before.
pub(super) fn guarded<G: PythonGame, T: Send>(
    py: Python<'_>,
    batch: &mut GameBatch<G>,
    change: impl FnOnce(&mut GameBatch<G>) -> Result<T, BatchError> + Send,
) -> PyResult<T> {
    py.detach(|| change(batch)).map_err(|error| {
        let failure = if error == BatchError::Rules { taken_failure(batch) } else { None };
        failure.unwrap_or_else(|| error.into())
    })
}

/// Whether both hold equal games in the same order and return to equal ones.
pub(super) fn equal<G: Game>(
    py: Python<'_>,
    one: &GameBatch<G>,
    other: &AnyBatch,
) -> PyResult<bool> {
    let Some(other) = other.downcast_ref::<GameBatch<G>>() else { return Ok(false) };
    let mut pairs = one.games().zip(other.games());
    let mut equal = one.len() == other.len() && one.prototype() == other.prototype();
    while equal && pairs.len() > 0 {
        equal = py.detach(|| pairs.by_ref().take(PIECE).all(|(one, other)| one == other));
        py.check_signals()?;
    }
    Ok(equal)
}
