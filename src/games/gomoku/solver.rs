//! Forced wins of Gomoku, and positions with few empty points as a whole.
//!
//! Who has a four, a run that one more stone makes five, forces the answer: a search of nothing but fours follows a
//! single line. If one of the opponent's threatens, only some stones can stop it: those on its points, and those that
//! give the defender a four on the way. All others lose, and need no search. A quiet stone, such as one that makes an
//! open three, wins if it threatens to win by fours and each of those answers loses.

use super::Gomoku;
use super::board::{Board, Points};
use crate::bits::Bits;
use crate::color::Color;
use crate::exact::{Effort, Exact, Memory, Solution, Task, Unsolvable, check_limit};
use crate::game::Game;
use crate::geometry::{Action, BoardSize};
use crate::zobrist;

/// Most nodes of a search of fours at a leaf, and within a search of threes.
const FOURS: u64 = 100;

/// Most nodes once for each move of a game.
const ROOT: u64 = 1_000;

/// Most quiet stones in a row of a forced win.
const QUIET: u32 = 10;

/// With so many empty points and fewer, a position is solved as a whole: two bits of a word for each.
const WHOLE: usize = 25;

/// The same once for each move of a game.
const ROOT_WHOLE: usize = 9;

/// The value for the player to play is between these.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    lower: i8,
    upper: i8,
}

/// What a worker keeps: of the tables only the memory.
#[derive(Default)]
struct Kept {
    board: Board,
    /// Positions without a win by fours.
    failed: Vec<u64>,
    values: Vec<Entry>,
    /// For each point empty at first, its place in the key of a position; of others nothing.
    places: Vec<u8>,
}

/// A forced win that was found.
#[derive(Clone, Copy)]
enum Win {
    /// The points of [`Solver::fours`].
    Fours,
    /// A quiet stone here.
    Quiet(usize),
}

struct Solver<'a, 'b> {
    task: &'a mut Task<'b>,
    kept: &'a mut Kept,
    /// The points of the last win by fours, from the last to the first: stones of both in turn.
    fours: Vec<usize>,
    /// The most nodes of a search of fours.
    most_fours: u64,
    /// The number of nodes at which the work is given up.
    until: u64,
    /// Whether another quiet stone might have won.
    is_cut: bool,
}

impl<'a, 'b> Solver<'a, 'b> {
    fn new(game: &Gomoku, task: &'a mut Task<'b>, memory: &'a mut Memory) -> Self {
        let kept = memory.of::<Kept>();
        kept.board.read(game);
        let (until, most_fours, failed) = match task.effort() {
            Effort::Leaf => (u64::MAX, FOURS, 1 << 8),
            Effort::Root => (ROOT, FOURS, 1 << 10),
            Effort::Whole => (u64::MAX, 100 * FOURS, 1 << 16),
        };
        kept.failed.clear();
        kept.failed.resize(failed, 0);
        Self { task, kept, fours: Vec::new(), most_fours, until, is_cut: false }
    }

    fn is_out(&self) -> bool {
        self.task.nodes() >= self.until || self.task.is_stopped()
    }

    fn count(&mut self) -> bool {
        self.task.nodes() < self.until && self.task.count()
    }

    /// Does something with a stone on the board.
    fn with<T>(&mut self, color: Color, point: usize, f: impl FnOnce(&mut Self) -> T) -> T {
        self.kept.board.toggle(color, point);
        let result = f(self);
        self.kept.board.toggle(color, point);
        result
    }

    /// Whether a color, to play and without a five, wins by fours alone. `must`: where the other would make five.
    fn wins_by_fours(&mut self, color: Color, must: Option<usize>) -> bool {
        let until = self.until;
        self.until = until.min(self.task.nodes().saturating_add(self.most_fours));
        self.fours.clear();
        let wins = self.next_four(color, must);
        self.until = until;
        wins
    }

    fn next_four(&mut self, color: Color, must: Option<usize>) -> bool {
        let key = self.kept.board.key ^ zobrist::turn(color) ^ 1;
        let slot = key as usize & (self.kept.failed.len() - 1);
        if self.kept.failed[slot] == key || !self.count() {
            return false;
        }
        let own = self.kept.board.windows(color, 3);
        let candidates = must.map_or(own, |must| own & Bits::point(must));
        for point in candidates {
            if self.with(color, point, |this| this.wins_by_four_at(color, point)) {
                self.fours.push(point);
                return true;
            }
        }
        if !self.is_out() {
            self.kept.failed[slot] = key;
        }
        false
    }

    /// Whether a stone that was just put there makes a four and wins.
    fn wins_by_four_at(&mut self, color: Color, point: usize) -> bool {
        let other = color.opponent();
        let mut fives = self.kept.board.fives_through(color, point).iter();
        let Some(block) = fives.next() else { return false };
        if let Some(five) = fives.next() {
            self.fours.extend([five, block]);
            return true;
        }
        let wins = self.with(other, block, |this| {
            let mut threats = this.kept.board.fives_through(other, block).iter();
            let must = threats.next();
            threats.next().is_none() && this.next_four(color, must)
        });
        if wins {
            self.fours.push(block);
        }
        wins
    }

    /// The only points where a stone of the defender may stop the fours that were just found.
    fn defences(&mut self, defender: Color) -> Points {
        let (fours, board) = (&self.fours, &mut self.kept.board);
        // From the first: the attacker's, the defender's, ...
        let blocks = || fours.iter().rev().skip(1).step_by(2);
        blocks().for_each(|&point| board.toggle(defender, point));
        let counters = board.windows(defender, 3);
        blocks().for_each(|&point| board.toggle(defender, point));
        fours.iter().fold(counters, |all, &point| all | Bits::point(point))
    }

    /// How a color, to play, wins with so many quiet stones at most.
    fn win(&mut self, color: Color, quiet: u32) -> Option<Win> {
        if !self.count() {
            return None;
        }
        if let Some(five) = self.kept.board.fives(color).first() {
            self.fours = vec![five];
            return Some(Win::Fours);
        }
        let mut threats = self.kept.board.fives(color.opponent()).iter();
        let must = threats.next();
        if threats.next().is_some() {
            return None;
        }
        if self.wins_by_fours(color, must) {
            return Some(Win::Fours);
        }
        if quiet == 0 {
            self.is_cut = true;
            return None;
        }
        let points = must.map_or_else(|| self.kept.board.windows(color, 2), Bits::point);
        let mut points = points.iter();
        let point = points
            .find(|&point| self.with(color, point, |this| this.loses(color.opponent(), quiet - 1)));
        point.map(Win::Quiet)
    }

    /// The answers to what the other threatens that do not lose at once, for a color to play without a five; `None`
    /// if nothing threatens.
    fn answers(&mut self, color: Color) -> Option<Points> {
        let other = color.opponent();
        let mut fives = self.kept.board.fives(other).iter();
        let Some(five) = fives.next() else {
            return self.wins_by_fours(other, None).then(|| self.defences(color));
        };
        self.fours = vec![five];
        Some(if fives.next().is_none() { Bits::point(five) } else { Bits::EMPTY })
    }

    /// What fours alone say of a position: its value, or which points lose.
    fn by_fours(&mut self, color: Color) -> (Option<i8>, Points) {
        if self.win(color, 0).is_some() {
            return (Some(1), Bits::EMPTY);
        }
        match if self.is_out() { None } else { self.answers(color) } {
            None => (None, Bits::EMPTY),
            Some(Bits::EMPTY) => (Some(-1), Bits::EMPTY),
            Some(answers) => (None, self.kept.board.empty & !answers),
        }
    }

    /// Whether a color, to play, loses whatever it does to so many quiet stones at most.
    fn loses(&mut self, color: Color, quiet: u32) -> bool {
        if !self.count() || !self.kept.board.fives(color).is_empty() {
            return false;
        }
        let Some(answers) = self.answers(color) else { return false };
        let other = color.opponent();
        // Not needed, but soon done.
        let must = self.kept.board.fives(other).first();
        if !answers.is_empty() && self.wins_by_fours(color, must) {
            return false;
        }
        answers.iter().all(|point| self.with(color, point, |this| this.win(other, quiet).is_some()))
    }

    /// Adds a forced win to a line.
    fn follow_win(&mut self, color: Color, quiet: u32, line: &mut Vec<usize>) {
        match self.win(color, quiet) {
            Some(Win::Fours) => line.extend(self.fours.iter().rev()),
            Some(Win::Quiet(point)) => {
                line.push(point);
                self.with(color, point, |this| {
                    this.follow_loss(color.opponent(), quiet - 1, line);
                });
            }
            None => {}
        }
    }

    /// Adds the first of the answers that lose, and what follows, to a line.
    fn follow_loss(&mut self, color: Color, quiet: u32, line: &mut Vec<usize>) {
        let Some(answers) = self.answers(color) else { return };
        let point = answers.first().or(self.fours.last().copied());
        if let Some(point) = point {
            line.push(point);
            self.with(color, point, |this| this.follow_win(color.opponent(), quiet, line));
        }
    }

    /// A forced win of either by so many quiet stones at most, and its line.
    fn forced(&mut self, color: Color, most: u32) -> Option<(i8, Vec<usize>)> {
        if self.task.effort() == Effort::Leaf {
            let value = self.by_fours(color).0?;
            return Some((value, self.fours.last().copied().into_iter().collect()));
        }
        for quiet in 0..=most {
            self.is_cut = false;
            let wins = self.win(color, quiet).is_some();
            if wins || self.loses(color, quiet) {
                self.until = u64::MAX;
                let (mut line, value) = (Vec::new(), if wins { 1 } else { -1 });
                let follow = if wins { Self::follow_win } else { Self::follow_loss };
                follow(self, color, quiet, &mut line);
                return Some((value, line));
            }
            if self.is_out() || !self.is_cut {
                break;
            }
        }
        None
    }

    /// The key of a position among those that follow from the first one, no two of which have the same.
    fn place(&self, color: Color, point: usize) -> u64 {
        (1 + color.index() as u64) << (2 * self.kept.places[point])
    }

    /// The value of a position as a whole, if it is between `alpha` and `beta`; else a bound, as of any such search.
    fn whole(&mut self, color: Color, key: u64, mut alpha: i8, beta: i8) -> i8 {
        if !self.count() {
            return 0;
        }
        let (board, other) = (&self.kept.board, color.opponent());
        if !board.fives(color).is_empty() {
            return 1;
        }
        if board.empty.is_empty() {
            return 0;
        }
        let must = board.fives(other);
        if must.count() > 1 {
            return -1;
        }
        let may_win = |color| i8::from(board.may_win(color));
        let (mut lower, mut upper) = (-may_win(other), may_win(color));
        let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize;
        let entry = self.kept.values[slot];
        if entry.key == key {
            (lower, upper) = (lower.max(entry.lower), upper.min(entry.upper));
        }
        if lower >= beta || lower == upper {
            return lower;
        }
        if upper <= alpha {
            return upper;
        }
        let hot = board.windows(color, 2) | board.windows(other, 2);
        let (first, rest) = if must.is_empty() {
            (hot & board.empty, board.empty & !hot)
        } else {
            (must, Bits::EMPTY)
        };
        let (before, mut best) = (alpha, -1);
        for point in first.iter().chain(rest) {
            let after = key ^ self.place(color, point);
            let value = self.with(color, point, |this| -this.whole(other, after, -beta, -alpha));
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta || best == upper {
                break;
            }
        }
        if !self.is_out() {
            let lower = if best > before { best } else { lower };
            let upper = if best < beta { best } else { upper };
            self.kept.values[slot] = Entry { key, lower, upper };
        }
        best
    }

    /// The value of a position with few empty points, and the line that keeps it, as far as the limits allow;
    /// nothing if the work is given up before the first action is known.
    fn solve_whole(&mut self, color: Color) -> Option<(i8, Vec<usize>)> {
        let Kept { board, values, places, .. } = &mut *self.kept;
        let empty = board.empty;
        values.clear();
        // No position has this key.
        values.resize(1 << 16, Entry { key: u64::MAX, ..Entry::default() });
        places.clear();
        places.resize(BoardSize::MAX_POINTS, 0);
        empty.iter().enumerate().for_each(|(place, point)| places[point] = place as u8);
        let value = self.whole(color, 0, -1, 1);
        let (mut line, mut key, mut turn, mut best) = (Vec::new(), 0, color, value);
        while !self.is_out() && (line.is_empty() || self.task.effort() == Effort::Whole) {
            let wins = self.kept.board.fives(turn).first();
            let mut points = self.kept.board.empty.iter();
            let keeps = |&point: &usize| {
                let after = key ^ self.place(turn, point);
                let other = turn.opponent();
                self.with(turn, point, |this| -this.whole(other, after, -best, 1 - best)) >= best
            };
            let point = wins.or_else(|| points.find(keeps));
            // What was found after a stop means nothing.
            let Some(point) = point.filter(|_| !self.is_out()) else { break };
            line.push(point);
            key ^= self.place(turn, point);
            self.kept.board.toggle(turn, point);
            if wins.is_some() {
                break;
            }
            (turn, best) = (turn.opponent(), -best);
        }
        (!line.is_empty()).then_some((value, line))
    }
}

impl Exact for Gomoku {
    fn check_solvable(&self) -> Result<(), Unsolvable> {
        check_limit(self, self.standing.empty)
    }

    fn solve(&self, task: &mut Task<'_>, memory: &mut Memory) -> Solution {
        if self.is_over() || self.check_solvable().is_err() {
            return Solution::default();
        }
        let is_small = match task.effort() {
            Effort::Leaf => false,
            Effort::Root => self.standing.empty <= ROOT_WHOLE,
            Effort::Whole => self.standing.empty <= WHOLE,
        };
        let (mut solver, turn) = (Solver::new(self, task, memory), self.turn());
        let mut found = solver.forced(turn, if is_small { 0 } else { QUIET });
        if is_small && found.is_none() {
            solver.until = u64::MAX;
            found = solver.solve_whole(turn);
        }
        // Without an action, the limit came just before the end.
        let (value, line) = found.filter(|(_, line)| !line.is_empty()).unzip();
        let line: Vec<_> = line.into_iter().flatten().map(Action::new).collect();
        Solution {
            value,
            score: value.filter(|_| task.is_scored()).map(f64::from),
            best: line.first().copied(),
            line,
            nodes: task.nodes(),
        }
    }

    fn at_leaf(&self, memory: &mut Memory) -> (Option<i8>, Points) {
        // Without three stones on a line, no stone makes a four.
        if !self.lines.has_three() || self.is_over() || self.check_solvable().is_err() {
            return (None, Bits::EMPTY);
        }
        Solver::new(self, &mut Task::new(Effort::Leaf, &mut || false), memory).by_fours(self.turn())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::GomokuRules;
    use crate::setup::Setup;

    #[test]
    fn fours_whose_block_threatens_two_fives_do_not_win() {
        // Black makes a four at A6; the block makes two of White's, whatever Black gets at B5.
        let text = "
            X . . . . . . . .
            X . . . . . . . .
            X . . . . . . . .
            . . O O O . . . .
            . . O O O . . . .
            O X X . . . . . .
            O X . X . . . . .
            O X . . . . . . .
            . O . . . . . . .";
        let game = Gomoku::from_text(text, Color::Black).expect("a position");
        assert_ne!(game.at_leaf(&mut Memory::default()).0, Some(1));
        // As many moves as empty points are no limit, and one less is.
        let setup = || Setup::from_text(text, Color::Black).expect("a position");
        let limited = |most| Gomoku::from_setup(GomokuRules::default(), setup(), Some(most));
        assert!(limited(63).expect("rules").check_solvable().is_ok());
        assert!(limited(62).expect("rules").check_solvable().is_err());
    }

    #[test]
    fn a_four_of_its_own_may_save_a_color_anywhere() {
        let text = ". . . . . . .\n. . . . . . .\n. . X X X . .\n. . . . . . .\nX O O O . . .";
        let game = Gomoku::from_text(text, Color::White).expect("a position");
        let (value, losing) = game.at_leaf(&mut Memory::default());
        assert!(value.is_none() && losing.contains(0) && !losing.contains(4 * 7 + 4));
    }
}
