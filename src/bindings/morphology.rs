//! Labels, dilation and liberties of many planes at once, for `sixplane.planes`.

use ndarray::{Array2, Array3, ArrayView2};
use numpy::{Element, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::geometry::{BoardSize, SizeError};
use crate::morphology;

#[doc = stub!(label_planes)]
#[pyfunction]
pub(super) fn label_planes<'py>(
    planes: &Bound<'py, PyArray3<u8>>,
) -> PyResult<Bound<'py, PyArray3<i32>>> {
    each(planes, |plane| Ok(morphology::label(&plane)?.0))
}

#[doc = stub!(dilate_planes)]
#[pyfunction]
pub(super) fn dilate_planes<'py>(
    planes: &Bound<'py, PyArray3<u8>>,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    each(planes, |plane| morphology::dilate(&plane))
}

#[doc = stub!(chain_liberties)]
#[pyfunction]
pub(super) fn chain_liberties<'py>(
    boards: &Bound<'py, PyArray3<u8>>,
) -> PyResult<Bound<'py, PyArray3<i32>>> {
    each(boards, |board| morphology::chain_liberties(&board))
}

/// What a function makes of each plane.
fn each<'py, T: Element + Clone + Default>(
    planes: &Bound<'py, PyArray3<u8>>,
    make: impl Fn(ArrayView2<'_, u8>) -> Result<Array2<T>, SizeError> + Sync,
) -> PyResult<Bound<'py, PyArray3<T>>> {
    let (py, input) = (planes.py(), planes.try_readonly()?);
    let planes = input.as_array();
    let (count, rows, cols) = planes.dim();
    BoardSize::new(rows, cols)?;
    let compute = || {
        let mut made = Array3::default(planes.dim());
        for (mut out, plane) in made.outer_iter_mut().zip(planes.outer_iter()) {
            out.assign(&make(plane)?);
        }
        Ok::<_, SizeError>(made)
    };
    // One plane is computed in less time than it takes to let other threads run.
    let made = if count > 1 { py.detach(compute)? } else { compute()? };
    Ok(PyArray3::from_owned_array(py, made))
}
