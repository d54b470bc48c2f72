//! Go as pure functions on planes: what six planes can know, and no more.
//!
//! Everything is computed anew from the stones, by labelling and dilation, as if nothing were
//! known of the game before: so the only ko here is the simple one, which the invalid plane holds.
//! (Superko needs the history, and thus a game object.) The functions take `ndarray` views of any
//! [`Cell`] type in any memory layout, write answers into the caller's array, and keep nothing.
//!
//! A cell that is not zero counts as one. Turn, pass and done are read at the first cell of their
//! planes. The invalid plane decides: what it marks is illegal whatever the stones say, and an
//! empty point it does not mark may be played.
//!
//! ```
//! use ndarray::Array3;
//! use sixplane::functional::{Form, areas, next_state};
//! use sixplane::{Action, Plane};
//!
//! // . . .      . X .      . X .
//! // . . .  ->  . . .  ->  . O .
//! // . . .      . . .      . . .
//! let mut planes = Array3::<u8>::zeros((6, 3, 3));
//! for action in [1, 4] {
//!     let mut next = Array3::zeros((6, 3, 3));
//!     next_state(&planes.view(), Action::new(action), Form::Absolute, next.view_mut()).unwrap();
//!     planes = next;
//! }
//! assert_eq!(planes[[Plane::White as usize, 1, 1]], 1);
//! assert_eq!(areas(&planes.view()).unwrap().black, 1);
//! ```

mod error;
mod position;
mod rules;

use ndarray::{
    Array2, ArrayView, ArrayView3, ArrayView4, ArrayViewMut, ArrayViewMut3, ArrayViewMut4,
    CowArray, Dimension,
};

pub use error::{BoardError, PlanesError};
pub use position::Form;

use crate::bits::Frame;
use crate::color::ByColor;
use crate::geometry::{Action, BoardSize};
use crate::morphology::{self, to_plane};
use crate::planes::{Cell, NUM_PLANES, Plane, read_bits};
use crate::view::exchange_colors;
use crate::with_words;
use position::{Position, plane};

/// The board whose six planes an array of this shape holds, or each entry of a batch.
pub(crate) fn board_size(shape: &[usize]) -> Result<BoardSize, PlanesError> {
    match *shape {
        [NUM_PLANES, rows, cols] | [_, NUM_PLANES, rows, cols] => BoardSize::new(rows, cols).ok(),
        _ => None,
    }
    .ok_or_else(|| PlanesError::Shape(shape.to_vec()))
}

/// Writes the six planes after `action` into `out`, which has the shape of `planes`.
///
/// The second of two passes in a row ends the game; the turn changes all the same.
///
/// ```
/// use ndarray::Array3;
/// use sixplane::functional::{Form, next_state};
/// use sixplane::{Action, Game, Go, Plane};
///
/// let game = Go::new(3)?;
/// let mut next = Array3::zeros((6, 3, 3));
/// next_state(&game.planes(), Action::new(4), Form::Canonical, next.view_mut())?;
/// assert_eq!(next[[Plane::White as usize, 1, 1]], 1); // the stone is the opponent's now
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanesError`] if the planes are no position, the game is over, the board has no such action, or
/// the point is occupied or marked in the invalid plane. `out` is unchanged then.
pub fn next_state<T: Cell>(
    planes: &ArrayView3<'_, T>,
    action: Action,
    form: Form,
    mut out: ArrayViewMut3<'_, T>,
) -> Result<(), PlanesError> {
    let size = board_size(planes.shape())?;
    let planes = planes.as_standard_layout();
    let out = output_of(&mut out, planes.shape())?;
    with_words!(size, W => step::<W, T>(&Frame::new(size), cells_of(&planes), action, form, out))
}

/// Writes the six planes after one action on each board into `out`; all arrays of boards are
/// `(B, 6, rows, cols)`.
///
/// ```
/// use ndarray::Array4;
/// use sixplane::functional::{Form, batch_next_states};
/// use sixplane::{Action, Plane};
///
/// let boards = Array4::<f32>::zeros((2, 6, 3, 3));
/// let mut next = boards.clone();
/// let actions = [Action::new(4), Action::new(9)]; // the second board's player passes
/// batch_next_states(&boards.view(), &actions, Form::Absolute, next.view_mut())?;
/// assert_eq!(next[[0, Plane::Black as usize, 1, 1]], 1.0);
/// assert_eq!(next[[1, Plane::Pass as usize, 0, 0]], 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BoardError`] if any board has no such [next state](next_state), or the shapes do not fit
/// together; what `out` holds then means nothing.
pub fn batch_next_states<T: Cell>(
    planes: &ArrayView4<'_, T>,
    actions: &[Action],
    form: Form,
    mut out: ArrayViewMut4<'_, T>,
) -> Result<(), BoardError> {
    let size = board_size(planes.shape())?;
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

/// [`next_state`] on cells that lie one after another.
#[inline]
fn step<const W: usize, T: Cell>(
    frame: &Frame<W>,
    cells: &[T],
    action: Action,
    form: Form,
    out: &mut [T],
) -> Result<(), PlanesError> {
    let size = frame.size();
    let position = Position::<W>::read(size, cells)?;
    let invalid = plane(size, cells, Plane::Invalid);
    let marked = invalid.get(action.index()).is_some_and(|cell| cell.is_set());
    position.check(frame, action, marked).map_err(|why| PlanesError::Illegal {
        action,
        size,
        why,
    })?;
    position.next(frame, action).write(frame, form, out);
    Ok(())
}

/// The invalid plane of the player to play, `(rows, cols)`, from the stones alone: occupied points
/// and suicide, but no ko.
///
/// ```
/// use sixplane::functional::invalid_plane;
/// use sixplane::{Color, Game, Go};
///
/// let game = Go::from_text("
///     . X .
///     X . .
///     . . .", Color::White)?;
/// assert_eq!(invalid_plane(&game.planes())?.to_string(), "\
/// [[1, 1, 0],
///  [1, 0, 0],
///  [0, 0, 0]]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanesError`] if the planes are no position.
pub fn invalid_plane<T: Cell>(planes: &ArrayView3<'_, T>) -> Result<Array2<T>, PlanesError> {
    let size = board_size(planes.shape())?;
    let planes = planes.as_standard_layout();
    with_words!(size, W => {
        let position = Position::<W>::read(size, cells_of(&planes))?;
        Ok(to_plane(size, position.invalid(&Frame::new(size))))
    })
}

/// What the player to play may do, in ascending order, the pass last; nothing in a finished game.
///
/// ```
/// use sixplane::functional::legal_actions;
/// use sixplane::{Color, Game, Go};
///
/// let game = Go::from_text("
///     . X
///     X .", Color::White)?;
/// let legal: Vec<_> = legal_actions(&game.planes())?.iter().map(|action| action.index()).collect();
/// assert_eq!(legal, [4]); // only the pass
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanesError`] if the planes are no position.
pub fn legal_actions<T: Cell>(planes: &ArrayView3<'_, T>) -> Result<Vec<Action>, PlanesError> {
    let size = board_size(planes.shape())?;
    let planes = planes.as_standard_layout();
    with_words!(size, W => {
        let position = Position::<W>::read(size, cells_of(&planes))?;
        let invalid = read_bits(plane(size, cells_of(&planes), Plane::Invalid));
        let ByColor { black, white } = position.stones;
        let points = Frame::<W>::new(size).board() & !(black | white | invalid);
        let actions = points.iter().map(Action::new).chain([size.pass()]);
        Ok(if position.done { Vec::new() } else { actions.collect() })
    })
}

/// The area of each color: its stones, and the empty points of regions that touch no other color.
///
/// ```
/// use sixplane::functional::areas;
/// use sixplane::{ByColor, Color, Game, Go};
///
/// let game = Go::from_text("
///     . X . O
///     X X . O", Color::Black)?;
/// assert_eq!(areas(&game.planes())?, ByColor { black: 4, white: 2 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanesError`] if the planes are no position.
pub fn areas<T: Cell>(planes: &ArrayView3<'_, T>) -> Result<ByColor<usize>, PlanesError> {
    let size = board_size(planes.shape())?;
    let planes = planes.as_standard_layout();
    with_words!(size, W => {
        let ByColor { black, white } = Position::<W>::read(size, cells_of(&planes))?.stones;
        let [black, white] = morphology::areas(&Frame::new(size), [black, white]);
        Ok(ByColor { black: black.count(), white: white.count() })
    })
}

/// The [areas] of each board of `(B, 6, rows, cols)`.
///
/// ```
/// use ndarray::Array4;
/// use sixplane::functional::batch_areas;
/// use sixplane::{ByColor, Plane};
///
/// let mut boards = Array4::<u8>::zeros((2, 6, 3, 3));
/// boards[[0, Plane::White as usize, 1, 1]] = 1;
/// let (all, none) = (ByColor { black: 0, white: 9 }, ByColor { black: 0, white: 0 });
/// assert_eq!(batch_areas(&boards.view())?, [all, none]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BoardError`] if any board is no position, or the shape is not that of six planes.
pub fn batch_areas<T: Cell>(planes: &ArrayView4<'_, T>) -> Result<Vec<ByColor<usize>>, BoardError> {
    board_size(planes.shape())?;
    let fault = |index| move |error| BoardError { index: Some(index), error };
    let boards = planes.outer_iter().enumerate();
    boards.map(|(index, board)| areas(&board).map_err(fault(index))).collect()
}

/// The empty points next to a stone of each color, `(rows, cols)`.
///
/// ```
/// use sixplane::functional::liberties;
/// use sixplane::{Color, Game, Go};
///
/// let game = Go::from_text("
///     X O
///     . .", Color::Black)?;
/// let liberties = liberties(&game.planes())?;
/// assert_eq!(liberties.black.to_string(), "\
/// [[false, false],
///  [true, false]]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanesError`] if the planes are no position.
pub fn liberties<T: Cell>(
    planes: &ArrayView3<'_, T>,
) -> Result<ByColor<Array2<bool>>, PlanesError> {
    let size = board_size(planes.shape())?;
    let planes = planes.as_standard_layout();
    with_words!(size, W => {
        let ByColor { black, white } = Position::<W>::read(size, cells_of(&planes))?.stones;
        let frame = Frame::new(size);
        let empty = frame.board() & !(black | white);
        let beside = |stones| to_plane(size, frame.dilate(stones, empty));
        Ok(ByColor { black: beside(black), white: beside(white) })
    })
}

/// Writes the next states of the legal actions into `out`, in the order of [`legal_actions`], which
/// has `k` entries: `(k, 6, rows, cols)`. With `padded` those of all actions,
/// `(rows * cols + 1, 6, rows, cols)`, the illegal ones all 0.
///
/// ```
/// use ndarray::Array4;
/// use sixplane::functional::{Form, children};
/// use sixplane::{Game, Go};
///
/// let game = Go::new(3)?;
/// let mut next = Array4::zeros((10, 6, 3, 3)); // nine points and the pass
/// children(&game.planes(), Form::Absolute, true, next.view_mut())?;
/// assert_eq!(next[[4, 0, 1, 1]], 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanesError`] if the planes are no position, or `out` is not of that shape.
pub fn children<T: Cell>(
    planes: &ArrayView3<'_, T>,
    form: Form,
    padded: bool,
    mut out: ArrayViewMut4<'_, T>,
) -> Result<(), PlanesError> {
    let legal = legal_actions(planes)?;
    let size = board_size(planes.shape())?;
    let count = if padded { size.num_actions() } else { legal.len() };
    let out = output_of(&mut out, &[count, NUM_PLANES, size.rows(), size.cols()])?;
    let planes = planes.as_standard_layout();
    let mut legal = legal.into_iter().peekable();
    with_words!(size, W => {
        let frame = Frame::<W>::new(size);
        let position = Position::<W>::read(size, cells_of(&planes))?;
        for (index, child) in out.chunks_exact_mut(planes.len()).enumerate() {
            match legal.next_if(|action| !padded || action.index() == index) {
                Some(action) => position.next(&frame, action).write(&frame, form, child),
                None => child.fill(T::ZERO),
            }
        }
        Ok(())
    })
}

/// Writes planes into `out` with colors exchanged if White is to play: planes 0 and 1 change places
/// and the turn becomes Black's. The other planes are copied. Both arrays are `(6, rows, cols)`, or
/// `(B, 6, rows, cols)` of many boards.
///
/// ```
/// use ndarray::Array3;
/// use sixplane::functional::canonical_form;
/// use sixplane::{Game, Go, Plane};
///
/// let mut game = Go::new(3)?;
/// game.play_at(1, 1)?;
/// let mut form = Array3::zeros((6, 3, 3));
/// canonical_form(&game.planes(), form.view_mut())?;
/// assert_eq!(form[[Plane::White as usize, 1, 1]], 1);
/// assert_eq!(form[[Plane::Turn as usize, 0, 0]], 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanesError`] if the shapes are not those of six planes.
pub fn canonical_form<T: Cell, D: Dimension>(
    planes: &ArrayView<'_, T, D>,
    mut out: ArrayViewMut<'_, T, D>,
) -> Result<(), PlanesError> {
    let points = board_size(planes.shape())?.points();
    let out = output_of(&mut out, planes.shape())?;
    out.copy_from_slice(cells_of(&planes.as_standard_layout()));
    for board in out.chunks_exact_mut(NUM_PLANES * points) {
        let (stones, rest) = board.split_at_mut(Plane::Turn as usize * points);
        if rest[0].is_set() {
            exchange_colors(stones, points);
            rest[..points].fill(T::ZERO);
        }
    }
    Ok(())
}

/// The cells of an array that `as_standard_layout` gave.
fn cells_of<'a, T, D: Dimension>(array: &'a CowArray<'_, T, D>) -> &'a [T] {
    array.as_slice().expect("in standard layout")
}

/// The cells of an output, once its shape and its memory layout have been found right.
fn output_of<'a, T, D: Dimension>(
    out: &'a mut ArrayViewMut<'_, T, D>,
    wanted: &[usize],
) -> Result<&'a mut [T], PlanesError> {
    if out.shape() != wanted || !out.is_standard_layout() {
        let (wanted, given) = (wanted.to_vec(), out.shape().to_vec());
        return Err(PlanesError::Output { wanted, given });
    }
    Ok(out.as_slice_mut().expect("found in standard layout"))
}
