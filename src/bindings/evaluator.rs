//! Python callables as evaluators.

use ndarray::IxDyn;
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PySlice;

use super::arrays::as_array;
use super::at_exit::PythonCall;
use super::convert::{read_as, wrong_type};
use super::memory::{array_of, zeros};
use crate::search::{Evaluations, Evaluator, Leaves};

/// The form in which an evaluator gets planes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// Whether its cells are float32; else they are uint8.
    pub(super) is_float: bool,
    /// The leaf batch is filled up with planes of zeros to a multiple of so many rows.
    pub(super) pad_to: usize,
}

/// A Python callable as an evaluator.
#[derive(Clone, Copy)]
pub(super) struct Callable<'a> {
    pub(super) evaluator: &'a Py<PyAny>,
    pub(super) form: Form,
}

impl Evaluator for Callable<'_> {
    type Error = PyErr;

    fn evaluate(&mut self, leaves: Leaves) -> PyResult<Evaluations> {
        let _call = PythonCall::begin()?;
        Python::attach(|py| {
            let Leaves { count, size, .. } = leaves;
            let rows = count.next_multiple_of(self.form.pad_to);
            let shape = [rows, leaves.num_planes, size.rows(), size.cols()];
            let cells = &leaves.planes;
            let planes = if self.form.is_float {
                array_of(py, shape, cells.iter().map(|&cell| f32::from(cell)))?.into_any()
            } else {
                let mut array = zeros::<u8, _>(shape)?;
                array.as_slice_mut()[..cells.len()].copy_from_slice(cells);
                array.into_array(py)?.into_any()
            };
            drop(leaves);
            let given = self.evaluator.bind(py).call1((planes,))?;
            let pair: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)> = given.extract().ok();
            let Some((logits, values)) = pair else {
                let needed = "an evaluator must return two arrays (logits, values)";
                return Err(wrong_type(needed, &given));
            };
            Ok(Evaluations {
                logits: floats(&logits, "logits", &[rows, size.num_actions()], count)?,
                values: floats(&values, "values", &[rows], count)?,
            })
        })
    }
}

/// The first rows of an array of this shape, or of anything that can be made one.
fn floats(
    value: &Bound<'_, PyAny>,
    what: &str,
    shape: &[usize],
    rows: usize,
) -> PyResult<Vec<f32>> {
    if !value.is_instance_of::<PyUntypedArray>() {
        check_lengths(value, what, shape)?;
    }
    let array = as_array(value)?;
    // Before anything is copied: a broadcast array may be larger than memory.
    if array.shape() != shape {
        let found = array.shape();
        return Err(PyValueError::new_err(format!(
            "an evaluator's {what} have shape {found:?}: {shape:?} is needed"
        )));
    }
    if !matches!(array.dtype().kind(), b'f' | b'i' | b'u') {
        let found = array.dtype();
        return Err(PyTypeError::new_err(format!(
            "an evaluator's {what} must be real numbers, not {found}"
        )));
    }
    let first = PySlice::new(value.py(), 0, rows as isize, 1);
    let array = if rows < shape[0] { array.get_item(first)?.cast_into()? } else { array };
    let rows = read_as::<f32, IxDyn>(&array)?;
    Ok(rows.as_array().as_standard_layout().into_owned().into_raw_vec_and_offset().0)
}

/// Refuses a sequence of the wrong length before its items are made an array: there may be any number.
fn check_lengths(value: &Bound<'_, PyAny>, what: &str, shape: &[usize]) -> PyResult<()> {
    let mut row = value.clone();
    for (axis, &needed) in shape.iter().enumerate() {
        let Ok(found) = row.len() else { break }; // NumPy knows what it is, or raises an error.
        if found != needed {
            return Err(PyValueError::new_err(format!(
                "an evaluator's {what} have length {found} along axis {axis}: shape {shape:?} is \
                 needed"
            )));
        }
        let Ok(first) = row.get_item(0) else { break };
        row = first;
    }
    Ok(())
}
