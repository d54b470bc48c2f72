//! Laws of main lines: the start that a record sets up, and the moves as far as they can be played.

use sixplane::record::sgf::Collection;
use sixplane::record::sgf::WarningKind;
use sixplane::record::{GivenRules, Info, Recorded, SgfError};
use sixplane::{
    Action, BoardSize, Color, Ending, Game, Go, Gomoku, GomokuRules, Reversi, ReversiRules, Rules,
    Setup, Status,
};

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
fn stones_are_set_up_before_the_first_move() {
    let text = "(;SZ[5]AB[aa:cb]AW[ee]AE[ba:bb][ee];AW[dd]AE[aa]PL[W];C[x];W[de];PL[W];W[ed])";
    let expected = Setup::from_text(
        "
        . . X . .
        X . X . .
        . . . . .
        . . . O .
        . . . . .",
        Color::White,
    );
    let game = read(text).unwrap();
    assert_eq!(game.state().setup(), &expected.unwrap());
    assert_eq!(actions(&game), [23, 19]);
    assert_eq!(read(&game.to_sgf(&Info::default())).unwrap(), game);
    // The first move says who plays first where nothing else does.
    assert_eq!(read("(;SZ[5]AB[aa];W[bb])").unwrap().state().setup().turn, Color::White);
    assert_eq!(
        read("(;SZ[5];PL[B];AB[aa];PL[W];AW[bb])").unwrap().state().setup().turn,
        Color::White
    );
    // A turn stays when more is set up without one.
    assert_eq!(read("(;SZ[5]PL[W];AB[aa])").unwrap().state().setup().turn, Color::White);
    // A rectangle is told by any two corners.
    for corners in ["cb:aa", "ca:ab", "ab:ca"] {
        let text = format!("(;SZ[5]AB[{corners}])");
        assert_eq!(read(&text).unwrap(), read("(;SZ[5]AB[aa:cb])").unwrap(), "{text}");
    }
    assert_eq!(error("(;SZ[5];B[aa];AW[bb])").1, "AW[bb])");
    assert_eq!(error("(;SZ[5]AB[aa:ff])").1, "aa:ff])");
    assert_eq!(error("(;SZ[5]C[x]AB[aa]AW[ba][ab])").1, "AB[aa]AW[ba][ab])");
    assert_eq!(error("(;SZ[5]PL[x])").1, "x])");
}

#[test]
fn the_same_color_twice_sets_the_turn() {
    let game = read("(;SZ[5];W[aa];W[bb];B[cc])").unwrap();
    assert_eq!(game.state().setup().turn, Color::White);
    assert_eq!(game.state().steps().count(), 4);
    assert_eq!(read(&game.to_sgf(&Info::default())).unwrap(), game);
}

#[test]
fn colors_are_letters_or_numbers() {
    for (color, letter) in [("1", "B"), ("2", "W"), ("White", "W")] {
        let of = |color| read(&format!("(;SZ[5]PL[{color}])")).unwrap();
        assert_eq!(of(color), of(letter));
    }
}

#[test]
fn a_record_is_followed_as_far_as_the_game_can_go() {
    let follow = |text: &str| {
        let collection = Collection::from_text(text).unwrap();
        let (game, warnings) =
            Go::follow(collection.first_game(), &GivenRules::default(), None).unwrap();
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        let WarningKind::Moves { first, moves } = warning.kind else { panic!("{warning}") };
        assert_eq!(read(text).unwrap_err(), warning.error, "{text}");
        (actions(&game), (first, moves), text[warning.error.offset..].to_owned(), game.status())
    };
    let (played, counts, at, status) = follow("(;SZ[5]RE[W+R];B[cc];W[];B[tt];W[];B[aa])");
    assert_eq!((played, counts, at.as_str()), (vec![12, 25, 25], (4, 2), "W[];B[aa])"));
    assert!(matches!(status, Status::Done { ending: Ending::Rules, .. }));
    // What comes after a fault is not played, be it a resignation.
    let (played, counts, at, status) = follow("(;SZ[5]RE[W+R];B[cc];W[cc];W[dd])");
    assert_eq!((played, counts, at.as_str()), (vec![12], (2, 2), "W[cc];W[dd])"));
    assert_eq!(status, Status::Ongoing);
    for (text, counts, at) in [
        ("(;SZ[5];B[ff])", (1, 1), "ff])"),
        ("(;SZ[5];B[aa];W[bb][cc];B[cc])", (2, 2), "W[bb][cc];B[cc])"),
        ("(;SZ[5];B[aa];AB[bb];W[cc])", (2, 1), "AB[bb];W[cc])"),
        ("(;SZ[5];B[aa];PL[3])", (2, 0), "3])"),
    ] {
        let (_, found, found_at, _) = follow(text);
        assert_eq!((found, found_at.as_str()), (counts, at), "{text}");
    }
    let fatal =
        ["(;SZ[5]XBAN[];B[aa])", "(;SZ[5]AB[aa]AW[ab][ba])", "(;GM[2];B[aa])", "(;SZ[1];B[aa])"];
    for text in fatal {
        let collection = Collection::from_text(text).unwrap();
        assert!(
            Go::follow(collection.first_game(), &GivenRules::default(), None).is_err(),
            "{text}"
        );
    }
}

#[test]
fn a_start_off_the_board_is_refused() {
    let size = BoardSize::square(6).unwrap();
    for (stone, forbidden) in [(36, None), (0, Some(36))] {
        let mut setup = Setup::empty(size);
        setup.stones.black.push(stone);
        setup.forbidden.extend(forbidden);
        assert!(Go::from_setup(Rules::default(), setup.clone(), None).is_err());
        assert!(Reversi::from_setup(ReversiRules, setup.clone(), None).is_err());
        assert!(Gomoku::from_setup(GomokuRules::default(), setup, None).is_err());
    }
}
