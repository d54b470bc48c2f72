//! Tic-tac-toe: the laws of all games, every position beside plain rules, known counts, and the solver.

use std::collections::HashMap;

use crate::exact::check_line;
use crate::laws;
use sixplane::exact::{Effort, Exact, Memory, Task};
use sixplane::record::{Info, Recorded};
use sixplane::{Action, BoardSize, Color, Game, Outcome, PlayError, Setup, TicTacToe};

laws::laws_of_every_game!(|| vec![TicTacToe::new(3).unwrap()]);

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// All positions of the game with the number of ways to each, which must be what the plain rules say of them.
fn positions() -> HashMap<Vec<u8>, (TicTacToe, u64)> {
    let mut found = HashMap::new();
    let start = TicTacToe::new(3).unwrap();
    let mut games = HashMap::from([(start.planes().iter().copied().collect(), (start, 1))]);
    while !games.is_empty() {
        let mut next: HashMap<Vec<u8>, (TicTacToe, u64)> = HashMap::new();
        for (game, ways) in games.values() {
            for action in game.legal_actions() {
                let mut after = game.clone();
                after.play(action).unwrap();
                let key = after.planes().iter().copied().collect();
                next.entry(key).or_insert((after, 0)).1 += ways;
            }
        }
        found.extend(std::mem::replace(&mut games, next));
    }
    found
}

#[test]
fn every_position_is_what_the_rules_say() {
    let all = positions();
    let mut ends = [0; 3];
    for (game, ways) in all.values() {
        let cells: Vec<_> = (0..9).map(|point| game.state().planes().stone(point)).collect();
        let full = |color| {
            let owns = |line: &&[usize; 3]| line.iter().all(|&point| cells[point] == Some(color));
            LINES.iter().find(owns)
        };
        let empty: Vec<_> = (0..9).filter(|&point| cells[point].is_none()).collect();
        let winner = Color::ALL.into_iter().find(|&color| full(color).is_some());
        let outcome = winner.map(Outcome::Win);
        assert_eq!(game.outcome(), outcome.or(empty.is_empty().then_some(Outcome::Draw)));
        assert_eq!(game.ending(), game.outcome().map(|_| winner.map_or("full", |_| "line")));
        let legal: Vec<_> = game.legal_actions().iter().map(|action| action.index()).collect();
        assert_eq!(legal, if game.is_over() { vec![] } else { empty });
        let line = game.winning_line().map(|line| line.iter().map(|point| point.index()).collect());
        assert_eq!(line, winner.and_then(full).map(|line| line.to_vec()));
        if let Some(outcome) = game.outcome() {
            ends[(outcome.sign() + 1) as usize] += ways;
        }
    }
    // The known numbers: positions, and games that White wins, that are draws, that Black wins.
    assert_eq!((all.len(), ends), (5_478, [77_904, 46_080, 131_184]));
}

#[test]
fn the_solver_knows_every_position() {
    fn minimax(game: &TicTacToe, known: &mut HashMap<u64, i8>) -> i8 {
        if let Some(outcome) = game.outcome() {
            return outcome.sign() * Outcome::Win(game.turn()).sign();
        }
        if let Some(&value) = known.get(&game.state().hash()) {
            return value;
        }
        let after = |action| {
            let mut after = game.clone();
            after.play(action).unwrap();
            -minimax(&after, known)
        };
        let value = game.legal_actions().into_iter().map(after).max().unwrap();
        known.insert(game.state().hash(), value);
        value
    }
    let (mut known, mut memory, mut interrupt) = (HashMap::new(), Memory::default(), || false);
    for (game, _) in positions().values() {
        let mut task = Task::new(Effort::Whole, &mut interrupt).with_score();
        let solution = game.solve(&mut task, &mut memory);
        if game.is_over() {
            assert_eq!((solution.value, solution.line), (None, vec![]));
            continue;
        }
        assert_eq!(solution.value, Some(minimax(game, &mut known)), "{game}");
        check_line(game, &solution);
        assert_eq!(game.at_leaf(&mut memory).0, solution.value);
    }
    let short = TicTacToe::with_rules(BoardSize::square(3).unwrap(), (), Some(8)).unwrap();
    let error = short.check_solvable().unwrap_err();
    assert_eq!(error.to_string(), "max_moves=8 may cut the game off before its end");
}

#[test]
fn positions_that_no_game_has() {
    let size = BoardSize::new(3, 4).unwrap();
    let error = TicTacToe::with_rules(size, (), None).unwrap_err();
    assert_eq!(error.to_string(), "a tic-tac-toe board of 3x4: it is 3x3");
    let error = TicTacToe::from_text("XXX\nOOO\n...", Color::Black).unwrap_err();
    let message = "both colors have a line of three: the first ended the game";
    assert_eq!(error.to_string(), message);
    let mut setup = Setup::empty(BoardSize::square(3).unwrap());
    setup.passed = true;
    let error = TicTacToe::from_setup((), setup, None).unwrap_err();
    assert_eq!(error.to_string(), "the pass plane is 1, but nobody passes in tic-tac-toe");
    let mut game = TicTacToe::new(3).unwrap();
    game.play_at(1, 1).unwrap();
    assert_eq!(game.play_at(1, 1), Err(PlayError::Occupied));
    assert_eq!(game.play(Action::new(9)), Err(PlayError::PassNotAllowed));
}

#[test]
fn records_have_a_number_of_their_own() {
    let game = TicTacToe::new(3).unwrap().replay([4, 0].map(Action::new)).unwrap();
    let text = game.to_sgf(&Info::default());
    assert!(text.contains("GM[1002]") && text.contains(";B[bb];W[aa]"), "{text}");
    assert_eq!(TicTacToe::from_sgf(&text, &(), None).unwrap(), game);
    assert_eq!(TicTacToe::from_sgf("(;GM[1002];B[bb];W[aa])", &(), None).unwrap(), game);
}
