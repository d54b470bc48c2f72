//! The functions on planes, for `sixplane.gogame`: arrays in, new arrays out, nothing kept.
//!
//! Any boolean, integer or float array of any memory layout is read. Those of the cell types below
//! that lie in memory row by row are read where they are, others are copied first. One board is a
//! batch of one.

use ndarray::{ArrayView4, ArrayViewMut4, Axis, ShapeError};
use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayDescr, PyArrayDescrMethods, PyArrayDyn,
    PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use super::arrays::integers;
use super::convert::{integer, planes_array};
use super::provided::exception;
use crate::color::{ByColor, Color};
use crate::error::PlayError;
use crate::functional::{self, BoardError, Form, PlanesError};
use crate::geometry::Action;

/// Adds the functions to the module.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(next_state, module)?)?;
    module.add_function(wrap_pyfunction!(batch_next_states, module)?)?;
    module.add_function(wrap_pyfunction!(children, module)?)?;
    module.add_function(wrap_pyfunction!(canonical_form, module)?)?;
    module.add_function(wrap_pyfunction!(batch_canonical_form, module)?)?;
    module.add_function(wrap_pyfunction!(areas, module)?)?;
    module.add_function(wrap_pyfunction!(batch_areas, module)?)?;
    module.add_function(wrap_pyfunction!(liberties, module)?)
}

/// Calls with the cell type of the input as `$T`.
macro_rules! with_cells {
    ($input:expr, $T:ident => $body:expr) => {{
        macro_rules! with {
            ($type:ty) => {{
                type $T = $type;
                $body
            }};
        }
        match $input.cell() {
            (b'f', 4) => with!(f32),
            (b'u', 1) => with!(u8),
            (b'u', 8) => with!(u64),
            (b'i', 1) => with!(i8),
            (b'i', 8) => with!(i64),
            (b'b', _) => with!(bool),
            _ => with!(f64),
        }
    }};
}

/// The state after an action, as `sixplane.gogame.next_state`.
#[pyfunction]
fn next_state<'py>(
    state: &Bound<'py, PyAny>,
    action1d: &Bound<'py, PyAny>,
    canonical: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let input = Input::new(state, 3)?;
    let action = action(integer(action1d, "action")?);
    next_states(&input, &[action], canonical, |_| Ok(action1d.clone()))
}

/// The states after an action each, as `sixplane.gogame.batch_next_states`.
#[pyfunction]
fn batch_next_states<'py>(
    batch_states: &Bound<'py, PyAny>,
    batch_action1d: &Bound<'py, PyAny>,
    canonical: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let input = Input::new(batch_states, 4)?;
    // NumPy makes an empty list an array of floats.
    let is_empty = batch_action1d.cast::<PyUntypedArray>().is_ok_and(|one| one.shape() == [0]);
    let numbers = if is_empty { vec![] } else { integers(batch_action1d, "actions", None)? };
    let actions: Vec<_> = numbers.into_iter().map(|number| action(Some(number))).collect();
    next_states(&input, &actions, canonical, |index| batch_action1d.get_item(index))
}

/// The next states of all boards. `given` is the action of a board as the caller gave it.
fn next_states<'py>(
    input: &Input<'py>,
    actions: &[Action],
    canonical: bool,
    given: impl Fn(usize) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = input.array.py();
    with_cells!(input, T => {
        let (planes, next) = (input.read::<T>()?, empty::<T>(py, input.array.shape())?);
        let (from, mut to) = (input.boards(planes.as_slice()?)?, next.try_readwrite()?);
        let to = boards_mut(input.shape, to.as_slice_mut()?)?;
        let stepped = input.run(|| {
            functional::batch_next_states(&from, actions, form(canonical), to)
        });
        stepped.map_err(|error| refusal(input, &error, given))?;
        input.answer(next.into_any())
    })
}

/// The states after every action, as `sixplane.gogame.children`.
#[pyfunction]
fn children<'py>(
    state: &Bound<'py, PyAny>,
    canonical: bool,
    padded: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = state.py();
    let input = if padded { Input::of_floats(state)? } else { Input::new(state, 3)? };
    with_cells!(input, T => {
        let planes = input.read::<T>()?;
        let view = input.boards(planes.as_slice()?)?.index_axis_move(Axis(0), 0);
        let [_, planes, rows, cols] = input.shape;
        let count = if padded { rows * cols + 1 } else { functional::legal_actions(&view)?.len() };
        let shape = [count, planes, rows, cols];
        let next = empty::<T>(py, &shape)?;
        let mut to = next.try_readwrite()?;
        let to = boards_mut(shape, to.as_slice_mut()?)?;
        py.detach(|| functional::children(&view, form(canonical), padded, to))?;
        input.answer(next.into_any())
    })
}

/// The state with black to play, as `sixplane.gogame.canonical_form`.
#[pyfunction]
fn canonical_form<'py>(state: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    canonical_forms(&Input::new(state, 3)?)
}

/// The states with black to play, as `sixplane.gogame.batch_canonical_form`.
#[pyfunction]
fn batch_canonical_form<'py>(batch_state: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    canonical_forms(&Input::new(batch_state, 4)?)
}

fn canonical_forms<'py>(input: &Input<'py>) -> PyResult<Bound<'py, PyAny>> {
    with_cells!(input, T => {
        let planes = input.read::<T>()?;
        let forms = empty::<T>(input.array.py(), planes.shape())?;
        let mut to = forms.try_readwrite()?;
        let to = boards_mut(input.shape, to.as_slice_mut()?)?;
        functional::batch_canonical_form(&input.boards(planes.as_slice()?)?, to)?;
        input.answer(forms.into_any())
    })
}

/// Points of Black's and of White's area, as `sixplane.gogame.areas`.
#[pyfunction]
fn areas(state: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
    let ByColor { black, white } = areas_of(&Input::new(state, 3)?)?[0];
    Ok((black, white))
}

type BatchAreas<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// Points of Black's and of White's area of each state, as `sixplane.gogame.batch_areas`.
#[pyfunction]
fn batch_areas<'py>(batch_state: &Bound<'py, PyAny>) -> PyResult<BatchAreas<'py>> {
    let areas = areas_of(&Input::new(batch_state, 4)?)?;
    let points = |color| areas.iter().map(move |areas| areas[color] as i64);
    let array = |color| PyArray1::from_iter(batch_state.py(), points(color));
    Ok((array(Color::Black), array(Color::White)))
}

fn areas_of(input: &Input<'_>) -> PyResult<Vec<ByColor<usize>>> {
    let areas = with_cells!(input, T => {
        let planes = input.read::<T>()?;
        let view = input.boards(planes.as_slice()?)?;
        input.run(|| functional::batch_areas(&view))
    });
    areas.map_err(|BoardError { index, error }| {
        PyValueError::new_err(format!("{}{error}", input.place(index)))
    })
}

type Maps<'py> = (Bound<'py, PyArray2<bool>>, Bound<'py, PyArray2<bool>>);

/// The liberties of Black's and of White's chains, as `sixplane.gogame.liberties`.
#[pyfunction]
fn liberties<'py>(state: &Bound<'py, PyAny>) -> PyResult<Maps<'py>> {
    let py = state.py();
    let input = Input::new(state, 3)?;
    with_cells!(input, T => {
        let planes = input.read::<T>()?;
        let maps = functional::liberties(&input.boards(planes.as_slice()?)?.index_axis(Axis(0), 0))?;
        Ok((maps.black.into_pyarray(py), maps.white.into_pyarray(py)))
    })
}

/// Planes of one board `(6, rows, cols)` or of several `(B, 6, rows, cols)`. Their cells are of a
/// type of [`with_cells`] and lie in memory row by row.
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
            (array.call_method0("copy")?.cast_into()?, None)
        };
        Ok(Self { array, shape, given })
    }

    /// The planes of one board as float64, which answers then are in too.
    fn of_floats(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Self { array, shape, .. } = Self::new(value, 3)?;
        Ok(Self { array: floats(&array)?, shape, given: None })
    }

    /// Kind and bytes of a cell.
    fn cell(&self) -> (u8, usize) {
        let dtype = self.array.dtype();
        (dtype.kind(), dtype.itemsize())
    }

    fn is_one(&self) -> bool {
        self.array.ndim() == 3
    }

    /// Which board a message is about, where there are several.
    fn place(&self, index: Option<usize>) -> String {
        let index = index.filter(|_| !self.is_one());
        index.map_or(String::new(), |index| format!("batch index {index}: "))
    }

    fn read<T: Element>(&self) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
        Ok(self.array.cast::<PyArrayDyn<T>>()?.try_readonly()?)
    }

    /// The cells of [`Input::read`] as those of a batch.
    fn boards<'a, T>(&self, cells: &'a [T]) -> PyResult<ArrayView4<'a, T>> {
        ArrayView4::from_shape(self.shape, cells).map_err(wrong_shape)
    }

    /// What is computed for all boards. Other threads may run meanwhile, unless there is one board:
    /// then letting them takes longer than computing.
    fn run<R: Send>(&self, compute: impl FnOnce() -> R + Send) -> R {
        if self.is_one() { compute() } else { self.array.py().detach(compute) }
    }

    /// An answer in the dtype of the question.
    fn answer(&self, answer: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match &self.given {
            Some(dtype) => answer.call_method1("astype", (dtype,)),
            None => Ok(answer),
        }
    }
}

fn boards_mut<T>(shape: [usize; 4], cells: &mut [T]) -> PyResult<ArrayViewMut4<'_, T>> {
    ArrayViewMut4::from_shape(shape, cells).map_err(wrong_shape)
}

fn wrong_shape(error: ShapeError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An array as float64, which holds every integer below 2^53 exactly.
fn floats<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyUntypedArray>> {
    Ok(array.call_method1("astype", ("float64", "C"))?.cast_into()?)
}

/// A new array whose numbers are not set: zeroing a batch would take as long as computing it.
fn empty<'py, T: Element>(py: Python<'py>, shape: &[usize]) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let make = EMPTY.import(py, "numpy", "empty")?;
    Ok(make.call1((PyTuple::new(py, shape)?, T::get_dtype(py)))?.cast_into()?)
}

fn form(canonical: bool) -> Form {
    if canonical { Form::Canonical } else { Form::Absolute }
}

/// The action of a number; of one that no board has, an action that no board has.
fn action(number: Option<i64>) -> Action {
    Action::new(number.and_then(|number| usize::try_from(number).ok()).unwrap_or(usize::MAX))
}

/// The exception for an action without a next state, which `given` gives as the caller gave it.
fn refusal<'py>(
    input: &Input<'py>,
    BoardError { index, error }: &BoardError,
    given: impl FnOnce(usize) -> PyResult<Bound<'py, PyAny>>,
) -> PyErr {
    let place = input.place(*index);
    let message = match (error, index) {
        (PlanesError::Illegal { size, why: PlayError::OffBoard, .. }, Some(index)) => {
            let shown = given(*index).and_then(|action| action.str());
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
