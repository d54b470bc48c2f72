//! The functions on planes, for `sixplane.gogame`: arrays in, new arrays out, nothing kept.
//!
//! Any boolean, integer or float array of any memory layout is read. Those of the cell types below
//! that lie in memory row by row are read where they are, others are copied first. One board is a
//! batch of one.

use ndarray::{ArrayView4, ArrayViewMut4, Axis, ShapeError};
use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayDescr, PyArrayDescrMethods, PyArrayDyn,
    PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use super::arrays::{integers, true_or_false};
use super::at_exit::PythonCall;
use super::callbacks::exception;
use super::convert::{integer, planes_array};
use crate::color::{ByColor, Color};
use crate::error::PlayError;
use crate::functional::{self, BoardError, Form, PlanesError};
use crate::geometry::Action;

/// Calls with the input as boards `(B, 6, rows, cols)` of the type of its cells.
macro_rules! with_boards {
    ($input:expr, |$boards:ident| $value:expr) => {{
        macro_rules! with_cells {
            ($Cell:ty) => {{
                let planes = $input.array.cast::<PyArrayDyn<$Cell>>()?.try_readonly()?;
                let $boards = ArrayView4::from_shape($input.shape, planes.as_slice()?);
                let $boards = $boards.map_err(wrong_shape)?;
                $value
            }};
        }
        let dtype = $input.array.dtype();
        match (dtype.kind(), dtype.itemsize()) {
            (b'f', 4) => with_cells!(f32),
            (b'u', 1) => with_cells!(u8),
            (b'u', 8) => with_cells!(u64),
            (b'i', 1) => with_cells!(i8),
            (b'i', 8) => with_cells!(i64),
            (b'b', _) => with_cells!(bool),
            _ => with_cells!(f64),
        }
    }};
}

#[doc = stub!(next_state)]
#[pyfunction]
pub(super) fn next_state<'py>(
    state: &Bound<'py, PyAny>,
    action1d: &Bound<'py, PyAny>,
    canonical: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let input = Input::new(state, 3)?;
    let action = action(integer(action1d, "action")?);
    next_states(&input, &[action], action1d, canonical)
}

#[doc = stub!(batch_next_states)]
#[pyfunction]
pub(super) fn batch_next_states<'py>(
    batch_states: &Bound<'py, PyAny>,
    batch_action1d: &Bound<'py, PyAny>,
    canonical: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let input = Input::new(batch_states, 4)?;
    // NumPy makes an empty list an array of floats.
    let is_empty = batch_action1d.cast::<PyUntypedArray>().is_ok_and(|one| one.shape() == [0]);
    let numbers = if is_empty { vec![] } else { integers(batch_action1d, "actions", None)? };
    let actions: Vec<_> = numbers.into_iter().map(|number| action(Some(number))).collect();
    next_states(&input, &actions, batch_action1d, canonical)
}

/// The next states of all boards; `given` are the actions as the caller gave them.
fn next_states<'py>(
    input: &Input<'py>,
    actions: &[Action],
    given: &Bound<'py, PyAny>,
    canonical: bool,
) -> PyResult<Bound<'py, PyAny>> {
    with_boards!(input, |boards| {
        input.answer(input.array.shape(), |to| {
            let next = || functional::batch_next_states(&boards, actions, form(canonical), to);
            input.run(next).map_err(|error| refusal(input, &error, given))
        })
    })
}

#[doc = stub!(children)]
#[pyfunction]
pub(super) fn children<'py>(
    state: &Bound<'py, PyAny>,
    canonical: bool,
    padded: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = state.py();
    let input = if padded { Input::of_floats(state)? } else { Input::new(state, 3)? };
    with_boards!(input, |boards| {
        let board = boards.index_axis_move(Axis(0), 0);
        let [_, planes, rows, cols] = input.shape;
        let count = if padded { rows * cols + 1 } else { functional::legal_actions(&board)?.len() };
        input.answer(&[count, planes, rows, cols], |to| {
            py.detach(|| functional::children(&board, form(canonical), padded, to))
        })
    })
}

#[doc = stub!(canonical_form)]
#[pyfunction]
pub(super) fn canonical_form<'py>(state: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    canonical_forms(&Input::new(state, 3)?)
}

#[doc = stub!(batch_canonical_form)]
#[pyfunction]
pub(super) fn batch_canonical_form<'py>(
    batch_state: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    canonical_forms(&Input::new(batch_state, 4)?)
}

fn canonical_forms<'py>(input: &Input<'py>) -> PyResult<Bound<'py, PyAny>> {
    with_boards!(input, |boards| {
        input
            .answer(input.array.shape(), |to| input.run(|| functional::canonical_form(&boards, to)))
    })
}

#[doc = stub!(areas)]
#[pyfunction]
pub(super) fn areas(state: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
    let ByColor { black, white } = areas_of(&Input::new(state, 3)?)?[0];
    Ok((black, white))
}

type BatchAreas<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

#[doc = stub!(batch_areas)]
#[pyfunction]
pub(super) fn batch_areas<'py>(batch_state: &Bound<'py, PyAny>) -> PyResult<BatchAreas<'py>> {
    let areas = areas_of(&Input::new(batch_state, 4)?)?;
    let points = |color| areas.iter().map(move |areas| areas[color] as i64);
    let array = |color| PyArray1::from_iter(batch_state.py(), points(color));
    Ok((array(Color::Black), array(Color::White)))
}

fn areas_of(input: &Input<'_>) -> PyResult<Vec<ByColor<usize>>> {
    let areas = with_boards!(input, |boards| input.run(|| functional::batch_areas(&boards)));
    areas.map_err(|BoardError { index, error }| {
        PyValueError::new_err(format!("{}{error}", input.place(index)))
    })
}

type Maps<'py> = (Bound<'py, PyArray2<bool>>, Bound<'py, PyArray2<bool>>);

#[doc = stub!(liberties)]
#[pyfunction]
pub(super) fn liberties<'py>(state: &Bound<'py, PyAny>) -> PyResult<Maps<'py>> {
    let py = state.py();
    let input = Input::new(state, 3)?;
    let maps = with_boards!(input, |boards| functional::liberties(&boards.index_axis(Axis(0), 0)))?;
    Ok((maps.black.into_pyarray(py), maps.white.into_pyarray(py)))
}

/// Planes of one board `(6, rows, cols)` or of several `(B, 6, rows, cols)`. Their cells are of a
/// type of [`with_boards`] and lie in memory row by row.
struct Input<'py> {
    array: Bound<'py, PyUntypedArray>,
    /// `[B, 6, rows, cols]`, of one board `[1, 6, rows, cols]`.
    shape: [usize; 4],
    /// What the array was given as, if its cells were of another type.
    given: Option<Bound<'py, PyArrayDescr>>,
}

impl<'py> Input<'py> {
    fn new(value: &Bound<'py, PyAny>, dimensions: usize) -> PyResult<Self> {
        let array = planes_array(value)?;
        let shape = match *array.shape() {
            [planes, rows, cols] if dimensions == 3 => [1, planes, rows, cols],
            [count, planes, rows, cols] if dimensions == 4 => [count, planes, rows, cols],
            ref given => {
                let shape = if dimensions == 3 { "(6, rows, cols)" } else { "(B, 6, rows, cols)" };
                let message = format!("the shape must be {shape}, not {given:?}");
                return Err(PyValueError::new_err(message));
            }
        };
        let dtype = array.dtype();
        let (kind, bytes) = (dtype.kind(), dtype.itemsize());
        if !matches!(kind, b'b' | b'u' | b'i' | b'f') {
            return Err(PyTypeError::new_err(format!(
                "planes of dtype {dtype}: allowed are bool, integers and floats"
            )));
        }
        functional::board_size(array.shape())?;
        let is_cell = matches!((kind, bytes), (b'b', _) | (b'u' | b'i', 1 | 8) | (b'f', 4 | 8));
        let (array, given) = if !is_cell || dtype.is_native_byteorder() == Some(false) {
            (floats(array)?, Some(dtype))
        } else if array.is_c_contiguous() && array.is_aligned() {
            (array.clone(), None)
        } else {
            let _call = PythonCall::begin()?;
            (array.call_method0("copy")?.cast_into()?, None)
        };
        let array = if kind == b'b' { true_or_false(&array)? } else { array };
        Ok(Self { array, shape, given })
    }

    /// The planes of one board as float64, which answers then are in too.
    fn of_floats(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Self { array, shape, .. } = Self::new(value, 3)?;
        Ok(Self { array: floats(&array)?, shape, given: None })
    }

    fn is_one(&self) -> bool {
        self.array.ndim() == 3
    }

    /// Which board a message is about, where there are several.
    fn place(&self, index: Option<usize>) -> String {
        let index = index.filter(|_| !self.is_one());
        index.map_or(String::new(), |index| format!("batch index {index}: "))
    }

    /// What is computed for all boards. Other threads may run meanwhile, unless there is one board:
    /// then letting them takes longer than computing.
    fn run<R: Send>(&self, compute: impl FnOnce() -> R + Send) -> R {
        if self.is_one() { compute() } else { self.array.py().detach(compute) }
    }

    /// A new array of boards that `write` fills, in the dtype of the question.
    fn answer<T: Element, E: Into<PyErr>>(
        &self,
        shape: &[usize],
        write: impl FnOnce(ArrayViewMut4<'_, T>) -> Result<(), E>,
    ) -> PyResult<Bound<'py, PyAny>> {
        static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = self.array.py();
        // Its numbers are not set: zeroing a batch would take as long as computing it.
        let empty = EMPTY.import(py, "numpy", "empty")?;
        let answer = empty.call1((PyTuple::new(py, shape)?, T::get_dtype(py)))?;
        let mut cells = answer.cast::<PyArrayDyn<T>>()?.try_readwrite()?;
        let [_, planes, rows, cols] = self.shape;
        let count = cells.len() / (planes * rows * cols);
        let boards = ArrayViewMut4::from_shape([count, planes, rows, cols], cells.as_slice_mut()?);
        write(boards.map_err(wrong_shape)?).map_err(Into::into)?;
        match &self.given {
            Some(dtype) => {
                let _call = PythonCall::begin()?;
                answer.call_method1("astype", (dtype,))
            }
            None => Ok(answer),
        }
    }
}

fn wrong_shape(error: ShapeError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An array as float64, which holds every integer below 2^53 exactly.
fn floats<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let _call = PythonCall::begin()?;
    Ok(array.call_method1("astype", ("float64", "C"))?.cast_into()?)
}

fn form(canonical: bool) -> Form {
    if canonical { Form::Canonical } else { Form::Absolute }
}

/// The action of a number; of one that no board has, an action that no board has.
fn action(number: Option<i64>) -> Action {
    Action::new(number.and_then(|number| usize::try_from(number).ok()).unwrap_or(usize::MAX))
}

/// The exception for an action without a next state.
fn refusal(
    input: &Input<'_>,
    BoardError { index, error }: &BoardError,
    given: &Bound<'_, PyAny>,
) -> PyErr {
    let place = input.place(*index);
    let message = match (error, index) {
        (PlanesError::Illegal { size, why: PlayError::OffBoard, .. }, Some(index)) => {
            let action = if input.is_one() { Ok(given.clone()) } else { given.get_item(index) };
            let shown = action.and_then(|action| action.str());
            let shown = shown.map_or("beyond 64 bits".to_owned(), |text| text.to_string());
            let pass = size.points();
            format!("{place}action {shown} is off the board: on {size} an action is 0 to {pass}")
        }
        _ => format!("{place}{error}"),
    };
    match error {
        PlanesError::Illegal { why, .. } => {
            exception(input.array.py(), "InvalidMoveError", (why.reason(), message))
        }
        _ => PyValueError::new_err(message),
    }
}
