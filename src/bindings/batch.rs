//! `sixplane.GameBatch`.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice, PyTuple, PyType};

use ndarray::{Dimension, IntoDimension};
use numpy::{PyArray, PyArray1, PyArray2, PyArray3, PyArray4};

use super::arrays::{self, flags, integers, outcome_number};
use super::batch_options::{
    MAX_GAMES, numbers_of_actions, seed_or_system, step_options, threads_of,
};
use super::convert;
use super::error::batch_error;
use super::exclusive::{Entered, Exclusive};
use super::game::MAX_HISTORY;
use super::held::{AnyBatch, PlaneCells, in_pieces};
use super::kinds::any_batch;
use super::memory::{Number, Pool, array_of, zeros};
use super::out::into_planes;
use super::picture;
use crate::batch::CounterStream;
use crate::color::Color;
use crate::geometry::BoardSize;
use crate::planes::NUM_PLANES;
use crate::state::State;
use crate::status::Status;

/// Many games of one kind, size and rules, stepped together.
///
/// By law a batch equals its games played one by one. Game `i` draws from `(seed, i)` alone,
/// whatever the threads. The interpreter lock is released while games are played; a second call
/// on the same batch meanwhile raises `RuntimeError`. Arrays handed out are written again only
/// when nobody holds them any more.
///
/// Args:
///     prototype: the game to copy, its position and history included; a reset returns to it.
///     n: how many games, from 1 to 1,048,576.
///     seed: of the random choices; None draws one from the system.
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
    batch: Exclusive<Box<dyn AnyBatch>>,
    count: usize,
    size: BoardSize,
    name: &'static str,
    /// How many threads were asked for.
    #[pyo3(get)]
    threads: Option<usize>,
    pool: Pool,
}

/// Actions in each game between two looks at whether the user has pressed Ctrl-C.
const PLAYS_AT_ONCE: u64 = 64;

impl PyGameBatch {
    fn of(batch: Box<dyn AnyBatch>, threads: Option<usize>) -> Self {
        Self {
            count: batch.len(),
            size: batch.size(),
            name: batch.name(),
            batch: Exclusive::new("GameBatch", batch),
            threads,
            pool: Pool::default(),
        }
    }

    /// The games, for this call alone.
    pub(super) fn enter(&self) -> PyResult<Entered<'_, Box<dyn AnyBatch>>> {
        self.batch.enter()
    }

    /// Calls `work` with the games, the interpreter lock released.
    fn detached<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyBatch) -> R + Send,
    ) -> PyResult<R> {
        let mut batch = self.enter()?;
        let batch = batch.as_mut();
        Ok(py.detach(|| work(batch)))
    }

    /// A new array of this shape that `write` fills, the interpreter lock released.
    fn array<'py, T: Number, D: Dimension>(
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
    fn column<'py, T: Number>(
        &self,
        py: Python<'py>,
        number: impl Fn(&State) -> T,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        array_of(py, [self.count], self.enter()?.states().map(number))
    }

    /// One action for each game.
    fn actions(&self, actions: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
        integers(actions, "actions", Some(self.count))
    }

    fn position(&self, index: i64) -> PyResult<usize> {
        let count = self.count as i64;
        let position = if index < 0 { index.saturating_add(count) } else { index };
        if (0..count).contains(&position) {
            return Ok(position as usize);
        }
        Err(PyIndexError::new_err(format!("game {index} of a batch of {count}")))
    }

    fn positions(&self, index: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<usize>>> {
        let index = index.map(|index| integers(index, "index", None)).transpose()?;
        index.map(|all| all.into_iter().map(|i| self.position(i)).collect()).transpose()
    }

    /// The games of `where`.
    fn only(&self, mask: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<bool>>> {
        mask.map(|mask| flags(mask, "where", self.count)).transpose()
    }

    /// The place of game `number`, from the end if it is negative.
    fn index(&self, number: &Bound<'_, PyAny>, what: &str) -> PyResult<usize> {
        self.position(convert::integer(number, what)?.unwrap_or(i64::MAX))
    }

    fn game<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        self.enter()?.get(py, Some(index))
    }
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
        seed: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
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
        autoreset: Option<&Bound<'py, PyAny>>,
        illegal: Option<&Bound<'py, PyAny>>,
        view: Option<&Bound<'py, PyAny>>,
        cutoff: Option<&Bound<'py, PyAny>>,
        r#where: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = actions.py();
        let options = step_options(autoreset, illegal, view, cutoff)?;
        let (actions, only) = (self.actions(actions)?, self.only(r#where)?);
        let mut batch = self.enter()?;
        let batch = batch.as_mut();
        arrays::step(py, &self.pool, self.count, self.size, |planes, masks| {
            let step = || batch.step(&actions, options, only.as_deref(), planes, masks);
            py.detach(step).map_err(|error| batch_error(py, &error))
        })
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
    fn play(&self, actions: &Bound<'_, PyAny>, r#where: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let py = actions.py();
        let (actions, only) = (self.actions(actions)?, self.only(r#where)?);
        let played = self.detached(py, |batch| batch.play(&actions, only.as_deref()))?;
        played.map_err(|error| batch_error(py, &error))
    }

    /// A uniformly random legal action for each game, `(B,)`; -1 where it is over.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        array_of(py, [self.count], self.detached(py, |batch| batch.sample())?)
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
    fn play_random(
        &self,
        n: &Bound<'_, PyAny>,
        r#where: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let py = n.py();
        let mut left = numbers_of_actions(n, self.count)?;
        if let Some(only) = self.only(r#where)? {
            for (left, chosen) in left.iter_mut().zip(only) {
                *left *= u64::from(chosen);
            }
        }
        let mut batch = self.enter()?;
        let batch = batch.as_mut();
        let mut some = vec![0; self.count];
        let is_wanted = |(&left, state): (&u64, &State)| left > 0 && !state.is_over();
        while left.iter().zip(batch.states()).any(is_wanted) {
            for (some, left) in some.iter_mut().zip(&mut left) {
                *some = PLAYS_AT_ONCE.min(*left) as usize;
                *left -= *some as u64;
            }
            py.detach(|| batch.play_random(&some));
            py.check_signals()?;
        }
        Ok(())
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
        index: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray3<i8>>> {
        let index = self.positions(index)?;
        let count = index.as_ref().map_or(self.count, Vec::len);
        let shape = [count, self.size.rows(), self.size.cols()];
        self.array(py, shape, |batch, cells| batch.write_ownership(index.as_deref(), cells))
    }

    /// Resets the games whose entry of `mask`, `(B,)` bool, is set; with None, all.
    ///
    /// With a seed, their random choices begin anew from it. With a game of the same size, they
    /// become copies of it, its history and rules included, until the next reset.
    #[pyo3(signature = (mask=None, seed=None, game=None))]
    fn reset(
        &self,
        py: Python<'_>,
        mask: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        game: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mask = mask.map(|mask| flags(mask, "mask", self.count)).transpose()?;
        let seed = seed.map(|seed| seed_or_system(Some(seed))).transpose()?;
        match game {
            Some(game) => self.enter()?.restart_from(game, mask.as_deref(), seed),
            None => self.detached(py, |batch| batch.reset(mask.as_deref(), seed)),
        }
    }

    /// Ends game `i` by the resignation of `color` (None: the player to play).
    #[pyo3(signature = (i, color=None))]
    fn resign(&self, i: &Bound<'_, PyAny>, color: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let index = self.index(i, "i")?;
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
    fn planes_into(
        &self,
        out: &Bound<'_, PyAny>,
        index: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let index = self.positions(index)?;
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
        index: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let k = convert::integer_in(k, "k", 1, MAX_HISTORY)? as usize;
        let index = self.positions(index)?;
        into_planes(out, self.enter()?.as_ref(), Some(k), index.as_deref())
    }

    /// Of the games now held, `(B, 6, rows, cols)`.
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let shape = [self.count, NUM_PLANES, self.size.rows(), self.size.cols()];
        self.array(py, shape, |batch, cells| batch.write_planes(None, None, PlaneCells::U8(cells)))
    }

    /// `(B, A)`: 1 where an action is legal.
    #[getter]
    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        self.array(py, [self.count, self.size.num_actions()], |batch, cells| {
            batch.write_masks(cells);
        })
    }

    /// `(B,)`: the player to play, 0 black, 1 white.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.column(py, |state| state.turn().index() as i8)
    }

    /// `(B,)`: whether the game is over.
    #[getter]
    fn dones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.column(py, State::is_over)
    }

    /// `(B,)`: +1 black, 0 draw, -1 white, -2 running.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.column(py, |state| match state.status() {
            Status::Ongoing => outcome_number(None),
            Status::Done { outcome, .. } => outcome_number(Some(outcome)),
        })
    }

    /// `(B,)`: the score of the board from black's view.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.array(py, [self.count], |batch, cells| batch.write_scores(cells))
    }

    /// `(B,)`: number of actions played.
    #[getter]
    fn move_numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.column(py, |state| i64::from(state.moves()))
    }

    /// Number of rows of every board.
    #[getter]
    fn rows(&self) -> usize {
        self.size.rows()
    }

    /// Number of columns of every board.
    #[getter]
    fn cols(&self) -> usize {
        self.size.cols()
    }

    /// `rows * cols + 1`.
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
            let games = (0..range.slicelength as isize)
                .map(|i| self.game(py, (range.start + i * range.step) as usize));
            let games: Vec<_> = games.collect::<PyResult<_>>()?;
            return Ok(PyList::new(py, games)?.into_any());
        }
        self.game(py, self.index(index, "the number of a game")?)
    }

    fn __setitem__(&self, index: &Bound<'_, PyAny>, game: &Bound<'_, PyAny>) -> PyResult<()> {
        let index = self.index(index, "the number of a game")?;
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
        if std::ptr::eq(self, other) {
            return Ok(true);
        }
        if self.count != other.count {
            return Ok(false);
        }
        let (one, other) = (self.enter()?, other.enter()?);
        let (one, other, mut equal) = (one.as_ref(), other.as_ref(), true);
        in_pieces(py, self.count, |piece| equal = equal && one.equals(other, piece))?;
        Ok(equal)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        let batch = this.enter()?;
        let made_of = (batch.get(py, None)?, this.count, 0, this.threads);
        let games: Vec<_> =
            (0..this.count).map(|i| batch.get(py, Some(i))).collect::<PyResult<_>>()?;
        let streams: Vec<_> =
            batch.streams().iter().map(|stream| (stream.key, stream.count)).collect();
        (slf.get_type(), made_of, (games, streams)).into_pyobject(py)
    }

    fn __setstate__(&self, state: (Vec<Bound<'_, PyAny>>, Vec<(u64, u64)>)) -> PyResult<()> {
        let (games, streams) = state;
        if games.len() != self.count || streams.len() != self.count {
            return Err(PyValueError::new_err("this is no state of a sixplane batch"));
        }
        let streams =
            streams.into_iter().map(|(key, count)| CounterStream { key, count }).collect();
        self.enter()?.restore(&games, streams, self.threads)
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
        let Self { count, size, name, .. } = self;
        format!("<sixplane.GameBatch of {count} games of {name} {size}>")
    }
}
