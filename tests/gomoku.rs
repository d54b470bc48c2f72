//! Gomoku: the laws of all games beside a naive Gomoku, and every line that wins or must not.

use crate::{naive::gomoku as naive, oracle};

use naive::Gomoku as Naive;
use oracle::laws::laws;
use oracle::{Oracle, Subject, score};
use sixplane::record::{GivenGomokuRules, Info, Recorded};
use sixplane::{
    Action, BoardSize, ByColor, Color, Game, Gomoku, GomokuRules, Outcome, PlayError, Setup,
};

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
        self.cells.concat()
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

struct Start {
    exact_five: bool,
}

fn with_rules(rows: usize, cols: usize, exact_five: bool) -> Gomoku {
    let size = BoardSize::new(rows, cols).unwrap();
    Gomoku::with_rules(size, GomokuRules { exact_five }, None).unwrap()
}

impl Subject for Start {
    type Game = Gomoku;
    type Oracle = Naive;

    fn start(&self, rows: usize, cols: usize) -> (Gomoku, Naive) {
        (with_rules(rows, cols, self.exact_five), Naive::new(rows, cols, self.exact_five))
    }

    fn sizes(&self) -> Vec<(usize, usize)> {
        vec![(5, 5), (5, 6), (7, 5), (6, 8), (8, 8), (9, 9), (10, 8), (5, 25), (15, 15), (25, 25)]
    }
}

mod freestyle {
    use super::{Start, laws};

    laws! { Start { exact_five: false },
        every_answer_is_the_naive_one(12);
        undo_is_the_inverse_of_play(2);
        a_resignation_ends_the_game_until_it_is_withdrawn();
        replaying_and_copying_give_the_game(3);
        planes_give_the_same_future(2);
        records_give_the_game(3);
        symmetry_and_exchange_of_colors_commute_with_play(2);
        the_move_limit_cuts_games_off();
        self_play_depends_on_the_seed_alone();
    }
}

mod exactly_five {
    use super::{Start, laws};

    laws! { Start { exact_five: true },
        every_answer_is_the_naive_one(12);
        undo_is_the_inverse_of_play(2);
        planes_give_the_same_future(2);
        records_give_the_game(3);
    }
}

/// All runs of `length` points on a board, in all four directions.
fn runs(rows: usize, cols: usize, length: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for row in 0..rows as i32 {
        for col in 0..cols as i32 {
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
    }
    found
}

/// A game in which `color` has all these stones but one and is to play.
fn before_last(rows: usize, cols: usize, points: &[usize], last: usize, exact: bool) -> Gomoku {
    let size = BoardSize::new(rows, cols).unwrap();
    let black = points.iter().copied().filter(|&point| point != last).collect();
    let setup = Setup::from_stones(size, &ByColor { black, white: vec![] }, Color::Black).unwrap();
    Gomoku::from_setup(GomokuRules { exact_five: exact }, setup, None).unwrap()
}

fn line(game: &Gomoku) -> Option<Vec<usize>> {
    Some(game.winning_line()?.into_iter().map(Action::index).collect())
}

#[test]
fn every_five_wins_whichever_stone_is_the_last() {
    for (rows, cols, count) in [(15, 15, 2 * 15 * 11 + 2 * 11 * 11), (5, 9, 5 * 5 + 9 + 5 + 5)] {
        let fives = runs(rows, cols, 5);
        assert_eq!(fives.len(), count);
        for five in fives {
            for &last in &five {
                for exact in [false, true] {
                    let mut game = before_last(rows, cols, &five, last, exact);
                    assert!(!game.is_over());
                    game.play(Action::new(last)).unwrap();
                    assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)), "{five:?}");
                    assert_eq!(score(&game), 1);
                    assert_eq!(line(&game).as_ref(), Some(&five));
                    // White's win is the mirror of it.
                    let mut game = before_last(rows, cols, &five, last, exact);
                    game.set_turn(Color::White).unwrap();
                    game.play(Action::new(last)).unwrap();
                    assert!(!game.is_over(), "a white stone makes no black five");
                }
            }
        }
    }
}

#[test]
fn a_six_wins_freestyle_and_not_where_five_must_be_exact() {
    for six in runs(15, 15, 6) {
        for &last in &six[1..5] {
            let mut game = before_last(15, 15, &six, last, false);
            game.play(Action::new(last)).unwrap();
            assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)));
            assert_eq!(line(&game).as_ref(), Some(&six));

            let mut game = before_last(15, 15, &six, last, true);
            game.play(Action::new(last)).unwrap();
            assert!(!game.is_over(), "{six:?}");
            assert_eq!(line(&game), None);
            // The other color is free to win with exactly five.
            assert_eq!(score(&game), 0);
        }
        // An end of six is the sixth stone of a five, which has won before.
        assert!(before_last(15, 15, &six, six[0], false).is_over());
        assert!(before_last(15, 15, &six, six[5], true).is_over());
    }
}

#[test]
fn a_five_beside_a_six_wins_where_five_must_be_exact() {
    // The last stone makes six along the row and five along the column.
    let row: Vec<usize> = (0..6).map(|col| 4 * 15 + col).collect();
    let column: Vec<usize> = (0..5).map(|row| row * 15 + 2).collect();
    let all: Vec<usize> = row.iter().chain(&column[..4]).copied().collect();
    let mut game = before_last(15, 15, &all, 4 * 15 + 2, true);
    assert!(!game.is_over());
    game.play(Action::new(4 * 15 + 2)).unwrap();
    assert_eq!(line(&game), Some(column.clone()));
    let mut game = before_last(15, 15, &all, 4 * 15 + 2, false);
    game.play(Action::new(4 * 15 + 2)).unwrap();
    assert_eq!(line(&game), Some(row));
}

/// Five consecutive numbers in steps of any line, where the line leaves the board in between: four
/// stones at one edge and one beyond the corner.
#[test]
fn stones_around_an_edge_never_win() {
    let mut tried = 0;
    for (rows, cols) in [(15, 15), (5, 5), (6, 9), (9, 6), (8, 8), (25, 25), (16, 16)] {
        let fives = runs(rows, cols, 5);
        let points = rows * cols;
        for step in [1, cols - 1, cols, cols + 1] {
            for first in 0..points {
                // Beyond the last point the line goes on at the first one.
                let five: Vec<usize> = (0..5).map(|i| (first + i * step) % points).collect();
                let mut sorted = five.clone();
                sorted.sort_unstable();
                sorted.dedup();
                if sorted.len() < 5
                    || fives.iter().any(|real| {
                        let mut real = real.clone();
                        real.sort_unstable();
                        real == sorted
                    })
                {
                    continue;
                }
                for last in [five[0], five[2], five[4]] {
                    let mut game = before_last(rows, cols, &five, last, false);
                    game.play(Action::new(last)).unwrap();
                    assert!(!game.is_over(), "{rows}x{cols} {five:?}");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 3_000, "{tried}");
}

#[test]
fn a_full_board_is_a_draw() {
    let mut game = Gomoku::from_text(
        "X X O O X
         O O X X O
         X X O O X
         O O X X O
         X X O O .",
        Color::Black,
    )
    .unwrap();
    game.play_at(4, 4).unwrap();
    assert_eq!((game.outcome(), score(&game)), (Some(Outcome::Draw), 0));
    assert_eq!(game.winning_line(), None);
    game.undo().unwrap();
    assert!(!game.is_over());
    assert_eq!(game.legal_actions(), [Action::new(24)]);
}

#[test]
fn the_last_point_can_win() {
    let mut game = Gomoku::from_text(
        "X X O O X
         O X X X O
         X X X O X
         O O X X O
         X X O O .",
        Color::Black,
    )
    .unwrap();
    game.play_at(4, 4).unwrap();
    assert_eq!(line(&game), Some(vec![0, 6, 12, 18, 24]));
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)));
}

#[test]
fn nobody_passes() {
    let mut game = Gomoku::new(5).unwrap();
    assert_eq!(game.play(game.size().pass()), Err(PlayError::PassNotAllowed));
    assert_eq!(game.play(Action::new(26)), Err(PlayError::OffBoard));
    game.play(Action::new(3)).unwrap();
    assert_eq!(game.play(Action::new(3)), Err(PlayError::Occupied));
    let mut mask = [1; 26];
    game.write_action_mask(&mut mask);
    assert_eq!(mask[25], 0);
}

#[test]
fn positions_with_a_five_are_over_and_those_with_two_are_none() {
    let text = "X X X X X\nO O O O .\n. . . . .\n. . . . .\n. . . . .";
    for turn in Color::ALL {
        let game = Gomoku::from_text(text, turn).unwrap();
        assert_eq!((game.outcome(), score(&game)), (Some(Outcome::Win(Color::Black)), 1));
        assert_eq!(line(&game), Some(vec![0, 1, 2, 3, 4]));
        assert!(game.legal_actions().is_empty());
        let again = Gomoku::from_planes(*game.rules(), &game.planes(), None).unwrap();
        assert_eq!((again.status(), again.planes()), (game.status(), game.planes()));
        let mut planes = game.planes().to_owned();
        planes.index_axis_mut(ndarray::Axis(0), 5).fill(0);
        let error = Gomoku::from_planes(*game.rules(), &planes.view(), None).unwrap_err();
        assert!(error.to_string().contains("the rules end the game here"), "{error}");
    }
    let both = text.replace(". . .\n. . . . .\n. . . . .", ". . .\nO O O O O\n. . . . .");
    assert_ne!(both, text);
    let error = Gomoku::from_text(&both, Color::Black).unwrap_err();
    assert_eq!(error.to_string(), "both colors have a winning line: the first ended the game");
    // Six are no winning line where five must be exact.
    let six = "XXXXXX\nOOOOOO\n......\n......\n......";
    let setup = Setup::from_text(six, Color::Black).unwrap();
    assert!(Gomoku::from_setup(GomokuRules::default(), setup.clone(), None).is_err());
    let exact = GomokuRules { exact_five: true };
    assert!(!Gomoku::from_setup(exact, setup, None).unwrap().is_over());
}

#[test]
fn positions_that_no_game_has() {
    for (rows, cols) in [(4, 5), (5, 4), (2, 25)] {
        let size = BoardSize::new(rows, cols).unwrap();
        let error = Gomoku::with_rules(size, GomokuRules::default(), None).unwrap_err();
        let message =
            format!("a Gomoku board of {size}: rows and columns must each be from 5 to 25");
        assert_eq!(error.to_string(), message);
    }
    let mut setup = Setup::empty(BoardSize::square(5).unwrap());
    setup.passed = true;
    let error = Gomoku::from_setup(GomokuRules::default(), setup, None).unwrap_err();
    assert_eq!(error.to_string(), "the pass plane is 1, but nobody passes in Gomoku");
}

#[test]
fn points_are_named_with_i_and_from_the_bottom() {
    let size = BoardSize::square(15).unwrap();
    assert_eq!(Gomoku::NOTATION.name(size, Action::new(14 * 15 + 8)), "I1");
    assert_eq!(Gomoku::NOTATION.name(size, Action::new(14)), "O15");
    assert_eq!(Gomoku::NOTATION.action(size, "h8"), Some(Action::new(7 * 15 + 7)));
}

#[test]
fn records_name_the_rule() {
    for (exact_five, name) in [(false, "RU[Freestyle]"), (true, "RU[Standard]")] {
        let text = with_rules(15, 15, exact_five).to_sgf(&Info::default());
        assert!(text.contains("GM[4]") && text.contains("SZ[15]") && text.contains(name), "{text}");
        let read = |exact_five| {
            let given = GivenGomokuRules { exact_five, ..GivenGomokuRules::default() };
            Gomoku::from_sgf(&text, &given, None).unwrap().rules().exact_five
        };
        assert_eq!(read(None), exact_five);
        assert!(read(Some(true)) && !read(Some(false)));
        let usual = GomokuRules { exact_five };
        let given = GivenGomokuRules { usual, ..GivenGomokuRules::default() };
        let game = Gomoku::from_sgf("(;GM[4];B[hh])", &given, None).unwrap();
        assert_eq!(game.rules().exact_five, exact_five);
    }
    let error = Gomoku::from_sgf("(;GM[4];B[])", &GivenGomokuRules::default(), None).unwrap_err();
    assert_eq!(error.message, "illegal move B[]: pass_not_allowed");
    let won = "(;GM[4]SZ[5];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])";
    let game = Gomoku::from_sgf(won, &GivenGomokuRules::default(), None).unwrap();
    assert_eq!(line(&game), Some(vec![0, 1, 2, 3, 4]));
    assert!(game.to_sgf(&Info::default()).contains("RE[B+1]"));
}
