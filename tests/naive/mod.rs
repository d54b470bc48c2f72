//! A naive Go for tests: a plain board of cells, breadth-first search, whole-history comparison.
//!
//! It imports nothing from the product and is slow on purpose: every question is answered from the
//! rules alone, with nothing kept from one move to the next but the positions that have occurred.

// Each test program uses the part it needs.
#![allow(dead_code)]

pub mod connect_four;
pub mod gomoku;
pub mod hex;
mod life;
pub mod reversi;
mod subject;

use std::collections::{BTreeSet, VecDeque};

/// Whose stone, or whose turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    Black,
    White,
}

use Side::{Black, White};

impl Side {
    /// The other side.
    pub fn other(self) -> Side {
        match self {
            Black => White,
            White => Black,
        }
    }
}

/// The three repetition rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ko {
    Simple,
    Positional,
    Situational,
}

impl Ko {
    /// The three of them.
    pub const ALL: [Ko; 3] = [Ko::Simple, Ko::Positional, Ko::Situational];
}

/// Why an action may not be played, in the order in which the reasons are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    GameOver,
    OffBoard,
    Occupied,
    Suicide,
    Ko,
    Superko,
}

impl Refusal {
    /// The name of the reason in the public contract.
    pub fn name(self) -> &'static str {
        match self {
            Refusal::GameOver => "game_over",
            Refusal::OffBoard => "off_board",
            Refusal::Occupied => "occupied",
            Refusal::Suicide => "suicide",
            Refusal::Ko => "ko",
            Refusal::Superko => "superko",
        }
    }
}

/// The options of a game; komi in half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    pub rows: usize,
    pub cols: usize,
    pub ko: Ko,
    pub suicide: bool,
    pub half_komi: i32,
}

impl Rules {
    /// A board without komi on which suicide is forbidden.
    pub fn new(rows: usize, cols: usize, ko: Ko) -> Rules {
        Rules { rows, cols, ko, suicide: false, half_komi: 0 }
    }
}

/// One cell per point, row by row from the top.
pub type Board = Vec<Option<Side>>;

/// What a stone put on the board leads to.
pub struct Placed {
    /// The board with the dead stones taken off.
    pub board: Board,
    /// The enemy chains taken off, one entry a chain.
    pub captured: Vec<BTreeSet<usize>>,
    /// The own chain taken off after that (empty when it lives).
    pub suicide: BTreeSet<usize>,
}

/// A game in play.
#[derive(Clone, Debug)]
pub struct Naive {
    pub rules: Rules,
    pub board: Board,
    pub turn: Side,
    /// Forbidden for the next play by the simple ko rule.
    pub ko_point: Option<usize>,
    pub passed: bool,
    pub over: bool,
    /// Every position that has occurred: the board and the side to play on it.
    pub history: Vec<(Board, Side)>,
    /// Stones taken by Black, by White.
    pub captures: [usize; 2],
}

impl Naive {
    /// An empty board, Black to play.
    pub fn new(rules: Rules) -> Naive {
        Naive::from_board(rules, vec![None; rules.rows * rules.cols], Black)
    }

    /// A position set up; it is the first entry of the history.
    pub fn from_board(rules: Rules, board: Board, turn: Side) -> Naive {
        assert_eq!(board.len(), rules.rows * rules.cols);
        Naive {
            rules,
            history: vec![(board.clone(), turn)],
            board,
            turn,
            ko_point: None,
            passed: false,
            over: false,
            captures: [0, 0],
        }
    }

    /// The number of points, which is the action that passes.
    pub fn points(&self) -> usize {
        self.rules.rows * self.rules.cols
    }

    /// The on-board points next to `point` along the lines.
    pub fn neighbours(&self, point: usize) -> Vec<usize> {
        let (row, col) = (point / self.rules.cols, point % self.rules.cols);
        let mut found = Vec::new();
        if row > 0 {
            found.push(point - self.rules.cols);
        }
        if col > 0 {
            found.push(point - 1);
        }
        if col + 1 < self.rules.cols {
            found.push(point + 1);
        }
        if row + 1 < self.rules.rows {
            found.push(point + self.rules.cols);
        }
        found
    }

    /// The on-board points that touch `point` at a corner.
    pub fn diagonals(&self, point: usize) -> Vec<usize> {
        let row_of = |p: usize| p / self.rules.cols;
        let col_of = |p: usize| p % self.rules.cols;
        (0..self.points())
            .filter(|&p| {
                row_of(p).abs_diff(row_of(point)) == 1 && col_of(p).abs_diff(col_of(point)) == 1
            })
            .collect()
    }

    /// The region of cells equal to the one at `point`, and the cells next to it.
    pub fn region(&self, board: &Board, point: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let mut inside = BTreeSet::from([point]);
        let mut border = BTreeSet::new();
        let mut queue = VecDeque::from([point]);
        while let Some(at) = queue.pop_front() {
            for next in self.neighbours(at) {
                if board[next] != board[point] {
                    border.insert(next);
                } else if inside.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        (inside, border)
    }

    /// The liberties of the chain at `point`.
    pub fn liberties(&self, board: &Board, point: usize) -> BTreeSet<usize> {
        let (_, border) = self.region(board, point);
        border.into_iter().filter(|&p| board[p].is_none()).collect()
    }

    /// Puts a stone of `side` on an empty point: takes off the enemy chains without liberty, then
    /// the own one if it has none left.
    pub fn place(&self, point: usize, side: Side) -> Placed {
        assert_eq!(self.board[point], None);
        let mut board = self.board.clone();
        board[point] = Some(side);
        let mut captured: Vec<BTreeSet<usize>> = Vec::new();
        for next in self.neighbours(point) {
            if board[next] == Some(side.other()) && self.liberties(&board, next).is_empty() {
                let (chain, _) = self.region(&board, next);
                for &p in &chain {
                    board[p] = None;
                }
                captured.push(chain);
            }
        }
        let mut suicide = BTreeSet::new();
        if self.liberties(&board, point).is_empty() {
            (suicide, _) = self.region(&board, point);
            for &p in &suicide {
                board[p] = None;
            }
        }
        Placed { board, captured, suicide }
    }

    /// Why `action` may not be played; `None` when it may.
    pub fn refusal(&self, action: usize) -> Option<Refusal> {
        if self.over {
            return Some(Refusal::GameOver);
        }
        if action > self.points() {
            return Some(Refusal::OffBoard);
        }
        if action == self.points() {
            return None;
        }
        if self.board[action].is_some() {
            return Some(Refusal::Occupied);
        }
        let placed = self.place(action, self.turn);
        let lost = placed.suicide.len();
        if lost == 1 || (lost > 1 && !self.rules.suicide) {
            return Some(Refusal::Suicide);
        }
        let next = self.turn.other();
        let repeats = |same_turn: bool| {
            self.history
                .iter()
                .any(|(board, turn)| *board == placed.board && (!same_turn || *turn == next))
        };
        match self.rules.ko {
            Ko::Simple if self.ko_point == Some(action) => Some(Refusal::Ko),
            Ko::Positional if repeats(false) => Some(Refusal::Superko),
            Ko::Situational if repeats(true) => Some(Refusal::Superko),
            _ => None,
        }
    }

    /// Plays for the side to play.
    ///
    /// # Errors
    /// The refusal; nothing has changed then.
    pub fn play(&mut self, action: usize) -> Result<(), Refusal> {
        if let Some(refusal) = self.refusal(action) {
            return Err(refusal);
        }
        let mover = self.turn;
        self.turn = mover.other();
        self.ko_point = None;
        if action == self.points() {
            self.over = self.passed;
            self.passed = true;
        } else {
            let placed = self.place(action, mover);
            let surrounded =
                self.neighbours(action).iter().all(|&p| self.board[p] == Some(mover.other()));
            if let [chain] = placed.captured.as_slice() {
                if chain.len() == 1 && surrounded {
                    self.ko_point = chain.first().copied();
                }
            }
            self.captures[mover as usize] +=
                placed.captured.iter().map(BTreeSet::len).sum::<usize>();
            self.captures[mover.other() as usize] += placed.suicide.len();
            self.board = placed.board;
            self.passed = false;
        }
        self.history.push((self.board.clone(), self.turn));
        Ok(())
    }

    /// Gives the turn to `side`: clears pass and simple ko, leaves the history.
    pub fn set_turn(&mut self, side: Side) {
        self.turn = side;
        self.passed = false;
        self.ko_point = None;
    }

    /// The actions that may be played, ascending.
    pub fn legal_actions(&self) -> Vec<usize> {
        (0..=self.points()).filter(|&action| self.refusal(action).is_none()).collect()
    }

    /// The six planes, one byte a cell.
    pub fn planes(&self) -> Vec<u8> {
        let full = |on: bool| vec![u8::from(on); self.points()];
        let stones =
            |side: Side| self.board.iter().map(|&cell| u8::from(cell == Some(side))).collect();
        let invalid = (0..self.points()).map(|p| u8::from(self.refusal(p).is_some())).collect();
        [
            stones(Black),
            stones(White),
            full(self.turn == White),
            invalid,
            full(self.passed),
            full(self.over),
        ]
        .concat()
    }

    /// Whose area each point is; `None` for an empty region that reaches both sides or none.
    pub fn ownership(&self) -> Vec<Option<Side>> {
        (0..self.points())
            .map(|point| {
                if self.board[point].is_some() {
                    return self.board[point];
                }
                let (_, border) = self.region(&self.board, point);
                let reached: BTreeSet<_> = border.iter().filter_map(|&p| self.board[p]).collect();
                match reached.len() {
                    1 => reached.first().copied(),
                    _ => None,
                }
            })
            .collect()
    }

    /// The areas of Black and of White.
    pub fn areas(&self) -> (usize, usize) {
        let owner = self.ownership();
        let count = |side: Side| owner.iter().filter(|&&o| o == Some(side)).count();
        (count(Black), count(White))
    }

    /// Black's area less White's less komi, in half points.
    pub fn half_score(&self) -> i32 {
        let (black, white) = self.areas();
        2 * (i32::try_from(black).unwrap() - i32::try_from(white).unwrap()) - self.rules.half_komi
    }

    /// Whether `point` is an eye of `side` by the named rule: `diagonal`, `chain` or `playout`.
    pub fn is_eye(&self, point: usize, side: Side, rule: &str) -> bool {
        let near = self.neighbours(point);
        let corners = self.diagonals(point);
        let at_edge = near.len() < 4;
        if self.board[point].is_some() || !near.iter().all(|&p| self.board[p] == Some(side)) {
            return false;
        }
        let own = corners.iter().filter(|&&p| self.board[p] == Some(side)).count();
        let enemy = corners.iter().filter(|&&p| self.board[p] == Some(side.other())).count();
        match rule {
            "diagonal" if at_edge => own == corners.len(),
            "diagonal" => own >= 3,
            "chain" => near.iter().all(|&p| self.liberties(&self.board, p).len() > 1),
            "playout" => enemy + usize::from(at_edge) < 2,
            _ => panic!("no eye rule {rule}"),
        }
    }
}

/// The number of action sequences of the given length, the game ending at two passes.
pub fn perft(game: &Naive, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    game.legal_actions()
        .into_iter()
        .map(|action| {
            let mut next = game.clone();
            next.play(action).expect("the action is legal");
            perft(&next, depth - 1)
        })
        .sum()
}

/// The number of boards on which every chain has a liberty.
pub fn legal_positions(rows: usize, cols: usize) -> u64 {
    let game = Naive::new(Rules::new(rows, cols, Ko::Simple));
    let points = rows * cols;
    let mut count = 0;
    for code in 0..3_usize.pow(u32::try_from(points).unwrap()) {
        let mut rest = code;
        let board: Board = (0..points)
            .map(|_| {
                let digit = rest % 3;
                rest /= 3;
                [None, Some(Black), Some(White)][digit]
            })
            .collect();
        let stands = |p: usize| board[p].is_none() || !game.liberties(&board, p).is_empty();
        count += u64::from((0..points).all(stands));
    }
    count
}
