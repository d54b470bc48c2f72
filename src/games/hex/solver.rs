//! Exact values of Hex: depth first, with the connections that nobody can break.
//!
//! Against each stone by which the opponent would win without a doubt, a point has to be taken of those that this needs.
//! So few points are left; and where all of them lose, all points that the opponent needed against them are enough.

use super::Hex;
use super::pairs::{POINTS, Pairs};
use crate::bits::Bits;
use crate::color::Color;
use crate::exact::{Effort, Exact, Memory, Solution, Table, Task, Unsolvable, check_limit};
use crate::game::Game;
use crate::geometry::{Action, BoardSize};

/// Most positions looked at for a leaf of a search.
const LEAF: u64 = 8;

/// The same once for each move of a game.
const ROOT: u64 = 1_000;

/// The table of a whole solve has so many entries, as a power of two; that of others has fewer.
const TABLE: u32 = 18;
const SMALL_TABLE: u32 = 10;

/// Whether the color to play wins, a play that does if so, and the empty points that the winner needs: whoever has the
/// other ones.
#[derive(Clone, Copy, Default)]
struct Proof {
    wins: bool,
    play: u64,
    needs: u64,
}

/// A position that was searched, by the stones of the color to play and of the other one.
#[derive(Clone, Copy, Default)]
struct Entry {
    own: u64,
    other: u64,
    play: u64,
    needs: u64,
    solve: u32,
    is_white: bool,
    wins: bool,
}

struct Solver<'a, 'b> {
    pairs: Pairs,
    task: &'a mut Task<'b>,
    /// The number of nodes at which the work is given up.
    until: u64,
    /// Whether it was.
    is_out: bool,
    table: &'a mut Table<Entry>,
    /// The size of the table that this task uses: what it finds must not depend on earlier ones.
    table_size: u32,
}

impl<'a, 'b> Solver<'a, 'b> {
    fn new(size: BoardSize, task: &'a mut Task<'b>, memory: &'a mut Memory) -> Self {
        let (most, table_size) = match task.effort() {
            Effort::Leaf => (LEAF, 0),
            Effort::Root => (ROOT, SMALL_TABLE),
            Effort::Whole => (u64::MAX, TABLE),
        };
        let table: &mut Table<Entry> = memory.of();
        table.begin(table_size);
        let until = task.nodes().saturating_add(most);
        Self { pairs: Pairs::new(size), task, until, is_out: false, table, table_size }
    }

    /// Counts a node; `false` if the work is given up.
    fn count(&mut self) -> bool {
        self.is_out = self.is_out || self.task.nodes() >= self.until || !self.task.count();
        !self.is_out
    }

    /// Who wins. Means nothing once the work is given up.
    fn search(&mut self, color: Color, own: u64, other: u64) -> Proof {
        if !self.count() {
            return Proof::default();
        }
        let empty = self.pairs.board & !(own | other);
        if let Some(needs) = self.pairs.joined(color.opponent(), other, empty) {
            return Proof { wins: false, play: 0, needs };
        }
        let is_white = color == Color::White;
        let mixed = (own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.rotate_left(23))
            .wrapping_add(u64::from(is_white))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        let slot = if self.table_size > 0 { (mixed >> (64 - self.table_size)) as usize } else { 0 };
        let solve = self.table.solve;
        let known = self.table.entries[slot];
        if (known.solve, known.own, known.other, known.is_white) == (solve, own, other, is_white) {
            return Proof { wins: known.wins, play: known.play, needs: known.needs };
        }
        if let Some((play, needs)) = self.pairs.wins(color, own, empty).next() {
            return Proof { wins: true, play, needs };
        }
        let (mut must, mut needs) = self.pairs.must(color, other, empty);
        let mut found = Proof { wins: false, play: 0, needs };
        let (order, count) = self.pairs.ordered(color, own, other, must);
        for &play in &order[..count] {
            if must & play == 0 {
                continue;
            }
            let after = self.search(color.opponent(), other, own | play);
            if self.is_out {
                return Proof::default();
            }
            if !after.wins {
                found = Proof { wins: true, play, needs: after.needs | play };
                break;
            }
            // A stone that takes none of these points changes nothing.
            (must, needs) = (must & after.needs, needs | after.needs);
            found.needs = needs;
        }
        if self.table_size > 0 {
            let Proof { wins, play, needs } = found;
            self.table.entries[slot] = Entry { own, other, play, needs, solve, is_white, wins };
        }
        found
    }
}

impl Hex {
    /// The stones of the color to play and of the other one.
    fn words(&self) -> (Color, u64, u64) {
        let turn = self.turn();
        (turn, self.sides.stones(turn).0[0], self.sides.stones(turn.opponent()).0[0])
    }

    /// Whether the other color may swap after any stone.
    fn may_be_swapped(&self) -> bool {
        let is_empty = Color::ALL.iter().all(|&color| self.sides.stones(color).is_empty());
        self.rules.swap && is_empty && self.turn() == Color::Black
    }

    /// Who wins, and a play that does; nothing if the work is given up.
    fn proof(&self, solver: &mut Solver<'_, '_>) -> Option<(bool, Action)> {
        let (turn, own, other) = self.words();
        if self.may_be_swapped() {
            // Of any stone either player would rather be the owner, and White chooses.
            return Some((false, Action::new(solver.pairs.order[0].into())));
        }
        let found = solver.search(turn, own, other);
        if solver.is_out {
            return None;
        }
        if self.may_swap && !found.wins {
            return Some((true, self.size().pass()));
        }
        let empty = solver.pairs.board & !(own | other);
        let play = match (found.wins, found.needs) {
            (true, _) => found.play,
            // A lost position is held longest where the winner needs points.
            (false, 0) => empty & empty.wrapping_neg(),
            (false, needs) => solver.pairs.ordered(turn, own, other, needs).0[0],
        };
        Some((found.wins, Action::new(play.trailing_zeros() as usize)))
    }
}

impl Exact for Hex {
    fn check_solvable(&self) -> Result<(), Unsolvable> {
        let size = self.size();
        if size.points() > POINTS {
            return Err(Unsolvable(format!(
                "a Hex board of {size} is too large to solve: at most {POINTS} points"
            )));
        }
        let swap = usize::from(self.may_swap || self.may_be_swapped());
        check_limit(self, self.sides.empty().count() + swap)
    }

    fn solve(&self, task: &mut Task<'_>, memory: &mut Memory) -> Solution {
        if self.is_over() || self.check_solvable().is_err() {
            return Solution::default();
        }
        let (is_whole, is_scored) = (task.effort() == Effort::Whole, task.is_scored());
        let mut solver = Solver::new(self.size(), task, memory);
        let (mut game, mut line) = (self.clone(), Vec::new());
        let mut value = None;
        while !game.is_over() && (line.is_empty() || is_whole) {
            let Some((wins, play)) = game.proof(&mut solver) else { break };
            value = value.or(Some(if wins { 1 } else { -1 }));
            line.push(play);
            game.play_unchecked(play);
        }
        Solution {
            value,
            score: value.filter(|_| is_scored).map(f64::from),
            best: line.first().copied(),
            line,
            nodes: task.nodes(),
        }
    }

    fn at_leaf(&self, memory: &mut Memory) -> (Option<i8>, Bits<10>) {
        if self.is_over() || self.check_solvable().is_err() {
            return (None, Bits::EMPTY);
        }
        let mut never = || false;
        let mut task = Task::new(Effort::Leaf, &mut never);
        let mut solver = Solver::new(self.size(), &mut task, memory);
        if let Some((wins, _)) = self.proof(&mut solver) {
            return (Some(if wins { 1 } else { -1 }), Bits::EMPTY);
        }
        let (turn, own, other) = self.words();
        let empty = solver.pairs.board & !(own | other);
        let (must, _) = solver.pairs.must(turn, other, empty);
        let mut losing = Bits::EMPTY;
        losing.0[0] = empty & !must;
        (None, losing)
    }
}
