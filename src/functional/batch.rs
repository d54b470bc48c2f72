//! The same for many boards at once; by law equal to one board at a time.

use ndarray::{ArrayView4, ArrayViewMut4};

use super::error::{BoardError, PlanesError};
use super::position::Form;
use super::{areas, board_size, canonical_form, cells_of, output_of, step};
use crate::bits::Frame;
use crate::color::ByColor;
use crate::geometry::{Action, BoardSize};
use crate::planes::{Cell, NUM_PLANES};
use crate::with_words;

/// The board whose six planes each entry of a batch holds, from its shape `(B, 6, rows, cols)`.
///
/// # Errors
/// [`PlanesError::Shape`] if it is no such shape.
pub fn batch_board_size(shape: &[usize]) -> Result<BoardSize, PlanesError> {
    match shape {
        [_, planes @ ..] if shape.len() == 4 => board_size(planes),
        _ => Err(PlanesError::Shape(shape.to_vec())),
    }
}

/// Writes the six planes after one action on each board into `out`; all arrays of boards are
/// `(B, 6, rows, cols)`.
///
/// # Errors
/// [`BoardError`] if any board has no such [next state](super::next_state), or the shapes do not
/// fit together; what `out` holds then means nothing.
pub fn batch_next_states<T: Cell>(
    planes: &ArrayView4<'_, T>,
    actions: &[Action],
    form: Form,
    mut out: ArrayViewMut4<'_, T>,
) -> Result<(), BoardError> {
    let size = batch_board_size(planes.shape())?;
    let boards = planes.shape()[0];
    if actions.len() != boards {
        return Err(PlanesError::Actions { boards, actions: actions.len() }.into());
    }
    let planes = planes.as_standard_layout();
    let out = output_of(&mut out, planes.shape())?;
    let cells = NUM_PLANES * size.points();
    with_words!(size, W => {
        let frame = Frame::<W>::new(size);
        let boards = cells_of(&planes).chunks_exact(cells).zip(out.chunks_exact_mut(cells));
        for (index, ((board, next), &action)) in boards.zip(actions).enumerate() {
            step::<W, T>(&frame, board, action, form, next)
                .map_err(|error| BoardError { index: Some(index), error })?;
        }
        Ok(())
    })
}

/// The [areas] of each board of `(B, 6, rows, cols)`.
///
/// # Errors
/// [`BoardError`] if any board is no position, or the shape is not that of six planes.
pub fn batch_areas<T: Cell>(planes: &ArrayView4<'_, T>) -> Result<Vec<ByColor<usize>>, BoardError> {
    batch_board_size(planes.shape())?;
    let fault =
        |index| move |error: PlanesError| BoardError { index: Some(index), error: error.into() };
    planes
        .outer_iter()
        .enumerate()
        .map(|(index, board)| areas(&board).map_err(fault(index)))
        .collect()
}

/// Writes the [canonical form](super::canonical_form) of each board into `out`; both arrays are
/// `(B, 6, rows, cols)`.
///
/// # Errors
/// [`PlanesError`] if the shapes are not those of six planes.
pub fn batch_canonical_form<T: Cell>(
    planes: &ArrayView4<'_, T>,
    mut out: ArrayViewMut4<'_, T>,
) -> Result<(), PlanesError> {
    batch_board_size(planes.shape())?;
    if out.shape() != planes.shape() {
        return Err(PlanesError::output(planes.shape(), out.shape()));
    }
    planes
        .outer_iter()
        .zip(out.outer_iter_mut())
        .try_for_each(|(board, out)| canonical_form(&board, out))
}
