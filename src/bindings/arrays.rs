//! Arrays of a batch: actions in, rows out.

use numpy::{
    PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::any_batch::guarded;
use super::any_game::PythonGame;
use super::at_exit::PythonCall;
use super::callbacks::callback;
use super::convert::{integer, read_as};
use super::memory::{Number, Pool, array_of};
use crate::batch::{BatchStep, GameBatch, StepOptions, StepResult};
use crate::color::Color;
use crate::planes::NUM_PLANES;
use crate::status::Outcome;

/// Integers of one dimension from an array of any integer type, or anything that can be made one.
/// `count`: how many there must be, if that is known.
/// A number beyond 64 bits becomes the largest, which is no action either.
pub(super) fn integers(
    value: &Bound<'_, PyAny>,
    what: &str,
    count: Option<usize>,
) -> PyResult<Vec<i64>> {
    let list = value.cast::<PyList>().map(|list| list.to_tuple().into_any());
    let value = list.as_ref().unwrap_or(value);
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
    let kind = array.dtype().kind();
    // NumPy takes a bool among integers for one of them, and makes floats or objects of large ones.
    // A class derived from the tuple may say that it is another array.
    if let Ok(items) = value.cast_exact::<PyTuple>() {
        let read = items.iter().map(|item| Ok(integer(&item, what)?.unwrap_or(i64::MAX)));
        match read.collect() {
            Err(_) if !matches!(kind, b'i' | b'u') => {}
            numbers => return numbers,
        }
    }
    match kind {
        b'u' => copied(&read_as::<u64, _>(&array)?, |n| i64::try_from(n).unwrap_or(i64::MAX)),
        b'i' => copied(&read_as::<i64, _>(&array)?, |n| n),
        // An empty sequence becomes an array of floats.
        _ if array.len() == 0 && !value.is_instance_of::<PyUntypedArray>() => Ok(Vec::new()),
        _ => Err(PyTypeError::new_err(format!(
            "{what} must be integers, not an array of {}",
            array.dtype()
        ))),
    }
}

pub(super) fn as_array<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    let _call = PythonCall::begin()?;
    let array = value.py().import("numpy")?.call_method1("asarray", (value,))?;
    Ok(array.cast_into()?)
}

fn copied<T: numpy::Element + Copy, U>(
    array: &PyReadonlyArray1<'_, T>,
    number: impl Fn(T) -> U,
) -> PyResult<Vec<U>> {
    let mut numbers = Vec::new();
    let no_memory = |_| PyMemoryError::new_err(format!("no memory for {} numbers", array.len()));
    numbers.try_reserve_exact(array.len()).map_err(no_memory)?;
    numbers.extend(array.as_array().iter().map(|&n| number(n)));
    Ok(numbers)
}

/// A boolean array as Rust can read it: what other numbers are seen as booleans may have bytes beside 0 and 1.
pub(super) fn true_or_false<'py>(
    array: &Bound<'py, PyUntypedArray>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let _call = PythonCall::begin()?;
    let bytes = array.call_method1("view", ("uint8",))?;
    let is_so =
        bytes.cast::<PyArrayDyn<u8>>()?.try_readonly()?.as_array().iter().all(|&byte| byte < 2);
    if is_so { Ok(array.clone()) } else { Ok(bytes.call_method1("__ne__", (0,))?.cast_into()?) }
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
    // Read only now: an array may claim to be endless.
    let flags = true_or_false(&array)?;
    copied(&flags.cast::<PyArray1<bool>>()?.try_readonly()?, |flag| flag)
}

/// The booleans of an array of this shape, row after row.
pub(super) fn flags_of_shape(
    value: &Bound<'_, PyAny>,
    what: &str,
    shape: &[usize],
) -> PyResult<Vec<bool>> {
    let array = as_array(value)?;
    let Ok(flags) = array.cast::<PyArrayDyn<bool>>() else {
        let found = array.dtype();
        return Err(PyTypeError::new_err(format!("{what} must be a boolean array, not {found}")));
    };
    if flags.shape() != shape {
        let (found, wanted) = (array.getattr("shape")?, PyTuple::new(value.py(), shape)?);
        return Err(PyValueError::new_err(format!(
            "{what} must be of shape {wanted}, not {found}"
        )));
    }
    let flags = true_or_false(&array)?;
    Ok(flags.cast::<PyArrayDyn<bool>>()?.try_readonly()?.as_array().iter().copied().collect())
}

/// A step of a batch into new arrays, as the named tuple that users get.
pub(super) fn step<'py, G: PythonGame>(
    py: Python<'py>,
    pool: &Pool,
    batch: &mut GameBatch<G>,
    actions: &[i64],
    options: StepOptions,
    only: Option<&[bool]>,
) -> PyResult<Bound<'py, PyAny>> {
    let (count, size) = (batch.len(), batch.size());
    let layers = options.history.map_or(NUM_PLANES, |k| 2 * k + 1);
    let mut planes = pool.take([count, layers, size.rows(), size.cols()])?;
    let mut masks = pool.take([count, size.num_actions()])?;
    let (cells, entries) = (planes.as_slice_mut(), masks.as_slice_mut());
    let BatchStep { results, final_index, final_planes, final_masks } =
        guarded(py, batch, |batch| batch.step(actions, options, only, cells, entries))?;
    let finals = [final_index.len(), layers, size.rows(), size.cols()];
    let allowed = [final_index.len(), size.num_actions()];
    let color = |color: Color| color.index() as i8;
    let fields = [
        planes.into_array(py)?.into_any(),
        masks.into_array(py)?.into_any(),
        column(py, &results, |one| color(one.turn))?,
        column(py, &results, |one| one.reward)?,
        column(py, &results, StepResult::terminated)?,
        column(py, &results, |one| one.truncated || one.out_of_steps)?,
        column(py, &results, |one| outcome_number(one.outcome))?,
        column(py, &results, |one| one.score)?,
        column(py, &final_index, |&index| index as i64)?,
        array_of(py, finals, final_planes)?.into_any(),
        column(py, &results, |one| i64::from(one.move_number))?,
        column(py, &results, |one| one.ending as i8)?,
        column(py, &results, |one| one.actor.map_or(NOBODY, color))?,
        array_of(py, allowed, final_masks)?.into_any(),
    ];
    callback(py, "BatchStep")?.call1(PyTuple::new(py, fields)?)
}

/// The actor where no action was played.
const NOBODY: i8 = -1;

/// +1 black, 0 draw, -1 white, -2 running.
pub(super) fn outcome_number(outcome: Option<Outcome>) -> i8 {
    outcome.map_or(-2, Outcome::sign)
}

/// An array of one number for each of these.
fn column<'py, S, T: Number>(
    py: Python<'py>,
    all: &[S],
    number: impl Fn(&S) -> T,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(array_of(py, [all.len()], all.iter().map(number))?.into_any())
}
