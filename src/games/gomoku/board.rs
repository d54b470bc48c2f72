//! The board as the solver of Gomoku sees it: stones by lines, put and taken back, with the windows of five points
//! that may still become a winning run.

use super::Gomoku;
use super::lines::DIRECTIONS;
use crate::bits::Bits;
use crate::color::Color;
use crate::game::Game;
use crate::geometry::BoardSize;
use crate::planes::read_bits;
use crate::zobrist;

/// A set of points.
pub(super) type Points = Bits<10>;

/// A line of the board: its first point, the distance to the next, and which bits of its words are points.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    first: i16,
    step: i16,
    points: u32,
}

/// The stones of both colors on every line.
#[derive(Clone, Debug, Default)]
pub(super) struct Board {
    size: Option<BoardSize>,
    exact_five: bool,
    lines: Vec<Line>,
    words: Vec<[u32; 2]>,
    /// For each color, the lines with two stones of it at least: the others have no threats.
    busy: [Bits<3>; 2],
    pub(super) empty: Points,
    /// The Zobrist key of the stones.
    pub(super) key: u64,
}

impl Board {
    /// Takes the position of a game.
    pub(super) fn read(&mut self, game: &Gomoku) {
        let size = game.size();
        if self.size != Some(size) {
            self.measure(size);
        }
        self.exact_five = game.rules().exact_five;
        self.words.clear();
        self.words.resize(self.lines.len(), [0; 2]);
        self.busy = [Bits::EMPTY; 2];
        self.key = 0;
        self.empty = (0..size.points()).collect();
        for color in Color::ALL {
            let stones: Points = read_bits(game.state().planes().plane_cells(color.into()));
            stones.iter().for_each(|point| self.put(color, point));
        }
    }

    fn measure(&mut self, size: BoardSize) {
        let cols = size.cols() as i16;
        self.size = Some(size);
        self.lines.clear();
        self.lines.resize(3 * (size.rows() + size.cols()) - 2, Line::default());
        for point in 0..size.points() {
            for ((line, bit), step) in
                self.through(point).into_iter().zip([1, cols, cols + 1, 1 - cols])
            {
                let first = point as i16 - bit as i16 * step;
                let points = self.lines[line].points | 1 << bit;
                self.lines[line] = Line { first, step, points };
            }
        }
    }

    /// The lines through a point, and which bit of each it is.
    #[inline]
    fn through(&self, point: usize) -> [(usize, u32); DIRECTIONS] {
        // A default board has no points to ask for.
        self.size.map_or([(0, 0); DIRECTIONS], |size| super::lines::through(size, point))
    }

    /// Puts a stone on an empty point.
    pub(super) fn put(&mut self, color: Color, point: usize) {
        for (line, bit) in self.through(point) {
            let word = &mut self.words[line][color.index()];
            // A second stone.
            if *word != 0 {
                self.busy[color.index()].insert(line);
            }
            *word |= 1 << bit;
        }
        self.empty.remove(point);
        self.key ^= zobrist::stone(color, point);
    }

    /// Takes the stone back that was put there.
    pub(super) fn take(&mut self, color: Color, point: usize) {
        for (line, bit) in self.through(point) {
            let word = &mut self.words[line][color.index()];
            *word ^= 1 << bit;
            if *word & word.wrapping_sub(1) == 0 {
                self.busy[color.index()].remove(line);
            }
        }
        self.empty.insert(point);
        self.key ^= zobrist::stone(color, point);
    }

    /// The empty points of a line where a stone makes a winning run.
    #[inline]
    fn fives_on(&self, color: Color, line: usize) -> u32 {
        let (own, empty) = self.own_and_empty(color, line);
        // Bit i of `left[k]`: at least k own stones in a row before it; of `right[k]` after it.
        let (mut left, mut right) = ([u32::MAX; 6], [u32::MAX; 6]);
        for k in 1..6 {
            left[k] = left[k - 1] & own << k;
            right[k] = right[k - 1] & own >> k;
        }
        let mut fives = 0;
        for k in 0..5 {
            let longer = if self.exact_five { left[k + 1] | right[5 - k] } else { 0 };
            fives |= left[k] & right[4 - k] & !longer;
        }
        fives & empty
    }

    #[inline]
    fn own_and_empty(&self, color: Color, line: usize) -> (u32, u32) {
        let words = &self.words[line];
        (words[color.index()], self.lines[line].points & !(words[0] | words[1]))
    }

    fn add(&self, points: &mut Points, line: usize, mut bits: u32) {
        let Line { first, step, .. } = self.lines[line];
        while bits != 0 {
            points.insert((first + step * bits.trailing_zeros() as i16) as usize);
            bits &= bits - 1;
        }
    }

    /// The empty points where a stone wins at once.
    pub(super) fn fives(&self, color: Color) -> Points {
        let mut points = Bits::EMPTY;
        for line in self.busy[color.index()] {
            self.add(&mut points, line, self.fives_on(color, line));
        }
        points
    }

    /// Those on the lines through a point.
    #[inline]
    pub(super) fn fives_through(&self, color: Color, point: usize) -> Points {
        let mut points = Bits::EMPTY;
        for (line, _) in self.through(point) {
            self.add(&mut points, line, self.fives_on(color, line));
        }
        points
    }

    /// The empty points of windows of five points without a stone of the opponent's and with `least` own stones at
    /// least. A winning run has such a window at its end: who has three, makes a four by a stone there.
    pub(super) fn windows(&self, color: Color, least: u32) -> Points {
        let mut points = Bits::EMPTY;
        for line in self.busy[color.index()] {
            let (own, empty) = self.own_and_empty(color, line);
            let mut bits = 0;
            let mut starts = five_in_a_row(own | empty);
            while starts != 0 {
                let start = starts.trailing_zeros();
                starts &= starts - 1;
                if (own >> start & 31).count_ones() >= least {
                    bits |= 31 << start;
                }
            }
            self.add(&mut points, line, bits & empty);
        }
        points
    }

    /// Whether a color can still make five in a row anywhere.
    pub(super) fn may_win(&self, color: Color) -> bool {
        (0..self.lines.len()).any(|line| {
            let (own, empty) = self.own_and_empty(color, line);
            five_in_a_row(own | empty) != 0
        })
    }
}

/// Where five ones in a row begin.
#[inline]
fn five_in_a_row(bits: u32) -> u32 {
    let two = bits & bits >> 1;
    two & two >> 2 & bits >> 4
}
