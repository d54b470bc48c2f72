//! Laws of points in records: every spelling is read back, and names are those that a search finds.

use proptest::prelude::*;
use sixplane::record::sgf::Collection;
use sixplane::record::{
    GivenRules, Info, RecordRules, Recorded, action_named, record_name, recorded_action,
};
use sixplane::{
    Action, BoardSize, ConnectFour, Game, Go, Gomoku, Hex, Notation, Reversi, TicTacToe,
};

use crate::effort::share;

fn sizes() -> impl Iterator<Item = BoardSize> {
    let sides = [2, 3, 8, 9, 19, 20, 25];
    sides.into_iter().flat_map(move |rows| sides.map(|cols| BoardSize::new(rows, cols).unwrap()))
}

fn every_action_is_read_as_it_is_written<G: RecordRules>() {
    for size in sizes() {
        for action in (0..size.num_actions()).map(Action::new) {
            let written = record_name::<G>(size, action);
            assert_eq!(recorded_action::<G>(size, &written), Some(action), "{written} on {size}");
            let name = G::NOTATION.name(size, action);
            for name in [name.to_lowercase(), name] {
                assert_eq!(action_named::<G>(size, &name), Some(action), "{name} on {size}");
            }
        }
    }
}

#[test]
fn every_action_is_read_as_records_write_it() {
    every_action_is_read_as_it_is_written::<ConnectFour>();
    every_action_is_read_as_it_is_written::<TicTacToe>();
    every_action_is_read_as_it_is_written::<Hex>();
    every_action_is_read_as_it_is_written::<Go>();
    every_action_is_read_as_it_is_written::<Gomoku>();
    every_action_is_read_as_it_is_written::<Reversi>();
}

#[test]
fn two_letters_are_points_of_every_game() {
    for size in sizes() {
        for action in (0..size.num_actions()).map(Action::new) {
            let letters = record_name::<Go>(size, action);
            assert_eq!(recorded_action::<Reversi>(size, &letters), Some(action));
            assert_eq!(recorded_action::<Gomoku>(size, &letters), Some(action));
        }
    }
}

/// The action whose name this is, found by trying all.
fn searched(notation: Notation, size: BoardSize, name: &str) -> Option<Action> {
    let mut actions = (0..size.num_actions()).map(Action::new);
    actions.find(|&action| notation.name(size, action).eq_ignore_ascii_case(name.trim()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(share(4000)) })]

    #[test]
    fn names_are_those_that_a_search_finds(
        name in prop_oneof!["[a-zA-Z][0-9]{1,3}", " ?[a-zA-Z][+0-9]{0,3} ?", "(?i)pass", "\\PC{0,4}"],
        (rows, cols) in (2..26_usize, 2..26_usize),
        skips_i: bool,
        row_one_at_top: bool,
    ) {
        let (size, notation) = (BoardSize::new(rows, cols).unwrap(), Notation { skips_i, row_one_at_top });
        prop_assert_eq!(notation.action(size, &name), searched(notation, size, &name));
    }

    #[test]
    fn a_record_cut_off_anywhere_is_the_beginning_of_its_game(
        points in prop::collection::vec(0..82_usize, 0..60),
        cut in 0..1000_usize,
    ) {
        let mut game = Go::new(9).unwrap();
        for action in points.into_iter().map(Action::new) {
            let _ = game.play(action);
        }
        let text = game.to_sgf(&Info::default());
        let text = &text[..cut % text.len()];
        if let Ok(collection) = Collection::from_text(text) {
            // All but the line feed is the whole text.
            prop_assert_eq!(collection.warnings().is_empty(), text.ends_with(')'));
            let read = Go::follow(collection.first_game(), &GivenRules::default(), None);
            // The size may be cut off.
            if let (Ok((begun, _)), true) = (read, text.contains("SZ[9]")) {
                let (some, all): (Vec<_>, Vec<_>) =
                    (begun.state().actions().collect(), game.state().actions().collect());
                prop_assert!(all.starts_with(&some), "{}", text);
                let whole = &text[..text.rfind(']').unwrap()];
                let moves = whole.matches(";B[").count() + whole.matches(";W[").count();
                prop_assert_eq!(some.len(), moves, "{}", text);
            }
        }
    }
}
