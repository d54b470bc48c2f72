//! A naive Connect Four for tests: columns of discs from the bottom; the whole board is searched every time.
//!
//! It imports nothing from the product.

#![allow(dead_code)]

/// A game in play. A disc is `X` (black) or `O` (white).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    pub rows: usize,
    pub columns: Vec<Vec<char>>,
    pub turn: char,
}

impl ConnectFour {
    /// An empty board.
    pub fn new(rows: usize, cols: usize) -> Self {
        Self { rows, columns: vec![Vec::new(); cols], turn: 'X' }
    }

    /// What is at a column and a height above the bottom; nothing off the board or on an empty point.
    fn at(&self, col: i32, height: i32) -> Option<char> {
        self.columns.get(usize::try_from(col).ok()?)?.get(usize::try_from(height).ok()?).copied()
    }

    /// Whether four discs of a color stand in a line anywhere.
    pub fn has_four(&self, color: char) -> bool {
        (0..self.columns.len() as i32).any(|col| {
            (0..self.rows as i32).any(|height| {
                [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(right, up)| {
                    (0..4).all(|i| self.at(col + i * right, height + i * up) == Some(color))
                })
            })
        })
    }

    /// +1 if Black has four in a line, -1 if White has, else 0.
    pub fn score(&self) -> i32 {
        i32::from(self.has_four('X')) - i32::from(self.has_four('O'))
    }

    pub fn is_over(&self) -> bool {
        self.score() != 0 || self.columns.iter().all(|column| column.len() == self.rows)
    }

    /// Why an action may not be played; `None` when it may.
    pub fn refusal(&self, action: usize) -> Option<&'static str> {
        let points = self.rows * self.columns.len();
        if self.is_over() {
            return Some("game_over");
        }
        if action >= points {
            return Some(if action == points { "pass_not_allowed" } else { "off_board" });
        }
        let (col, height) = self.place(action);
        match self.columns[col].len() {
            discs if discs > height => Some("occupied"),
            discs if discs < height => Some("no_support"),
            _ => None,
        }
    }

    /// The column of a point, and its height above the bottom.
    fn place(&self, point: usize) -> (usize, usize) {
        let cols = self.columns.len();
        (point % cols, self.rows - 1 - point / cols)
    }

    pub fn play(&mut self, action: usize) {
        assert_eq!(self.refusal(action), None);
        let (col, _) = self.place(action);
        self.columns[col].push(self.turn);
        self.turn = if self.turn == 'X' { 'O' } else { 'X' };
    }

    /// The board by rows from the top: `X`, `O` or `.`.
    pub fn cells(&self) -> Vec<char> {
        let cell = |point| {
            let (col, height) = self.place(point);
            self.columns[col].get(height).copied().unwrap_or('.')
        };
        (0..self.rows * self.columns.len()).map(cell).collect()
    }
}
