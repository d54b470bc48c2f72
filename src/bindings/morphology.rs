//! Labels, dilation and liberties of many planes at once, for `sixplane.planes`.

use ndarray::{Array2, Array3, ArrayView2, ArrayView3};
use numpy::{PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::geometry::{BoardSize, SizeError};
use crate::morphology;

/// Labels `(N, rows, cols)` of the connected groups of each plane, `uint8` of 0 and 1.
///
/// 0 where the plane is 0, else 1, 2, … in the order of the groups' first points.
#[pyfunction]
pub(super) fn label_planes<'py>(
    planes: &Bound<'py, PyArray3<u8>>,
) -> PyResult<Bound<'py, PyArray3<i32>>> {
    let input = planes.try_readonly()?;
    let labels = each(&input.as_array(), |plane| Ok(morphology::label(&plane)?.0))?;
    Ok(PyArray3::from_owned_array(planes.py(), labels))
}

/// Each plane `(N, rows, cols)`, `uint8` of 0 and 1, grown by the cross of four neighbors.
#[pyfunction]
pub(super) fn dilate_planes<'py>(
    planes: &Bound<'py, PyArray3<u8>>,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let input = planes.try_readonly()?;
    let grown = each(&input.as_array(), |plane| morphology::dilate(&plane))?;
    Ok(PyArray3::from_owned_array(planes.py(), grown))
}

/// Number of liberties of the chain at each point of boards `(N, rows, cols)`; 0 where empty.
///
/// The boards are `uint8`: 0 empty, 1 and 2 stones of the two colors.
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
