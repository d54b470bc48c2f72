//! The coordinates around a board, for `sixplane.render`.

use pyo3::prelude::*;

use crate::geometry::BoardSize;
use crate::notation::Notation;

#[doc = stub!(coordinates)]
#[pyfunction]
pub(super) fn coordinates(
    rows: usize,
    cols: usize,
    skips_i: bool,
    row_one_at_top: bool,
) -> PyResult<(Vec<String>, Vec<String>)> {
    let (size, notation) = (BoardSize::new(rows, cols)?, Notation { skips_i, row_one_at_top });
    let columns = (0..cols).map(|col| notation.column(col).to_string()).collect();
    Ok((columns, (0..rows).map(|row| notation.row(size, row).to_string()).collect()))
}
