//! Morphology of planes: connected groups by flood-fill labelling, liberties by dilation.
//!
//! Functions on [`Bits`], and the same on `ndarray` planes of any [`Cell`]. Points are
//! connected along lines, never along diagonals.

use ndarray::{Array2, ArrayView2};

use crate::bits::{Bits, Frame};
use crate::geometry::{BoardSize, SizeError};
use crate::planes::{Cell, write_bits};
use crate::with_words;

/// The connected groups of a set, in the order of their lowest points.
///
/// ```
/// use sixplane::bits::{Bits, Frame};
/// use sixplane::{BoardSize, morphology};
///
/// let frame = Frame::<1>::new(BoardSize::square(3).unwrap());
/// // # # .      0 0 .
/// // . . #  ->  . . 1
/// // # . #      2 . 1
/// let plane: Bits<1> = [0, 1, 5, 6, 8].into_iter().collect();
/// let groups: Vec<Vec<usize>> =
///     morphology::groups(&frame, plane).map(|group| group.iter().collect()).collect();
/// assert_eq!(groups, [vec![0, 1], vec![5, 8], vec![6]]);
/// ```
pub fn groups<const W: usize>(
    frame: &Frame<W>,
    set: Bits<W>,
) -> impl Iterator<Item = Bits<W>> + '_ {
    let mut left = set & frame.board();
    std::iter::from_fn(move || {
        let group = frame.fill(Bits::point(left.first()?), left);
        left &= !group;
        Some(group)
    })
}

/// Labels the connected groups of a plane: `(rows, cols)` of `i32`, 0 where the plane is 0, else
/// 1, 2, … in the order of the groups' first points; and how many there are.
///
/// # Errors
/// [`SizeError`] if rows or columns are not from 2 to 25.
///
/// ```
/// use ndarray::array;
/// use sixplane::morphology::label;
///
/// let (labels, count) = label(&array![[1_u8, 1, 0], [0, 0, 1], [1, 0, 1]].view()).unwrap();
/// assert_eq!(labels, array![[1, 1, 0], [0, 0, 2], [3, 0, 2]]);
/// assert_eq!(count, 3);
/// ```
pub fn label<T: Cell>(plane: &ArrayView2<'_, T>) -> Result<(Array2<i32>, usize), SizeError> {
    let size = size_of(plane)?;
    Ok(with_words!(size, W => {
        let frame = Frame::<W>::new(size);
        let mut labels = Array2::zeros(plane.dim());
        let mut count = 0;
        for group in groups(&frame, to_bits(plane, T::is_set)) {
            count += 1;
            fill(&mut labels, group, count as i32);
        }
        (labels, count)
    }))
}

/// A plane grown by the cross of four neighbors, `(rows, cols)`.
///
/// # Errors
/// [`SizeError`] if rows or columns are not from 2 to 25.
///
/// ```
/// use ndarray::array;
/// use sixplane::morphology::dilate;
///
/// let grown = dilate(&array![[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]].view()).unwrap();
/// assert_eq!(grown, array![[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]]);
/// ```
pub fn dilate<T: Cell>(plane: &ArrayView2<'_, T>) -> Result<Array2<T>, SizeError> {
    let size = size_of(plane)?;
    Ok(
        with_words!(size, W => to_plane(size, Frame::<W>::new(size).dilate(to_bits(plane, T::is_set)))),
    )
}

/// The number of liberties of the chain at each point of a board, `(rows, cols)`; 0 where it is
/// empty. A board has 0 where it is empty, and 1 and 2 for the two colors.
///
/// # Errors
/// [`SizeError`] if rows or columns are not from 2 to 25.
///
/// ```
/// use ndarray::array;
/// use sixplane::morphology::chain_liberties;
///
/// let board = array![[1, 1, 0], [2, 0, 0], [2, 2, 0]];
/// let liberties = chain_liberties(&board.view()).unwrap();
/// assert_eq!(liberties, array![[2, 2, 0], [2, 0, 0], [2, 2, 0]]);
/// ```
pub fn chain_liberties(board: &ArrayView2<'_, u8>) -> Result<Array2<i32>, SizeError> {
    let size = size_of(board)?;
    let mut counts = Array2::zeros(board.dim());
    with_words!(size, W => {
        let frame = Frame::<W>::new(size);
        let [empty, black, white] = [0, 1, 2].map(|color| to_bits(board, |cell| cell == color));
        for chain in groups(&frame, black).chain(groups(&frame, white)) {
            fill(&mut counts, chain, frame.neighbors_in(chain, empty).count() as i32);
        }
    });
    Ok(counts)
}

fn size_of<T>(plane: &ArrayView2<'_, T>) -> Result<BoardSize, SizeError> {
    BoardSize::new(plane.nrows(), plane.ncols())
}

/// The points of a plane of any memory layout whose cells are as asked.
fn to_bits<const W: usize, T: Cell>(
    plane: &ArrayView2<'_, T>,
    is_in: impl Fn(T) -> bool,
) -> Bits<W> {
    plane.iter().enumerate().filter(|&(_, &cell)| is_in(cell)).map(|(point, _)| point).collect()
}

fn fill<const W: usize>(plane: &mut Array2<i32>, points: Bits<W>, value: i32) {
    let cols = plane.ncols();
    points.iter().for_each(|point| plane[[point / cols, point % cols]] = value);
}

pub(crate) fn to_plane<const W: usize, T: Cell>(size: BoardSize, bits: Bits<W>) -> Array2<T> {
    let mut plane = Array2::from_elem((size.rows(), size.cols()), T::ZERO);
    write_bits(&bits, plane.as_slice_mut().unwrap_or_default());
    plane
}
