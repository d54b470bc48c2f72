//! Planes become NumPy arrays: those of a game, of a batch, and in arrays of the caller. (A step of a
//! batch writes its planes into memory that is used again: `step` in `arrays`.)

use numpy::{
    PyArray3, PyArray4, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;

use super::at_exit::PythonCall;
use super::convert::{type_name, wrong_type};
use super::memory::zeros;
use crate::batch::GameBatch;
use crate::game::Game;
use crate::planes::{NUM_PLANES, Planes};
use crate::state::State;
use crate::view::View;

/// The six planes of a game as a new array `(6, rows, cols)`.
pub(super) fn of_game<'py>(py: Python<'py>, planes: &Planes) -> Bound<'py, PyArray3<u8>> {
    PyArray3::from_array(py, &planes.view())
}

/// The planes of a game as a side sees them: the six, or with `history`, those of so many boards.
pub(super) fn as_seen<'py>(
    py: Python<'py>,
    state: &State,
    view: View,
    history: Option<usize>,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let count = history.map_or(NUM_PLANES, |k| 2 * k + 1);
    let mut cells = zeros([count, state.size().rows(), state.size().cols()])?;
    state.write_as_seen(view, history, cells.as_slice_mut());
    cells.into_array(py)
}

/// The six planes of all games as a new array `(B, 6, rows, cols)`.
pub(super) fn of_batch<'py, G: Game>(
    py: Python<'py>,
    batch: &GameBatch<G>,
) -> PyResult<Bound<'py, PyArray4<u8>>> {
    let mut cells = zeros([batch.len(), NUM_PLANES, batch.size().rows(), batch.size().cols()])?;
    py.detach(|| batch.write_planes(|_| View::Black, None, None, cells.as_slice_mut()));
    cells.into_array(py)
}

/// Writes planes into an array of uint8, bool or float32: the six planes, or with `history`, those
/// of so many boards, each as its view shows them.
pub(super) fn into_planes<G: Game>(
    out: &Bound<'_, PyAny>,
    batch: &GameBatch<G>,
    view: impl Fn(usize) -> View + Send + Sync,
    history: Option<usize>,
    index: Option<&[usize]>,
) -> PyResult<()> {
    let py = out.py();
    let count = index.map_or(batch.len(), <[usize]>::len);
    let size = batch.size();
    let planes = history.map_or(NUM_PLANES, |k| 2 * k + 1);
    let shape = [count, planes, size.rows(), size.cols()];
    let array = array_over(out)?;
    let is_flat = !out.is_instance_of::<PyUntypedArray>() && array.ndim() == 1;
    if array.shape() != shape && !(is_flat && array.len() == shape.iter().product::<usize>()) {
        let found = array.shape();
        return Err(PyValueError::new_err(format!("out has shape {found:?}: {shape:?} is needed")));
    }
    let not_ours = || PyValueError::new_err("out must be C-contiguous and writable");
    macro_rules! write_as {
        ($($type:ty),*) => {$(
            if let Ok(out) = array.cast::<PyArrayDyn<$type>>() {
                let mut out = out.try_readwrite().map_err(|_| not_ours())?;
                // A slice can be had of columns that lie one after another, too.
                let cells = out.as_slice_mut().ok().filter(|_| array.is_c_contiguous());
                let cells = cells.ok_or_else(not_ours)?;
                py.detach(|| batch.write_planes(view, history, index, cells));
                return Ok(());
            }
        )*};
    }
    write_as!(u8, bool, f32);
    Err(PyTypeError::new_err(format!(
        "out is of dtype {}: allowed are uint8, bool and float32",
        array.dtype()
    )))
}

/// A NumPy array over the memory of what the caller gave: an array, anything with a buffer, or
/// anything that speaks DLPack.
fn array_over<'py>(out: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    if let Ok(array) = out.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    let _call = PythonCall::begin()?;
    let numpy = out.py().import("numpy")?;
    if let Ok(buffer) = PyMemoryView::from(out) {
        return Ok(numpy.call_method1("asarray", (buffer,))?.cast_into()?);
    }
    if !out.hasattr("__dlpack__")? {
        let needed = "out must be an array, a buffer or a tensor in the processor's memory";
        return Err(wrong_type(needed, out));
    }
    let shared = numpy.call_method1("from_dlpack", (out,)).map_err(|error| {
        let (name, why) = (type_name(out), error.value(out.py()));
        let message = format!("out, a {name}, does not share its memory: {why}");
        let refused = PyTypeError::new_err(message);
        refused.set_cause(out.py(), Some(error));
        refused
    })?;
    if shared.getattr("flags")?.getattr("writeable")?.is_truthy()? {
        return Ok(shared.cast_into()?);
    }
    // What comes by the older protocol is read-only to NumPy, though its owner may allow writing:
    // then the owner's own array over the same memory does.
    let start = |array: &Bound<'py, PyAny>| -> PyResult<usize> {
        array.getattr("ctypes")?.getattr("data")?.extract()
    };
    match numpy.call_method1("asarray", (out,)) {
        Ok(own) if start(&own)? == start(&shared)? => Ok(own.cast_into()?),
        _ => Ok(shared.cast_into()?),
    }
}
