//! Morphology of planes: connected groups by flood-fill labelling, liberties by dilation, enclosed
//! regions of empty points.
//!
//! Functions on [`Bits`], and the same on `ndarray` planes of any [`Cell`]. Points are
//! connected along lines, never along diagonals.

use ndarray::{Array2, ArrayView2};

use crate::bits::{Bits, Frame};
use crate::color::{ByColor, Color};
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

/// The points of `within` connected to `seed` inside `within`, unless one of them is in `goal`:
/// then `None`, as soon as that is known.
///
/// With the stones of one color as `within` and those next to an empty point as `goal`, the answer
/// is a chain without liberties.
#[must_use]
#[inline]
pub fn fill_without<const W: usize>(
    frame: &Frame<W>,
    seed: Bits<W>,
    within: Bits<W>,
    goal: Bits<W>,
) -> Option<Bits<W>> {
    let mut filled = seed & within;
    loop {
        if !(filled & goal).is_empty() {
            return None;
        }
        let grown = frame.neighbors_in(filled, within) & !filled;
        if grown.is_empty() {
            return Some(filled);
        }
        filled |= grown;
    }
}

/// A connected group of empty points, as large as can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region<const W: usize> {
    /// Its points.
    pub points: Bits<W>,
    /// Whether a stone of each color is next to one of them.
    pub touches: ByColor<bool>,
}

impl<const W: usize> Region<W> {
    /// The color that alone surrounds the region, if one does.
    #[must_use]
    pub fn owner(&self) -> Option<Color> {
        match (self.touches.black, self.touches.white) {
            (true, false) => Some(Color::Black),
            (false, true) => Some(Color::White),
            _ => None,
        }
    }
}

/// The regions of empty points that stones and the board's edge enclose, in the order of their
/// lowest points.
pub fn regions<const W: usize>(
    frame: &Frame<W>,
    stones: ByColor<Bits<W>>,
) -> impl Iterator<Item = Region<W>> + '_ {
    groups(frame, !(stones.black | stones.white)).map(move |points| {
        let border = frame.neighbors(points);
        let touches = ByColor {
            black: !(border & stones.black).is_empty(),
            white: !(border & stones.white).is_empty(),
        };
        Region { points, touches }
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
        for group in groups(&frame, to_bits(plane)) {
            count += 1;
            for point in group {
                labels[[point / size.cols(), point % size.cols()]] = count;
            }
        }
        (labels, count as usize)
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
    Ok(with_words!(size, W => to_plane(size, Frame::<W>::new(size).dilate(to_bits(plane)))))
}

/// The liberties of a group, `(rows, cols)`: the points of `empty` next to a point of `group`.
///
/// # Errors
/// [`SizeError`] if rows or columns are not from 2 to 25.
///
/// # Panics
/// If the two planes are not of one shape.
///
/// ```
/// use ndarray::array;
/// use sixplane::morphology::liberties;
///
/// let group = array![[1, 1, 0], [0, 0, 0]];
/// let empty = array![[0, 0, 1], [0, 1, 1]];
/// assert_eq!(liberties(&group.view(), &empty.view()).unwrap(), array![[0, 0, 1], [0, 1, 0]]);
/// ```
pub fn liberties<T: Cell>(
    group: &ArrayView2<'_, T>,
    empty: &ArrayView2<'_, T>,
) -> Result<Array2<T>, SizeError> {
    assert_eq!(group.dim(), empty.dim(), "the planes must have one shape");
    let size = size_of(group)?;
    Ok(with_words!(size, W => {
        let frame = Frame::<W>::new(size);
        to_plane(size, frame.neighbors_in(to_bits(group), to_bits(empty)))
    }))
}

/// The number of liberties of the chain at each point of a board, `(rows, cols)`; 0 where it is
/// empty. A board has 0 where it is empty, and any other number for each color.
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
        let of = |color: u8| -> Bits<W> {
            board.iter().enumerate().filter(|&(_, &cell)| cell == color).map(|(at, _)| at).collect()
        };
        let empty = of(0);
        let mut colors: Vec<u8> = board.iter().copied().filter(|&cell| cell != 0).collect();
        colors.sort_unstable();
        colors.dedup();
        for chain in colors.into_iter().flat_map(|color| groups(&frame, of(color)).collect::<Vec<_>>()) {
            let liberties = frame.neighbors_in(chain, empty).count() as i32;
            for point in chain {
                counts[[point / size.cols(), point % size.cols()]] = liberties;
            }
        }
    });
    Ok(counts)
}

fn size_of<T>(plane: &ArrayView2<'_, T>) -> Result<BoardSize, SizeError> {
    BoardSize::new(plane.nrows(), plane.ncols())
}

/// The bits of a plane of any memory layout.
fn to_bits<const W: usize, T: Cell>(plane: &ArrayView2<'_, T>) -> Bits<W> {
    plane.iter().enumerate().filter(|(_, cell)| cell.is_set()).map(|(point, _)| point).collect()
}

pub(crate) fn to_plane<const W: usize, T: Cell>(size: BoardSize, bits: Bits<W>) -> Array2<T> {
    let mut plane = Array2::from_elem((size.rows(), size.cols()), T::ZERO);
    write_bits(&bits, plane.as_slice_mut().unwrap_or_default());
    plane
}
