//! Exact values beside minimax that knows nothing but the rules, and beside positions of known value.

// Scores are whole numbers.
#![allow(clippy::float_cmp)]

use std::fs;

use crate::byte_laws::exact::{empty, minimax as value_of};
use sixplane::bits::Bits;
use sixplane::exact::{Effort, Exact, Memory, Solution, Task};
use sixplane::players::random::RandomPlayer;
use sixplane::{
    Action, BoardSize, Color, ConnectFour, Game, Go, Gomoku, GomokuRules, Outcome, Playouts,
    Reversi, ReversiRules, Setup,
};

fn solve<G: Exact>(game: &G, effort: Effort, is_scored: bool, memory: &mut Memory) -> Solution {
    let mut interrupt = || false;
    let task = Task::new(effort, &mut interrupt);
    let mut task = if is_scored { task.with_score() } else { task };
    game.solve(&mut task, memory)
}

/// Whole solutions with a memory of their own.
pub fn solution<G: Exact>(game: &G, is_scored: bool) -> Solution {
    solve(game, Effort::Whole, is_scored, &mut Memory::default())
}

fn sign(color: Color) -> f64 {
    f64::from(Outcome::Win(color).sign())
}

/// The score with best play for the player to play, by trying everything.
fn score_of<G: Game>(game: &G) -> f64 {
    if game.is_over() {
        return game.score() * sign(game.turn());
    }
    let mut best = f64::NEG_INFINITY;
    for action in game.legal_actions() {
        let mut after = game.clone();
        after.play_unchecked(action);
        best = best.max(-score_of(&after));
    }
    best
}

/// The line can be played to the end of the game, which is as the solution says; it begins with the best action.
pub fn check_line<G: Exact>(game: &G, solution: &Solution) {
    let mut end = game.clone();
    for &action in &solution.line {
        end.play(action).expect("the line is legal");
    }
    assert!(end.is_over(), "{game:?}\n{solution:?}");
    let (value, mine) = (end.outcome().map_or(0, Outcome::sign), sign(game.turn()));
    assert_eq!(Some(value * mine as i8), solution.value, "{game:?}\n{solution:?}");
    if let Some(score) = solution.score {
        assert_eq!(end.score() * mine, score, "{game:?}\n{solution:?}");
    }
    assert_eq!(solution.line.first().copied(), solution.best);
}

/// Random games up to so many empty points.
pub fn late<G: Playouts>(start: &G, left: usize, seeds: std::ops::Range<u64>) -> Vec<G> {
    let play = |seed| {
        let (mut player, mut game) = (RandomPlayer::new(seed), start.clone());
        while !game.is_over() && empty(&game) > left {
            let action = player.select_action(&game);
            game.play_unchecked(action);
        }
        game
    };
    seeds.map(play).filter(|game| !game.is_over()).collect()
}

fn reversi(rows: usize, cols: usize) -> Reversi {
    Reversi::with_rules(BoardSize::new(rows, cols).unwrap(), ReversiRules, None).unwrap()
}

fn gomoku(rows: usize, cols: usize, exact_five: bool) -> Gomoku {
    let size = BoardSize::new(rows, cols).unwrap();
    Gomoku::with_rules(size, GomokuRules { exact_five }, None).unwrap()
}

#[test]
fn black_loses_reversi_on_four_by_four_by_eight() {
    let game = reversi(4, 4);
    assert_eq!(score_of(&game), -8.0);
    let found = solution(&game, true);
    assert_eq!((found.value, found.score), (Some(-1), Some(-8.0)));
    check_line(&game, &found);
}

#[test]
fn ends_of_reversi_have_the_score_of_minimax() {
    let mut memory = Memory::default();
    let sizes = [(4, 4, 9), (4, 6, 6), (6, 4, 6), (6, 6, 6), (8, 8, 6), (8, 6, 6)];
    for (rows, cols, left) in sizes {
        for left in 1..=left {
            for game in late(&reversi(rows, cols), left, 0..10) {
                let exact = score_of(&game);
                let found = solve(&game, Effort::Whole, true, &mut memory);
                assert_eq!(found.score, Some(exact), "{game:?}");
                check_line(&game, &found);
                let found = solve(&game, Effort::Whole, false, &mut memory);
                let value = if exact == 0.0 { 0 } else { exact.signum() as i8 };
                assert_eq!((found.value, found.score), (Some(value), None));
                check_line(&game, &found);
                let leaf = solve(&game, Effort::Leaf, false, &mut memory);
                assert_eq!(leaf.value, found.value);
            }
        }
    }
}

#[test]
fn ends_of_gomoku_have_the_value_of_minimax() {
    let mut memory = Memory::default();
    for exact_five in [false, true] {
        for (rows, cols) in [(5, 5), (6, 6), (5, 7)] {
            for left in 1..=9 {
                for game in late(&gomoku(rows, cols, exact_five), left, 0..seeds(left)) {
                    let exact = value_of(&game);
                    let found = solve(&game, Effort::Whole, false, &mut memory);
                    assert_eq!(found.value, Some(exact), "{game}");
                    check_line(&game, &found);
                }
            }
        }
    }
}

/// How many games minimax can take with so many empty points.
fn seeds(left: usize) -> u64 {
    match left {
        0..=6 => 20,
        7 => 8,
        _ => 1,
    }
}

/// Positions of Gomoku in which both attack: stones close to each other.
fn fights(exact_five: bool) -> Vec<Gomoku> {
    let mut games = Vec::new();
    for (rows, cols) in [(5, 5), (6, 6), (6, 5)] {
        for left in 4..=8 {
            games.extend(late(&gomoku(rows, cols, exact_five), left, 100..100 + seeds(left)));
        }
    }
    games
}

#[test]
fn what_a_leaf_or_a_root_proves_of_gomoku_is_so() {
    let (mut memory, mut proven, mut marked) = (Memory::default(), [0; 3], 0);
    for exact_five in [false, true] {
        for game in fights(exact_five) {
            let exact = value_of(&game);
            // What the solver makes of it where it is not solved as a whole, with more empty points beside.
            let wide = widened(&game);
            for (i, effort) in [Effort::Leaf, Effort::Root].into_iter().enumerate() {
                let found = solve(&game, effort, false, &mut memory);
                assert!(found.value.is_none_or(|value| value == exact), "{game}\n{found:?}");
                proven[i] += usize::from(found.value.is_some());
            }
            let found = solve(&wide, Effort::Root, false, &mut memory);
            if found.value.is_some() {
                proven[2] += 1;
                check_line_of(&wide, &found, &mut memory);
            }
            let (value, losing) = game.at_leaf(&mut memory);
            assert_eq!(value, solve(&game, Effort::Leaf, false, &mut memory).value);
            for action in losing.iter().map(Action::new) {
                let mut after = game.clone();
                after.play(action).expect("a marked action is legal");
                assert_eq!(value_of(&after), 1, "{game}\n{action:?}");
                marked += 1;
            }
        }
    }
    assert!(proven.iter().all(|&count| count > 50) && marked > 200, "{proven:?} {marked}");
}

/// The same stones on a larger board.
fn widened(game: &Gomoku) -> Gomoku {
    let (size, planes) = (game.size(), game.state().planes());
    let wide = BoardSize::new(size.rows() + 4, size.cols() + 4).unwrap();
    let stones = |color| {
        let all = (0..size.points()).filter(|&point| planes.stone(point) == Some(color));
        let place = |point| (point / size.cols() + 2) * wide.cols() + point % size.cols() + 2;
        all.map(place).collect()
    };
    let (black, white) = (stones(Color::Black), stones(Color::White));
    let stones = sixplane::ByColor { black, white };
    let setup = Setup::from_stones(wide, &stones, game.turn()).unwrap();
    Gomoku::from_setup(*game.rules(), setup, None).unwrap()
}

/// The winner of a proof wins by the line it gives.
fn check_line_of(game: &Gomoku, found: &Solution, memory: &mut Memory) {
    check_line(game, found);
    // Against any other answer it wins as well.
    let (value, best) = (found.value.unwrap(), found.best.unwrap());
    let mut player = RandomPlayer::new(1);
    let mut after = game.clone();
    if value == 1 {
        after.play(best).unwrap();
    }
    while !after.is_over() {
        let answer = player.select_action(&after);
        after.play(answer).unwrap();
        if after.is_over() {
            break;
        }
        let found = solve(&after, Effort::Whole, false, memory);
        assert_eq!(found.value, Some(1), "{after}");
        after.play(found.best.unwrap()).unwrap();
    }
    let winner = if value == 1 { game.turn() } else { game.turn().opponent() };
    assert_eq!(after.outcome(), Some(Outcome::Win(winner)));
}

#[test]
fn an_own_five_is_no_loss_although_the_other_has_one_too() {
    let text = "
        X X X X . .
        O O O O . .
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .";
    let game = Gomoku::from_text(text, Color::Black).unwrap();
    let mut memory = Memory::default();
    assert_eq!(game.at_leaf(&mut memory), (Some(1), Bits::EMPTY));
    assert_eq!(solution(&game, false).best, Some(Action::new(4)));
    // Nor is it one if no position may be looked at.
    let mut interrupt = || false;
    let mut task = Task::new(Effort::Leaf, &mut interrupt).with_nodes(0);
    assert_eq!(game.solve(&mut task, &mut memory), Solution::default());
}

#[test]
fn against_a_four_only_the_point_of_the_five_is_left() {
    let text = "
        X X X X . .
        . . . . . .
        . O O O . .
        . . . . . .
        . . . . . .
        . . . . . .";
    let game = Gomoku::from_text(text, Color::White).unwrap();
    let (value, losing) = game.at_leaf(&mut Memory::default());
    assert_eq!((value, losing.count()), (None, 28));
    assert!(!losing.contains(4));
    // Of two, one is left.
    let two = Gomoku::from_text(&text.replace("X X X X .", ". X X X X"), Color::White).unwrap();
    assert_eq!(two.at_leaf(&mut Memory::default()), (Some(-1), Bits::EMPTY));
}

#[test]
fn a_full_board_with_an_overline_is_a_draw_where_only_five_win() {
    let text = "
        O X O X X O
        O O O X X O
        O O O X O O
        O X O O X .
        X X X X X X
        O X X O X X";
    let setup = Setup::from_text(text, Color::Black).unwrap();
    let game = Gomoku::from_setup(GomokuRules { exact_five: true }, setup, None).unwrap();
    let found = solution(&game, false);
    assert_eq!((found.value, found.best), (Some(0), Some(Action::new(23))));
}

#[test]
fn a_win_by_fours_is_found_and_only_what_can_stop_it_is_left() {
    // Black makes a four, which White must block, and then two at once.
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . X . . . . . .
        . . X . . . . . .
        . . X . . . . . .
        . . . . X X X O .
        . . . . . . . . .
        . . O . . O . . .
        . . . O . . . . .";
    let mut memory = Memory::default();
    let game = Gomoku::from_text(text, Color::Black).unwrap();
    let found = solve(&game, Effort::Leaf, false, &mut memory);
    assert_eq!(found.value, Some(1));
    let game = Gomoku::from_text(text, Color::White).unwrap();
    let (value, losing) = game.at_leaf(&mut memory);
    assert!(value.is_none() && losing.contains(0) && losing.contains(80) && !losing.contains(47));
}

#[test]
fn ffo_endgames_have_their_values() {
    let text = fs::read_to_string("tests/data/reversi/ffo.txt").expect("the file");
    let mut memory = Memory::default();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let [number, board, turn, score, best] = line.split_whitespace().collect::<Vec<_>>()[..]
        else {
            panic!("a line of five words: {line}");
        };
        // The hard ones take minutes without optimisation.
        if board.matches('-').count() > 16 {
            continue;
        }
        count += 1;
        let (game, score) = ffo_game(board, turn, score);
        let found = solve(&game, Effort::Whole, true, &mut memory);
        check_line(&game, &found);
        assert_eq!(ffo_score(&game, &found), score, "FFO {number}");
        let name = Reversi::NOTATION.name(game.size(), found.best.unwrap());
        assert!(best.split(',').any(|best| best == name), "FFO {number}: {name}");
    }
    assert_eq!(count, 21);
}

fn ffo_game(board: &str, turn: &str, score: &str) -> (Reversi, f64) {
    let board = board.replace('-', ".");
    let rows: Vec<&str> = (0..8).map(|row| &board[8 * row..8 * row + 8]).collect();
    let turn = if turn == "X" { Color::Black } else { Color::White };
    (Reversi::from_text(&rows.join("\n"), turn).unwrap(), score.parse().unwrap())
}

/// The score as the suite counts it: points left empty are the winner's.
fn ffo_score(game: &Reversi, found: &Solution) -> f64 {
    let end = game.replay(found.line.iter().copied()).unwrap();
    let score = found.score.unwrap();
    score + empty(&end) as f64 * f64::from(found.value.unwrap())
}

#[test]
#[ignore = "two minutes"]
fn ffo_endgames_up_to_22_empty_points_have_their_values() {
    let text = fs::read_to_string("tests/data/reversi/ffo.txt").expect("the file");
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<_> = line.split_whitespace().collect();
        let (game, score) = ffo_game(words[1], words[2], words[3]);
        let found = solution(&game, true);
        check_line(&game, &found);
        assert_eq!(ffo_score(&game, &found), score, "FFO {}", words[0]);
    }
}

#[test]
fn equal_positions_have_equal_solutions_whatever_was_solved_before() {
    let mut used = Memory::default();
    for game in late(&reversi(8, 8), 11, 0..6) {
        assert_eq!(solve(&game, Effort::Whole, true, &mut used), solution(&game, true));
        assert_eq!(
            solve(&game, Effort::Root, false, &mut used),
            solve(&game, Effort::Root, false, &mut Memory::default())
        );
    }
    for game in late(&gomoku(9, 9, false), 50, 0..10) {
        assert_eq!(
            solve(&game, Effort::Root, false, &mut used),
            solve(&game, Effort::Root, false, &mut Memory::default())
        );
    }
}

#[test]
fn limits_and_interruptions_leave_the_value_unknown() {
    let game = reversi(8, 8);
    for limit in [0, 1, 17, 5_000] {
        let mut interrupt = || false;
        let mut task = Task::new(Effort::Whole, &mut interrupt).with_nodes(limit).with_score();
        let found = game.solve(&mut task, &mut Memory::default());
        assert_eq!(found, Solution { nodes: limit, ..Solution::default() });
    }
    let mut calls = 0;
    let mut interrupt = || {
        calls += 1;
        calls == 4
    };
    let mut task = Task::new(Effort::Whole, &mut interrupt);
    assert_eq!(game.solve(&mut task, &mut Memory::default()).value, None);
    assert!(task.is_stopped());
    assert_eq!(calls, 4);
}

#[test]
fn a_limited_solve_says_the_same_or_nothing() {
    for game in late(&reversi(6, 6), 9, 0..8) {
        let whole = solution(&game, true);
        for limit in (0..whole.nodes + 200).step_by(97) {
            let mut interrupt = || false;
            let mut task = Task::new(Effort::Whole, &mut interrupt).with_nodes(limit).with_score();
            let found = game.solve(&mut task, &mut Memory::default());
            assert!(found.nodes <= limit);
            assert!(found.score.is_none_or(|score| Some(score) == whole.score));
            assert!(whole.line.starts_with(&found.line));
        }
    }
}

/// How many limits end a solve of one of these games after its value and before its end.
fn ends_in_line<G: Exact>(games: &[G]) -> usize {
    let (mut memory, mut count) = (Memory::default(), 0);
    for game in games {
        let (whole, mut was_known) = (solve(game, Effort::Whole, false, &mut memory), false);
        for limit in (0..whole.nodes + 2).step_by(1 + whole.nodes as usize / 100) {
            let Solution { value, line, .. } = game
                .solve(&mut Task::new(Effort::Whole, &mut || false).with_nodes(limit), &mut memory);
            assert!(whole.line.starts_with(&line) && value.is_some() != line.is_empty());
            assert!(value == whole.value || (value.is_none() && !was_known), "{limit} {game:?}");
            was_known = value.is_some();
            count += usize::from(was_known && line.len() < whole.line.len());
        }
    }
    count
}

#[test]
fn a_value_and_the_actions_that_are_known_when_a_limit_ends_are_kept() {
    let connect_four = ConnectFour::with_rules(BoardSize::square(4).unwrap(), (), None).unwrap();
    let counts = [
        ends_in_line(&late(&reversi(6, 6), 9, 0..8)),
        ends_in_line(&late(&gomoku(5, 5, false), 9, 0..8)),
        ends_in_line(&late(&connect_four, 12, 0..8)),
        ends_in_line(&late(&crate::hex::with_rules(4, 4, true), 12, 0..8)),
    ];
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

#[test]
fn what_cannot_be_solved_says_why() {
    let reason = |error: Result<(), sixplane::exact::Unsolvable>| error.unwrap_err().to_string();
    assert_eq!(reason(Go::new(9).unwrap().check_solvable()), "go has no solver");
    assert_eq!(
        reason(reversi(10, 8).check_solvable()),
        "a Reversi board of 10x8 is too large to solve: at most 8 rows and columns"
    );
    let size = BoardSize::square(8).unwrap();
    let limited = Reversi::with_rules(size, ReversiRules, Some(60)).unwrap();
    assert_eq!(
        reason(limited.check_solvable()),
        "max_moves=60 may cut the game off before its end"
    );
    assert_eq!(solution(&limited, true), Solution::default());
    let mut over = reversi(4, 4);
    over.resign(Color::Black).unwrap();
    assert_eq!(solution(&over, true), Solution::default());
    let limited = Gomoku::with_rules(size, GomokuRules::default(), Some(64)).unwrap();
    assert_eq!(limited.check_solvable(), Ok(()));
}
