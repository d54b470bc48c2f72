//! Reversi: the laws of all games beside a naive Reversi, perft, and what only Reversi has.

use crate::{naive::reversi as naive, oracle};

use naive::{Reversi as Naive, perft};
use oracle::laws::laws;
use oracle::{Oracle, Subject, score};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sixplane::games::reversi::Perft;
use sixplane::players::random::RandomPlayer;
use sixplane::record::{Info, Recorded};
use sixplane::{
    Action, BoardSize, ByColor, Color, Game, Outcome, PlayError, Reversi, ReversiRules, Setup,
};

impl Oracle for Naive {
    fn refusal(&self, action: usize) -> Option<&'static str> {
        Naive::refusal(self, action)
    }
    fn play(&mut self, action: usize) {
        Naive::play(self, action);
    }
    fn set_turn(&mut self, color: char) {
        Naive::set_turn(self, color);
    }
    fn cells(&self) -> Vec<char> {
        self.cells.concat()
    }
    fn turn(&self) -> char {
        self.turn
    }
    fn passed(&self) -> bool {
        self.passed
    }
    fn is_over(&self) -> bool {
        Naive::is_over(self)
    }
    fn score(&self) -> i32 {
        Naive::score(self)
    }
}

struct Start;

impl Subject for Start {
    type Game = Reversi;
    type Oracle = Naive;

    fn start(&self, rows: usize, cols: usize) -> (Reversi, Naive) {
        let size = BoardSize::new(rows, cols).unwrap();
        (Reversi::with_rules(size, ReversiRules, None).unwrap(), Naive::new(rows, cols))
    }

    fn sizes(&self) -> Vec<(usize, usize)> {
        // Every number of words, and 64, 128, 192, 256 and 384 points, which fill theirs.
        vec![
            (4, 4),
            (4, 6),
            (6, 4),
            (6, 6),
            (8, 8),
            (4, 16),
            (16, 4),
            (4, 24),
            (10, 10),
            (8, 16),
            (12, 16),
            (16, 16),
            (14, 20),
            (24, 16),
            (20, 22),
            (24, 24),
        ]
    }
}

laws! { Start,
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

fn eight() -> Reversi {
    Reversi::new(8).unwrap()
}

fn play(game: &mut Reversi, names: &str) {
    for name in names.split_whitespace() {
        game.play(Reversi::NOTATION.action(game.size(), name).unwrap()).expect(name);
    }
}

const PERFT: [u64; 9] = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288];

#[test]
fn perft_is_the_known_one() {
    for (depth, sequences) in (1..).zip(PERFT) {
        assert_eq!(eight().perft(depth).sequences, sequences, "{depth}");
    }
    assert_eq!(eight().perft(0), Perft { sequences: 1, finished: 0 });
    let ten = eight().perft(10);
    assert_eq!((ten.sequences, ten.sequences + ten.finished), (24_571_056, 24_571_284));
}

#[test]
#[ignore = "slow: make test-slow"]
fn perft_of_eleven_and_twelve_plies_is_the_known_one() {
    let eleven = eight().perft(11);
    assert_eq!((eleven.sequences, eleven.sequences + eleven.finished), (212_258_216, 212_258_800));
    let twelve = eight().perft(12);
    assert_eq!(twelve.sequences + twelve.finished, 1_939_886_636);
}

/// Counts by playing and taking back on one game with all its planes.
fn perft_by_undo(game: &mut Reversi, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for action in game.legal_actions() {
        game.play(action).unwrap();
        count += perft_by_undo(game, depth - 1);
        game.undo().unwrap();
    }
    count
}

#[test]
fn perft_of_whole_games_is_that_of_the_board() {
    for depth in 1..=6 {
        assert_eq!(perft_by_undo(&mut eight(), depth), PERFT[depth as usize - 1]);
    }
    let mut four = Reversi::new(4).unwrap();
    for depth in [9, 10, 12] {
        assert_eq!(perft_by_undo(&mut four.clone(), depth), four.perft(depth).sequences);
    }
    play(&mut four, "B1 A1");
    assert_eq!(perft_by_undo(&mut four.clone(), 8), four.perft(8).sequences);
}

#[test]
fn perft_equals_the_naive_one_on_all_shapes() {
    for (rows, cols, depth) in [(4, 4, 10), (4, 6, 7), (6, 4, 7), (6, 6, 6), (8, 8, 5), (10, 8, 5)]
    {
        let (sequences, finished) = perft(&Naive::new(rows, cols), depth);
        let (game, _) = Start.start(rows, cols);
        assert_eq!(game.perft(depth as u32), Perft { sequences, finished }, "{rows}x{cols}");
    }
}

#[test]
fn the_naive_perft_is_the_known_one() {
    for (depth, sequences) in (1..=6).zip(PERFT) {
        assert_eq!(perft(&Naive::new(8, 8), depth), (sequences, 0));
    }
}

/// Both ways to find legal points and flips, on boards that no game reaches.
#[test]
fn any_placement_of_discs_has_the_naive_mask() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut below = |count: usize| rng.random_range(0..count);
    let mut flips = 0;
    for (rows, cols) in [(4, 4), (6, 8), (8, 8), (8, 10), (16, 16)] {
        for _ in 0..60 {
            let mut naive = Naive::new(rows, cols);
            let density = 1 + below(8);
            for cell in naive.cells.iter_mut().flatten() {
                *cell = if below(9) > density { '.' } else { ['X', 'O'][below(10) % 2] };
            }
            naive.turn = ['X', 'O'][below(10) % 2];
            let text: Vec<String> = naive.cells.iter().map(|row| row.iter().collect()).collect();
            let turn = if naive.turn == 'X' { Color::Black } else { Color::White };
            let game = Reversi::from_text(&text.join("\n"), turn).unwrap();
            oracle::assert_same(&game, &naive);
            for action in game.legal_actions() {
                let (mut game, mut naive) = (game.clone(), naive.clone());
                game.play(action).unwrap();
                naive.play(action.index());
                oracle::assert_same(&game, &naive);
                flips += game
                    .state()
                    .steps_with_changes()
                    .map(|(_, changes)| changes.len().saturating_sub(1))
                    .sum::<usize>();
            }
        }
    }
    assert!(flips > 5_000, "{flips}");
}

#[test]
fn the_start_is_black_on_e4_and_d5() {
    let game = eight();
    let names = |color: Color| -> Vec<String> {
        let cells = game.state().planes().plane_cells(color.into());
        let points = (0..64).filter(|&point| cells[point] == 1);
        points.map(|point| Reversi::NOTATION.name(game.size(), Action::new(point))).collect()
    };
    assert_eq!(names(Color::Black), ["E4", "D5"]);
    assert_eq!(names(Color::White), ["D4", "E5"]);
    assert_eq!(game.state().planes().stone(3 * 8 + 4), Some(Color::Black));
    let legal: Vec<_> =
        game.legal_actions().iter().map(|&a| Reversi::NOTATION.name(game.size(), a)).collect();
    assert_eq!(legal, ["D3", "C4", "F5", "E6"]);
    assert_eq!(score(&game), 0);
    assert_eq!(game.discs(), ByColor { black: 2, white: 2 });
}

#[test]
fn a_player_without_a_play_passes_and_may_pass_only_then() {
    let mut game = eight();
    let pass = game.size().pass();
    assert_eq!(game.play(pass), Err(PlayError::PassNotAllowed));
    let (mut passes, mut player) = (0, RandomPlayer::new(1));
    while passes < 20 {
        let legal = game.legal_actions();
        if legal == [pass] {
            let before = game.planes().to_owned();
            game.play(pass).unwrap();
            assert_eq!(game.state().planes().plane_cells(sixplane::Plane::Pass), [1; 64]);
            assert!(!game.is_over() && !game.legal_actions().contains(&pass));
            game.undo().unwrap();
            assert_eq!(game.planes(), before);
            passes += 1;
        } else {
            assert!(!legal.contains(&pass));
            assert_eq!(game.check(pass), Err(PlayError::PassNotAllowed));
        }
        game.play(player.select_action(&game)).unwrap();
        if game.is_over() {
            game = eight();
        }
    }
}

#[test]
fn the_shortest_game_ends_with_empty_points_left() {
    let mut game = eight();
    // Nine plies, after which no white disc is left.
    play(&mut game, "E6 F4 E3 F6 G5 D6 E7 F5 C5");
    assert!(game.is_over());
    assert_eq!((game.outcome(), score(&game)), (Some(Outcome::Win(Color::Black)), 13));
    assert_eq!(game.play(Action::new(0)), Err(PlayError::GameOver));
    assert_eq!(game.play(game.size().pass()), Err(PlayError::GameOver));
}

#[test]
fn positions_that_no_game_has() {
    let error = |setup: Setup| {
        Reversi::from_setup(ReversiRules, setup, None).map(|_| ()).unwrap_err().to_string()
    };
    for (rows, cols) in [(2, 2), (5, 6), (8, 7), (25, 24), (24, 25), (2, 8), (3, 3)] {
        let size = BoardSize::new(rows, cols).unwrap();
        let message = format!(
            "a Reversi board of {size}: rows and columns must each be even and from 4 to 24"
        );
        assert_eq!(error(Setup::empty(size)), message);
        assert_eq!(Reversi::with_rules(size, ReversiRules, None).unwrap_err().to_string(), message);
    }
    let mut setup = eight().state().setup().clone();
    setup.passed = true;
    assert_eq!(error(setup), "the pass plane is 1, but white did not have to pass here");

    let mut planes = eight().planes().to_owned();
    planes[[3, 0, 0]] = 0;
    let error = Reversi::from_planes(ReversiRules, &planes.view(), None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the invalid plane is 0 at point 0, where a play is illegal (no_flip)"
    );
    let mut planes = eight().planes().to_owned();
    planes[[3, 2, 3]] = 1;
    let error = Reversi::from_planes(ReversiRules, &planes.view(), None).unwrap_err();
    assert!(error.to_string().contains("forbids 1 empty points"), "{error}");
}

#[test]
fn an_empty_or_one_colored_board_is_over_at_once() {
    for text in ["....\n....\n....\n....", "XXXX\n....\n....\n...."] {
        let game = Reversi::from_text(text, Color::White).unwrap();
        assert!(game.is_over());
        assert_eq!(score(&game), text.matches('X').count() as i32);
    }
}

#[test]
fn records_may_leave_forced_passes_out() {
    let text = "
        X O O X
        . O O O
        . . . .
        . . . .";
    let mut game = Reversi::from_text(text, Color::Black).unwrap();
    while game.legal_actions() != [game.size().pass()] && !game.is_over() {
        let action = game.legal_actions()[0];
        game.play(action).unwrap();
    }
    assert!(!game.is_over());
    let pass = game.size().pass();
    game.play(pass).unwrap();
    let action = game.legal_actions()[0];
    game.play(action).unwrap();
    let text = game.to_sgf(&Info::default());
    assert!(text.contains("GM[2]") && text.contains("SZ[4]"), "{text}");
    let without = text.replace(";B[PA]", "").replace(";W[PA]", "");
    assert_ne!(without, text);
    assert_eq!(Reversi::from_sgf(&without, &(), None).unwrap(), game);
    assert!(Reversi::from_sgf("(;GM[1]SZ[8])", &(), None).is_err());
    assert_eq!(Reversi::from_sgf("(;GM[2])", &(), None).unwrap(), eight());
    let error = Reversi::from_sgf("(;GM[2];B[aa])", &(), None).unwrap_err();
    assert_eq!(error.message, "illegal move B[aa]: no_flip");
}
