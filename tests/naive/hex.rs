//! A naive Hex for tests: hexagons by their places in the plane; chains are flooded anew after every stone.
//!
//! It imports nothing from the product.

#![allow(dead_code)]

/// A game in play. A cell is `X` (black), `O` (white) or `.`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hex {
    pub cells: Vec<Vec<char>>,
    pub turn: char,
    pub swap: bool,
    pub swapped: bool,
}

/// Whether two hexagons touch: their centers are one hexagon apart. Rows are `sqrt(3) / 2` apart, and each lies half
/// a hexagon to the right.
fn touch(one: (usize, usize), other: (usize, usize)) -> bool {
    let place =
        |(row, col): (usize, usize)| (col as f64 + row as f64 / 2.0, row as f64 * 0.75_f64.sqrt());
    let ((x, y), (a, b)) = (place(one), place(other));
    ((x - a).powi(2) + (y - b).powi(2) - 1.0).abs() < 1e-6
}

impl Hex {
    /// An empty board.
    pub fn new(rows: usize, cols: usize, swap: bool) -> Self {
        Self { cells: vec![vec!['.'; cols]; rows], turn: 'X', swap, swapped: false }
    }

    pub fn rows(&self) -> usize {
        self.cells.len()
    }

    pub fn cols(&self) -> usize {
        self.cells[0].len()
    }

    fn points(&self) -> Vec<(usize, usize)> {
        (0..self.rows()).flat_map(|row| (0..self.cols()).map(move |col| (row, col))).collect()
    }

    /// Whether a color joins its sides.
    pub fn joins(&self, color: char) -> bool {
        let place = |(row, col)| if color == 'X' { row } else { col };
        let last = if color == 'X' { self.rows() } else { self.cols() } - 1;
        let mut left: Vec<_> =
            self.points().into_iter().filter(|&(row, col)| self.cells[row][col] == color).collect();
        let mut open: Vec<_> = left.iter().copied().filter(|&point| place(point) == 0).collect();
        left.retain(|point| !open.contains(point));
        while let Some(point) = open.pop() {
            if place(point) == last {
                return true;
            }
            open.extend(left.iter().copied().filter(|&other| touch(point, other)));
            left.retain(|&other| !touch(point, other));
        }
        false
    }

    /// +1 if Black joins its sides, -1 if White does, else 0.
    pub fn score(&self) -> i32 {
        i32::from(self.joins('X')) - i32::from(self.joins('O'))
    }

    pub fn is_over(&self) -> bool {
        self.score() != 0
    }

    fn stones(&self, color: char) -> usize {
        self.cells.iter().flatten().filter(|&&cell| cell == color).count()
    }

    /// Why an action may not be played; `None` when it may.
    pub fn refusal(&self, action: usize) -> Option<&'static str> {
        let points = self.rows() * self.cols();
        if self.is_over() {
            return Some("game_over");
        }
        let may_swap =
            self.swap && self.turn == 'O' && (self.stones('X'), self.stones('O')) == (1, 0);
        match action {
            _ if action > points => Some("off_board"),
            _ if action == points => (!may_swap).then_some("pass_not_allowed"),
            _ if self.cells[action / self.cols()][action % self.cols()] != '.' => Some("occupied"),
            _ => None,
        }
    }

    pub fn play(&mut self, action: usize) {
        assert_eq!(self.refusal(action), None);
        self.swapped = action == self.rows() * self.cols();
        if self.swapped {
            let (row, col) =
                self.points().into_iter().find(|&(r, c)| self.cells[r][c] == 'X').unwrap();
            self.cells[row][col] = '.';
            self.cells[col][row] = 'O';
        } else {
            let cols = self.cols();
            self.cells[action / cols][action % cols] = self.turn;
        }
        self.turn = if self.turn == 'X' { 'O' } else { 'X' };
    }
}
