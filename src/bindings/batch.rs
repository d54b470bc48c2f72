//! `sixplane.GameBatch`.

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice, PyTuple, PyType};

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use rand::Rng;

use super::arrays::{Buffers, actions, flags, into_planes};
use super::class::GameClass;
use super::convert;
use super::error::{illegal, illegal_batch};
use super::game::{MAX_HISTORY, named};
use super::go::PyGo;
use super::gomoku::PyGomoku;
use super::held::{AnyBatch, Held};
use super::picture;
use super::reversi::PyReversi;
use crate::batch::{Autoreset, Draws, Illegal};
use crate::color::Color;
use crate::geometry::BoardSize;

/// More games than any memory holds are refused instead of tried.
const MAX_GAMES: i64 = 1 << 20;

/// Many games of one kind, size and rules, stepped together.
#[pyclass(name = "GameBatch", module = "sixplane")]
pub(super) struct PyGameBatch {
    batch: Box<dyn AnyBatch>,
    threads: Option<usize>,
    buffers: Buffers,
}

/// Work between two looks at whether the user has pressed Ctrl-C, in random plays a game.
const PLAYS_AT_ONCE: u64 = 64;

impl PyGameBatch {
    fn new_like(batch: Box<dyn AnyBatch>, threads: Option<usize>) -> Self {
        Self { batch, threads, buffers: Buffers::default() }
    }

    fn position(&self, index: i64) -> PyResult<usize> {
        let count = self.batch.len() as i64;
        let position = if index < 0 { index + count } else { index };
        if (0..count).contains(&position) {
            return Ok(position as usize);
        }
        Err(PyIndexError::new_err(format!("game {index} of a batch of {count}")))
    }

    fn positions(&self, index: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<usize>>> {
        let index = index.map(actions).transpose()?;
        index.map(|all| all.into_iter().map(|i| self.position(i)).collect()).transpose()
    }

    pub(super) fn any(&self) -> &dyn AnyBatch {
        self.batch.as_ref()
    }

    fn shape(&self) -> (usize, BoardSize) {
        (self.batch.len(), self.batch.size())
    }
}

pub(super) fn seed_or_system(seed: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    match seed {
        Some(seed) => Ok(convert::integer_in(seed, "seed", 0, i64::MAX)? as u64),
        None => Ok(rand::make_rng::<rand_xoshiro::Xoshiro256PlusPlus>().next_u64()),
    }
}

fn threads_of(threads: Option<&Bound<'_, PyAny>>) -> PyResult<Option<usize>> {
    let threads = threads.map(|n| convert::integer_in(n, "threads", 1, 1024)).transpose()?;
    Ok(threads.map(|threads| threads as usize))
}

/// A batch of games that are all of this class; `None` if the first is not.
fn held<C: GameClass>(
    games: &[Bound<'_, PyAny>],
    count: Option<usize>,
    seed: u64,
    threads: Option<usize>,
) -> Option<PyResult<Box<dyn AnyBatch>>> {
    games.first()?.cast::<C>().ok()?;
    Some(Held::<C>::boxed(games, count, seed, threads))
}

fn any_batch(
    games: &[Bound<'_, PyAny>],
    count: Option<usize>,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Box<dyn AnyBatch>> {
    held::<PyGo>(games, count, seed, threads)
        .or_else(|| held::<PyReversi>(games, count, seed, threads))
        .or_else(|| held::<PyGomoku>(games, count, seed, threads))
        .unwrap_or_else(|| {
            let found = games.first().map_or("nothing".to_owned(), convert::type_name);
            Err(PyTypeError::new_err(format!("a batch is made of games, not {found}")))
        })
}

#[pymethods]
impl PyGameBatch {
    #[new]
    #[pyo3(signature = (prototype, n, seed=None, threads=None))]
    fn new(
        prototype: &Bound<'_, PyAny>,
        n: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let count = convert::integer_in(n, "n", 1, MAX_GAMES)? as usize;
        let threads = threads_of(threads)?;
        let seed = seed_or_system(seed)?;
        let batch = any_batch(std::slice::from_ref(prototype), Some(count), seed, threads)?;
        Ok(Self::new_like(batch, threads))
    }

    #[classmethod]
    #[pyo3(signature = (games, seed=None, threads=None))]
    fn from_games(
        _cls: &Bound<'_, PyType>,
        games: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let games: Vec<_> =
            games.try_iter()?.take(MAX_GAMES as usize + 1).collect::<PyResult<_>>()?;
        if games.is_empty() || games.len() > MAX_GAMES as usize {
            return Err(PyValueError::new_err(format!("a batch has from 1 to {MAX_GAMES} games")));
        }
        let threads = threads_of(threads)?;
        let batch = any_batch(&games, None, seed_or_system(seed)?, threads)?;
        Ok(Self::new_like(batch, threads))
    }

    #[pyo3(
        signature = (actions, autoreset=None, illegal=None),
        text_signature = "(self, actions, autoreset='same_step', illegal='raise')"
    )]
    fn step<'py>(
        &mut self,
        actions: &Bound<'py, PyAny>,
        autoreset: Option<&Bound<'py, PyAny>>,
        illegal: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = actions.py();
        let autoreset = autoreset.map_or(Ok(Autoreset::SameStep), |value| {
            let all = [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled];
            named(value, "autoreset", all, |one| match one {
                Autoreset::SameStep => "same_step",
                Autoreset::NextStep => "next_step",
                Autoreset::Disabled => "disabled",
            })
        })?;
        let illegal = illegal.map_or(Ok(Illegal::Refuse), |value| {
            named(value, "illegal", [Illegal::Refuse, Illegal::Lose], |one| match one {
                Illegal::Refuse => "raise",
                Illegal::Lose => "lose",
            })
        })?;
        let actions = self::actions(actions)?;
        let (count, size) = self.shape();
        let batch = &mut self.batch;
        let step = self.buffers.step(py, count, size, |rows| {
            py.detach(|| batch.step_into(&actions, autoreset, illegal, rows))
        })?;
        step.map_err(|error| illegal_batch(py, &error))
    }

    fn play(&mut self, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = actions.py();
        let actions = self::actions(actions)?;
        let batch = &mut self.batch;
        py.detach(|| batch.play(&actions)).map_err(|error| illegal_batch(py, &error))
    }

    fn sample<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let batch = &mut self.batch;
        PyArray1::from_vec(py, py.detach(|| batch.sample()))
    }

    fn play_random(&mut self, n: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = n.py();
        let mut left = convert::integer_in(n, "n", 0, i64::MAX)? as u64;
        while left > 0 && !self.batch.is_over() {
            let some = left.min(PLAYS_AT_ONCE);
            let batch = &mut self.batch;
            py.detach(|| batch.play_random(some as usize));
            left -= some;
            py.check_signals()?;
        }
        Ok(())
    }

    #[pyo3(signature = (mask=None, seed=None, game=None))]
    fn reset(
        &mut self,
        mask: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        game: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mask = mask.map(|mask| flags(mask, "mask", self.batch.len())).transpose()?;
        let seed = seed.map(|seed| seed_or_system(Some(seed))).transpose()?;
        if let Some(game) = game {
            return self.batch.restart_from(game, mask.as_deref(), seed);
        }
        self.batch.reset(mask.as_deref(), seed);
        Ok(())
    }

    #[pyo3(signature = (i, color=None))]
    fn resign(&mut self, i: &Bound<'_, PyAny>, color: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let index = self.position(convert::integer(i, "i")?.unwrap_or(i64::MAX))?;
        let color: Option<Color> = color.map(convert::color).transpose()?;
        let over = format!("nobody can resign game {index}: it is over");
        self.batch.resign(index, color).map_err(|error| illegal(i.py(), error, &over))
    }

    #[pyo3(signature = (out, index=None))]
    fn planes_into(
        &self,
        out: &Bound<'_, PyAny>,
        index: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let index = self.positions(index)?;
        into_planes(out, self.batch.as_ref(), None, index.as_deref())
    }

    #[pyo3(signature = (out, k, index=None))]
    fn history_planes_into(
        &self,
        out: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        index: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let k = convert::integer_in(k, "k", 1, MAX_HISTORY)? as usize;
        let index = self.positions(index)?;
        into_planes(out, self.batch.as_ref(), Some(k), index.as_deref())
    }

    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let (count, size) = self.shape();
        let planes = PyArray4::zeros(py, [count, 6, size.rows(), size.cols()], false);
        into_planes(planes.as_any(), self.batch.as_ref(), None, None)?;
        Ok(planes)
    }

    #[getter]
    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let (count, size) = self.shape();
        let mut masks = vec![0; count * size.num_actions()];
        self.batch.write_masks(&mut masks);
        PyArray1::from_vec(py, masks).reshape([count, size.num_actions()])
    }

    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        PyArray1::from_vec(py, self.batch.standings().map(|s| s.turn).collect())
    }

    #[getter]
    fn dones<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_vec(py, self.batch.standings().map(|s| s.done).collect())
    }

    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        PyArray1::from_vec(py, self.batch.standings().map(|s| s.outcome).collect())
    }

    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_vec(py, self.batch.scores())
    }

    #[getter]
    fn move_numbers<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_vec(py, self.batch.standings().map(|s| s.moves).collect())
    }

    #[getter]
    fn rows(&self) -> usize {
        self.batch.size().rows()
    }

    #[getter]
    fn cols(&self) -> usize {
        self.batch.size().cols()
    }

    #[getter]
    fn num_actions(&self) -> usize {
        self.batch.size().num_actions()
    }

    #[getter]
    fn threads(&self) -> Option<usize> {
        self.threads
    }

    fn __len__(&self) -> usize {
        self.batch.len()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            let range = slice.indices(self.batch.len() as isize)?;
            let games = (0..range.slicelength as isize)
                .map(|i| self.batch.get(py, (range.start + i * range.step) as usize));
            let games: Vec<_> = games.collect::<PyResult<_>>()?;
            return Ok(PyList::new(py, games)?.into_any());
        }
        let index = convert::integer(index, "the number of a game")?.unwrap_or(i64::MAX);
        self.batch.get(py, self.position(index)?)
    }

    fn __setitem__(&mut self, index: &Bound<'_, PyAny>, game: &Bound<'_, PyAny>) -> PyResult<()> {
        let index = convert::integer(index, "the number of a game")?.unwrap_or(i64::MAX);
        let position = self.position(index)?;
        self.batch.set(position, game)
    }

    fn copy(&self) -> Self {
        Self::new_like(self.batch.boxed_clone(), self.threads)
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.batch.equals(other.batch.as_ref())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.borrow());
        let made_of = (this.batch.prototype(py)?, this.batch.len(), 0, this.threads);
        let games: Vec<_> =
            (0..this.batch.len()).map(|i| this.batch.get(py, i)).collect::<PyResult<_>>()?;
        let draws: Vec<_> = this.batch.draws().map(|draws| (draws.key, draws.count)).collect();
        (slf.get_type(), made_of, (games, draws)).into_pyobject(py)
    }

    fn __setstate__(&mut self, state: (Vec<Bound<'_, PyAny>>, Vec<(u64, u64)>)) -> PyResult<()> {
        let (games, draws) = state;
        if games.len() != self.batch.len() || draws.len() != self.batch.len() {
            return Err(PyValueError::new_err("this is no state of a sixplane batch"));
        }
        for (i, game) in games.iter().enumerate() {
            self.batch.put(i, game)?;
        }
        self.batch.set_draws(draws.into_iter().map(|(key, count)| Draws { key, count }).collect());
        Ok(())
    }

    #[pyo3(signature = (**options))]
    fn to_svg<'py>(
        slf: &Bound<'py, Self>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        picture::batch_svg(slf, options)
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        picture::batch_svg(slf, None)
    }

    fn __repr__(&self) -> String {
        let (count, size) = self.shape();
        format!("<sixplane.GameBatch of {count} games of {} {size}>", self.batch.name())
    }
}
