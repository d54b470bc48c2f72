//! The six planes: what a player sees of a game. A game in play is these and its history
//! ([`State`](crate::state::State)).
//!
//! | # | plane | 1 means |
//! |---|---|---|
//! | 0 | black | a black stone is here |
//! | 1 | white | a white stone is here |
//! | 2 | turn | (whole plane) white is to play |
//! | 3 | invalid | the player to move may **not** play here |
//! | 4 | pass | (whole plane) the last action was a pass |
//! | 5 | done | (whole plane) the game is over |
//!
//! [`Planes`] owns them as one `ndarray` array of shape `(6, rows, cols)`. `read_bits` and `write_bits` are
//! the only bridge between the cells of a plane and [`Bits`].

use ndarray::{Array3, ArrayView2, ArrayView3, Axis};

use crate::bits::Bits;
use crate::clone::clone_by_field;
use crate::color::Color;
use crate::geometry::BoardSize;
use crate::prefetch::prefetch_from;

/// Number of planes.
///
/// ```
/// use sixplane::{Game, Go, NUM_PLANES};
///
/// assert_eq!(Go::new(9)?.planes().dim(), (NUM_PLANES, 9, 9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const NUM_PLANES: usize = 6;

/// One of the six planes; its number is the index along the first axis.
///
/// ```
/// use sixplane::{Game, Go, Plane};
///
/// let mut game = Go::new(3)?;
/// game.play_at(1, 1)?;
/// let planes = game.state().planes();
/// assert!(planes.get(Plane::Black, 4) && planes.get(Plane::Invalid, 4));
/// assert!(planes.plane(Plane::Turn).iter().all(|&cell| cell == 1)); // White is to play
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Plane {
    /// Black stones.
    Black = 0,
    /// White stones.
    White = 1,
    /// All 1 if White is to play.
    Turn = 2,
    /// 1 where the player to play may not play.
    Invalid = 3,
    /// All 1 if the last action was a pass.
    Pass = 4,
    /// All 1 if the game is over.
    Done = 5,
}

impl From<Color> for Plane {
    #[inline]
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

/// The six planes of one position: an `ndarray` array `(6, rows, cols)` of 0 and 1 in row-major order.
///
/// ```
/// use sixplane::{BoardSize, Plane, Planes};
///
/// let mut planes = Planes::new(BoardSize::square(3).unwrap());
/// planes.plane_cells_mut(Plane::Black)[4] = 1;
/// assert_eq!(planes.plane(Plane::Black).to_string(), "\
/// [[0, 0, 0],
///  [0, 1, 0],
///  [0, 0, 0]]");
/// assert_eq!(planes.array().sum(), 1);
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Planes {
    size: BoardSize,
    cells: Array3<u8>,
}

clone_by_field!(Planes { size, cells });

impl Planes {
    /// Six planes of zeros.
    #[must_use]
    pub fn new(size: BoardSize) -> Self {
        Self { size, cells: Array3::zeros((NUM_PLANES, size.rows(), size.cols())) }
    }

    /// The size of the board.
    #[must_use]
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// All six, `(6, rows, cols)`: the array itself.
    #[must_use]
    pub fn array(&self) -> &Array3<u8> {
        &self.cells
    }

    /// All six, `(6, rows, cols)`.
    #[must_use]
    pub fn view(&self) -> ArrayView3<'_, u8> {
        self.cells.view()
    }

    /// One plane, `(rows, cols)`.
    #[must_use]
    pub fn plane(&self, plane: Plane) -> ArrayView2<'_, u8> {
        self.view().index_axis_move(Axis(0), plane as usize)
    }

    /// The cells of all six planes, one after another, in row-major order.
    ///
    /// # Panics
    /// Never: the array is made in that order.
    #[must_use]
    #[inline]
    pub fn cells(&self) -> &[u8] {
        self.cells.as_slice().expect("made in row-major order")
    }

    /// The cells of one plane in row-major order.
    #[must_use]
    #[inline]
    pub fn plane_cells(&self, plane: Plane) -> &[u8] {
        let points = self.size.points();
        &self.cells()[plane as usize * points..][..points]
    }

    /// Asks for the memory of the planes that a step reads: the first four.
    #[inline]
    pub(crate) fn prefetch(&self) {
        prefetch_from(self.cells.as_ptr(), Plane::Pass as usize * self.size.points());
    }

    /// The cells of all six planes, to be written, and how many a plane has. A step asks once: to find out
    /// that they are a slice takes as long as to write a stone.
    #[inline]
    pub(crate) fn cells_mut(&mut self) -> (&mut [u8], usize) {
        let (_, rows, cols) = self.cells.dim();
        (self.cells.as_slice_mut().expect("made in row-major order"), rows * cols)
    }

    /// The cells of one plane, to be written.
    #[inline]
    pub fn plane_cells_mut(&mut self, plane: Plane) -> &mut [u8] {
        let (cells, points) = self.cells_mut();
        &mut cells[plane as usize * points..][..points]
    }

    /// Whether point `index` is 1 in a plane.
    ///
    /// # Panics
    /// If `index` is off the board.
    #[must_use]
    #[inline]
    pub fn get(&self, plane: Plane, index: usize) -> bool {
        self.plane_cells(plane)[index] != 0
    }

    /// Fills a plane with 0 or 1.
    #[inline]
    pub fn fill(&mut self, plane: Plane, value: bool) {
        self.plane_cells_mut(plane).fill(u8::from(value));
    }

    /// The stone at point `index`, if any.
    ///
    /// # Panics
    /// If `index` is off the board.
    #[must_use]
    pub fn stone(&self, index: usize) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.get(color.into(), index))
    }
}

/// A number that can stand in a plane: 0 is absent, anything else is present, and 1 is written.
pub trait Cell: Copy + 'static {
    /// What is written for absent.
    const ZERO: Self;
    /// What is written for present.
    const ONE: Self;
    /// Eight cells for every byte of a bit plane, lowest bit first.
    const SPREAD: &'static [[Self; 8]; 256];

    /// Whether the cell says present.
    fn is_set(self) -> bool;

    /// Whether the cell is one of the two values that are written.
    fn is_zero_or_one(self) -> bool;
}

const fn spread<T: Copy>(zero: T, one: T) -> [[T; 8]; 256] {
    let mut table = [[zero; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][bit] = one;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

macro_rules! cell {
    ($($type:ty, $zero:literal, $one:literal;)*) => {$(
        impl Cell for $type {
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            const SPREAD: &'static [[Self; 8]; 256] = {
                static TABLE: [[$type; 8]; 256] = spread($zero, $one);
                &TABLE
            };

            #[inline]
            fn is_set(self) -> bool {
                self != $zero
            }

            #[inline]
            fn is_zero_or_one(self) -> bool {
                self == $zero || self == $one
            }
        }
    )*};
}

cell! {
    bool, false, true;
    u8, 0, 1; u16, 0, 1; u32, 0, 1; u64, 0, 1;
    i8, 0, 1; i16, 0, 1; i32, 0, 1; i64, 0, 1;
    f32, 0.0, 1.0; f64, 0.0, 1.0;
}

/// Writes the action mask that the cells of six planes imply: 1 where the invalid plane is 0, then whether
/// the player may pass.
#[inline]
pub(crate) fn write_mask(planes: &[u8], size: BoardSize, may_pass: bool, mask: &mut [i8]) {
    let points = size.points();
    let (point_entries, pass) = mask.split_at_mut(points);
    for (entry, &cell) in point_entries.iter_mut().zip(&planes[Plane::Invalid as usize * points..])
    {
        *entry = 1 - cell as i8;
    }
    pass[0] = i8::from(may_pass);
}

/// The bits of a plane's cells in row-major order. Cells beyond `64 * W` are not read.
#[inline]
pub(crate) fn read_bits<const W: usize, T: Cell>(cells: &[T]) -> Bits<W> {
    let mut bits = Bits::EMPTY;
    let rest = cells.len() % 64;
    if let (Some(last), 1..) = (bits.0.get_mut(cells.len() / 64), rest) {
        // Cells that are read again below are shifted out: to copy the rest first takes longer.
        *last = if let Some(cells) = cells.last_chunk() {
            gather(cells) >> (64 - rest)
        } else {
            let mut padded = [T::ZERO; 64];
            padded[..rest].copy_from_slice(cells);
            gather(&padded)
        };
    }
    for (word, cells) in bits.0.iter_mut().zip(cells.chunks_exact(64)) {
        if let Ok(cells) = cells.try_into() {
            *word = gather(cells);
        }
    }
    bits
}

/// 64 cells as the bits of a word. Written so that it compiles to vector instructions.
#[inline]
fn gather<T: Cell>(cells: &[T; 64]) -> u64 {
    if size_of::<T>() == 8 {
        // As wide as a word: choose the bit of each cell or nothing.
        const BITS: [u64; 64] = {
            let (mut bits, mut i) = ([1; 64], 1);
            while i < 64 {
                bits[i] = bits[i - 1] << 1;
                i += 1;
            }
            bits
        };
        let chosen =
            cells.iter().zip(&BITS).map(|(cell, &bit)| if cell.is_set() { bit } else { 0 });
        return chosen.fold(0, |word, bit| word | bit);
    }
    // Narrower: to bytes of 0 and 1 first, then eight bytes at a time to bits.
    let mut bytes = [[0; 8]; 8];
    for (byte, cell) in bytes.as_flattened_mut().iter_mut().zip(cells) {
        *byte = u8::from(cell.is_set());
    }
    bytes.iter().enumerate().fold(0, |word, (i, &eight)| {
        // The product brings bit 0 of byte j to bit 56 + j.
        let eight = u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word | eight << (8 * i)
    })
}

/// Writes bits as the cells of a plane in row-major order: 1 where the bit is set, else 0.
///
/// Eight cells at a time from a table, which is as fast as vector instructions and needs none.
#[inline]
pub(crate) fn write_bits<const W: usize, T: Cell>(bits: &Bits<W>, cells: &mut [T]) {
    let (whole, rest) = (cells.len() / 64, cells.len() % 64);
    if let (Some(&word), 1..) = (bits.0.get(whole), rest) {
        if let Some(last) = cells.last_chunk_mut() {
            // With cells that are written again below: one by one takes longer.
            scatter(bits.0[whole - 1] >> rest | word << (64 - rest), last);
        } else {
            let mut padded = [T::ZERO; 64];
            scatter(word, &mut padded);
            cells.copy_from_slice(&padded[..rest]);
        }
    }
    for (&word, cells) in bits.0.iter().zip(cells.chunks_exact_mut(64)) {
        if let Ok(cells) = cells.try_into() {
            scatter(word, cells);
        }
    }
}

/// The bits of a word as 64 cells.
#[inline]
fn scatter<T: Cell>(word: u64, cells: &mut [T; 64]) {
    for (i, eight) in cells.chunks_exact_mut(8).enumerate() {
        eight.copy_from_slice(&T::SPREAD[(word >> (8 * i)) as usize & 255]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_cells_are_inverse_at_every_length() {
        for points in 4..=625_usize {
            let cells: Vec<u8> = (0..points).map(|i| u8::from(i * i % 7 < 3)).collect();
            let bits = read_bits::<10, u8>(&cells);
            let expected: Vec<usize> = (0..points).filter(|&i| cells[i] == 1).collect();
            assert_eq!(bits.iter().collect::<Vec<_>>(), expected);
            let mut back = vec![9_u8; points];
            write_bits(&bits, &mut back);
            assert_eq!(back, cells);
            let mut floats = vec![9_f64; points];
            write_bits(&bits, &mut floats);
            assert_eq!(read_bits::<10, f64>(&floats), bits);
        }
    }
}
