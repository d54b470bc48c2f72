//! Exact values of Connect Four: null-window alpha-beta on two words, with the threats of both sides.
//!
//! A board lies in one word column by column, the bottom first. Above each column is a bit that stays empty, so
//! that no line goes on in the next column. Who can win at once wins; who faces two such points has lost; else
//! the plays that win most points later come first, and what was found out is kept in a table.

use super::ConnectFour;
use crate::color::Color;
use crate::exact::{Effort, Exact, Memory, Solution, Table, Task, Unsolvable, check_limit};
use crate::game::Game;
use crate::geometry::{Action, BoardSize};

/// Most positions looked at for a leaf of a search.
const LEAF: u64 = 64;

/// The same once for each move of a game.
const ROOT: u64 = 50_000;

/// The table of a whole solve has so many entries, as a power of two; that of others has fewer.
const TABLE: u32 = 20;
const SMALL_TABLE: u32 = 16;

/// With so many empty points and fewer, a position is sooner searched again than looked up.
const NEAR: u32 = 6;

/// What the player to play gets at least and at most.
#[derive(Clone, Copy, Default)]
struct Entry {
    own: u64,
    taken: u64,
    solve: u32,
    lower: i8,
    upper: i8,
}

struct Solver<'a, 'b> {
    task: &'a mut Task<'b>,
    /// The number of nodes at which the work is given up.
    until: u64,
    table: &'a mut Table<Entry>,
    /// The size of the table that this task uses: what it finds must not depend on earlier ones.
    table_size: u32,
    size: BoardSize,
    /// The points of the board, and the lowest of each column.
    board: u64,
    bottom: u64,
}

/// The distance from a column to the next.
fn stride(size: BoardSize) -> usize {
    size.rows() + 1
}

/// The bit of a point, and back.
fn bit_of(size: BoardSize, point: usize) -> u64 {
    1 << (point % size.cols() * stride(size) + size.rows() - 1 - point / size.cols())
}

fn point_of(size: BoardSize, bit: u64) -> usize {
    let index = bit.trailing_zeros() as usize;
    (size.rows() - 1 - index % stride(size)) * size.cols() + index / stride(size)
}

impl<'a, 'b> Solver<'a, 'b> {
    fn new(game: &ConnectFour, task: &'a mut Task<'b>, memory: &'a mut Memory) -> Self {
        let size = game.size();
        let bits = |points: &mut dyn Iterator<Item = usize>| {
            points.fold(0, |bits, point| bits | bit_of(size, point))
        };
        let board = bits(&mut (0..size.points()));
        let bottom = bits(&mut (size.points() - size.cols()..size.points()));
        let (most, table_size) = match task.effort() {
            Effort::Leaf => (LEAF, 0),
            Effort::Root => (ROOT, SMALL_TABLE),
            Effort::Whole => (u64::MAX, TABLE),
        };
        let table: &mut Table<Entry> = memory.of();
        table.begin(table_size);
        let until = task.nodes().saturating_add(most);
        Self { task, until, table, table_size, size, board, bottom }
    }

    fn is_out(&self) -> bool {
        self.task.is_stopped() || self.task.nodes() >= self.until
    }

    /// The empty points where a disc would complete a line of these discs.
    #[inline]
    fn threats(&self, discs: u64, taken: u64) -> u64 {
        let mut found = discs << 1 & discs << 2 & discs << 3;
        let rows = self.size.rows();
        for step in [rows, rows + 1, rows + 2] {
            let (up, down) = (discs << step, discs >> step);
            let (two_up, two_down) = (discs << (2 * step), discs >> (2 * step));
            found |= up & two_up & (discs << (3 * step) | down);
            found |= down & two_down & (discs >> (3 * step) | up);
        }
        found & self.board & !taken
    }

    /// The lowest empty point of each column.
    #[inline]
    fn open(&self, taken: u64) -> u64 {
        (taken + self.bottom) & self.board
    }

    /// The plays that do not lose at once to a reply, if the player to play cannot win at once; none if all do, or
    /// if the board is full.
    #[inline]
    fn safe(&self, own: u64, taken: u64) -> u64 {
        let open = self.open(taken);
        let threats = self.threats(taken ^ own, taken);
        let forced = open & threats;
        let plays = match forced.count_ones() {
            0 => open,
            1 => forced,
            _ => 0,
        };
        plays & !(threats >> 1)
    }

    /// The plays in the order in which they are tried: those that make most threats, the middle first.
    fn ordered(&self, plays: u64, own: u64, taken: u64) -> ([u64; ConnectFour::MAX], usize) {
        let (mut order, mut found, mut count) = ([0; ConnectFour::MAX], [0; ConnectFour::MAX], 0);
        let (cols, stride) = (self.size.cols(), stride(self.size));
        for i in 0..cols {
            // The middle, one to the left, one to the right, two to the left and so on.
            let col = if i % 2 == 0 { cols / 2 + i / 2 } else { cols / 2 - i.div_ceil(2) };
            let col = if cols % 2 == 0 { cols - 1 - col } else { col };
            let play = plays & ((1 << (stride - 1)) - 1) << (col * stride);
            if play == 0 {
                continue;
            }
            let threats = self.threats(own | play, taken | play).count_ones();
            let mut place = count;
            while place > 0 && order[place - 1] < threats {
                (order[place], found[place]) = (order[place - 1], found[place - 1]);
                place -= 1;
            }
            (order[place], found[place]) = (threats, play);
            count += 1;
        }
        (found, count)
    }

    /// The value for the player to play, if it is above `alpha` and below `beta`. Else a bound: an upper one if it
    /// is not above `alpha`, a lower one if it is not below `beta`. Means nothing once the work is given up.
    fn search(&mut self, own: u64, taken: u64, mut alpha: i8, mut beta: i8) -> i8 {
        let open = self.open(taken);
        if open == 0 || self.is_out() || !self.task.count() {
            return 0;
        }
        if open & self.threats(own, taken) != 0 {
            return 1;
        }
        let plays = self.safe(own, taken);
        if plays == 0 {
            return -1;
        }
        let is_kept = self.table_size > 0 && (self.board & !taken).count_ones() > NEAR;
        let mixed = (own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ taken.rotate_left(23))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        let slot = if is_kept { (mixed >> (64 - self.table_size)) as usize } else { 0 };
        let (mut lower, mut upper) = (-1, 1);
        if is_kept {
            let entry = self.table.entries[slot];
            if entry.solve == self.table.solve && (entry.own, entry.taken) == (own, taken) {
                (lower, upper) = (entry.lower, entry.upper);
            }
        }
        (alpha, beta) = (alpha.max(lower), beta.min(upper));
        if alpha >= beta {
            return if lower >= beta { lower } else { upper };
        }
        let (first, mut best) = (alpha, -1);
        let (ordered, count) = self.ordered(plays, own, taken);
        for &play in &ordered[..count] {
            best = best.max(-self.search(taken ^ own, taken | play, -beta, -alpha));
            if self.is_out() {
                return 0;
            }
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        if is_kept {
            let lower = if best > first { best } else { lower };
            let upper = if best < beta { best } else { upper };
            let solve = self.table.solve;
            self.table.entries[slot] = Entry { own, taken, solve, lower, upper };
        }
        best
    }

    /// An action that keeps a value, which the position has.
    fn keeps(&mut self, own: u64, taken: u64, value: i8) -> Option<u64> {
        let open = self.open(taken);
        let wins = open & self.threats(own, taken);
        if wins != 0 {
            return Some(wins & wins.wrapping_neg());
        }
        // Of a lost position any action will do.
        let plays = if value < 0 { open } else { self.safe(own, taken) };
        let (ordered, count) = self.ordered(plays, own, taken);
        ordered[..count].iter().copied().find(|play| {
            value < 0 || -self.search(taken ^ own, taken | play, -value, 1 - value) >= value
        })
    }

    /// The value and the line that keeps it: one action, or to the end of the game, as far as the limits allow;
    /// nothing if the work is given up before the first action is known.
    fn solve(&mut self, mut own: u64, mut taken: u64) -> Option<(i8, Vec<Action>)> {
        let value = self.search(own, taken, -1, 1);
        let (mut line, mut kept) = (Vec::new(), value);
        while !self.is_out() && (line.is_empty() || self.task.effort() == Effort::Whole) {
            let play = self.keeps(own, taken, kept);
            // What was found after a stop means nothing.
            let Some(play) = play.filter(|_| !self.is_out()) else { break };
            line.push(Action::new(point_of(self.size, play)));
            if play & self.threats(own, taken) != 0 {
                break;
            }
            (own, taken, kept) = (taken ^ own, taken | play, -kept);
        }
        (!line.is_empty()).then_some((value, line))
    }
}

impl Exact for ConnectFour {
    fn check_solvable(&self) -> Result<(), Unsolvable> {
        let size = self.size();
        if stride(size) * size.cols() > 64 {
            return Err(Unsolvable(format!(
                "a Connect Four board of {size} is too large to solve: columns times rows and one more are at most 64"
            )));
        }
        check_limit(self, self.standing.empty)
    }

    fn solve(&self, task: &mut Task<'_>, memory: &mut Memory) -> Solution {
        if self.is_over() || self.check_solvable().is_err() {
            return Solution::default();
        }
        let size = self.size();
        let [black, white] =
            self.discs.map(|discs| discs.iter().fold(0, |bits, point| bits | bit_of(size, point)));
        let own = if self.turn() == Color::Black { black } else { white };
        let (value, line) = Solver::new(self, task, memory).solve(own, black | white).unzip();
        let line = line.unwrap_or_default();
        Solution {
            value,
            score: value.filter(|_| task.is_scored()).map(f64::from),
            best: line.first().copied(),
            line,
            nodes: task.nodes(),
        }
    }
}
