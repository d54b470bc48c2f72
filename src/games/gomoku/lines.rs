//! The stones along every row, column and diagonal: a winning run lies in one word.

use std::ops::Range;

use crate::clone::clone_by_field;
use crate::color::Color;
use crate::geometry::BoardSize;

/// Directions of lines: along rows, columns, falling and rising diagonals.
pub(super) const DIRECTIONS: usize = 4;

/// Each line of the board as one word for each color. A line has at most 25 points, so a run never
/// goes on beyond an edge: there are zeros.
#[derive(Debug)]
pub(super) struct Lines {
    size: BoardSize,
    words: Box<[[u32; 2]]>,
}

clone_by_field!(Lines { size, words });

impl Lines {
    pub(super) fn new(size: BoardSize) -> Self {
        let count = 3 * (size.rows() + size.cols()) - 2;
        Self { size, words: vec![[0; 2]; count].into() }
    }

    pub(super) fn clear(&mut self) {
        self.words.fill([0; 2]);
    }

    #[inline]
    pub(super) fn words(&self) -> &[[u32; 2]] {
        &self.words
    }

    /// Whether three stones of a color lie on one line.
    pub(super) fn has_three(&self) -> bool {
        let but_one = |word: u32| word & word.wrapping_sub(1);
        let third = |word| but_one(but_one(word));
        self.words.iter().fold(0, |all, words| all | third(words[0]) | third(words[1])) != 0
    }

    /// Puts a stone on an empty point and returns the length of the run through it on each line.
    #[inline]
    pub(super) fn put(&mut self, color: Color, point: usize) -> [u32; DIRECTIONS] {
        through(self.size, point).map(|(line, bit)| {
            let word = &mut self.words[line][color.index()];
            *word |= 1 << bit;
            length(*word, bit)
        })
    }

    /// The lengths of the runs through an empty point if a stone were there.
    #[inline]
    pub(super) fn runs_with(&self, color: Color, point: usize) -> [u32; DIRECTIONS] {
        let lines = through(self.size, point);
        lines.map(|(line, bit)| length(self.words[line][color.index()] | 1 << bit, bit))
    }

    /// The first run of a color whose length is accepted, along rows before columns before falling
    /// and rising diagonals: its points in ascending order.
    pub(super) fn find_run(
        &self,
        color: Color,
        accepts: impl Fn(u32) -> bool,
    ) -> Option<Vec<usize>> {
        let cols = self.size.cols();
        let steps = [1, cols, cols + 1, cols - 1];
        (0..DIRECTIONS).find_map(|direction| {
            (0..self.size.points()).find_map(|point| {
                let (line, bit) = through(self.size, point)[direction];
                // Diagonals that rise to the right fall to the left: the first point from the top
                // is their highest bit.
                let Range { start, end } = run(self.words[line][color.index()], bit)?;
                let first = if direction == 3 { end - 1 } else { start };
                (first == bit && accepts(end - start)).then(|| {
                    (0..(end - start) as usize).map(|i| point + i * steps[direction]).collect()
                })
            })
        })
    }
}

/// The lines through a point, and which bit of each it is.
#[inline]
pub(super) fn through(size: BoardSize, point: usize) -> [(usize, u32); DIRECTIONS] {
    let (rows, cols) = (size.rows(), size.cols());
    let (row, col) = (point as u32 / cols as u32, point as u32 % cols as u32);
    let (r, c) = (row as usize, col as usize);
    let sides = rows + cols;
    [(r, col), (rows + c, row), (sides + r + (cols - 1) - c, col), (2 * sides - 1 + r + c, col)]
}

/// The length of the run of ones around a bit that is one.
#[inline]
fn length(word: u32, bit: u32) -> u32 {
    (word >> bit).trailing_ones() + (word << (31 - bit)).leading_ones() - 1
}

/// The bits of the run of ones around a bit, if it is one.
fn run(word: u32, bit: u32) -> Option<Range<u32>> {
    let above = (word >> bit).trailing_ones();
    let below = (word << (31 - bit)).leading_ones();
    (above > 0).then(|| bit + 1 - below..bit + above)
}
