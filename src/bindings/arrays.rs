//! Arrays of a batch: actions in, rows out.

use numpy::{
    PyArray1, PyArray4, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use super::convert::type_name;
use super::held::AnyBatch;
use crate::batch::{BatchError, Finals};
use crate::geometry::BoardSize;
use crate::planes::NUM_PLANES;
use crate::rows::RowsMut;

/// Integers of one dimension from an array of any integer type, or anything that can be
/// made one.
/// A number beyond 64 bits becomes the largest, which is no action either.
pub(super) fn actions(value: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    if let Ok(array) = value.cast::<PyArray1<i64>>() {
        return Ok(array.readonly().as_array().to_vec());
    }
    let numpy = value.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (value,))?;
    let array = array.cast_into::<PyUntypedArray>()?;
    if array.ndim() != 1 {
        let message = format!("actions of {} dimensions: one is needed", array.ndim());
        return Err(PyValueError::new_err(message));
    }
    match array.dtype().kind() {
        b'u' => {
            let wide = array.call_method1("astype", ("uint64",))?;
            let wide = wide.cast_into::<PyArray1<u64>>()?.readonly();
            Ok(wide.as_array().iter().map(|&n| i64::try_from(n).unwrap_or(i64::MAX)).collect())
        }
        b'i' => array.call_method1("astype", ("int64",))?.extract(),
        _ => Err(PyTypeError::new_err(format!(
            "actions must be integers, not an array of {}",
            array.dtype()
        ))),
    }
}

/// So many booleans.
pub(super) fn flags(value: &Bound<'_, PyAny>, what: &str, count: usize) -> PyResult<Vec<bool>> {
    let numpy = value.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (value,))?;
    let Ok(array) = array.cast::<PyArray1<bool>>() else {
        let found = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!(
            "{what} must be a boolean array of one dimension, not {found} of shape {}",
            array.getattr("shape")?
        )));
    };
    if array.len() != count {
        let found = array.len();
        return Err(PyValueError::new_err(format!("{what} of {found} for {count} games")));
    }
    Ok(array.readonly().as_array().to_vec())
}

/// Writes planes into the caller's array of uint8, bool or float32: the six planes, or with
/// `history`, those of so many boards.
pub(super) fn into_planes(
    out: &Bound<'_, PyAny>,
    batch: &dyn AnyBatch,
    history: Option<usize>,
    index: Option<&[usize]>,
) -> PyResult<()> {
    let py = out.py();
    let (count, size) = (index.map_or(batch.len(), <[usize]>::len), batch.size());
    let planes = history.map_or(NUM_PLANES, |k| 2 * k + 1);
    let shape = [count, planes, size.rows(), size.cols()];
    let Ok(untyped) = out.cast::<PyUntypedArray>() else {
        let found = type_name(out);
        return Err(PyTypeError::new_err(format!("out must be a NumPy array, not {found}")));
    };
    if untyped.shape() != shape {
        let found = untyped.shape();
        return Err(PyValueError::new_err(format!("out has shape {found:?}: {shape:?} is needed")));
    }
    let no_memory = || PyValueError::new_err("out must be C-contiguous and writable");
    macro_rules! write {
        ($($type:ty, $write:ident;)*) => {$(
            if let Ok(out) = out.cast::<PyArrayDyn<$type>>() {
                let mut out = out.try_readwrite().map_err(|_| no_memory())?;
                let cells = out.as_slice_mut().map_err(|_| no_memory())?;
                py.detach(|| batch.$write(history, index, cells));
                return Ok(());
            }
        )*};
    }
    write!(u8, write_planes_u8; bool, write_planes_bool; f32, write_planes_f32;);
    Err(PyTypeError::new_err(format!(
        "out is of dtype {}: allowed are uint8, bool and float32",
        untyped.dtype()
    )))
}

/// The arrays handed out lately, to be written again once nobody else holds them.
#[derive(Default)]
pub(super) struct Buffers {
    kept: Vec<Py<PyAny>>,
}

/// How many hold an object.
#[allow(unsafe_code)]
fn references(_attached: Python<'_>, object: &Py<PyAny>) -> isize {
    // SAFETY: the object is alive, as `Py` holds it, and the count is read while attached to the
    // interpreter, so nobody changes it meanwhile.
    unsafe { pyo3::ffi::Py_REFCNT(object.as_ptr()) }
}

/// The named tuple of a step.
static BATCH_STEP: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Arrays kept: those of this step and of the one before, which a loop still holds.
const KEPT: usize = 20;

impl Buffers {
    /// An array that nobody else holds, of this type and shape.
    fn take<'py, T: numpy::Element>(
        &mut self,
        py: Python<'py>,
        shape: &[usize],
    ) -> Bound<'py, PyArrayDyn<T>> {
        // The one that was used last: the processor may still have it at hand.
        let free = self.kept.iter().rposition(|kept| {
            // A view or a wrapper of the array would hold it as well.
            references(py, kept) == 1
                && kept.bind(py).cast::<PyArrayDyn<T>>().is_ok_and(|array| array.shape() == shape)
        });
        if let Some(index) = free {
            if let Ok(array) = self.kept.remove(index).into_bound(py).cast_into() {
                return array;
            }
        }
        PyArrayDyn::zeros(py, shape, false)
    }

    fn keep(&mut self, array: Bound<'_, PyAny>) {
        if self.kept.len() >= KEPT {
            self.kept.remove(0);
        }
        self.kept.push(array.unbind());
    }

    /// Steps into arrays and makes them the named tuple that users get.
    pub(super) fn step<'py>(
        &mut self,
        py: Python<'py>,
        count: usize,
        size: BoardSize,
        step: impl FnOnce(RowsMut<'_>) -> Result<Finals, BatchError>,
    ) -> PyResult<Result<Bound<'py, PyAny>, BatchError>> {
        let shape = [count, NUM_PLANES, size.rows(), size.cols()];
        let planes = self.take::<u8>(py, &shape);
        let masks = self.take::<i8>(py, &[count, size.num_actions()]);
        let turns = self.take::<i8>(py, &[count]);
        let outcomes = self.take::<i8>(py, &[count]);
        let rewards = self.take::<f32>(py, &[count]);
        let scores = self.take::<f32>(py, &[count]);
        let terminated = self.take::<bool>(py, &[count]);
        let truncated = self.take::<bool>(py, &[count]);
        let stepped = step(RowsMut {
            size,
            planes: planes.readwrite().as_slice_mut()?,
            masks: masks.readwrite().as_slice_mut()?,
            turns: turns.readwrite().as_slice_mut()?,
            rewards: rewards.readwrite().as_slice_mut()?,
            terminated: terminated.readwrite().as_slice_mut()?,
            truncated: truncated.readwrite().as_slice_mut()?,
            outcomes: outcomes.readwrite().as_slice_mut()?,
            scores: scores.readwrite().as_slice_mut()?,
        });
        let arrays = [
            planes.into_any(),
            masks.into_any(),
            turns.into_any(),
            rewards.into_any(),
            terminated.into_any(),
            truncated.into_any(),
            outcomes.into_any(),
            scores.into_any(),
        ];
        let result = match stepped {
            Err(error) => Err(error),
            Ok(finals) => {
                let shape = [finals.index.len(), NUM_PLANES, size.rows(), size.cols()];
                let index = PyArray1::from_vec(py, finals.index);
                let last: Bound<'_, PyArray4<u8>> =
                    PyArray1::from_vec(py, finals.planes).reshape(shape)?;
                let [planes, masks, turns, rewards, terminated, truncated, outcomes, scores] =
                    &arrays;
                let class = BATCH_STEP.import(py, "sixplane.batch", "BatchStep")?;
                Ok(class.call1((
                    planes, masks, turns, rewards, terminated, truncated, outcomes, scores, index,
                    last,
                ))?)
            }
        };
        for array in arrays {
            self.keep(array);
        }
        Ok(result)
    }
}
