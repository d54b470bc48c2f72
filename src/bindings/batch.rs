//! `sixplane.GameBatch`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice, PyTuple, PyType};

use numpy::{PyArray1, PyArray2, PyArray3, PyArray4};

use super::arrays::{flags, outcome_number};
use super::batch_arguments::{
    MAX_GAMES, Optional, actions_in, chosen, numbers_of_actions, place, places, seed_or_system,
    step_options, threads_of,
};
use super::convert;
use super::error::batch_error;
use super::exclusive::Entered;
use super::game::MAX_HISTORY;
use super::held::{AnyBatch, PlaneCells};
use super::kinds::any_batch;
use super::memory::array_of;
use super::out::into_planes;
use super::picture;
use super::shared_batch::{SharedBatch, object_of};
use crate::batch::CounterStream;
use crate::color::Color;
use crate::planes::NUM_PLANES;
use crate::state::State;
use crate::status::Status;

/// Many games of one kind, size and rules, stepped together.
///
/// By law a batch equals its games played one by one. The random choices of game `i` follow from
/// `(seed, i)` alone, never from the number of threads. The interpreter lock is released while games
/// are played; a second call on the same batch meanwhile raises `RuntimeError`. The memory of an
/// array is used again only when nothing refers to the array any more.
///
/// Args:
///     prototype: the game to copy, its position and history included; a reset returns to it.
///     n: how many games, from 1 to 1,048,576.
///     seed: of the random choices; None takes one from the system.
///     threads: how many threads; None for as many as there are processors, or as the environment
///         variable `SIXPLANE_THREADS` allows.
///
/// Example:
///     >>> import sixplane
///     >>> batch = sixplane.GameBatch(sixplane.Go(size=9), 64, seed=0)
///     >>> step = batch.step(batch.sample())
///     >>> step.planes.shape, step.action_masks.shape
///     ((64, 6, 9, 9), (64, 82))
#[pyclass(name = "GameBatch", module = "sixplane", frozen)]
pub(super) struct PyGameBatch {
    games: SharedBatch,
    /// How many threads were asked for.
    #[pyo3(get)]
    threads: Option<usize>,
}

impl PyGameBatch {
    fn of(batch: Box<dyn AnyBatch>, threads: Option<usize>) -> Self {
        Self { games: SharedBatch::new(batch), threads }
    }

    /// The games, for this call alone.
    pub(super) fn enter(&self) -> PyResult<Entered<'_, Box<dyn AnyBatch>>> {
        self.games.enter()
    }
}

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
        let threads = threads_of(threads)?;
        let seed = seed_or_system(seed)?;
        let batch = any_batch(std::slice::from_ref(prototype), Some(count), seed, threads)?;
        Ok(Self::of(batch, threads))
    }

    /// A batch of these games, of the same size, rules and `max_moves`.
    ///
    /// A reset returns to the first one as given.
    #[classmethod]
    #[pyo3(signature = (games, seed=None, threads=None))]
    fn from_games(
        _cls: &Bound<'_, PyType>,
        games: &Bound<'_, PyAny>,
        seed: Optional<'_, '_>,
        threads: Optional<'_, '_>,
    ) -> PyResult<Self> {
        let games = convert::collected(games, MAX_GAMES as usize + 1)?;
        if games.is_empty() || games.len() > MAX_GAMES as usize {
            return Err(PyValueError::new_err(format!("a batch has from 1 to {MAX_GAMES} games")));
        }
        let threads = threads_of(threads)?;
        let batch = any_batch(&games, None, seed_or_system(seed)?, threads)?;
        Ok(Self::of(batch, threads))
    }

    /// Plays one action in each game.
    ///
    /// Args:
    ///     actions: `(B,)` integers. A game that was over before takes -1 if resets are disabled;
    ///         else it ignores its action and is reset, with reward 0 and outcome -2.
    ///     autoreset: when a game that ends starts again: in this step, in the next one, or
    ///         never by itself.
    ///     illegal: whether an illegal action raises, and nothing is played anywhere, or its
    ///         player loses the game. An action off the board raises always.
    ///     view: `"black"`: planes in absolute colors and Black's rewards; `"player"`: the stones of
    ///         the player to play in plane 0, the opponent's in plane 1, the others as they are, and
    ///         rewards of the player who has just played.
    ///     cutoff: what a game means that reaches `max_moves`: `"adjudicate"`: it has ended, with
    ///         its outcome as reward and `terminated`; `"truncate"`: reward 0 and `truncated`.
    ///     where: `(B,)` bool: the games to play in. The others ignore their entry of `actions` and
    ///         stay as they are, finished ones too; their rows say how they stand.
    ///
    /// Raises:
    ///     IllegalActionError: lists the games and the reasons; `reason` is that of the first.
    ///     TypeError: actions are not integers.
    ///     ValueError: another number of actions than of games.
    ///
    /// Example:
    ///     >>> import sixplane
    ///     >>> batch = sixplane.GameBatch(sixplane.Go(size=5, komi=0), 2)
    ///     >>> batch.play([12, 0])
    ///     >>> batch.play([25, 25])
    ///     >>> step = batch.step([25, 0], view="player", where=[True, False])
    ///     >>> step.rewards.tolist(), step.actors.tolist(), step.move_numbers.tolist()
    ///     ([1.0, 0.0], [0, -1], [3, 2])
    #[pyo3(
        signature = (actions, autoreset=None, illegal=None, *, view=None, cutoff=None, r#where=None),
        text_signature = "($self, actions, autoreset='same_step', illegal='raise', *, \
            view='black', cutoff='adjudicate', where=None)"
    )]
    fn step<'py>(
        &self,
        actions: &Bound<'py, PyAny>,
        autoreset: Optional<'_, 'py>,
        illegal: Optional<'_, 'py>,
        view: Optional<'_, 'py>,
        cutoff: Optional<'_, 'py>,
        r#where: Optional<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = actions.py();
        let options = step_options(autoreset, illegal, view, cutoff)?;
        let (actions, only) = actions_in(actions, r#where, self.games.count)?;
        self.games.step(py, &actions, options, only.as_deref())
    }

    /// Plays one action in each game, -1 where it is over, without resets.
    ///
    /// Args:
    ///     actions: `(B,)` integers.
    ///     where: `(B,)` bool: the games to play in; the others stay as they are.
    ///
    /// Raises:
    ///     IllegalActionError, TypeError, ValueError: as `step`.
    #[pyo3(signature = (actions, r#where=None))]
    fn play(&self, actions: &Bound<'_, PyAny>, r#where: Optional<'_, '_>) -> PyResult<()> {
        let py = actions.py();
        let (actions, only) = actions_in(actions, r#where, self.games.count)?;
        let played = self.games.detached(py, |batch| batch.play(&actions, only.as_deref()))?;
        played.map_err(|error| batch_error(py, &error))
    }

    /// A uniformly random legal action for each game, `(B,)`; -1 where it is over.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        array_of(py, [self.games.count], self.games.detached(py, |batch| batch.sample())?)
    }

    /// Plays uniformly random legal actions; a game that is over stays.
    ///
    /// Args:
    ///     n: how many in each game, or `(B,)` integers, one number for each.
    ///     where: `(B,)` bool: the games to play in; the others stay as they are.
    ///
    /// Raises:
    ///     TypeError, ValueError: no integers of at least 0, or another number of them.
    #[pyo3(signature = (n, r#where=None))]
    fn play_random(&self, n: &Bound<'_, PyAny>, r#where: Optional<'_, '_>) -> PyResult<()> {
        let py = n.py();
        let mut left = numbers_of_actions(n, self.games.count)?;
        if let Some(only) = chosen(r#where, self.games.count)? {
            for (left, chosen) in left.iter_mut().zip(only) {
                *left *= u64::from(chosen);
            }
        }
        self.games.play_random(py, left)
    }

    /// Whose each point is, `(k, rows, cols)`: +1 Black's, -1 White's, 0 nobody's.
    ///
    /// In Go by area: stones, and empty points that reach only one color; in Reversi and Gomoku by
    /// the stone on the point.
    ///
    /// Args:
    ///     index: `(k,)` integers, the games to tell of; None for all.
    ///
    /// Raises:
    ///     IndexError: there is no such game.
    #[pyo3(signature = (index=None))]
    fn ownership<'py>(
        &self,
        py: Python<'py>,
        index: Optional<'_, 'py>,
    ) -> PyResult<Bound<'py, PyArray3<i8>>> {
        let index = places(index, self.games.count)?;
        let count = index.as_ref().map_or(self.games.count, Vec::len);
        let shape = [count, self.games.size.rows(), self.games.size.cols()];
        self.games.array(py, shape, |batch, cells| batch.write_ownership(index.as_deref(), cells))
    }

    /// Resets the games whose entry of `mask`, `(B,)` bool, is set; with None, all.
    ///
    /// With a seed, their random choices begin anew from it. With a game of the same size, they
    /// become copies of it, its history and rules included, until the next reset.
    #[pyo3(signature = (mask=None, seed=None, game=None))]
    fn reset(
        &self,
        py: Python<'_>,
        mask: Optional<'_, '_>,
        seed: Optional<'_, '_>,
        game: Optional<'_, '_>,
    ) -> PyResult<()> {
        let mask = mask.map(|mask| flags(mask, "mask", self.games.count)).transpose()?;
        let seed = seed.map(|seed| seed_or_system(Some(seed))).transpose()?;
        self.enter()?.reset(py, game, mask.as_deref(), seed)
    }

    /// Ends game `i` by the resignation of `color` (None: the player to play).
    #[pyo3(signature = (i, color=None))]
    fn resign(&self, i: &Bound<'_, PyAny>, color: Optional<'_, '_>) -> PyResult<()> {
        let index = place(i, "i", self.games.count)?;
        let color: Option<Color> = color.map(convert::color).transpose()?;
        let resigned = self.enter()?.resign(index, color);
        resigned.map_err(|error| batch_error(i.py(), &error))
    }

    /// Writes planes into the caller's memory, as uint8, bool or float32.
    ///
    /// Args:
    ///     out: `(B, 6, rows, cols)`, or with `index`, `(len(index), 6, rows, cols)`: a NumPy array,
    ///         anything with a buffer (`bytearray`, `array.array`, shared memory; one of a single
    ///         dimension needs the same number of cells), or a tensor of another library that shares
    ///         its memory by DLPack. C-contiguous and writable.
    ///     index: `(k,)` integers, the games to write.
    ///
    /// Raises:
    ///     TypeError, ValueError: `out` is no such memory, or has another shape or dtype.
    ///
    /// Example:
    ///     >>> import sixplane
    ///     >>> batch = sixplane.GameBatch(sixplane.Go(size=9), 64)
    ///     >>> out = bytearray(64 * 6 * 9 * 9)
    ///     >>> batch.planes_into(out)
    #[pyo3(signature = (out, index=None))]
    fn planes_into(&self, out: &Bound<'_, PyAny>, index: Optional<'_, '_>) -> PyResult<()> {
        let index = places(index, self.games.count)?;
        into_planes(out, self.enter()?.as_ref(), None, index.as_deref())
    }

    /// Writes what `history_planes(k)` of each game gives, as `planes_into` writes planes.
    ///
    /// Args:
    ///     out: as of `planes_into`, `(B, 2k + 1, rows, cols)`; with `index`,
    ///         `(len(index), 2k + 1, rows, cols)`.
    ///     k: how many boards of each game, from 1.
    ///     index: `(n,)` integers, the games to write.
    #[pyo3(signature = (out, k, index=None))]
    fn history_planes_into(
        &self,
        out: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        index: Optional<'_, '_>,
    ) -> PyResult<()> {
        let k = convert::integer_in(k, "k", 1, MAX_HISTORY)? as usize;
        let index = places(index, self.games.count)?;
        into_planes(out, self.enter()?.as_ref(), Some(k), index.as_deref())
    }

    /// Of the games now held, `(B, 6, rows, cols)`.
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let shape = [self.games.count, NUM_PLANES, self.games.size.rows(), self.games.size.cols()];
        self.games
            .array(py, shape, |batch, cells| batch.write_planes(None, None, PlaneCells::U8(cells)))
    }

    /// `(B, A)`: 1 where an action is legal.
    #[getter]
    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let actions = self.games.size.num_actions();
        self.games.array(py, [self.games.count, actions], |batch, masks| {
            for (i, mask) in masks.chunks_exact_mut(actions).enumerate() {
                batch.game(i).write_action_mask(mask);
            }
        })
    }

    /// `(B,)`: the player to play, 0 black, 1 white.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.games.column(py, |state| state.turn().index() as i8)
    }

    /// `(B,)`: whether the game is over.
    #[getter]
    fn dones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.games.column(py, State::is_over)
    }

    /// `(B,)`: +1 black, 0 draw, -1 white, -2 running.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.games.column(py, |state| match state.status() {
            Status::Ongoing => outcome_number(None),
            Status::Done { outcome, .. } => outcome_number(Some(outcome)),
        })
    }

    /// `(B,)`: the score of the board from black's view.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.games.array(py, [self.games.count], |batch, cells| batch.write_scores(cells))
    }

    /// `(B,)`: number of actions played.
    #[getter]
    fn move_numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.games.column(py, |state| i64::from(state.moves()))
    }

    /// Number of rows of every board.
    #[getter]
    fn rows(&self) -> usize {
        self.games.size.rows()
    }

    /// Number of columns of every board.
    #[getter]
    fn cols(&self) -> usize {
        self.games.size.cols()
    }

    /// `rows * cols + 1`.
    #[getter]
    fn num_actions(&self) -> usize {
        self.games.size.num_actions()
    }

    fn __len__(&self) -> usize {
        self.games.count
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            let range = slice.indices(self.games.count as isize)?;
            let indices = (0..range.slicelength as isize).map(|i| range.start + i * range.step);
            let batch = self.enter()?;
            let games = indices.map(|index| object_of(py, batch.game(index as usize)));
            return Ok(PyList::new(py, games.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let index = place(index, "the number of a game", self.games.count)?;
        object_of(py, self.enter()?.game(index))
    }

    fn __setitem__(&self, index: &Bound<'_, PyAny>, game: &Bound<'_, PyAny>) -> PyResult<()> {
        let index = place(index, "the number of a game", self.games.count)?;
        self.enter()?.set(index, game)
    }

    /// A copy with every game's history and random choices to come.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(Self::of(self.enter()?.copy(py, self.threads)?, self.threads))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(std::ptr::eq(self, other) || self.games.equals(py, &other.games)?)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        let batch = this.enter()?;
        let made_of = (object_of(py, batch.prototype())?, this.games.count, 0, this.threads);
        let games = (0..this.games.count).map(|i| object_of(py, batch.game(i)));
        let games = games.collect::<PyResult<Vec<_>>>()?;
        let streams = batch.streams().iter().map(|&CounterStream { key, count }| (key, count));
        let streams: Vec<_> = streams.collect();
        (slf.get_type(), made_of, (games, streams)).into_pyobject(py)
    }

    fn __setstate__(&self, state: (Vec<Bound<'_, PyAny>>, Vec<(u64, u64)>)) -> PyResult<()> {
        let (games, streams) = state;
        if games.len() != self.games.count || streams.len() != self.games.count {
            return Err(PyValueError::new_err("this is no state of a sixplane batch"));
        }
        let streams = streams.into_iter().map(|(key, count)| CounterStream { key, count });
        self.enter()?.restore(&games, streams.collect(), self.threads)
    }

    /// The first games side by side as an SVG picture.
    ///
    /// Args:
    ///     width: of the whole picture in pixels.
    ///     coordinates: whether letters and numbers stand around the boards.
    ///     footer: whether words below each board say who is to play, or other words.
    ///     invalid: whether crosses mark the empty points of plane 3.
    ///     liberties: whether stones carry the liberties of their chain.
    ///     heat: `(rows, cols)` or `(rows * cols + 1,)`, as colors on every board.
    ///     heat_text: whether the heat is written as well.
    ///     limit: how many games are drawn at most.
    ///     columns: how many boards a row of the picture has; None makes it about square.
    #[pyo3(
        signature = (**options),
        text_signature = "(self, *, width=960, coordinates=False, footer=False, invalid=False, \
                          liberties=False, heat=None, heat_text=False, limit=16, columns=None)"
    )]
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
        let SharedBatch { count, size, name, .. } = &self.games;
        format!("<sixplane.GameBatch of {count} games of {name} {size}>")
    }
}
