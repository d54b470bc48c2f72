//! A naive Gomoku for tests: cells in rows; the whole board is searched after every stone.
//!
//! It imports nothing from the product.

#![allow(dead_code)]

/// A game in play. A cell is `X` (black), `O` (white) or `.`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gomoku {
    pub cells: Vec<Vec<char>>,
    pub turn: char,
    pub exact_five: bool,
}

impl Gomoku {
    /// An empty board.
    pub fn new(rows: usize, cols: usize, exact_five: bool) -> Self {
        Self { cells: vec![vec!['.'; cols]; rows], turn: 'X', exact_five }
    }

    pub fn rows(&self) -> usize {
        self.cells.len()
    }

    pub fn cols(&self) -> usize {
        self.cells[0].len()
    }

    /// Every row, column and diagonal as the points along it.
    fn lines(&self) -> Vec<Vec<(usize, usize)>> {
        let (rows, cols) = (self.rows(), self.cols());
        let points = || (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col)));
        let mut lines = Vec::new();
        lines.extend((0..rows).map(|r| points().filter(|&(row, _)| row == r).collect()));
        lines.extend((0..cols).map(|c| points().filter(|&(_, col)| col == c).collect()));
        for sum in 0..rows + cols {
            lines.push(points().filter(|&(row, col)| row + col == sum).collect());
            lines.push(points().filter(|&(row, col)| row + cols == col + sum).collect());
        }
        lines
    }

    /// All runs of a color that win.
    pub fn winning_runs(&self, color: char) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        for line in self.lines() {
            let mut run = Vec::new();
            for point in line.into_iter().map(Some).chain([None]) {
                match point {
                    Some((row, col)) if self.cells[row][col] == color => {
                        run.push(row * self.cols() + col);
                    }
                    _ => {
                        if run.len() == 5 || run.len() > 5 && !self.exact_five {
                            run.sort_unstable();
                            found.push(run.clone());
                        }
                        run.clear();
                    }
                }
            }
        }
        found
    }

    /// +1 if Black has a winning run, -1 if White has, else 0.
    pub fn score(&self) -> i32 {
        let has = |color| i32::from(!self.winning_runs(color).is_empty());
        has('X') - has('O')
    }

    pub fn is_full(&self) -> bool {
        self.cells.iter().flatten().all(|&cell| cell != '.')
    }

    pub fn is_over(&self) -> bool {
        self.score() != 0 || self.is_full()
    }

    /// Why an action may not be played; `None` when it may.
    pub fn refusal(&self, action: usize) -> Option<&'static str> {
        let points = self.rows() * self.cols();
        if self.is_over() {
            return Some("game_over");
        }
        match action {
            _ if action > points => Some("off_board"),
            _ if action == points => Some("pass_not_allowed"),
            _ if self.cells[action / self.cols()][action % self.cols()] != '.' => Some("occupied"),
            _ => None,
        }
    }

    pub fn play(&mut self, action: usize) {
        assert_eq!(self.refusal(action), None);
        let cols = self.cols();
        self.cells[action / cols][action % cols] = self.turn;
        self.turn = if self.turn == 'X' { 'O' } else { 'X' };
    }
}
