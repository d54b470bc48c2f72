//! What the core promises in one sentence: it stores the six-channel state (black, white, turn, invalid, pass,
//! done) as `ndarray` planes and computes groups by flood-fill labelling and liberties by dilation.
//!
//! `tests/test_card.py` has the same clauses for the Python package, and those that only it can have.

use ndarray::{Array2, Array3, ArrayView2, Axis, array};
use sixplane::functional::{areas, liberties};
use sixplane::geometry::SizeError;
use sixplane::morphology::{chain_liberties, dilate, label};
use sixplane::{Action, ByColor, Color, Game, Go, NUM_PLANES, Plane, Planes};

type Labelling = fn(&ArrayView2<'_, u8>) -> Result<(Array2<i32>, usize), SizeError>;

/// Two black chains and two white ones.
const BOARD: &str = "
    . . . . .
    . X X O .
    . . X O .
    . . . O .
    X . . . O";

#[test]
fn the_six_channels_are_black_white_turn_invalid_pass_and_done() {
    let order = [Plane::Black, Plane::White, Plane::Turn, Plane::Invalid, Plane::Pass, Plane::Done];
    assert_eq!(order.map(|plane| plane as usize), [0, 1, 2, 3, 4, 5]);
    assert_eq!(NUM_PLANES, order.len());

    let mut game = Go::new(3).unwrap();
    let is = |game: &Go, expected: [u8; 6]| {
        let sums: Vec<u8> = game.planes().axis_iter(Axis(0)).map(|plane| plane.sum()).collect();
        assert_eq!(sums, expected);
    };
    is(&game, [0, 0, 0, 0, 0, 0]);
    game.play_at(1, 1).unwrap();
    is(&game, [1, 0, 9, 1, 0, 0]);
    game.play_at(0, 0).unwrap();
    is(&game, [1, 1, 0, 2, 0, 0]);
    game.play(Action::new(9)).unwrap();
    is(&game, [1, 1, 9, 2, 9, 0]);
    game.play(Action::new(9)).unwrap();
    is(&game, [1, 1, 0, 9, 9, 9]);
}

#[test]
fn the_state_is_stored_as_one_ndarray_array() {
    // Would not compile if anything but an `Array3` were stored.
    let stored: for<'a> fn(&'a Planes) -> &'a Array3<u8> = Planes::array;
    let game = Go::from_text(BOARD, Color::Black).unwrap();
    let array = stored(game.state().planes());
    assert_eq!(array.dim(), (NUM_PLANES, 5, 5));
    assert!(array.is_standard_layout());
    assert_eq!(array, game.planes());
    assert_eq!(array.as_ptr(), game.planes().as_ptr(), "a view, not a copy");
}

#[test]
fn groups_are_computed_by_labelling() {
    let labelled: Labelling = label;
    let game = Go::from_text(BOARD, Color::Black).unwrap();
    let (labels, count) = labelled(&game.state().planes().plane(Plane::Black)).unwrap();
    assert_eq!(count, 2);
    assert_eq!(
        labels.to_string(),
        "\
[[0, 0, 0, 0, 0],
 [0, 1, 1, 0, 0],
 [0, 0, 1, 0, 0],
 [0, 0, 0, 0, 0],
 [2, 0, 0, 0, 0]]"
    );
    assert_eq!(
        game.chains(),
        array![[0, 0, 0, 0, 0], [0, 1, 1, 2, 0], [0, 0, 1, 2, 0], [0, 0, 0, 2, 0], [3, 0, 0, 0, 4]]
    );
}

#[test]
fn liberties_are_computed_by_dilation() {
    let game = Go::from_text(BOARD, Color::Black).unwrap();
    let black = game.state().planes().plane(Plane::Black);
    let white = game.state().planes().plane(Plane::White);
    let (labels, _) = label(&black).unwrap();
    let empty = (&black + &white).mapv(|stone| 1 - stone);
    let mut counts = Array2::<i32>::zeros((5, 5));
    for number in 1..=2 {
        let chain = labels.mapv(|label| u8::from(label == number));
        let found = dilate(&chain.view()).unwrap() * &empty;
        let count = found.iter().map(|&cell| i32::from(cell)).sum::<i32>();
        counts = counts + labels.mapv(|label| if label == number { count } else { 0 });
    }
    assert_eq!((counts[[1, 1]], counts[[4, 0]]), (5, 2));
    let board = &black + &(&white * 2);
    let of_board = chain_liberties(&board.view()).unwrap();
    assert_eq!(&of_board * &black.mapv(i32::from), counts);
    assert_eq!(game.liberties(), of_board);

    // The functions on planes say the same of both colors.
    let found = liberties(&game.planes()).unwrap();
    for (color, stones) in [(Color::Black, black), (Color::White, white)] {
        let beside = dilate(&stones).unwrap() * &empty;
        assert_eq!(found[color], beside.mapv(|cell| cell == 1));
    }
    assert_eq!(areas(&game.planes()), Ok(ByColor { black: 4, white: 4 }));
}
