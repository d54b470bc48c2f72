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
    make: impl Fn(ArrayView2<'_, u8>) -> Result<Array2<T>, SizeError>,
) -> PyResult<Bound<'py, PyArray3<T>>> {
    let (py, input) = (planes.py(), planes.try_readonly()?);
    let (_, rows, cols) = input.as_array().dim();
    BoardSize::new(rows, cols)?;
    let mut made = Array3::default(input.as_array().dim());
    for (mut out, plane) in made.outer_iter_mut().zip(input.as_array().outer_iter()) {
        out.assign(&make(plane)?);
    }
    Ok(PyArray3::from_owned_array(py, made))
}
