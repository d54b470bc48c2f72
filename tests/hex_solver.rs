//! Exact values of Hex beside the rules alone, and the first stones that win.

use std::collections::HashMap;

use crate::hex::with_rules;
use sixplane::exact::{Effort, Exact, Memory, Solution, Task};
use sixplane::players::random::RandomPlayer;
use sixplane::{Action, BoardSize, Color, Game, Hex, HexRules, Outcome};

fn solve(game: &Hex, effort: Effort, memory: &mut Memory) -> Solution {
    game.solve(&mut Task::new(effort, &mut || false).with_score(), memory)
}

/// The value with best play for the color to play, by the rules of the game alone.
fn wins(game: &Hex, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(outcome) = game.outcome() {
        return outcome == Outcome::Win(game.turn());
    }
    if let Some(&known) = known.get(&game.state().hash()) {
        return known;
    }
    let found = game.legal_actions().into_iter().any(|action| {
        let mut after = game.clone();
        after.play(action).unwrap();
        !wins(&after, known)
    });
    known.insert(game.state().hash(), found);
    found
}

/// A position of random play with at most so many empty points, unless the game is over before.
fn late(rows: usize, cols: usize, swap: bool, left: usize, seed: u64) -> Option<Hex> {
    let (mut game, mut player) = (with_rules(rows, cols, swap), RandomPlayer::new(seed));
    for _ in left..rows * cols {
        let action = player.select_action(&game);
        game.play(action).ok()?;
        if game.is_over() {
            return None;
        }
    }
    Some(game)
}

const LATE: [(usize, usize, usize); 12] = [
    (2, 2, 4),
    (2, 5, 10),
    (5, 2, 9),
    (3, 3, 9),
    (3, 5, 9),
    (5, 3, 10),
    (4, 4, 10),
    (6, 6, 9),
    (7, 7, 9),
    (8, 8, 9),
    (9, 7, 9),
    (4, 16, 8),
];

#[test]
fn every_value_is_that_of_brute_force_and_every_point_marked_as_losing_loses() {
    let (mut memory, mut values, mut at_leaf, mut marked) = (Memory::default(), [0; 2], 0, 0);
    for (rows, cols, most) in LATE {
        let mut known = HashMap::new();
        // On the smallest boards most of what is left open at a leaf has points that lose.
        let seeds = if rows * cols == 9 { 400 } else { 40 };
        for (swap, seed) in (0..seeds).map(|seed| (seed % 2 == 0 && rows == cols, seed)) {
            let left = most - seed as usize % most;
            let Some(game) = late(rows, cols, swap, left, seed) else { continue };
            // The rule of the swap is no part of the hash.
            let known = if swap { &mut HashMap::new() } else { &mut known };
            let is_won = wins(&game, known);
            let exact = if is_won { 1 } else { -1 };
            values[usize::from(is_won)] += 1;
            for effort in [Effort::Leaf, Effort::Root, Effort::Whole] {
                let found = solve(&game, effort, &mut memory);
                assert!(found.value.is_none_or(|value| value == exact), "{game}\n{found:?}");
                assert_eq!(found.score, found.value.map(f64::from));
                if let (true, Some(best)) = (is_won, found.best) {
                    let mut after = game.clone();
                    after.play(best).expect("a legal action");
                    assert!(!wins(&after, known), "{game}\n{found:?}");
                }
            }
            let found = solve(&game, Effort::Whole, &mut memory);
            assert_eq!(found.value, Some(exact), "{game}");
            let end = game.clone().replay(game.state().actions().chain(found.line)).unwrap();
            let winner = if is_won { game.turn() } else { game.turn().opponent() };
            assert_eq!(end.outcome(), Some(Outcome::Win(winner)), "{game}");
            let (value, losing) = game.at_leaf(&mut memory);
            assert!(value.is_none_or(|value| value == exact));
            at_leaf += usize::from(value.is_some());
            for point in losing {
                let mut after = game.clone();
                after.play(Action::new(point)).expect("a marked point can be played");
                assert!(wins(&after, known), "{game}\n{point}");
                marked += 1;
            }
        }
    }
    assert!(values.iter().all(|&count| count > 50), "{values:?}");
    assert!(at_leaf > 100 && marked > 40, "{at_leaf} {marked}");
}

#[test]
fn a_solve_that_is_limited_says_the_same_or_nothing_and_memory_changes_nothing() {
    let (mut memory, mut limited) = (Memory::default(), 0);
    for seed in 0..6 {
        let Some(game) = late(5, 5, seed % 2 == 0, 20, seed) else { continue };
        let whole = solve(&game, Effort::Whole, &mut Memory::default());
        assert_eq!(solve(&game, Effort::Whole, &mut memory), whole);
        for limit in (0..whole.nodes + 10).step_by(1 + whole.nodes as usize / 20) {
            let mut interrupt = || false;
            let mut task = Task::new(Effort::Whole, &mut interrupt).with_nodes(limit);
            let found = game.solve(&mut task, &mut Memory::default());
            assert!(found.nodes <= limit);
            assert!(found.value.is_none_or(|value| Some(value) == whole.value));
            limited += usize::from(found.value.is_none());
        }
    }
    assert!(limited > 10, "{limited}");
}

#[test]
fn with_the_swap_rule_the_second_player_wins_and_swaps_exactly_the_stones_that_win() {
    let mut memory = Memory::default();
    for side in [2, 3, 4, 5, 8] {
        let game = with_rules(side, side, true);
        let found = solve(&game, Effort::Root, &mut memory);
        assert_eq!(found.value, Some(-1), "{side}");
    }
    let (openings, pass) = (openings(4), Action::new(16));
    for point in 0..16 {
        let game = with_rules(4, 4, true).replay([Action::new(point)]).unwrap();
        let found = solve(&game, Effort::Whole, &mut memory);
        let wins = openings.replace('\n', "").as_bytes()[point] == b'X';
        assert_eq!((found.value, found.best == Some(pass)), (Some(1), wins), "{point}");
    }
}

#[test]
fn what_cannot_be_solved_says_why() {
    let reason = |game: Hex| game.check_solvable().unwrap_err().to_string();
    let message = "a Hex board of 5x13 is too large to solve: at most 64 points";
    assert_eq!(reason(with_rules(5, 13, false)), message);
    assert!(with_rules(4, 16, false).check_solvable().is_ok());
    let limited = |swap, moves| {
        let size = BoardSize::square(3).unwrap();
        Hex::with_rules(size, HexRules { swap }, Some(moves)).unwrap()
    };
    assert_eq!(reason(limited(false, 8)), "max_moves=8 may cut the game off before its end");
    assert!(limited(false, 9).check_solvable().is_ok());
    assert_eq!(reason(limited(true, 9)), "max_moves=9 may cut the game off before its end");
    let first = limited(true, 10).replay([Action::new(4)]).unwrap();
    assert!(first.check_solvable().is_ok());
    let mut over = with_rules(3, 3, false);
    over.resign(Color::Black).unwrap();
    assert_eq!(solve(&over, Effort::Whole, &mut Memory::default()), Solution::default());
    assert!(over.at_leaf(&mut Memory::default()).1.is_empty());
}

/// Each of some points as a set of its own.
fn bits(points: u32) -> impl Iterator<Item = u32> {
    (0..32).map(|bit| 1 << bit).filter(move |stone| points & stone != 0)
}

/// Who wins small boards by another search, which knows nothing of pairs: of a position the points that the winner
/// needs, which no stone elsewhere changes.
struct Plain {
    size: BoardSize,
    known: HashMap<(u32, u32), (bool, u32)>,
}

impl Plain {
    fn new(side: usize) -> Self {
        Self { size: BoardSize::square(side).unwrap(), known: HashMap::new() }
    }

    fn joins(&self, color: Color, stones: u32) -> bool {
        let side = self.size.rows();
        let column = (0..side).fold(0, |bits, row| bits | 1_u32 << (row * side));
        let row = (1 << side) - 1;
        let (first, last) = match color {
            Color::Black => (row, row << (side * (side - 1))),
            Color::White => (column, column << (side - 1)),
        };
        let (not_first, not_last) = (!column, !(column << (side - 1)));
        let mut joined = stones & first;
        loop {
            let right = (joined << 1 | joined >> (side - 1)) & not_first;
            let left = (joined >> 1 | joined << (side - 1)) & not_last;
            let grown = joined | stones & (right | left | joined << side | joined >> side);
            if grown == joined {
                return joined & last != 0;
            }
            joined = grown;
        }
    }

    /// Whether the color to play wins, and the empty points that the winner needs.
    fn solve(&mut self, color: Color, own: u32, other: u32) -> (bool, u32) {
        let key = if color == Color::Black { (own, other) } else { (own | 1 << 31, other) };
        if let Some(&found) = self.known.get(&key) {
            return found;
        }
        let empty = ((1 << self.size.points()) - 1) & !(own | other);
        if let Some(stone) = bits(empty).find(|stone| self.joins(color, own | stone)) {
            return (true, stone);
        }
        // Of what the other one needs, a point must be taken: a stone elsewhere changes nothing.
        let (mut must, mut needed) = (empty, 0);
        for threat in bits(empty).filter(|stone| self.joins(color.opponent(), other | stone)) {
            must &= threat;
            needed |= threat;
        }
        let found = loop {
            let Some(stone) = self.next(must) else { break (false, needed) };
            let (loses, points) = self.solve(color.opponent(), other, own | stone);
            if !loses {
                break (true, points | stone);
            }
            needed |= points;
            must &= points & !stone;
        };
        self.known.insert(key, found);
        found
    }

    /// Of these points, the one next to the middle.
    fn next(&self, points: u32) -> Option<u32> {
        let side = self.size.rows() as i32;
        let from_middle = |stone: &u32| {
            let (row, col) =
                (stone.trailing_zeros() as i32 / side, stone.trailing_zeros() as i32 % side);
            (2 * row + 1 - side).abs() + (2 * col + 1 - side).abs() + (row + col + 1 - side).abs()
        };
        bits(points).min_by_key(from_middle)
    }

    /// Which first stones win.
    fn openings(&mut self) -> String {
        let side = self.size.rows();
        let wins = (0..side * side)
            .map(|point| if self.solve(Color::White, 0, 1 << point).0 { '.' } else { 'X' });
        let wins: Vec<char> = wins.collect();
        wins.chunks(side).map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("\n")
    }
}

/// The first stones that win, by the solver of the game.
fn found_openings(side: usize) -> String {
    let mut memory = Memory::default();
    let wins = |point| {
        let game = with_rules(side, side, false).replay([Action::new(point)]).unwrap();
        solve(&game, Effort::Whole, &mut memory).value == Some(-1)
    };
    let wins: Vec<_> =
        (0..side * side).map(wins).map(|wins| if wins { 'X' } else { '.' }).collect();
    wins.chunks(side).map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("\n")
}

/// Those of the file.
fn openings(side: usize) -> String {
    let text = include_str!("data/hex/openings.txt").replace('\r', "");
    let board = |board: &&str| board.lines().count() == side;
    text.split("\n\n").skip(1).map(str::trim).find(board).expect("a board").to_string()
}

#[test]
fn the_openings_that_win_are_those_of_brute_force_and_of_a_plain_search() {
    for side in [2, 3] {
        let mut known = HashMap::new();
        assert!(wins(&with_rules(side, side, false), &mut known));
        let mut by_rules = String::new();
        for point in 0..side * side {
            let after = with_rules(side, side, false).replay([Action::new(point)]).unwrap();
            by_rules.push(if wins(&after, &mut known) { '.' } else { 'X' });
        }
        assert_eq!(openings(side).replace('\n', ""), by_rules);
        assert!(!wins(&with_rules(side, side, true), &mut HashMap::new()));
    }
    for side in [2, 3, 4] {
        assert_eq!(Plain::new(side).openings(), openings(side));
        assert_eq!(found_openings(side), openings(side));
    }
}

#[test]
fn the_first_player_wins_every_empty_board() {
    for side in [2, 3, 4, 5] {
        let found = solve(&with_rules(side, side, false), Effort::Whole, &mut Memory::default());
        assert_eq!(found.value, Some(1), "{side}");
    }
    assert!(Plain::new(4).solve(Color::Black, 0, 0).0);
}

#[test]
#[ignore = "slow: make test-slow"]
fn the_openings_that_win_on_five_by_five_are_as_computed() {
    assert_eq!(found_openings(5), openings(5));
}
