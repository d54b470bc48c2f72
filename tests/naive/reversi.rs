//! A naive Reversi for tests: cells in rows, and walks over them.
//!
//! It imports nothing from the product and keeps nothing from one move to the next but the board,
//! the turn and whether the last action was a pass.

#![allow(dead_code)]

/// A game in play. A cell is `X` (black), `O` (white) or `.`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversi {
    pub cells: Vec<Vec<char>>,
    pub turn: char,
    pub passed: bool,
}

/// The other color.
pub fn other(color: char) -> char {
    if color == 'X' { 'O' } else { 'X' }
}

impl Reversi {
    /// The starting position.
    pub fn new(rows: usize, cols: usize) -> Self {
        let mut cells = vec![vec!['.'; cols]; rows];
        cells[rows / 2 - 1][cols / 2 - 1] = 'O';
        cells[rows / 2 - 1][cols / 2] = 'X';
        cells[rows / 2][cols / 2 - 1] = 'X';
        cells[rows / 2][cols / 2] = 'O';
        Self { cells, turn: 'X', passed: false }
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

    /// The discs that a play of a color flips: from the point outwards in each direction, the enemy
    /// discs up to an own one.
    pub fn flips(&self, row: usize, col: usize, color: char) -> Vec<(usize, usize)> {
        let mut flips = Vec::new();
        for down in -1..=1 {
            for right in -1..=1 {
                if (down, right) == (0, 0) {
                    continue;
                }
                let (mut r, mut c) = (row as i32 + down, col as i32 + right);
                let mut run = Vec::new();
                while self.at(r, c) == Some(other(color)) {
                    run.push((r as usize, c as usize));
                    r += down;
                    c += right;
                }
                if self.at(r, c) == Some(color) {
                    flips.extend(run);
                }
            }
        }
        flips
    }

    /// Whether a color has a point to play at.
    pub fn can_play(&self, color: char) -> bool {
        (0..self.rows()).any(|row| {
            (0..self.cols())
                .any(|col| self.cells[row][col] == '.' && !self.flips(row, col, color).is_empty())
        })
    }

    pub fn is_over(&self) -> bool {
        !self.can_play('X') && !self.can_play('O')
    }

    /// Why an action may not be played; `None` when it may.
    pub fn refusal(&self, action: usize) -> Option<&'static str> {
        let points = self.rows() * self.cols();
        if self.is_over() {
            return Some("game_over");
        }
        if action > points {
            return Some("off_board");
        }
        if action == points {
            return self.can_play(self.turn).then_some("pass_not_allowed");
        }
        let (row, col) = (action / self.cols(), action % self.cols());
        if self.cells[row][col] != '.' {
            return Some("occupied");
        }
        self.flips(row, col, self.turn).is_empty().then_some("no_flip")
    }

    pub fn play(&mut self, action: usize) {
        assert_eq!(self.refusal(action), None);
        self.passed = action == self.rows() * self.cols();
        if !self.passed {
            let (row, col) = (action / self.cols(), action % self.cols());
            for (r, c) in self.flips(row, col, self.turn) {
                self.cells[r][c] = self.turn;
            }
            self.cells[row][col] = self.turn;
        }
        self.turn = other(self.turn);
    }

    pub fn set_turn(&mut self, color: char) {
        self.turn = color;
        self.passed = false;
    }

    /// Black discs less white ones.
    pub fn score(&self) -> i32 {
        let count =
            |color| self.cells.iter().flatten().filter(|&&cell| cell == color).count() as i32;
        count('X') - count('O')
    }
}

/// The number of sequences of `depth` actions, and of shorter ones that end the game.
pub fn perft(game: &Reversi, depth: usize) -> (u64, u64) {
    if depth == 0 {
        return (1, 0);
    }
    if game.is_over() {
        return (0, 1);
    }
    let (mut sequences, mut finished) = (0, 0);
    for action in 0..=game.rows() * game.cols() {
        if game.refusal(action).is_none() {
            let mut next = game.clone();
            next.play(action);
            let (more, ended) = perft(&next, depth - 1);
            sequences += more;
            finished += ended;
        }
    }
    (sequences, finished)
}
