//! Connect Four: the laws of all games beside a naive Connect Four, every line of four, and known counts.

use std::collections::HashSet;

use crate::byte_laws::exact::minimax;
use crate::exact::{check_line, late, solution};
use crate::naive::connect_four::ConnectFour as Naive;
use crate::oracle::laws::laws;
use crate::oracle::{Oracle, Subject, score};
use sixplane::exact::{Effort, Exact, Memory, Task};
use sixplane::playout::Scratch;
use sixplane::record::{Info, Recorded};
use sixplane::{
    Action, BoardSize, ByColor, Color, ConnectFour, Game, Outcome, PlayError, Playouts,
    RandomStream, Setup,
};

/// The example of a game in a crate of one's own, which is Connect Four on 6x7 as well.
#[allow(dead_code)] // its `main`
#[path = "../examples/connect_four.rs"]
mod example;

mod example_laws {
    use super::example::ConnectFour;
    use sixplane::{BoardSize, Game};

    fn start() -> ConnectFour {
        ConnectFour::with_rules(BoardSize::new(6, 7).unwrap(), (), None).unwrap()
    }

    crate::laws::laws_of_every_game!(|| vec![start()]);
}

impl Oracle for Naive {
    fn refusal(&self, action: usize) -> Option<&'static str> {
        Naive::refusal(self, action)
    }
    fn play(&mut self, action: usize) {
        Naive::play(self, action);
    }
    fn set_turn(&mut self, color: char) {
        self.turn = color;
    }
    fn cells(&self) -> Vec<char> {
        Naive::cells(self)
    }
    fn turn(&self) -> char {
        self.turn
    }
    fn passed(&self) -> bool {
        false
    }
    fn is_over(&self) -> bool {
        Naive::is_over(self)
    }
    fn score(&self) -> i32 {
        Naive::score(self)
    }
}

struct Start;

fn on_board(rows: usize, cols: usize) -> ConnectFour {
    ConnectFour::with_rules(BoardSize::new(rows, cols).unwrap(), (), None).unwrap()
}

impl Subject for Start {
    type Game = ConnectFour;
    type Oracle = Naive;

    fn start(&self, rows: usize, cols: usize) -> (ConnectFour, Naive) {
        (on_board(rows, cols), Naive::new(rows, cols))
    }

    fn sizes(&self) -> Vec<(usize, usize)> {
        vec![(4, 4), (4, 5), (5, 4), (6, 7), (8, 8), (5, 12), (12, 5), (9, 8), (11, 12), (12, 12)]
    }
}

laws! { Start,
    every_answer_is_the_naive_one(30);
    undo_is_the_inverse_of_play(3);
    a_resignation_ends_the_game_until_it_is_withdrawn();
    replaying_and_copying_give_the_game(3);
    planes_give_the_same_future(3);
    records_give_the_game(3);
    symmetry_and_exchange_of_colors_commute_with_play(3);
    the_move_limit_cuts_games_off();
    self_play_depends_on_the_seed_alone();
}

#[test]
fn the_game_of_a_crate_of_ones_own_is_the_same_game() {
    let size = BoardSize::new(6, 7).unwrap();
    for seed in 0..50 {
        let mut other = example::ConnectFour::with_rules(size, (), None).unwrap();
        crate::oracle::walk(Start.start(6, 7), seed, 0, |game, _| {
            if let Some(action) = game.state().actions().next_back() {
                other.play(action).unwrap();
            }
            assert_eq!((game.planes(), game.status()), (other.planes(), other.status()));
            assert_eq!(game.num_symmetries(), other.num_symmetries());
        });
    }
}

/// All lines of so many points on a board, in all four directions.
fn lines(rows: usize, cols: usize, length: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for point in 0..rows * cols {
        let (row, col) = ((point / cols) as i32, (point % cols) as i32);
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let points = (0..length as i32).map(|i| (row + i * down, col + i * right));
            if points
                .clone()
                .all(|(r, c)| (0..rows as i32).contains(&r) && (0..cols as i32).contains(&c))
            {
                found.push(points.map(|(r, c)| r as usize * cols + c as usize).collect());
            }
        }
    }
    found
}

/// A position with black discs at these points but the last, on discs of which no four are in a line; `None`
/// if there is a line already.
fn before_last(rows: usize, cols: usize, four: &[usize], last: usize) -> Option<ConnectFour> {
    let size = BoardSize::new(rows, cols).unwrap();
    let below = |&point: &usize| (point + cols..rows * cols).step_by(cols);
    let below: HashSet<usize> = four.iter().flat_map(below).filter(|p| !four.contains(p)).collect();
    // Two of a color in each column, one in each row.
    let is_black = |point: &usize| (point / cols / 2 + point % cols) % 2 == 0;
    let (mut black, white): (Vec<usize>, _) = below.into_iter().partition(is_black);
    black.extend(four.iter().filter(|&&point| point != last));
    let stones = ByColor { black, white };
    let setup = Setup::from_stones(size, &stones, Color::Black).unwrap();
    let game = ConnectFour::from_setup((), setup, None).unwrap();
    (!game.is_over()).then_some(game)
}

fn line(game: &ConnectFour) -> Option<Vec<usize>> {
    Some(game.winning_line()?.into_iter().map(Action::index).collect())
}

#[test]
fn every_line_wins_with_its_last_disc() {
    let mut played = 0;
    for (rows, cols) in [(4, 4), (4, 5), (5, 4), (6, 7), (8, 8), (12, 5), (5, 12), (12, 12)] {
        for four in lines(rows, cols, 4) {
            // Of a line along a column only the highest disc can be the last.
            let lasts = if four[1] - four[0] == cols { &four[..1] } else { &four[..] };
            for &last in lasts {
                let Some(mut game) = before_last(rows, cols, &four, last) else { continue };
                game.play(Action::new(last)).unwrap();
                assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)), "{four:?}");
                let found = line(&game).unwrap();
                assert!(found.contains(&last) && lines(rows, cols, found.len()).contains(&found));
                let planes = game.state().planes();
                assert!(found.iter().all(|&point| planes.stone(point) == Some(Color::Black)));
                played += 1;
            }
        }
    }
    assert!(played > 2_000, "{played}");
}

#[test]
fn four_points_in_a_row_of_numbers_that_go_on_at_the_other_edge_are_no_line() {
    let mut tried = 0;
    for (rows, cols) in [(4, 4), (4, 5), (6, 7), (8, 8), (9, 8), (5, 12), (12, 12)] {
        let fours = lines(rows, cols, 4);
        for step in [1, cols - 1, cols + 1] {
            for first in 0..rows * cols - 3 * step {
                let four: Vec<usize> = (0..4).map(|i| first + i * step).collect();
                let Some(mut game) = before_last(rows, cols, &four, four[0]) else { continue };
                if fours.contains(&four) || game.play(Action::new(four[0])).is_err() {
                    continue;
                }
                let real = |four: &Vec<usize>| {
                    let planes = game.state().planes();
                    four.iter().all(|&point| planes.stone(point) == Some(Color::Black))
                };
                assert_eq!(game.is_over(), fours.iter().any(real), "{rows}x{cols} {four:?}");
                tried += usize::from(!game.is_over());
            }
        }
    }
    assert!(tried > 200, "{tried}");
}

#[test]
fn a_line_may_be_longer_than_four() {
    let long: Vec<usize> = (134..141).collect();
    let mut game = before_last(12, 12, &long, 137).unwrap();
    game.play(Action::new(137)).unwrap();
    assert_eq!(line(&game), Some(long));
}

#[test]
fn a_playout_is_random_legal_play() {
    for (rows, cols) in [(4, 4), (5, 4), (6, 7), (8, 8), (12, 12)] {
        for seed in 0..100 {
            let mut rng = RandomStream::new(seed);
            let mut game = on_board(rows, cols);
            // What the trait does with any game.
            let mut expected = Vec::new();
            let slow = slow_playout(&game, &mut rng, &mut expected);
            let (mut rng, mut played) = (RandomStream::new(seed), Vec::new());
            let fast = game.playout(&mut Scratch::default(), &mut rng, Some(&mut played));
            assert_eq!((&played, fast), (&expected, slow));
            for action in played {
                game.play(action).unwrap();
            }
            assert!(game.is_over() && (game.score() - fast).abs() < f64::EPSILON);
            let again = game.playout(&mut Scratch::default(), &mut rng, None);
            assert!((again - fast).abs() < f64::EPSILON, "a game that is over stays so");
        }
    }
    let size = BoardSize::new(6, 7).unwrap();
    let cut = ConnectFour::with_rules(size, (), Some(3)).unwrap();
    let mut played = Vec::new();
    cut.playout(&mut Scratch::default(), &mut RandomStream::new(1), Some(&mut played));
    assert_eq!(played.len(), 3);
}

/// A playout by the game's own moves.
fn slow_playout(start: &ConnectFour, rng: &mut RandomStream, played: &mut Vec<Action>) -> f64 {
    use rand::RngExt;

    let mut game = start.clone();
    while !game.is_over() {
        let legal = game.legal_actions();
        let action = legal[rng.random_range(0..legal.len() as u32) as usize];
        game.play(action).unwrap();
        played.push(action);
    }
    game.score()
}

#[test]
fn a_full_board_is_a_draw() {
    let mut game =
        ConnectFour::from_text("X . O O\nO O X X\nX X O O\nX O X O", Color::Black).unwrap();
    assert_eq!(game.action_in(1), Some(Action::new(1)));
    assert_eq!((game.action_in(0), game.action_in(4)), (None, None));
    game.play(Action::new(1)).unwrap();
    assert_eq!((game.outcome(), game.ending()), (Some(Outcome::Draw), Some("full")));
    assert_eq!((score(&game), line(&game)), (0, None));
    game.undo().unwrap();
    assert_eq!(game.legal_actions(), [Action::new(1)]);
}

#[test]
fn refusals_have_reasons() {
    let mut game = on_board(6, 7);
    assert_eq!(game.play(Action::new(28)), Err(PlayError::Forbidden("no_support")));
    assert_eq!(game.play(Action::new(42)), Err(PlayError::PassNotAllowed));
    assert_eq!(game.play(Action::new(43)), Err(PlayError::OffBoard));
    game.play(Action::new(35)).unwrap();
    assert_eq!(game.play(Action::new(35)), Err(PlayError::Occupied));
    game.play(Action::new(28)).unwrap();
}

#[test]
fn positions_that_no_game_has() {
    let refused = |text: &str| {
        let error = ConnectFour::from_text(text, Color::Black).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        refused(". . . .\nX . . .\n. . . .\nO . . ."),
        "the disc at A3 hangs over an empty point"
    );
    assert_eq!(
        refused("X O . .\nX O . .\nX O . .\nX O . ."),
        "both colors have a line of four: the first ended the game"
    );
    for (rows, cols) in [(3, 7), (6, 3), (13, 4), (4, 25)] {
        let size = BoardSize::new(rows, cols).unwrap();
        let error = ConnectFour::with_rules(size, (), None).unwrap_err();
        let message =
            format!("a Connect Four board of {size}: rows and columns must each be from 4 to 12");
        assert_eq!(error.to_string(), message);
    }
    let mut setup = Setup::empty(BoardSize::square(5).unwrap());
    setup.passed = true;
    let error = ConnectFour::from_setup((), setup, None).unwrap_err();
    assert_eq!(error.to_string(), "the pass plane is 1, but nobody passes in Connect Four");
    // An open point that the planes forbid, which no rule does.
    let mut planes = on_board(4, 4).planes().to_owned();
    planes[[3, 3, 0]] = 1;
    let error = ConnectFour::from_planes((), &planes.view(), None).unwrap_err();
    assert!(error.to_string().contains("forbids 1 empty points"), "{error}");
    planes[[3, 3, 0]] = 0;
    planes[[3, 0, 0]] = 0;
    let error = ConnectFour::from_planes((), &planes.view(), None).unwrap_err();
    assert!(error.to_string().contains("(no_support)"), "{error}");
}

#[test]
fn records_have_a_number_of_their_own() {
    let game = on_board(6, 7).replay([Action::new(38)]).unwrap();
    let text = game.to_sgf(&Info::default());
    assert!(
        text.contains("GM[1001]") && text.contains("SZ[7:6]") && text.contains(";B[df]"),
        "{text}"
    );
    assert_eq!(ConnectFour::from_sgf(&text, &(), None).unwrap(), game);
    assert_eq!(ConnectFour::from_sgf("(;GM[1001];B[df])", &(), None).unwrap(), game);
    let error = ConnectFour::from_sgf("(;GM[1001];B[dd])", &(), None).unwrap_err();
    assert_eq!(error.message, "illegal move B[dd]: no_support");
}

fn perft(game: &mut ConnectFour, depth: u32) -> u64 {
    let legal = game.legal_actions();
    if depth <= 1 {
        return if depth == 0 { 1 } else { legal.len() as u64 };
    }
    let mut count = 0;
    for action in legal {
        game.play(action).unwrap();
        count += perft(game, depth - 1);
        game.undo().unwrap();
    }
    count
}

/// How many positions there are after so many plies.
fn positions(plies: usize) -> Vec<usize> {
    let mut seen = vec![HashSet::new(); plies + 1];
    add_positions(&mut on_board(6, 7), &mut seen);
    seen.iter().map(HashSet::len).collect()
}

/// Adds the position of the game to the first set, and to the others the positions so many plies later.
fn add_positions(game: &mut ConnectFour, seen: &mut [HashSet<u128>]) {
    let (now, later) = seen.split_first_mut().unwrap();
    let planes = game.state().planes();
    let cell = |point| planes.stone(point).map_or(0, |color| 1 + color.index() as u128);
    // A digit for each point: no two positions have one number.
    if now.insert((0..42).fold(0, |number, point| 3 * number + cell(point))) && !later.is_empty() {
        for action in game.legal_actions() {
            game.play(action).unwrap();
            add_positions(game, later);
            game.undo().unwrap();
        }
    }
}

/// The first numbers of OEIS A212693, and the action sequences of each length.
const POSITIONS: [usize; 11] =
    [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275, 558_186, 1_662_623];
const SEQUENCES: [u64; 9] = [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234];

#[test]
fn positions_and_sequences_are_as_many_as_is_known() {
    assert_eq!(positions(6), POSITIONS[..=6]);
    for (depth, &count) in SEQUENCES.iter().enumerate().take(7) {
        assert_eq!(perft(&mut on_board(6, 7), depth as u32), count);
    }
}

#[test]
#[ignore = "slow: make test-slow"]
fn more_positions_and_sequences_are_as_many_as_is_known() {
    assert_eq!(positions(10), POSITIONS[..=10]);
    for depth in [7, 8] {
        assert_eq!(perft(&mut on_board(6, 7), depth), SEQUENCES[depth as usize]);
    }
}

#[test]
fn exact_values_are_those_of_minimax() {
    let mut values = [0; 3];
    for (rows, cols, left) in [(4, 4, 9), (4, 5, 9), (5, 4, 9), (6, 7, 10), (7, 8, 10), (4, 12, 8)]
    {
        for game in late(&on_board(rows, cols), left, 0..40) {
            let (found, exact) = (solution(&game, true), minimax(&game));
            assert_eq!((found.value, found.score), (Some(exact), Some(f64::from(exact))), "{game}");
            check_line(&game, &found);
            values[(exact + 1) as usize] += 1;
            for effort in [Effort::Leaf, Effort::Root] {
                let mut interrupt = || false;
                let mut task = Task::new(effort, &mut interrupt);
                let quick = game.solve(&mut task, &mut Memory::default());
                assert!(quick.value.is_none_or(|value| value == exact), "{game}");
            }
        }
    }
    assert!(values.iter().all(|&count| count > 10), "{values:?}");
}

#[test]
fn a_solve_that_is_limited_says_the_same_or_nothing_and_memory_changes_nothing() {
    let mut memory = Memory::default();
    for game in late(&on_board(6, 7), 14, 0..6) {
        let whole = solution(&game, false);
        let mut interrupt = || false;
        let mut task = Task::new(Effort::Whole, &mut interrupt);
        assert_eq!(game.solve(&mut task, &mut memory), whole);
        for limit in (0..whole.nodes + 10).step_by(1 + whole.nodes as usize / 20) {
            let mut task = Task::new(Effort::Whole, &mut interrupt).with_nodes(limit);
            let found = game.solve(&mut task, &mut Memory::default());
            assert!(
                found.nodes <= limit && found.value.is_none_or(|value| Some(value) == whole.value)
            );
        }
    }
}

#[test]
fn small_boards_are_draws_and_large_ones_are_not_solved() {
    for (rows, cols) in [(4, 4), (4, 5), (5, 4)] {
        let found = solution(&on_board(rows, cols), true);
        assert_eq!((found.value, found.score, found.line.len()), (Some(0), Some(0.0), rows * cols));
    }
    for (rows, cols) in [(6, 9), (7, 8), (4, 12), (12, 4)] {
        assert_eq!(on_board(rows, cols).check_solvable(), Ok(()));
    }
    let error = on_board(8, 8).check_solvable().unwrap_err();
    assert_eq!(
        error.to_string(),
        "a Connect Four board of 8x8 is too large to solve: columns times rows and one more are at most 64"
    );
}

/// The value of empty boards for the first player, rows by columns, as J. Tromp has it at tromp.github.io/c4/c4.html.
const VALUES: [(usize, usize, i8); 7] =
    [(4, 6, -1), (6, 4, 0), (5, 5, 0), (4, 7, 0), (7, 4, 0), (5, 6, 0), (6, 5, 0)];

#[test]
#[ignore = "slow: make test-slow"]
fn boards_of_up_to_thirty_points_have_the_known_values() {
    for (rows, cols, value) in VALUES {
        let found = solution(&on_board(rows, cols), false);
        assert_eq!(found.value, Some(value), "{rows}x{cols}");
        check_line(&on_board(rows, cols), &found);
    }
}
