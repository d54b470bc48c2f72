//! Laws of game records: games to text and back, and records that are no games.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sixplane::players::random::RandomPlayer;
use sixplane::record::sgf::Collection;
use sixplane::record::{GivenRules, Info, Recorded, SgfError};
use sixplane::{
    Action, BoardSize, ByColor, Color, Ending, Game, Go, KoRule, Komi, Outcome, Reversi, Rules,
    Setup, Status, Step,
};

use crate::effort::share;

fn read(text: &str) -> Result<Go, SgfError> {
    Go::from_sgf(text, &GivenRules::default(), None)
}

/// The error of a text: its message and the text from its offset on.
fn error(text: &str) -> (String, &str) {
    let SgfError { message, offset } = read(text).expect_err(text);
    (message, &text[offset..])
}

fn actions(game: &Go) -> Vec<usize> {
    game.state().actions().map(Action::index).collect()
}

#[test]
fn the_root_says_what_the_game_and_its_caller_know() {
    let size = BoardSize::new(7, 9).unwrap();
    let rules =
        Rules { komi: Komi::new(-0.5).unwrap(), ko: KoRule::Situational, ..Rules::default() };
    let mut game = Go::with_rules(size, rules, None).unwrap();
    game.play_at(2, 8).unwrap();
    game.play(size.pass()).unwrap();
    game.set_turn(Color::White).unwrap();
    game.play_at(0, 0).unwrap();
    let info = Info {
        players: ByColor { black: Some("A [1]".to_owned()), white: None },
        date: Some("2016-03-09".to_owned()),
        event: Some("two\nlines".to_owned()),
        application: Some(("my:app".to_owned(), "2".to_owned())),
        comments: [(0, "start"), (2, "passed")].map(|(at, text)| (at, text.to_owned())).into(),
        result: None,
    };
    let text = "\
(;FF[4]GM[1]CA[UTF-8]AP[my\\:app:2]SZ[9:7]KM[-0.5]RU[AGA]PB[A [1\\]]DT[2016-03-09]EV[two lines]C[start]
;B[ic];W[]C[passed];PL[W];W[aa])
";
    assert_eq!(game.to_sgf(&info), text);
    assert_eq!(read(text).unwrap(), game);
}

#[test]
fn results_are_those_of_the_game_unless_given() {
    let result = |text: &str, info: &Info| {
        let written = read(text).unwrap().to_sgf(info);
        written.split_once("RE[").map(|(_, rest)| rest.split(']').next().unwrap().to_owned())
    };
    let own = |text| result(text, &Info::default());
    assert_eq!(own("(;SZ[5];B[cc])"), None);
    assert_eq!(own("(;SZ[5]KM[6.5];B[cc];W[];B[])").as_deref(), Some("B+18.5"));
    assert_eq!(own("(;SZ[5]KM[25];B[cc];W[];B[])").as_deref(), Some("0"));
    assert_eq!(own("(;SZ[5]KM[7];B[];W[])").as_deref(), Some("W+7"));
    assert_eq!(own("(;SZ[5]RE[W+Resign];B[cc])").as_deref(), Some("W+R"));
    let info = Info { result: Some("Void".to_owned()), ..Info::default() };
    assert_eq!(result("(;SZ[5];B[cc])", &info).as_deref(), Some("Void"));
}

#[test]
fn resignations_end_the_game_and_other_results_do_not() {
    let status = |text: &str| read(text).unwrap().status();
    for (result, loser) in
        [("B+R", Color::White), ("W+R", Color::Black), (" w+resign", Color::Black)]
    {
        let expected = Status::Done {
            outcome: Outcome::Win(loser.opponent()),
            ending: Ending::Resignation(loser),
        };
        assert_eq!(status(&format!("(;SZ[5]RE[{result}];B[cc])")), expected);
        // Two passes have ended this one before.
        assert_ne!(status(&format!("(;SZ[5]RE[{result}];B[];W[])")), expected);
    }
    for result in ["", "?", "Void", "0", "B+3.5", "B+T", "B+F", "B+", "X+R"] {
        assert_eq!(status(&format!("(;SZ[5]RE[{result}];B[cc])")), Status::Ongoing);
    }
}

#[test]
fn sizes_are_columns_by_rows_and_nineteen_without() {
    assert_eq!(read("(;)").unwrap().size(), BoardSize::square(19).unwrap());
    assert_eq!(read("(;SZ[9])").unwrap().size(), BoardSize::square(9).unwrap());
    assert_eq!(read("(;SZ[7:9])").unwrap().size(), BoardSize::new(9, 7).unwrap());
    for text in ["1", "26", "7:26", "x", "", "9x9", "99999999999999999999"] {
        let record = format!("(;SZ[{text}])");
        assert_eq!(error(&record).1, &record[5..], "{text}");
    }
    assert_eq!(error("(;GM[2]SZ[8])").1, "GM[2]SZ[8])");
}

#[test]
fn passes_are_empty_and_tt_on_boards_up_to_nineteen() {
    assert_eq!(actions(&read("(;SZ[5];B[];W[tt])").unwrap()), [25, 25]);
    assert_eq!(actions(&read("(;SZ[19];B[tt])").unwrap()), [361]);
    assert_eq!(actions(&read("(;SZ[20];B[tt])").unwrap()), [399]);
    assert_eq!(error("(;SZ[5];B[ff])").1, "ff])");
    assert_eq!(error("(;SZ[20:5];B[tt])").1, "tt])");
    for point in ["a", "aaa", "A1", "é", "B3", "\\aa"] {
        assert!(read(&format!("(;SZ[5];B[{point}])")).is_err());
    }
}

#[test]
fn rules_are_read_where_known_and_the_given_ones_go_first() {
    let rules = |text: &str| *read(text).unwrap().rules();
    assert_eq!(rules("(;)"), Rules::default());
    assert_eq!(rules("(;RU[house rules]KM[])"), Rules::default());
    let chinese = Rules { ko: KoRule::Simple, ..Rules::default() };
    assert_eq!(rules("(;RU[ chinese ])"), chinese);
    assert_eq!(rules("(;;RU[Japanese])"), chinese);
    assert_eq!(
        rules("(;RU[new-zealand])"),
        Rules { ko: KoRule::Situational, suicide: true, ..chinese }
    );
    assert_eq!(
        rules("(;RU[koSIMPLEscoreTERRITORYtaxSEKIsui1whbN])"),
        Rules { suicide: true, ..chinese }
    );
    assert_eq!(rules("(;KM[ 0 ])").komi, Komi::new(0.0).unwrap());
    for komi in ["3.75", "1001", "nan", "five"] {
        let record = format!("(;KM[{komi}])");
        assert_eq!(error(&record).1, &record[5..]);
    }
    let aga = Rules { ko: KoRule::Situational, suicide: true, ..Rules::default() };
    let usual = GivenRules { usual: aga, ..GivenRules::default() };
    let follow = |text: &str| {
        let collection = Collection::from_text(text).unwrap();
        *Go::follow(collection.first_game(), &usual, None).unwrap().0.rules()
    };
    assert_eq!(follow("(;KM[five]RU[house rules])"), aga);
    assert_eq!(follow("(;RU[Chinese])"), Rules { ko: KoRule::Simple, suicide: false, ..aga });
    let given = GivenRules {
        komi: Some(Komi::new(1.5).unwrap()),
        ko: Some(KoRule::Positional),
        suicide: Some(false),
        ..GivenRules::default()
    };
    let expected = Rules { komi: Komi::new(1.5).unwrap(), ..Rules::default() };
    assert_eq!(Go::from_sgf("(;KM[3.75]RU[NZ])", &given, None).unwrap().rules(), &expected);
}

#[test]
fn handicap_is_known_by_its_stones() {
    let size = BoardSize::square(9).unwrap();
    let handicap =
        |handicap| Go::with_rules(size, Rules { handicap, ..Rules::default() }, None).unwrap();
    let two = handicap(2);
    assert!(two.to_sgf(&Info::default()).contains("HA[2]AB[gc][cg]PL[W]"));
    assert_eq!(read("(;SZ[9]HA[2]AB[cg][gc])").unwrap(), two);
    // The number puts no stones, and names no others than the fixed ones.
    let none = read("(;SZ[9]HA[2])").unwrap();
    assert_eq!((none.rules().handicap, none.turn()), (0, Color::Black));
    let free = read("(;SZ[9]HA[2]AB[cc][ee])").unwrap();
    assert_eq!((free.rules().handicap, free.turn()), (0, Color::White));
    assert_eq!(read("(;SZ[9]HA[1])").unwrap(), read("(;SZ[9]HA[x])").unwrap());
    // Given by the caller it puts them on an empty board.
    let given = |handicap| GivenRules { handicap: Some(handicap), ..GivenRules::default() };
    assert_eq!(Go::from_sgf("(;SZ[9])", &given(2), None).unwrap(), two);
    assert_eq!(Go::from_sgf("(;SZ[9]HA[2])", &given(0), None).unwrap(), handicap(0));
    assert_eq!(Go::from_sgf("(;SZ[9])", &given(10), None).unwrap_err().offset, 2);
    // Stones of a setup that are others are no handicap, whatever the rules say.
    for setup in [Setup::empty(size), Setup::from_planes(&two.planes()).unwrap().0] {
        let rules = *two.rules();
        let is_two = !setup.stones.black.is_empty();
        let game = Go::from_setup(rules, setup, None).unwrap();
        assert_eq!(game.rules().handicap, if is_two { 2 } else { 0 });
        assert_eq!(read(&game.to_sgf(&Info::default())).unwrap(), game);
    }
}

#[test]
fn stones_of_a_setup_ascend() {
    let mut setup = Setup::empty(BoardSize::square(3).unwrap());
    setup.stones.black = vec![8, 3];
    let error = Go::from_setup(Rules::default(), setup.clone(), None).unwrap_err();
    assert_eq!(error.to_string(), "the stones of a color are not in ascending order");
    setup.stones.black.reverse();
    let game = Go::from_setup(Rules::default(), setup, None).unwrap();
    assert_eq!(read(&game.to_sgf(&Info::default())).unwrap(), game);
}

#[test]
fn illegal_moves_are_refused_with_the_reason() {
    for (text, reason, at) in [
        ("(;SZ[5];B[aa];W[aa])", "occupied", "W[aa])"),
        ("(;SZ[5];B[];W[];B[aa])", "game_over", "B[aa])"),
        ("(;SZ[5];B[];W[];W[aa])", "game_over", "W[aa])"),
        ("(;SZ[5];B[];W[];PL[B])", "game_over", "PL[B])"),
        ("(;SZ[2]AB[ab][ba];W[aa])", "suicide", "W[aa])"),
        ("(;SZ[4:3]RU[Chinese]AB[ba][ab][bc]AW[bb][ca][db][cc];B[cb];W[bb])", "ko", "W[bb])"),
        ("(;SZ[4:3]AB[ba][ab][bc]AW[bb][ca][db][cc];B[cb];W[bb])", "superko", "W[bb])"),
    ] {
        let (message, rest) = error(text);
        assert_eq!(rest, at);
        assert!(message.ends_with(&format!(": {reason}")), "{message}");
    }
    assert_eq!(error("(;SZ[5];B[aa][bb])").1, "B[aa][bb])");
    let limited = Go::from_sgf("(;SZ[5];B[aa];W[bb];B[cc])", &GivenRules::default(), Some(2));
    assert_eq!(limited.unwrap_err().offset, 20);
}

#[test]
fn offsets_are_those_of_the_bytes() {
    let illegal = Go::from_sgf_bytes(b"(;C[\xe9];B[aa];W[aa])", &GivenRules::default(), None);
    assert_eq!(illegal.unwrap_err().offset, 13);
}

#[test]
fn turns_may_be_set_without_end() {
    let repeats = 20_000;
    // Turns set and passes are no actions of a board, so a record may have any number of them.
    for rule in ["Chinese", "koPOSITIONALscoreAREAtaxNONEsui0", "AGA"] {
        let text = format!("(;SZ[5]RU[{rule}];B[aa]{})", ";W[];PL[B];PL[W]".repeat(repeats));
        assert_eq!(read(&text).unwrap().state().moves() as usize, repeats + 1);
    }
}

#[test]
fn a_start_without_the_usual_stones_says_so() {
    let cleared = "(;GM[2]SZ[6];AE[aa])";
    let game = Reversi::from_sgf(cleared, &(), None).unwrap();
    assert_eq!(game.planes().index_axis(ndarray::Axis(0), 0).sum(), 0);
    let text = game.to_sgf(&Info::default());
    assert!(text.contains("AE["), "{text}");
    assert_eq!(Reversi::from_sgf(&text, &(), None), Ok(game));
}

#[test]
fn variations_are_passed_over() {
    let game = read("(;SZ[5];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[zz]))(;GM[2])").unwrap();
    assert_eq!(actions(&game), [0, 6, 12]);
}

#[test]
fn what_planes_know_of_the_start_is_kept() {
    let mut game = Go::new(4).unwrap();
    for (row, col) in [(0, 1), (0, 2), (1, 0), (2, 2), (2, 1), (1, 3), (1, 2), (1, 1)] {
        game.play_at(row, col).unwrap();
    }
    let rules = Rules { ko: KoRule::Simple, ..Rules::default() };
    let ko = Go::from_planes(rules, &game.planes(), None).unwrap();
    assert!(ko.to_sgf(&Info::default()).contains("XBAN[cb]"));
    game.set_turn(Color::Black).unwrap();
    game.play(game.size().pass()).unwrap();
    let passed = Go::from_planes(rules, &game.planes(), None).unwrap();
    game.play(game.size().pass()).unwrap();
    let done = Go::from_planes(rules, &game.planes(), None).unwrap();
    assert!(done.is_over() && !passed.is_over());
    for start in [ko, passed, done] {
        let again = read(&start.to_sgf(&Info::default())).unwrap();
        assert_eq!(again, start);
        assert_eq!(again.planes(), start.planes());
    }
    assert_eq!(error("(;SZ[5]RU[Chinese]XBAN[aa][bb])").1, "XBAN[aa][bb])");
    assert_eq!(error("(;SZ[5]XBAN[])").1, "])");
}

prop_compose! {
    fn any_rules()(half_points in -40_i16..40, ko in 0..3_usize, suicide: bool) -> Rules {
        let komi = Komi::new(f64::from(half_points) / 2.0).unwrap();
        Rules { komi, ko: KoRule::ALL[ko], suicide, handicap: 0 }
    }
}

prop_compose! {
    /// A random game: some start from handicap, some from random stones; turns are set now and
    /// then, and some end by resignation or at a limit.
    fn any_game()(
        rules in any_rules(),
        (rows, cols) in (2..12_usize, 2..12_usize),
        (handicap, stones, turn) in (0..10_u8, prop::collection::vec(0..12_u8, 0..144), any::<bool>()),
        seed: u64,
        moves in 0..200_usize,
        turns in prop::collection::vec(0..200_usize, 0..4),
        resigns in prop::option::of(any::<bool>()),
        limit in prop::option::of(1..150_u32),
    ) -> Go {
        let color = |white| if white { Color::White } else { Color::Black };
        let square = BoardSize::square(rows).unwrap();
        let fixed = Go::with_rules(square, Rules { handicap, ..rules }, limit);
        let mut game = fixed.unwrap_or_else(|_| {
            let size = BoardSize::new(rows, cols).unwrap();
            let mut setup = Setup::empty(size);
            for (point, kind) in stones.into_iter().take(size.points()).enumerate() {
                if kind < 2 {
                    setup.stones[color(kind == 1)].push(point as u16);
                }
            }
            setup.turn = color(turn);
            let empty = || Go::with_rules(size, rules, limit).unwrap();
            Go::from_setup(rules, setup, limit).unwrap_or_else(|_| empty())
        });
        let mut player = RandomPlayer::new(seed);
        for number in 0..moves {
            if game.is_over() {
                break;
            }
            if turns.contains(&number) {
                game.set_turn(color(number % 2 == 0)).unwrap();
                continue;
            }
            game.play(player.select_action(&game)).unwrap();
        }
        if let (Some(white), false) = (resigns, game.is_over()) {
            game.resign(color(white)).unwrap();
        }
        game
    }
}

#[test]
fn a_game_written_and_read_is_the_same() {
    const KINDS: [&str; 7] =
        ["resigned", "ended", "cut off", "handicap", "stones set up", "turn set", "rectangular"];
    let seen = Cell::new([0; KINDS.len()]);
    let config = ProptestConfig {
        failure_persistence: None,
        cases: share(512),
        ..ProptestConfig::default()
    };
    let law = |game: Go| {
        let text = game.to_sgf(&Info::default());
        let limit = game.state().max_moves();
        let again = Go::from_sgf(&text, &GivenRules::default(), limit);
        prop_assert_eq!(again.as_ref(), Ok(&game), "{}", &text);
        let again = again.unwrap();
        prop_assert_eq!(again.planes(), game.planes());
        prop_assert_eq!(again.to_sgf(&Info::default()), text);

        let (state, handicap) = (game.state(), game.rules().handicap > 0);
        let ended_by = |kind: fn(Ending) -> bool| match game.status() {
            Status::Done { ending, .. } => kind(ending),
            Status::Ongoing => false,
        };
        let kinds = [
            ended_by(|ending| matches!(ending, Ending::Resignation(_))),
            ended_by(|ending| ending == Ending::Rules),
            ended_by(|ending| ending == Ending::Truncation),
            handicap,
            !handicap && state.setup().stones != ByColor::default(),
            state.steps().any(|step| matches!(step, Step::SetTurn(_))),
            !game.size().is_square(),
        ];
        let mut counts = seen.get();
        counts.iter_mut().zip(kinds).for_each(|(count, is)| *count += u32::from(is));
        seen.set(counts);
        Ok(())
    };
    TestRunner::new(config).run(&any_game(), law).unwrap();
    for (kind, count) in KINDS.into_iter().zip(seen.get()) {
        println!("{kind}: {count}");
        assert!(count > 0, "no game was {kind}");
    }
}
