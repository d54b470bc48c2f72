//! `sixplane.GameBatch`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyGenericAlias, PyList, PySlice, PyTuple, PyType};

use numpy::{PyArray1, PyArray2, PyArray3, PyArray4};

use super::any_batch::{PyGameBatch, any_batch, copies_of, equal, games_of, guarded, play_random};
use super::any_game::{copy_like, copy_of, map_any, object_of, with_any};
use super::arrays::{integers, outcome_number, step};
use super::batch_arguments::{
    MAX_GAMES, Optional, chosen, numbers_of_actions, place, places, seed_or_system, step_options,
    threads_of, views,
};
use super::callbacks::callback;
use super::convert;
use super::game::MAX_HISTORY;
use super::memory::{array_of, zeros};
use super::planes::{self, into_planes};
use crate::batch::{BatchError, CounterStream, GameBatch};
use crate::game::Game;
use crate::state::State;
use crate::status::Status;
use crate::view::View;

/// The games of a pickled batch, their random streams and the numbers of their steps.
type Pickled<'py> = (Vec<Bound<'py, PyAny>>, Vec<(u64, u64)>, Vec<u32>);

#[pymethods]
impl PyGameBatch {
    #[new]
    #[pyo3(signature = (prototype, n, seed=None, threads=None))]
    fn new(
        prototype: &Bound<'_, PyAny>,
        n: &Bound<'_, PyAny>,
        seed: Optional<'_, '_>,
        threads: Optional<'_, '_>,
    ) -> PyResult<Self> {
        let count = convert::integer_in(n, "n", 1, MAX_GAMES)? as usize;
        let (threads, seed) = (threads_of(threads)?, seed_or_system(seed)?);
        let batch = any_batch(std::slice::from_ref(prototype), Some(count), seed, threads)?;
        Ok(Self::of(batch, threads))
    }

    #[doc = stub!(GameBatch.from_games)]
    #[classmethod]
    #[pyo3(signature = (games, seed=None, threads=None))]
    fn from_games(
        _cls: &Bound<'_, PyType>,
        games: &Bound<'_, PyAny>,
        seed: Optional<'_, '_>,
        threads: Optional<'_, '_>,
    ) -> PyResult<Self> {
        let wrong = || PyValueError::new_err(format!("a batch has from 1 to {MAX_GAMES} games"));
        let mut all = Vec::new();
        convert::each_item(games, |index, game| {
            all.push(game);
            if index < MAX_GAMES as usize { Ok(()) } else { Err(wrong()) }
        })?;
        if all.is_empty() {
            return Err(wrong());
        }
        let threads = threads_of(threads)?;
        Ok(Self::of(any_batch(&all, None, seed_or_system(seed)?, threads)?, threads))
    }

    #[doc = stub!(GameBatch.step)]
    #[pyo3(
        signature = (
            actions, autoreset=None, illegal=None, *,
            view=None, cutoff=None, history=None, max_steps=None, r#where=None
        ),
        text_signature = "($self, actions, autoreset='same_step', illegal='raise', *, \
            view='black', cutoff='adjudicate', history=0, max_steps=None, where=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
    fn step<'py>(
        &self,
        actions: &Bound<'py, PyAny>,
        autoreset: Optional<'_, 'py>,
        illegal: Optional<'_, 'py>,
        view: Optional<'_, 'py>,
        cutoff: Optional<'_, 'py>,
        history: Optional<'_, 'py>,
        max_steps: Optional<'_, 'py>,
        r#where: Optional<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = actions.py();
        let options = step_options(autoreset, illegal, view, cutoff, history, max_steps)?;
        let actions = integers(actions, "actions", Some(self.count))?;
        let only = chosen(r#where, self.count)?;
        with_any!(&mut *self.enter()?, |batch| {
            step(py, &self.pool, batch, &actions, options, only.as_deref())
        })
    }

    #[doc = stub!(GameBatch.play)]
    #[pyo3(signature = (actions, r#where=None))]
    fn play(&self, actions: &Bound<'_, PyAny>, r#where: Optional<'_, '_>) -> PyResult<()> {
        let py = actions.py();
        let actions = integers(actions, "actions", Some(self.count))?;
        let only = chosen(r#where, self.count)?;
        with_any!(&mut *self.enter()?, |batch| {
            guarded(py, batch, |batch| batch.play(&actions, only.as_deref()))
        })
    }

    #[doc = stub!(GameBatch.sample)]
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let actions = with_any!(&mut *self.enter()?, |batch| py.detach(|| batch.sample()));
        array_of(py, [self.count], actions)
    }

    #[doc = stub!(GameBatch.play_random)]
    #[pyo3(signature = (n, r#where=None))]
    fn play_random(&self, n: &Bound<'_, PyAny>, r#where: Optional<'_, '_>) -> PyResult<()> {
        let py = n.py();
        let mut left = numbers_of_actions(n, self.count)?;
        if let Some(only) = chosen(r#where, self.count)? {
            for (left, chosen) in left.iter_mut().zip(only) {
                *left *= u64::from(chosen);
            }
        }
        with_any!(&mut *self.enter()?, |batch| play_random(py, batch, left))
    }

    #[doc = stub!(GameBatch.ownership)]
    #[pyo3(signature = (index=None))]
    fn ownership<'py>(
        &self,
        py: Python<'py>,
        index: Optional<'_, 'py>,
    ) -> PyResult<Bound<'py, PyArray3<i8>>> {
        let index = places(index, self.count)?;
        let count = index.as_ref().map_or(self.count, Vec::len);
        let shape = [count, self.size.rows(), self.size.cols()];
        let (mut owners, index) = (zeros(shape)?, index.as_deref());
        with_any!(&*self.enter()?, |batch| {
            py.detach(|| batch.write_ownership(index, owners.as_slice_mut()));
        });
        owners.into_array(py)
    }

    #[doc = stub!(GameBatch.reset)]
    #[pyo3(signature = (r#where=None, seed=None, game=None))]
    fn reset(
        &self,
        py: Python<'_>,
        r#where: Optional<'_, '_>,
        seed: Optional<'_, '_>,
        game: Optional<'_, '_>,
    ) -> PyResult<()> {
        let only = chosen(r#where, self.count)?;
        let seed = seed.map(|seed| seed_or_system(Some(seed))).transpose()?;
        with_any!(&mut *self.enter()?, |batch| {
            let start = game.map(|game| copy_like(game, batch.prototype())).transpose()?;
            Ok(py.detach(|| batch.reset(start.as_ref(), only.as_deref(), seed))?)
        })
    }

    #[doc = stub!(GameBatch.resign)]
    #[pyo3(signature = (i, color=None))]
    fn resign(&self, i: &Bound<'_, PyAny>, color: Optional<'_, '_>) -> PyResult<()> {
        let index = place(i, "i", self.count)?;
        let color = color.map(convert::color).transpose()?;
        Ok(with_any!(&mut *self.enter()?, |batch| batch.resign(index, color))?)
    }

    #[doc = stub!(GameBatch.planes_into)]
    #[pyo3(
        signature = (out, index=None, *, view=None),
        text_signature = "($self, out, index=None, *, view='black')"
    )]
    fn planes_into(
        &self,
        out: &Bound<'_, PyAny>,
        index: Optional<'_, '_>,
        view: Optional<'_, '_>,
    ) -> PyResult<()> {
        let index = places(index, self.count)?;
        let views = views(view, View::Black, index.as_ref().map_or(self.count, Vec::len))?;
        with_any!(&*self.enter()?, |batch| into_planes(out, batch, views, None, index.as_deref()))
    }

    #[doc = stub!(GameBatch.history_planes_into)]
    #[pyo3(
        signature = (out, k, index=None, *, view=None),
        text_signature = "($self, out, k, index=None, *, view='player')"
    )]
    fn history_planes_into(
        &self,
        out: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        index: Optional<'_, '_>,
        view: Optional<'_, '_>,
    ) -> PyResult<()> {
        let k = convert::integer_in(k, "k", 1, MAX_HISTORY)? as usize;
        let index = places(index, self.count)?;
        let views = views(view, View::Player, index.as_ref().map_or(self.count, Vec::len))?;
        with_any!(&*self.enter()?, |batch| {
            into_planes(out, batch, views, Some(k), index.as_deref())
        })
    }

    #[doc = stub!(GameBatch.planes)]
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray4<u8>>> {
        with_any!(&*self.enter()?, |batch| planes::of_batch(py, batch))
    }

    #[doc = stub!(GameBatch.action_masks)]
    #[getter]
    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let mut masks = zeros([self.count, self.size.num_actions()])?;
        let rows = masks.as_slice_mut().chunks_exact_mut(self.size.num_actions());
        with_any!(&*self.enter()?, |batch| {
            py.detach(|| {
                batch.games().zip(rows).for_each(|(game, row)| game.write_action_mask(row));
            });
        });
        masks.into_array(py)
    }

    #[doc = stub!(GameBatch.turns)]
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.column(py, |state| state.turn().index() as i8)
    }

    #[doc = stub!(GameBatch.dones)]
    #[getter]
    fn dones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.column(py, State::is_over)
    }

    #[doc = stub!(GameBatch.outcomes)]
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.column(py, |state| match state.status() {
            Status::Ongoing => outcome_number(None),
            Status::Done { outcome, .. } => outcome_number(Some(outcome)),
        })
    }

    #[doc = stub!(GameBatch.scores)]
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let mut scores = zeros([self.count])?;
        with_any!(&*self.enter()?, |batch| {
            py.detach(|| batch.write_scores(scores.as_slice_mut()));
        });
        scores.into_array(py)
    }

    #[doc = stub!(GameBatch.move_numbers)]
    #[getter]
    fn move_numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.column(py, |state| i64::from(state.moves()))
    }

    #[doc = stub!(GameBatch.steps)]
    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        with_any!(&*self.enter()?, |batch| {
            array_of(py, [self.count], batch.steps().iter().map(|&steps| i64::from(steps)))
        })
    }

    #[doc = stub!(GameBatch.rows)]
    #[getter]
    fn rows(&self) -> usize {
        self.size.rows()
    }

    #[doc = stub!(GameBatch.cols)]
    #[getter]
    fn cols(&self) -> usize {
        self.size.cols()
    }

    #[doc = stub!(Game.num_actions)]
    #[getter]
    fn num_actions(&self) -> usize {
        self.size.num_actions()
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            let range = slice.indices(self.count as isize)?;
            let indices = (0..range.slicelength as isize).map(|i| range.start + i * range.step);
            let games: PyResult<Vec<_>> = with_any!(&*self.enter()?, |batch| {
                let games = indices.filter_map(|index| batch.get(index as usize));
                games.map(|game| object_of(py, game.clone())).collect()
            });
            return Ok(PyList::new(py, games?)?.into_any());
        }
        let index = place(index, "the number of a game", self.count)?;
        with_any!(&*self.enter()?, |batch| {
            let game = batch.get(index).ok_or(BatchError::NoSuchGame(index))?;
            Ok(object_of(py, game.clone())?.into_any())
        })
    }

    fn __setitem__(&self, index: &Bound<'_, PyAny>, game: &Bound<'_, PyAny>) -> PyResult<()> {
        let index = place(index, "the number of a game", self.count)?;
        Ok(with_any!(&mut *self.enter()?, |batch| batch.set(index, copy_of(game)?))?)
    }

    #[doc = stub!(GameBatch.copy)]
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let copy = map_any!(&*self.enter()?, |batch| {
            let (streams, steps) = (batch.streams().to_vec(), batch.steps().to_vec());
            let (prototype, games) = (batch.prototype().clone(), games_of(py, batch)?);
            GameBatch::from_parts(prototype, games, streams, steps, self.threads)?
        });
        Ok(Self::of(copy, self.threads))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        if std::ptr::eq(self, other) {
            return Ok(true);
        }
        let (one, other) = (self.enter()?, other.enter()?);
        with_any!(&*one, |one| equal(py, one, &other))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        with_any!(&*this.enter()?, |batch| {
            let prototype = object_of(py, batch.prototype().clone())?;
            let games = batch.games().map(|game| object_of(py, game.clone()));
            let streams = batch.streams().iter().map(|&CounterStream { key, count }| (key, count));
            let games = games.collect::<PyResult<Vec<_>>>()?;
            let state = (games, streams.collect::<Vec<_>>(), batch.steps());
            (slf.get_type(), (prototype, this.count, 0, this.threads), state).into_pyobject(py)
        })
    }

    fn __setstate__(&self, state: Pickled<'_>) -> PyResult<()> {
        let (games, streams, steps) = state;
        if [games.len(), streams.len(), steps.len()] != [self.count; 3] {
            return Err(PyValueError::new_err("this is no state of a sixplane batch"));
        }
        let streams =
            streams.into_iter().map(|(key, count)| CounterStream { key, count }).collect();
        with_any!(&mut *self.enter()?, |batch| {
            let (prototype, games) = (batch.prototype().clone(), copies_of(&games)?);
            *batch = GameBatch::from_parts(prototype, games, streams, steps, self.threads)?;
        });
        Ok(())
    }

    #[doc = stub!(GameBatch.to_svg)]
    #[pyo3(
        signature = (**options),
        text_signature = "(self, *, width=960, coordinates=False, footer=False, invalid=False, \
                          liberties=False, heat=None, heat_text=False, limit=16, columns=None, title=None)"
    )]
    fn to_svg<'py>(
        slf: &Bound<'py, Self>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        callback(slf.py(), "batch_svg")?.call((slf,), options)
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::to_svg(slf, None)
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        callback(slf.py(), "batch_html")?.call1((slf,))
    }

    #[classmethod]
    fn __class_getitem__<'py>(
        cls: &Bound<'py, PyType>,
        game: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyGenericAlias>> {
        PyGenericAlias::new(cls.py(), cls, game)
    }

    fn __repr__(&self) -> String {
        let Self { count, size, name, .. } = self;
        format!("<sixplane.GameBatch of {count} games of {name} {size}>")
    }
}
