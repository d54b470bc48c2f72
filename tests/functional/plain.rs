//! A plain board of cells for checking the functional level: breadth-first search, and legality by
//! trying moves. It shares nothing with the crate but the meaning of the planes.

use ndarray::Array3;

pub const EMPTY: u8 = 0;
pub const BLACK: u8 = 1;
pub const WHITE: u8 = 2;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plain {
    pub rows: usize,
    pub cols: usize,
    pub cells: Vec<u8>,
    pub to_play: u8,
    pub ko: Option<usize>,
    pub passed: bool,
    pub done: bool,
}

impl Plain {
    pub fn new(rows: usize, cols: usize) -> Self {
        let cells = vec![EMPTY; rows * cols];
        Self { rows, cols, cells, to_play: BLACK, ko: None, passed: false, done: false }
    }

    pub fn neighbors(&self, point: usize) -> Vec<usize> {
        let (row, col) = (point / self.cols, point % self.cols);
        let beside =
            |&p: &usize| (p / self.cols).abs_diff(row) + (p % self.cols).abs_diff(col) == 1;
        let last = self.cells.len() - 1;
        (point.saturating_sub(self.cols)..=last.min(point + self.cols)).filter(beside).collect()
    }

    /// The points connected to this one through cells of its content, in ascending order.
    pub fn group(&self, point: usize) -> Vec<usize> {
        let mut group = vec![point];
        let mut next = 0;
        while next < group.len() {
            for n in self.neighbors(group[next]) {
                if self.cells[n] == self.cells[point] && !group.contains(&n) {
                    group.push(n);
                }
            }
            next += 1;
        }
        group.sort_unstable();
        group
    }

    pub fn touches(&self, group: &[usize], content: u8) -> bool {
        group.iter().any(|&p| self.neighbors(p).iter().any(|&n| self.cells[n] == content))
    }

    /// Puts a stone and takes what it captures; the captured points.
    pub fn put(&mut self, point: usize, color: u8) -> Vec<usize> {
        self.cells[point] = color;
        let mut captured = Vec::new();
        for n in self.neighbors(point) {
            if self.cells[n] == BLACK + WHITE - color {
                let group = self.group(n);
                if !self.touches(&group, EMPTY) {
                    for &stone in &group {
                        self.cells[stone] = EMPTY;
                    }
                    captured.extend(group);
                }
            }
        }
        captured
    }

    pub fn is_legal(&self, point: usize) -> bool {
        if self.cells[point] != EMPTY || self.ko == Some(point) {
            return false;
        }
        let mut tried = self.clone();
        tried.put(point, self.to_play);
        tried.touches(&tried.group(point), EMPTY)
    }

    pub fn next(&self, action: usize) -> Self {
        let mut next = self.clone();
        next.ko = None;
        next.passed = action == self.cells.len();
        next.done = next.passed && self.passed;
        next.to_play = BLACK + WHITE - self.to_play;
        if !next.passed {
            let alone = self.neighbors(action).iter().all(|&n| self.cells[n] == next.to_play);
            let captured = next.put(action, self.to_play);
            if alone && captured.len() == 1 {
                next.ko = Some(captured[0]);
            }
        }
        next
    }

    pub fn planes(&self) -> Array3<u8> {
        Array3::from_shape_fn((6, self.rows, self.cols), |(plane, row, col)| {
            let point = row * self.cols + col;
            u8::from(match plane {
                0 => self.cells[point] == BLACK,
                1 => self.cells[point] == WHITE,
                2 => self.to_play == WHITE,
                3 => !self.is_legal(point),
                4 => self.passed,
                _ => self.done,
            })
        })
    }
}
