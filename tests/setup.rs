//! Starting positions that no game has, and one that is an end.

use sixplane::{BoardSize, Game, Go, Rules, Setup};

/// Whether a game may start from the empty board with this changed.
fn is_a_start(change: impl Fn(&mut Setup)) -> bool {
    let mut setup = Setup::empty(BoardSize::square(3).unwrap());
    change(&mut setup);
    Go::from_setup(Rules::default(), setup, None).is_ok()
}

#[test]
fn points_must_be_on_the_board_and_stones_ascend() {
    assert!(is_a_start(|setup| setup.stones.black = vec![2, 4]));
    assert!(!is_a_start(|setup| setup.stones.black = vec![4, 2]));
    assert!(!is_a_start(|setup| setup.stones.black = vec![4, 4]));
    assert!(!is_a_start(|setup| setup.stones.black = vec![9]));
    assert!(!is_a_start(|setup| (setup.stones.black, setup.stones.white) = (vec![4], vec![4])));
    assert!(is_a_start(|setup| setup.forbidden = vec![8]));
    assert!(!is_a_start(|setup| setup.forbidden = vec![9]));
}

#[test]
fn a_game_that_may_have_no_action_is_over_at_once() {
    let size = BoardSize::square(3).unwrap();
    let mut game = Go::with_rules(size, Rules::default(), Some(0)).unwrap();
    assert_eq!((game.ending(), game.legal_actions()), (Some("cutoff"), vec![]));
    game.restart();
    assert_eq!(game.ending(), Some("cutoff"));
}
