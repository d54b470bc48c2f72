//! Arrays of a batch: actions in, rows out.

use ndarray::Ix1;
use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

use super::convert::is_regular;
use super::memory::{Cells, Number, Pool, array_of};
use crate::batch::{BatchError, Finals};
use crate::geometry::BoardSize;
use crate::planes::NUM_PLANES;
use crate::rows::RowsMut;

/// Integers of one dimension from an array of any integer type, or anything that can be made one.
/// `count`: how many there must be, if that is known.
/// A number beyond 64 bits becomes the largest, which is no action either.
pub(super) fn integers(
    value: &Bound<'_, PyAny>,
    what: &str,
    count: Option<usize>,
) -> PyResult<Vec<i64>> {
    let array = as_array(value)?;
    if array.ndim() != 1 {
        let found = array.getattr("shape")?;
        return Err(PyValueError::new_err(format!("{what} must be 1-d, got shape {found}")));
    }
    // Before anything is copied: an array may claim to be longer than any memory.
    if let Some(count) = count.filter(|&count| count != array.len()) {
        let found = array.len();
        return Err(PyValueError::new_err(format!(
            "{found} {what} for {count} games: one for each is needed"
        )));
    }
    match array.dtype().kind() {
        b'u' => {
            let wide = array.call_method1("astype", ("uint64",))?.cast_into::<PyArray1<u64>>()?;
            copied(&wide, |n| i64::try_from(n).unwrap_or(i64::MAX))
        }
        b'i' => match array.cast::<PyArray1<i64>>() {
            Ok(same) if is_regular(&array) => copied(same, |n| n),
            _ => {
                let wide = array.call_method1("astype", ("int64",))?;
                copied(&wide.cast_into::<PyArray1<i64>>()?, |n| n)
            }
        },
        // An empty list becomes an array of floats.
        _ if array.len() == 0 && !value.is_instance_of::<PyUntypedArray>() => Ok(Vec::new()),
        _ => Err(PyTypeError::new_err(format!(
            "{what} must be integers, not an array of {}",
            array.dtype()
        ))),
    }
}

/// One action for each of so many games.
pub(super) fn actions(value: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<i64>> {
    integers(value, "actions", Some(count))
}

fn as_array<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    let array = value.py().import("numpy")?.call_method1("asarray", (value,))?;
    Ok(array.cast_into()?)
}

fn copied<T: numpy::Element + Copy, U>(
    array: &Bound<'_, PyArray1<T>>,
    number: impl Fn(T) -> U,
) -> PyResult<Vec<U>> {
    let array = array.try_readonly()?;
    let mut numbers = Vec::new();
    let no_memory = |_| PyMemoryError::new_err(format!("no memory for {} numbers", array.len()));
    numbers.try_reserve_exact(array.len()).map_err(no_memory)?;
    numbers.extend(array.as_array().iter().map(|&n| number(n)));
    Ok(numbers)
}

/// So many booleans.
pub(super) fn flags(value: &Bound<'_, PyAny>, what: &str, count: usize) -> PyResult<Vec<bool>> {
    let array = as_array(value)?;
    let Ok(flags) = array.cast::<PyArray1<bool>>() else {
        return Err(PyTypeError::new_err(format!(
            "{what} must be a boolean array of one dimension, not {} of shape {}",
            array.dtype(),
            array.getattr("shape")?
        )));
    };
    if flags.len() != count {
        let found = flags.len();
        return Err(PyValueError::new_err(format!("{what} of {found} for {count} games")));
    }
    copied(flags, |flag| flag)
}

/// The named tuple of a step.
static BATCH_STEP: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Steps into new arrays and makes them the named tuple that users get.
pub(super) fn step<'py>(
    py: Python<'py>,
    pool: &Pool,
    count: usize,
    size: BoardSize,
    step: impl FnOnce(RowsMut<'_>) -> Result<Finals, BatchError>,
) -> PyResult<Result<Bound<'py, PyAny>, BatchError>> {
    let mut planes: Cells<u8, _> = pool.take([count, NUM_PLANES, size.rows(), size.cols()])?;
    let mut masks: Cells<i8, _> = pool.take([count, size.num_actions()])?;
    let mut turns = column::<i8>(pool, count)?;
    let mut rewards = column::<f32>(pool, count)?;
    let mut terminated = column::<bool>(pool, count)?;
    let mut truncated = column::<bool>(pool, count)?;
    let mut outcomes = column::<i8>(pool, count)?;
    let mut scores = column::<f32>(pool, count)?;
    let mut move_numbers = column::<i64>(pool, count)?;
    let mut endings = column::<i8>(pool, count)?;
    let mut actors = column::<i8>(pool, count)?;
    let stepped = step(RowsMut {
        size,
        planes: planes.as_slice_mut(),
        masks: masks.as_slice_mut(),
        turns: turns.as_slice_mut(),
        rewards: rewards.as_slice_mut(),
        terminated: terminated.as_slice_mut(),
        truncated: truncated.as_slice_mut(),
        outcomes: outcomes.as_slice_mut(),
        scores: scores.as_slice_mut(),
        move_numbers: move_numbers.as_slice_mut(),
        endings: endings.as_slice_mut(),
        actors: actors.as_slice_mut(),
    });
    let finals = match stepped {
        Ok(finals) => finals,
        Err(error) => return Ok(Err(error)),
    };
    let last = [finals.index.len(), NUM_PLANES, size.rows(), size.cols()];
    let class = BATCH_STEP.import(py, "sixplane.batch", "BatchStep")?;
    let fields = [
        planes.into_array(py)?.into_any(),
        masks.into_array(py)?.into_any(),
        turns.into_array(py)?.into_any(),
        rewards.into_array(py)?.into_any(),
        terminated.into_array(py)?.into_any(),
        truncated.into_array(py)?.into_any(),
        outcomes.into_array(py)?.into_any(),
        scores.into_array(py)?.into_any(),
        array_of(py, [finals.index.len()], &finals.index)?.into_any(),
        array_of(py, last, &finals.planes)?.into_any(),
        move_numbers.into_array(py)?.into_any(),
        endings.into_array(py)?.into_any(),
        actors.into_array(py)?.into_any(),
    ];
    Ok(Ok(class.call1(PyTuple::new(py, fields)?)?))
}

/// One number for each game.
fn column<T: Number>(pool: &Pool, count: usize) -> PyResult<Cells<T, Ix1>> {
    pool.take([count])
}
