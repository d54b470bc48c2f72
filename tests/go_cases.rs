//! Sixplane's Go passes every case of `tests/data`.

use crate::{cases, product};

use sixplane::{BoardSize, Color, Game, Go, Rules};

#[test]
fn go_passes_every_case() {
    let runs: usize = cases::all().iter().map(cases::run::<Go>).sum();
    println!("{runs} runs of the cases");
}

#[test]
fn handicap_stones_are_the_starting_position() {
    let size = BoardSize::square(9).unwrap();
    let rules = Rules { handicap: 5, ..Rules::default() };
    let mut game = Go::with_rules(size, rules, None).unwrap();
    let drawn = cases::board_to_text(&product::board(&game), 9);
    let expected = "\
        . . . . . . . . .\n\
        . . . . . . . . .\n\
        . . X . . . X . .\n\
        . . . . . . . . .\n\
        . . . . X . . . .\n\
        . . . . . . . . .\n\
        . . X . . . X . .\n\
        . . . . . . . . .\n\
        . . . . . . . . .";
    assert_eq!(drawn, expected);
    assert_eq!((game.turn(), game.state().moves()), (Color::White, 0));
    assert!(game.undo().is_err());
}
