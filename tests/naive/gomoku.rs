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

    /// What is at a row and column; nothing off the board.
    fn at(&self, row: i32, col: i32) -> Option<char> {
        let row = self.cells.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(col).ok()?).copied()
    }

    /// All runs of a color that win: from each stone that starts one, as far as it goes.
    pub fn winning_runs(&self, color: char) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        for row in 0..self.rows() as i32 {
            for col in 0..self.cols() as i32 {
                if self.at(row, col) != Some(color) {
                    continue;
                }
                for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    if self.at(row - down, col - right) == Some(color) {
                        continue;
                    }
                    let (mut r, mut c) = (row, col);
                    let mut run = Vec::new();
                    while self.at(r, c) == Some(color) {
                        run.push(r as usize * self.cols() + c as usize);
                        r += down;
                        c += right;
                    }
                    if run.len() == 5 || run.len() > 5 && !self.exact_five {
                        found.push(run);
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
