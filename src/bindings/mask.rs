//! Random legal actions from action masks.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::NO_ACTION;
use crate::mask::draw;

/// The action of each mask `(n, A)` that a number from 0 to 1 chooses; -1 where none is legal.
#[pyfunction]
pub(super) fn draw_legal<'py>(
    masks: &Bound<'py, PyArray2<u8>>,
    uniforms: &Bound<'py, PyArray1<f64>>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (py, masks, uniforms) = (masks.py(), masks.try_readonly()?, uniforms.try_readonly()?);
    let (masks, uniforms) = (masks.as_array(), uniforms.as_array());
    let contiguous = || PyValueError::new_err("masks must be C-contiguous");
    let cells = masks.as_slice().ok_or_else(contiguous)?;
    if masks.nrows() != uniforms.len() {
        return Err(PyValueError::new_err("one number a mask is needed"));
    }
    let actions = if masks.ncols() == 0 {
        vec![NO_ACTION; uniforms.len()]
    } else {
        let rows = cells.chunks_exact(masks.ncols()).zip(uniforms);
        rows.map(|(mask, &uniform)| draw(mask, uniform).map_or(NO_ACTION, |a| a as i64)).collect()
    };
    Ok(PyArray1::from_vec(py, actions))
}
