//! Random legal actions from action masks.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::NO_ACTION;
use crate::planes::read_bits;

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
        rows.map(|(mask, &uniform)| sample(mask, uniform).map_or(NO_ACTION, |a| a as i64)).collect()
    };
    Ok(PyArray1::from_vec(py, actions))
}

/// The action that a uniform number from `0.0..1.0` chooses, each legal one with the same
/// probability; `None` if none is legal.
fn sample(mask: &[u8], uniform: f64) -> Option<usize> {
    /// Cells at a time: the masks of all boards fit.
    const CELLS: usize = 640;
    let parts = || mask.chunks(CELLS).map(read_bits::<{ CELLS / 64 }, u8>);
    let count: usize = parts().map(|part| part.count()).sum();
    // A product that rounds up to the count would be one too many.
    let mut rank = ((uniform * count as f64) as usize).min(count.checked_sub(1)?);
    parts().enumerate().find_map(|(i, part)| {
        let found = (rank < part.count()).then(|| i * CELLS + part.nth(rank));
        rank = rank.saturating_sub(part.count());
        found
    })
}
