//! Exact ends of Reversi: null-window alpha-beta on two words of discs.
//!
//! Far from the end, plays are tried in the order of the opponent's mobility after them, corners first, and what was
//! found out is kept in a table. Near the end only parity decides: regions with an odd number of empty points
//! come first, for whoever plays there first also plays last. Boards of fewer than eight rows or columns lie in
//! the upper left of the usual one; beyond them nothing is ever legal.

use super::Reversi;
use super::eight_by_eight::{flips, legal};
use crate::exact::{Effort, Exact, Memory, Solution, Table, Task, Unsolvable, check_limit};
use crate::game::Game;
use crate::geometry::{Action, BoardSize};

/// Most rows and columns.
const SIDE: usize = 8;

/// Most empty points of a position solved at a leaf of a search.
const LEAF: usize = 12;

/// The same once for each move of a game.
const ROOT: usize = 20;

/// With so many empty points and fewer, plays are neither ordered by mobility nor looked up.
const NEAR: u32 = 5;

/// With so many empty points and more, a position is kept in the table: fewer are sooner searched again.
const KEPT: u32 = 8;

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The table has so many entries, as a power of two.
const TABLE: u32 = 17;

/// A score below all others.
const NONE: i32 = -65;

const NO_POINT: u8 = 64;

/// What the player to play gets at least and at most.
#[derive(Clone, Copy, Default)]
struct Entry {
    own: u64,
    other: u64,
    solve: u32,
    lower: i8,
    upper: i8,
    best: u8,
}

impl Table<Entry> {
    #[inline]
    fn slot(&mut self, own: u64, other: u64) -> &mut Entry {
        let mixed = (own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.rotate_left(23))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        let index = mixed >> (64 - self.entries.len().trailing_zeros());
        &mut self.entries[index as usize]
    }
}

/// A play with what it flips; those with the lowest number come first.
#[derive(Clone, Copy)]
struct Play {
    order: i32,
    point: u8,
    flips: u64,
}

struct Solver<'a, 'b> {
    task: &'a mut Task<'b>,
    table: &'a mut Table<Entry>,
    board: u64,
    /// The plays of all positions of the line that is looked at.
    plays: Vec<Play>,
}

/// What is left of the board when the game is over.
#[inline]
fn lead(own: u64, other: u64) -> i32 {
    own.count_ones() as i32 - other.count_ones() as i32
}

/// The points of the quadrants with an odd number of these points: the parity of each is folded into one bit.
#[inline]
fn odd(mut points: u64) -> u64 {
    for shift in [2, 1, 16, 8] {
        points ^= points >> shift;
    }
    (points & 0x0000_0011_0000_0011).wrapping_mul(0x0f0f_0f0f)
}

/// The points beside each.
static AROUND: [u64; 64] = {
    let mut around = [0; 64];
    let mut point = 0;
    while point < 64 {
        let bit = 1_u64 << point;
        let row = bit | (bit << 1 & !0x0101_0101_0101_0101) | (bit >> 1 & !0x8080_8080_8080_8080);
        around[point] = (row | row << 8 | row >> 8) & !bit;
        point += 1;
    }
    around
};

impl Solver<'_, '_> {
    #[inline]
    fn legal(&self, own: u64, other: u64) -> u64 {
        legal(own, other) & self.board
    }

    /// What was found out about a position.
    #[inline]
    fn known(&mut self, own: u64, other: u64) -> Option<Entry> {
        let solve = self.table.solve;
        let entry = *self.table.slot(own, other);
        let is_known = entry.solve == solve && (entry.own, entry.other) == (own, other);
        is_known.then_some(entry)
    }

    /// The score for the player to play, if it is above `alpha` and below `beta`. Else a bound: an upper one if it
    /// is not above `alpha`, a lower one if it is not below `beta`.
    fn search(&mut self, own: u64, other: u64, mut alpha: i32, beta: i32) -> i32 {
        let empty = self.board & !(own | other);
        let count = empty.count_ones();
        if count <= NEAR {
            return self.search_near(own, other, empty, alpha, beta, false);
        }
        if !self.task.count() {
            return 0;
        }
        let entry = if count < KEPT { None } else { self.known(own, other) };
        let (lower, upper) =
            entry.map_or((-64, 64), |entry| (entry.lower.into(), entry.upper.into()));
        if lower >= beta || lower == upper {
            return lower;
        }
        if upper <= alpha {
            return upper;
        }
        let may = self.legal(own, other);
        if may == 0 {
            let may_other = self.legal(other, own) != 0;
            return if may_other {
                -self.search(other, own, -beta, -alpha)
            } else {
                lead(own, other)
            };
        }
        let begin = self.plays.len();
        self.list_plays(own, other, empty, may, entry.map_or(NO_POINT, |entry| entry.best));
        let (before, mut best, mut found) = (alpha, NONE, NO_POINT);
        for next in begin..self.plays.len() {
            let rest = next..self.plays.len();
            let least = rest.min_by_key(|&i| self.plays[i].order).unwrap_or(next);
            self.plays.swap(next, least);
            let Play { point, flips, .. } = self.plays[next];
            let (own, other) = (other ^ flips, own | flips | 1 << point);
            // After the first play, a null window says whether another is better: most often it is not.
            let width = if next == begin { beta } else { alpha + 1 };
            let mut value = -self.search(own, other, -width, -alpha);
            if alpha < value && value < beta && width < beta {
                value = -self.search(own, other, -beta, -value);
            }
            if value > best {
                (best, found) = (value, point);
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.plays.truncate(begin);
        if count >= KEPT && !self.task.is_stopped() {
            let lower = if best > before { best } else { lower } as i8;
            let upper = if best < beta { best } else { upper } as i8;
            let solve = self.table.solve;
            *self.table.slot(own, other) = Entry { own, other, solve, lower, upper, best: found };
        }
        best
    }

    /// Lists the plays and the numbers that order them; `first` is known to be good.
    #[inline]
    fn list_plays(&mut self, own: u64, other: u64, empty: u64, mut may: u64, first: u8) {
        let odd = odd(empty);
        while may != 0 {
            let point = may.trailing_zeros() as u8;
            let bit = 1_u64 << point;
            may ^= bit;
            let flips = flips(own, other, point.into());
            let replies = self.legal(other ^ flips, own | flips | bit);
            let mobility = replies.count_ones() + (replies & CORNERS).count_ones();
            let order = if point == first {
                i32::MIN
            } else {
                16 * mobility as i32
                    - 8 * i32::from(bit & odd != 0)
                    - 24 * i32::from(bit & CORNERS != 0)
            };
            self.plays.push(Play { order, point, flips });
        }
    }

    /// The same with few empty points.
    fn search_near(
        &mut self,
        own: u64,
        other: u64,
        empty: u64,
        mut alpha: i32,
        beta: i32,
        passed: bool,
    ) -> i32 {
        if !self.task.count() {
            return 0;
        }
        if empty & empty.wrapping_sub(1) == 0 {
            return last(own, other, empty);
        }
        let (mut best, odd) = (NONE, odd(empty));
        for mut points in [empty & odd, empty & !odd] {
            while points != 0 {
                let point = points.trailing_zeros() as usize;
                let bit = 1_u64 << point;
                points ^= bit;
                if AROUND[point] & other == 0 {
                    continue;
                }
                let flips = flips(own, other, point);
                if flips == 0 {
                    continue;
                }
                let (own, other) = (other ^ flips, own | flips | bit);
                let value = -self.search_near(own, other, empty ^ bit, -beta, -alpha, false);
                best = best.max(value);
                alpha = alpha.max(value);
                if alpha >= beta {
                    return best;
                }
            }
        }
        if best > NONE {
            best
        } else if passed {
            lead(own, other)
        } else {
            -self.search_near(other, own, empty, -beta, -alpha, true)
        }
    }

    /// The value for the player to play, or the score; after a stop, nothing.
    fn value(&mut self, own: u64, other: u64) -> Option<i32> {
        let mut value = self.search(own, other, -1, 1);
        if self.task.is_scored() && value != 0 {
            let (alpha, beta) = if value > 0 { (value - 1, 64) } else { (-64, value + 1) };
            value = self.search(own, other, alpha, beta);
        } else {
            value = value.signum();
        }
        (!self.task.is_stopped()).then_some(value)
    }

    /// A play that keeps the value, or the score; of a lost position any, unless the score is asked for.
    fn best(&mut self, own: u64, other: u64, value: i32) -> Option<Play> {
        let empty = self.board & !(own | other);
        let first = self.known(own, other).map_or(NO_POINT, |entry| entry.best);
        let begin = self.plays.len();
        self.list_plays(own, other, empty, self.legal(own, other), first);
        let mut plays = self.plays.split_off(begin);
        plays.sort_by_key(|play| (play.order, play.point));
        let may_be_any = value < 0 && !self.task.is_scored();
        let keeps = |&Play { point, flips, .. }: &Play| {
            let reply = |solver: &mut Self| {
                -solver.search(other ^ flips, own | flips | 1 << point, -value, 1 - value)
            };
            may_be_any || reply(self) >= value
        };
        let found = plays.into_iter().find(keeps);
        found.filter(|_| !self.task.is_stopped())
    }

    /// The best actions to the end of the game, as far as the limits allow.
    fn line(
        &mut self,
        mut own: u64,
        mut other: u64,
        mut value: i32,
        size: BoardSize,
    ) -> Vec<Action> {
        let mut line = Vec::new();
        loop {
            if self.legal(own, other) != 0 {
                let Some(Play { point, flips, .. }) = self.best(own, other, value) else { break };
                line.push(action(size, point));
                (own, other) = (own | flips | 1 << point, other ^ flips);
            } else if self.legal(other, own) != 0 {
                line.push(size.pass());
            } else {
                break;
            }
            (own, other, value) = (other, own, -value);
            if self.task.effort() == Effort::Root {
                break;
            }
        }
        line
    }
}

/// The score with one empty point left, or none.
#[inline]
fn last(own: u64, other: u64, bit: u64) -> i32 {
    if bit == 0 {
        return lead(own, other);
    }
    let point = bit.trailing_zeros() as usize;
    let flipped = flips(own, other, point).count_ones() as i32;
    if flipped > 0 {
        return lead(own, other) + 2 * flipped + 1;
    }
    let flipped = flips(other, own, point).count_ones() as i32;
    lead(own, other) - if flipped > 0 { 2 * flipped + 1 } else { 0 }
}

/// A set of points of a smaller board, on the upper left of the usual one.
fn embedded(points: u64, size: BoardSize) -> u64 {
    let (cols, row) = (size.cols(), u64::MAX >> (64 - size.cols()));
    (0..size.rows()).fold(0, |all, i| all | (points >> (i * cols) & row) << (SIDE * i))
}

fn action(size: BoardSize, point: u8) -> Action {
    let (row, col) = (usize::from(point) / SIDE, usize::from(point) % SIDE);
    Action::new(row * size.cols() + col)
}

impl Exact for Reversi {
    fn check_solvable(&self) -> Result<(), Unsolvable> {
        let size = self.size();
        if size.rows() > SIDE || size.cols() > SIDE {
            return Err(Unsolvable(format!(
                "a Reversi board of {size} is too large to solve: at most {SIDE} rows and columns"
            )));
        }
        // Between two plays there is one pass at most.
        check_limit(self, 2 * self.empty())
    }

    fn solve(&self, task: &mut Task<'_>, memory: &mut Memory) -> Solution {
        let size = self.size();
        let most = match task.effort() {
            Effort::Leaf => LEAF,
            Effort::Root => ROOT,
            Effort::Whole => usize::MAX,
        };
        if self.empty() > most || self.is_over() || self.check_solvable().is_err() {
            return Solution::default();
        }
        let discs = |color| embedded(self.first_word(color), size);
        let (own, other) = (discs(self.turn()), discs(self.turn().opponent()));
        let board = embedded(u64::MAX, size);
        let table = memory.of::<Table<Entry>>();
        table.begin(TABLE);
        let mut solver = Solver { task, table, board, plays: Vec::new() };
        let value = solver.value(own, other);
        let line = value.filter(|_| solver.task.effort() != Effort::Leaf);
        let line = line.map_or(Vec::new(), |value| solver.line(own, other, value, size));
        let best = line.first().copied();
        // Without an action, the limit came just before the end.
        let value = value.filter(|_| best.is_some() || task.effort() == Effort::Leaf);
        Solution {
            value: value.map(|value| value.signum() as i8),
            score: value.filter(|_| task.is_scored()).map(f64::from),
            best,
            line,
            nodes: task.nodes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_with_an_action_wherever_the_limit_ends_the_work() {
        // White, to play, wins so small a board: only some actions do.
        let mut game = Reversi::new(4).expect("a size");
        game.play(game.legal_actions()[0]).expect("a legal action");
        let (mut memory, mut interrupt) = (Memory::default(), || false);
        for limit in 0.. {
            let mut task = Task::new(Effort::Root, &mut interrupt).with_nodes(limit);
            let found = game.solve(&mut task, &mut memory);
            assert_eq!(found.value.is_some(), found.best.is_some(), "{limit}");
            if found.nodes < limit {
                break;
            }
        }
    }
}
