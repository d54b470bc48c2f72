//! Hex: the laws of all games beside a naive Hex, and one winner on every full board.

use crate::naive::hex::Hex as Naive;
use crate::oracle::laws::laws;
use crate::oracle::{Oracle, Subject};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sixplane::playout::Scratch;
use sixplane::record::{GivenHexRules, Info, Recorded};
use sixplane::symmetry::Symmetry;
use sixplane::{
    Action, BoardSize, ByColor, Color, Game, Hex, HexRules, Outcome, PlayError, Playouts,
    RandomStream, Setup,
};

impl Oracle for Naive {
    fn refusal(&self, action: usize) -> Option<&'static str> {
        Naive::refusal(self, action)
    }
    fn play(&mut self, action: usize) {
        Naive::play(self, action);
    }
    fn set_turn(&mut self, color: char) {
        (self.turn, self.swapped) = (color, false);
    }
    fn cells(&self) -> Vec<char> {
        self.cells.concat()
    }
    fn turn(&self) -> char {
        self.turn
    }
    fn passed(&self) -> bool {
        self.swapped
    }
    fn is_over(&self) -> bool {
        Naive::is_over(self)
    }
    fn score(&self) -> i32 {
        Naive::score(self)
    }
}

struct Start {
    swap: bool,
}

pub fn with_rules(rows: usize, cols: usize, swap: bool) -> Hex {
    Hex::with_rules(BoardSize::new(rows, cols).unwrap(), HexRules { swap }, None).unwrap()
}

impl Subject for Start {
    type Game = Hex;
    type Oracle = Naive;

    const HAS_DRAWS: bool = false;

    fn start(&self, rows: usize, cols: usize) -> (Hex, Naive) {
        (with_rules(rows, cols, self.swap), Naive::new(rows, cols, self.swap))
    }

    fn sizes(&self) -> Vec<(usize, usize)> {
        let squares = [2, 3, 5, 8, 11].map(|side| (side, side));
        if self.swap {
            squares.into()
        } else {
            [squares.to_vec(), vec![(2, 7), (9, 3), (19, 19)]].concat()
        }
    }
}

mod plain {
    use super::{Start, laws};

    laws! { Start { swap: false },
        every_answer_is_the_naive_one(6);
        undo_is_the_inverse_of_play(2);
        a_resignation_ends_the_game_until_it_is_withdrawn();
        replaying_and_copying_give_the_game(3);
        planes_give_the_same_future(2);
        records_give_the_game(3);
        the_move_limit_cuts_games_off();
        self_play_depends_on_the_seed_alone();
    }
}

mod with_the_swap_rule {
    use super::{Start, laws};

    laws! { Start { swap: true },
        every_answer_is_the_naive_one(12);
        undo_is_the_inverse_of_play(6);
        replaying_and_copying_give_the_game(6);
        planes_give_the_same_future(6);
        records_give_the_game(6);
        self_play_depends_on_the_seed_alone();
    }
}

/// A board with these stones.
fn board(rows: usize, cols: usize, stones: &ByColor<Vec<usize>>, turn: Color) -> Hex {
    let setup = Setup::from_stones(BoardSize::new(rows, cols).unwrap(), stones, turn).unwrap();
    Hex::from_setup(HexRules::default(), setup, None).unwrap()
}

fn line(game: &Hex) -> Option<Vec<usize>> {
    Some(game.winning_line()?.into_iter().map(Action::index).collect())
}

#[test]
fn a_full_board_has_exactly_one_winner_however_many_stones_each_color_has() {
    let (mut rng, mut wins) = (Xoshiro256PlusPlus::seed_from_u64(1), [0; 2]);
    let sizes = [(2, 2), (3, 3), (2, 6), (5, 4), (7, 7), (11, 11), (19, 19)];
    for (rows, cols) in sizes.into_iter().flat_map(|size| [size; 120]) {
        let mut points: Vec<usize> = (0..rows * cols).collect();
        points.shuffle(&mut rng);
        let black = rng.random_range(0..=points.len());
        let stones = ByColor { black: points[..black].to_vec(), white: points[black..].to_vec() };
        let game = board(rows, cols, &stones, Color::Black);
        let mut naive = Naive::new(rows, cols, false);
        for (color, name) in [(Color::Black, 'X'), (Color::White, 'O')] {
            for &point in &stones[color] {
                naive.cells[point / cols][point % cols] = name;
            }
        }
        let joins = ['X', 'O'].map(|name| naive.joins(name));
        assert_ne!(joins[0], joins[1], "{game}");
        let winner = if joins[0] { Color::Black } else { Color::White };
        assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{game}");
        assert_eq!(game.ending(), Some("chain"));
        wins[winner.index()] += 1;
    }
    assert!(wins.iter().all(|&count| count > 100), "{wins:?}");
}

#[test]
fn the_winning_line_is_a_chain_from_side_to_side_and_no_shorter_one_is_there() {
    for (rows, cols) in [(3, 3), (5, 4), (4, 9), (11, 11), (19, 19)] {
        for seed in 0..20 {
            let (game, _, _) =
                crate::oracle::walk(Start { swap: false }.start(rows, cols), seed, 0, |game, _| {
                    assert!(game.is_over() || line(game).is_none());
                });
            let Some(Outcome::Win(winner)) = game.outcome() else { panic!("there is no draw") };
            let found = line(&game).unwrap();
            let alone = |points: &[usize]| {
                let mut stones = ByColor { black: vec![], white: vec![] };
                stones[winner] = points.to_vec();
                board(rows, cols, &stones, Color::Black)
            };
            assert!(found.iter().all(|&point| game.state().planes().stone(point) == Some(winner)));
            assert_eq!(line(&alone(&found)), Some(found.clone()));
            for i in 0..found.len() {
                let less = [&found[..i], &found[i + 1..]].concat();
                assert!(!alone(&less).is_over(), "a stone too many");
            }
        }
    }
}

/// A game with every point moved, and the colors exchanged.
fn turned(game: &Hex, symmetry: usize, exchange: bool) -> Hex {
    let (size, symmetry) = (game.size(), Symmetry::new(symmetry).unwrap());
    let planes = game.state().planes();
    let mut stones = ByColor { black: vec![], white: vec![] };
    for point in 0..size.points() {
        if let Some(color) = planes.stone(point) {
            let color = if exchange { color.opponent() } else { color };
            stones[color].push(symmetry.point(size, point));
        }
    }
    board(
        size.rows(),
        size.cols(),
        &stones,
        if exchange { game.turn().opponent() } else { game.turn() },
    )
}

#[test]
fn the_half_turn_keeps_the_game_and_no_other_symmetry_does() {
    assert_eq!([0, 1, 2].map(Hex::symmetry), [Symmetry::new(0), Symmetry::new(3), None]);
    assert_eq!(Hex::new(5).unwrap().num_symmetries(), 2);
    let mut kept = [[true; 2]; 8];
    for seed in 0..200 {
        let (game, ..) = crate::oracle::walk(Start { swap: false }.start(5, 5), seed, 0, |_, _| {});
        for (symmetry, kept) in kept.iter_mut().enumerate() {
            for exchange in [false, true] {
                let sign = |game: &Hex| game.outcome().map(Outcome::sign);
                let other = sign(&turned(&game, symmetry, exchange));
                let same = other.map(|sign| if exchange { -sign } else { sign }) == sign(&game);
                kept[usize::from(exchange)] &= same;
            }
        }
    }
    let numbers = |exchange: usize| (0..8).filter(|&i| kept[i][exchange]).collect::<Vec<_>>();
    // Flipped at a diagonal (5 and 6), the colors have each other's sides.
    assert_eq!([0, 1].map(numbers), [vec![0, 3], vec![5, 6]]);
}

#[test]
fn a_swap_gives_white_what_black_had() {
    for point in 0..25 {
        let mut game = with_rules(5, 5, true);
        let pass = game.size().pass();
        assert_eq!(game.play(pass), Err(PlayError::PassNotAllowed));
        game.play(Action::new(point)).unwrap();
        let before = game.clone();
        assert_eq!(game.legal_actions().last(), Some(&pass));
        game.play(pass).unwrap();
        let mirrored = point % 5 * 5 + point / 5;
        assert_eq!((game.turn(), game.legal_actions().len()), (Color::Black, 24));
        assert_eq!(game.state().planes().stone(mirrored), Some(Color::White));
        // The same position for White as it was for Black.
        let mut black = with_rules(5, 5, false);
        black.play(Action::new(point)).unwrap();
        let white = turned(&black, 5, true);
        assert_eq!(white.state().key(), game.state().key());
        assert_eq!(game.play(pass), Err(PlayError::PassNotAllowed), "once is enough");
        game.play(Action::new((mirrored + 1) % 25)).unwrap();
        assert_eq!(game.play(pass), Err(PlayError::PassNotAllowed));
        game.undo().unwrap();
        game.undo().unwrap();
        assert_eq!(game, before);
        assert!(game.may_pass());
    }
    let mut plain = with_rules(5, 5, false);
    plain.play_at(2, 2).unwrap();
    assert_eq!(plain.play(plain.size().pass()), Err(PlayError::PassNotAllowed));
}

#[test]
fn a_playout_is_random_legal_play() {
    for (rows, cols) in [(2, 2), (5, 4), (8, 8), (11, 11), (19, 19)] {
        for seed in 0..30 {
            let game = with_rules(rows, cols, rows == cols);
            let (mut rng, mut slow) = (RandomStream::new(seed), game.clone());
            while !slow.is_over() {
                let legal = *slow.state().legal();
                let at = rng.random_range(0..legal.count() as u32) as usize;
                slow.play(Action::new(legal.iter().nth(at).unwrap())).unwrap();
            }
            let (mut rng, mut played) = (RandomStream::new(seed), Vec::new());
            let fast = game.playout(&mut Scratch::default(), &mut rng, Some(&mut played));
            assert_eq!(played, slow.state().actions().collect::<Vec<_>>());
            assert!((fast - slow.score()).abs() < f64::EPSILON);
            let again = slow.playout(&mut Scratch::default(), &mut rng, None);
            assert!((again - fast).abs() < f64::EPSILON, "a game that is over stays so");
        }
    }
    let cut = Hex::with_rules(BoardSize::square(5).unwrap(), HexRules::default(), Some(3)).unwrap();
    let mut played = Vec::new();
    cut.playout(&mut Scratch::default(), &mut RandomStream::new(1), Some(&mut played));
    assert_eq!(played.len(), 3);
}

#[test]
fn positions_that_no_game_has() {
    for (rows, cols) in [(20, 5), (5, 20), (25, 25)] {
        let size = BoardSize::new(rows, cols).unwrap();
        let error = Hex::with_rules(size, HexRules::default(), None).unwrap_err();
        let message = format!("a Hex board of {size}: rows and columns must each be from 2 to 19");
        assert_eq!(error.to_string(), message);
    }
    let size = BoardSize::new(4, 5).unwrap();
    let error = Hex::with_rules(size, HexRules { swap: true }, None).unwrap_err();
    assert_eq!(error.to_string(), "a Hex board of 4x5: the swap rule needs a square one");
    let setup = |text: &str, turn| {
        let mut setup = Setup::from_text(text, turn).unwrap();
        setup.passed = true;
        setup
    };
    let swapped = setup("...\nO..\n...", Color::Black);
    assert!(Hex::from_setup(HexRules { swap: true }, swapped.clone(), None).is_ok());
    for (swap, setup) in [
        (false, swapped),
        (true, setup("...\nO..\n...", Color::White)),
        (true, setup("...\nX..\n...", Color::Black)),
        (true, setup("...\nO..\n.X.", Color::Black)),
        (true, setup("...\n...\n...", Color::Black)),
    ] {
        let error = Hex::from_setup(HexRules { swap }, setup, None).unwrap_err();
        let message = "the pass plane is 1, but that is not the position after a swap";
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn records_name_points_and_the_swap() {
    let game = with_rules(11, 11, true).replay([2, 121, 60].map(Action::new)).unwrap();
    let text = game.to_sgf(&Info::default());
    assert!(text.contains("GM[11]") && text.contains("RU[Swap]"), "{text}");
    assert!(text.contains(";B[c1];W[swap-pieces]\n;B[f6]"), "{text}");
    let read = |text: &str| Hex::from_sgf(text, &GivenHexRules::default(), None);
    assert_eq!(read(&text).unwrap(), game);
    // As other programs write it, without a rule and a size.
    assert_eq!(read("(;GM[11];B[c1];W[swap-pieces];B[f6])").unwrap(), game);
    assert!(!read("(;GM[11]SZ[5];B[c1];W[a1];B[c3])").unwrap().rules().swap);
    let usual = HexRules { swap: true };
    let given = GivenHexRules { usual, ..GivenHexRules::default() };
    assert!(Hex::from_sgf("(;GM[11];B[c1])", &given, None).unwrap().rules().swap);
    let given = GivenHexRules { swap: Some(false), ..GivenHexRules::default() };
    // Or in a variation, or after nodes without a move.
    for text in [
        "(;GM[11];B[c1](;W[b2])(;W[swap-pieces];B[f6]))",
        "(;GM[11];C[x];B[c1];C[y];W[swap-pieces];B[f6])",
    ] {
        assert!(read(text).unwrap().rules().swap, "{text}");
    }
    let error = Hex::from_sgf("(;GM[11];B[c1];W[swap-pieces])", &given, None).unwrap_err();
    assert_eq!(error.message, "illegal move W[swap-pieces]: pass_not_allowed");
    // The colors exchanged and the stone left where it is: another rule.
    let error = read("(;GM[11];B[c1];W[swap-sides])").unwrap_err();
    assert!(error.message.contains("swap-sides"), "{error}");
}

#[test]
fn a_resignation_in_place_of_a_move_ends_the_game() {
    let read = |text: &str| Hex::from_sgf(text, &GivenHexRules::default(), None);
    for (end, winner) in [
        (";W[resign]", Color::Black),
        (";B[resign]", Color::White),
        (";B[forfeit]", Color::White),
        ("RE[B+R];W[ Resign ]", Color::Black),
        // The move says who, and the result is not asked any more.
        ("RE[W+R];W[resign]", Color::Black),
    ] {
        let game = read(&format!("(;GM[11]SZ[5];B[a3];W[swap-pieces];B[c3]{end})")).unwrap();
        assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{end}");
        assert_eq!((game.ending(), game.state().moves()), (Some("resignation"), 3), "{end}");
        assert_eq!(read(&game.to_sgf(&Info::default())).unwrap(), game);
    }
    let error = read("(;GM[11]SZ[5];B[a3];W[resign];B[c3])").unwrap_err();
    assert_eq!(error.message, "illegal move B[c3]: game_over");
}
