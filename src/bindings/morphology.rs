//! Labels, dilation and liberties of many planes at once, for `sixplane.planes`.

use ndarray::{Array2, Array3, ArrayView2, ArrayView3};
use numpy::{PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::geometry::{BoardSize, SizeError};
use crate::morphology;

#[doc = stub!(label_planes)]
#[pyfunction]
pub(super) fn label_planes<'py>(
    planes: &Bound<'py, PyArray3<u8>>,
) -> PyResult<Bound<'py, PyArray3<i32>>> {
    let input = planes.try_readonly()?;
    let labels = each(&input.as_array(), |plane| Ok(morphology::label(&plane)?.0))?;
    Ok(PyArray3::from_owned_array(planes.py(), labels))
}

#[doc = stub!(dilate_planes)]
#[pyfunction]
pub(super) fn dilate_planes<'py>(
    planes: &Bound<'py, PyArray3<u8>>,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let input = planes.try_readonly()?;
    let grown = each(&input.as_array(), |plane| morphology::dilate(&plane))?;
    Ok(PyArray3::from_owned_array(planes.py(), grown))
}

#[doc = stub!(chain_liberties)]
#[pyfunction]
pub(super) fn chain_liberties<'py>(
    boards: &Bound<'py, PyArray3<u8>>,
) -> PyResult<Bound<'py, PyArray3<i32>>> {
    let input = boards.try_readonly()?;
    let counts = each(&input.as_array(), |board| morphology::chain_liberties(&board))?;
    Ok(PyArray3::from_owned_array(boards.py(), counts))
}

/// What a function makes of each plane.
fn each<T: Clone + Default>(
    planes: &ArrayView3<'_, u8>,
    make: impl Fn(ArrayView2<'_, u8>) -> Result<Array2<T>, SizeError>,
) -> Result<Array3<T>, SizeError> {
    let (_, rows, cols) = planes.dim();
    BoardSize::new(rows, cols)?;
    let mut made = Array3::default(planes.dim());
    for (mut out, plane) in made.outer_iter_mut().zip(planes.outer_iter()) {
        out.assign(&make(plane)?);
    }
    Ok(made)
}
