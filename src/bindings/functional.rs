//! The functions on planes, for `sixplane.gogame`: arrays in, new arrays out, nothing kept.
//!
//! Any boolean, integer or float array of any memory layout is read. Those of the core's own cell
//! types that lie in memory row by row are read where they are, others are copied first.

use ndarray::{Dimension, Ix3, Ix4};
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayDescr, PyArrayDescrMethods, PyArrayMethods,
    PyReadonlyArray, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use super::convert::{integer, type_name};
use super::provided::exception;
use crate::functional::{self, BoardError, Form, MoveError, PlanesError};
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

/// Calls with a cell type of the core as `$T`: the one that the input has.
macro_rules! with_cells {
    ($input:expr, $T:ident => $body:expr) => {{
        macro_rules! with {
            ($type:ty) => {{
                type $T = $type;
                $body
            }};
        }
        match $input.cell() {
            (b'f', 8) => with!(f64),
            (b'f', 4) => with!(f32),
            (b'u', 1) => with!(u8),
            (b'u', 2) => with!(u16),
            (b'u', 4) => with!(u32),
            (b'u', 8) => with!(u64),
            (b'i', 1) => with!(i8),
            (b'i', 2) => with!(i16),
            (b'i', 4) => with!(i32),
            (b'i', 8) => with!(i64),
            _ => with!(bool),
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
    let py = state.py();
    let input = Input::new(state, 3)?;
    let action = action(integer(action1d, "action")?);
    with_cells!(input, T => {
        let planes = input.read::<T, Ix3>()?;
        let next = empty::<T, Ix3>(py, planes.shape())?;
        functional::next_state(
            &planes.as_array(),
            action,
            form(canonical),
            next.try_readwrite()?.as_array_mut(),
        )
        .map_err(|error| refusal(py, &error, "", action1d))?;
        input.answer(next.into_any())
    })
}

/// The states after an action each, as `sixplane.gogame.batch_next_states`.
#[pyfunction]
fn batch_next_states<'py>(
    batch_states: &Bound<'py, PyAny>,
    batch_action1d: &Bound<'py, PyAny>,
    canonical: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = batch_states.py();
    let input = Input::new(batch_states, 4)?;
    let actions = actions(batch_action1d)?;
    with_cells!(input, T => {
        let planes = input.read::<T, Ix4>()?;
        let next = empty::<T, Ix4>(py, planes.shape())?;
        let (from, mut to) = (planes.as_array(), next.try_readwrite()?);
        let to = to.as_array_mut();
        py.detach(|| functional::batch_next_states(&from, &actions, form(canonical), to))
            .map_err(|BoardError { index, error }| match index {
                Some(index) => match batch_action1d.get_item(index) {
                    Ok(action) => refusal(py, &error, &format!("batch index {index}: "), &action),
                    Err(other) => other,
                },
                None => refusal(py, &error, "", batch_action1d),
            })?;
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
        let planes = input.read::<T, Ix3>()?;
        let view = planes.as_array();
        let rows = if padded {
            functional::board_size(planes.shape())?.num_actions()
        } else {
            functional::legal_actions(&view)?.len()
        };
        let shape = [&[rows], planes.shape()].concat();
        let next = empty::<T, Ix4>(py, &shape)?;
        let mut to = next.try_readwrite()?;
        let to = to.as_array_mut();
        let write = if padded { functional::children } else { functional::legal_children };
        py.detach(|| write(&view, form(canonical), to))?;
        input.answer(next.into_any())
    })
}

/// The state with black to play, as `sixplane.gogame.canonical_form`.
#[pyfunction]
fn canonical_form<'py>(state: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let input = Input::new(state, 3)?;
    with_cells!(input, T => {
        let planes = input.read::<T, Ix3>()?;
        let form = empty::<T, Ix3>(state.py(), planes.shape())?;
        functional::canonical_form(&planes.as_array(), form.try_readwrite()?.as_array_mut())?;
        input.answer(form.into_any())
    })
}

/// The states with black to play, as `sixplane.gogame.batch_canonical_form`.
#[pyfunction]
fn batch_canonical_form<'py>(batch_state: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let input = Input::new(batch_state, 4)?;
    with_cells!(input, T => {
        let planes = input.read::<T, Ix4>()?;
        let forms = empty::<T, Ix4>(batch_state.py(), planes.shape())?;
        functional::batch_canonical_form(&planes.as_array(), forms.try_readwrite()?.as_array_mut())?;
        input.answer(forms.into_any())
    })
}

/// Points of Black's and of White's area, as `sixplane.gogame.areas`.
#[pyfunction]
fn areas(state: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
    let input = Input::new(state, 3)?;
    with_cells!(input, T => {
        let areas = functional::areas(&input.read::<T, Ix3>()?.as_array())?;
        Ok((areas.black, areas.white))
    })
}

type BatchAreas<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// Points of Black's and of White's area of each state, as `sixplane.gogame.batch_areas`.
#[pyfunction]
fn batch_areas<'py>(batch_state: &Bound<'py, PyAny>) -> PyResult<BatchAreas<'py>> {
    let py = batch_state.py();
    let input = Input::new(batch_state, 4)?;
    let areas = with_cells!(input, T => {
        let planes = input.read::<T, Ix4>()?;
        let view = planes.as_array();
        py.detach(|| functional::batch_areas(&view))
    })
    .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let points = |count: usize| count as i64;
    Ok((
        PyArray1::from_iter(py, areas.iter().map(|areas| points(areas.black))),
        PyArray1::from_iter(py, areas.iter().map(|areas| points(areas.white))),
    ))
}

type Maps<'py> = (Bound<'py, PyArray2<bool>>, Bound<'py, PyArray2<bool>>);

/// The liberties of Black's and of White's chains, as `sixplane.gogame.liberties`.
#[pyfunction]
fn liberties<'py>(state: &Bound<'py, PyAny>) -> PyResult<Maps<'py>> {
    let py = state.py();
    let input = Input::new(state, 3)?;
    with_cells!(input, T => {
        let maps = functional::liberties(&input.read::<T, Ix3>()?.as_array())?;
        let array = |map| PyArray2::from_owned_array(py, map);
        Ok((array(maps.black), array(maps.white)))
    })
}

/// An array whose numbers are cells of the core, lying in memory row by row.
struct Input<'py> {
    array: Bound<'py, PyUntypedArray>,
    /// What the array was given as, if the core has no such cell.
    given: Option<Bound<'py, PyArrayDescr>>,
}

impl<'py> Input<'py> {
    fn new(value: &Bound<'py, PyAny>, dimensions: usize) -> PyResult<Self> {
        let Ok(array) = value.cast::<PyUntypedArray>() else {
            let found = type_name(value);
            return Err(PyTypeError::new_err(format!("planes must be a NumPy array, not {found}")));
        };
        if array.ndim() != dimensions {
            let shape = if dimensions == 3 { "(6, rows, cols)" } else { "(B, 6, rows, cols)" };
            let given = array.shape();
            return Err(PyValueError::new_err(format!("the shape must be {shape}, not {given:?}")));
        }
        let dtype = array.dtype();
        let native = dtype.is_native_byteorder() != Some(false);
        match (dtype.kind(), dtype.itemsize()) {
            (b'b' | b'u' | b'i', _) | (b'f', 4 | 8) if native => {
                if array.is_c_contiguous() && array.is_aligned() {
                    return Ok(Self { array: array.clone(), given: None });
                }
                Ok(Self { array: array.call_method0("copy")?.cast_into()?, given: None })
            }
            (b'b' | b'u' | b'i' | b'f', _) => {
                Ok(Self { given: Some(dtype), ..Self::converted(array)? })
            }
            _ => Err(PyTypeError::new_err(format!(
                "planes of dtype {dtype}: allowed are bool, integers and floats"
            ))),
        }
    }

    /// The planes as float64, which answers then are in too.
    fn of_floats(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let input = Self::new(value, 3)?;
        if input.cell() == (b'f', 8) {
            return Ok(Self { given: None, ..input });
        }
        Self::converted(&input.array)
    }

    fn converted(array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        let floats = array.call_method1("astype", ("float64", "C"))?;
        Ok(Self { array: floats.cast_into()?, given: None })
    }

    /// Kind and bytes of a cell.
    fn cell(&self) -> (u8, usize) {
        let dtype = self.array.dtype();
        (dtype.kind(), dtype.itemsize())
    }

    fn read<T: Element, D: Dimension>(&self) -> PyResult<PyReadonlyArray<'py, T, D>> {
        Ok(self.array.cast::<PyArray<T, D>>()?.try_readonly()?)
    }

    /// An answer in the dtype of the question.
    fn answer(&self, answer: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match &self.given {
            Some(dtype) => answer.call_method1("astype", (dtype,)),
            None => Ok(answer),
        }
    }
}

/// A new array whose numbers are not set: zeroing a batch would take as long as computing it.
fn empty<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArray<T, D>>> {
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

/// The actions of an array of integers, or of what can be made one.
fn actions(value: &Bound<'_, PyAny>) -> PyResult<Vec<Action>> {
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = value.py();
    let array = match value.cast::<PyUntypedArray>() {
        Ok(array) => array.clone(),
        Err(_) => AS_ARRAY.import(py, "numpy", "asarray")?.call1((value,))?.cast_into()?,
    };
    if array.ndim() != 1 {
        let given = array.shape();
        return Err(PyValueError::new_err(format!(
            "actions must have the shape (B,), not {given:?}"
        )));
    }
    let dtype = array.dtype();
    // An empty list is an array of floats to NumPy.
    if !matches!(dtype.kind(), b'i' | b'u') && !array.is_empty() {
        return Err(PyTypeError::new_err(format!(
            "actions of dtype {dtype}: allowed are integers of any size"
        )));
    }
    let numbers = match array.cast::<PyArray1<i64>>() {
        Ok(numbers) if numbers.is_aligned() => numbers.clone(),
        _ => array.call_method1("astype", ("int64",))?.cast_into()?,
    };
    let numbers = numbers.try_readonly()?;
    Ok(numbers.as_array().iter().map(|&number| action(Some(number))).collect())
}

/// The exception for an action, as the caller gave it, that has no next state.
fn refusal(py: Python<'_>, error: &MoveError, place: &str, action: &Bound<'_, PyAny>) -> PyErr {
    let Some(reason) = error.reason() else {
        return PyValueError::new_err(format!("{place}{error}"));
    };
    let message = match error {
        MoveError::OffBoard(_, size) => {
            let shown = action.str().map_or("beyond 64 bits".to_owned(), |text| text.to_string());
            format!(
                "{place}action {shown} is off the board: on {size} an action is 0 to {}",
                size.points()
            )
        }
        _ => format!("{place}{error}"),
    };
    exception(py, "InvalidMoveError", (reason, message))
}

impl From<PlanesError> for PyErr {
    fn from(error: PlanesError) -> Self {
        PyValueError::new_err(error.to_string())
    }
}
