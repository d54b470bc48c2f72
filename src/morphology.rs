//! Morphology of planes: connected groups by flood-fill labelling, liberties by dilation.
//!
//! [`Frame::dilate`] is dilation without the set itself, its neighbors, and [`Frame::flood`] is flood fill.
//! All that is computed from stones of Go alone is made of them: what [`functional`](crate::functional)
//! says of six planes, areas, and the chains that a game starts with. (A game in play brings its chains up
//! to date with each stone; tests compare them with what is found here.) The functions on `ndarray` planes
//! of any [`Cell`] use the same two. Points are connected along lines, never along diagonals; Hex, whose
//! points have six neighbors, has its own.

// Loops over words by index become straight code for each `W`; zipped iterators do not always.
#![allow(clippy::needless_range_loop)]

use ndarray::{Array2, ArrayView2};

use crate::bits::{Bits, Frame};
use crate::geometry::{BoardSize, SizeError};
use crate::planes::{Cell, write_bits};
use crate::with_words;

impl<const W: usize> Frame<W> {
    /// Dilation inside a set: the points of `within` that are next to a point of `set`, along lines. Bits
    /// of `within` beyond the board do not count.
    ///
    /// The liberties of a chain are its dilation inside the empty points. A point of the set itself is
    /// among them only if it is in `within` and another one is next to it.
    ///
    /// ```
    /// use sixplane::BoardSize;
    /// use sixplane::bits::{Bits, Frame};
    ///
    /// let frame = Frame::<1>::new(BoardSize::square(3).unwrap());
    /// // . . .        . # .
    /// // . # .   ->   # . #
    /// // . . .        . # .
    /// let around = frame.dilate(Bits::point(4), frame.board());
    /// assert_eq!(around.iter().collect::<Vec<_>>(), [1, 3, 5, 7]);
    /// ```
    #[must_use]
    #[inline]
    pub fn dilate(&self, set: Bits<W>, within: Bits<W>) -> Bits<W> {
        // All four shifts of a word side by side: one pass, no sets in between.
        let up = self.size().cols() as u32;
        let down = 64 - up;
        let mut found = within;
        let mut below = 0;
        for i in 0..W {
            let word = set.0[i];
            let above = if i + 1 < W { set.0[i + 1] } else { 0 };
            let right = (word << 1 | below >> 63) & self.not_first_col.0[i];
            let left = (word >> 1 | above << 63) & self.not_last_col.0[i];
            let lines = word << up | below >> down | word >> up | above << down;
            found.0[i] &= right | left | lines;
            below = word;
        }
        found
    }

    /// Flood fill: dilates `seed` inside `within` until nothing is added, or until `is_enough` says so of
    /// the points reached. Points of `seed` outside `within` are left out.
    ///
    /// ```
    /// use sixplane::BoardSize;
    /// use sixplane::bits::{Bits, Frame};
    ///
    /// let frame = Frame::<1>::new(BoardSize::new(2, 4).unwrap());
    /// // # # . #
    /// // . # # .
    /// let set: Bits<1> = [0, 1, 3, 5, 6].into_iter().collect();
    /// assert_eq!(frame.flood(Bits::point(0), set, |_| false).count(), 4);
    /// assert_eq!(frame.flood(Bits::point(0), set, |reached| reached.contains(5)).count(), 3);
    /// ```
    #[must_use]
    #[inline]
    pub fn flood(
        &self,
        seed: Bits<W>,
        within: Bits<W>,
        mut is_enough: impl FnMut(Bits<W>) -> bool,
    ) -> Bits<W> {
        let mut reached = seed & within;
        while !is_enough(reached) {
            let grown = self.dilate(reached, within) & !reached;
            if grown.is_empty() {
                break;
            }
            reached |= grown;
        }
        reached
    }

    /// Flood fill to the end: every point of `within` connected along lines inside `within` to a point of
    /// `seed`.
    #[must_use]
    #[inline]
    pub fn fill(&self, seed: Bits<W>, within: Bits<W>) -> Bits<W> {
        self.flood(seed, within, |_| false)
    }
}

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
    chains(frame, [set, Bits::EMPTY])
}

/// The chains of the stones of Black and White, in the order of their lowest points.
pub(crate) fn chains<const W: usize>(
    frame: &Frame<W>,
    stones: [Bits<W>; 2],
) -> impl Iterator<Item = Bits<W>> + '_ {
    let mut left = (stones[0] | stones[1]) & frame.board();
    std::iter::from_fn(move || {
        let stone = left.first()?;
        let color = stones[usize::from(stones[1].contains(stone))];
        let chain = frame.fill(Bits::point(stone), color);
        left &= !chain;
        Some(chain)
    })
}

/// Empty points from which a way through empty points leads to a stone of Black, of White.
#[inline]
pub(crate) fn reached<const W: usize>(frame: &Frame<W>, stones: [Bits<W>; 2]) -> [Bits<W>; 2] {
    let empty = frame.board() & !(stones[0] | stones[1]);
    stones.map(|stones| frame.fill(frame.dilate(stones, empty), empty))
}

/// The areas of Black and White: their stones, and the empty points that only they reach.
#[inline]
pub(crate) fn areas<const W: usize>(frame: &Frame<W>, stones: [Bits<W>; 2]) -> [Bits<W>; 2] {
    let [by_black, by_white] = reached(frame, stones);
    [stones[0] | by_black & !by_white, stones[1] | by_white & !by_black]
}

/// `number` of each chain, counted from 1, at the points of its stones, `(rows, cols)`; elsewhere 0.
pub(crate) fn number_chains<const W: usize>(
    frame: &Frame<W>,
    stones: [Bits<W>; 2],
    mut number: impl FnMut(usize, Bits<W>) -> usize,
) -> Array2<i32> {
    let (rows, cols) = (frame.size().rows(), frame.size().cols());
    let mut numbers = Array2::zeros((rows, cols));
    for (i, chain) in chains(frame, stones).enumerate() {
        let number = number(i + 1, chain) as i32;
        chain.iter().for_each(|point| numbers[[point / cols, point % cols]] = number);
    }
    numbers
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
        let set = to_bits(plane, T::is_set);
        let mut count = 0;
        let labels = number_chains(&Frame::<W>::new(size), [set, Bits::EMPTY], |label, _| {
            count = label;
            label
        });
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
    Ok(with_words!(size, W => {
        let (frame, set) = (Frame::<W>::new(size), to_bits(plane, T::is_set));
        to_plane(size, set | frame.dilate(set, frame.board()))
    }))
}

/// The number of liberties of the chain at each point of a board, `(rows, cols)`; 0 where it is
/// empty. A board has 0 where it is empty, and 1 and 2 for the two colors; other values are neither.
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
    Ok(with_words!(size, W => {
        let frame = Frame::<W>::new(size);
        let [empty, black, white] = [0, 1, 2].map(|color| to_bits(board, |cell| cell == color));
        number_chains(&frame, [black, white], |_, chain| frame.dilate(chain, empty).count())
    }))
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

pub(crate) fn to_plane<const W: usize, T: Cell>(size: BoardSize, bits: Bits<W>) -> Array2<T> {
    let mut plane = Array2::from_elem((size.rows(), size.cols()), T::ZERO);
    write_bits(&bits, plane.as_slice_mut().expect("a new array is in row-major order"));
    plane
}
