//! Any planes, read as a game.

use ndarray::{Array3, Axis};
use sixplane::{
    ConnectFour, Game, Go, Gomoku, GomokuRules, Hex, HexRules, Plane, Reversi, ReversiRules,
    TicTacToe,
};

use super::{Bytes, below, legal_action, rules_of_go, size};

/// Planes are refused, or read as a game that shows them again and can be played on.
pub fn planes_read_are_the_planes_shown(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied();
    let _ = read(&mut bytes);
}

fn read(bytes: &mut Bytes<'_>) -> Option<()> {
    let (game, size) = (below(bytes, 6)?, size(bytes, 2)?);
    let (rules, exact_five) = (rules_of_go(bytes)?, below(bytes, 2)? == 1);
    let whole = below(bytes, 64)?;
    let mut planes = Array3::<u8>::zeros((6, size.rows(), size.cols()));
    // What is the same everywhere is given by a bit, the rest point by point: two bits a stone, and
    // one for each of the others, seldom set.
    for (bit, plane) in [Plane::Turn, Plane::Pass, Plane::Done].into_iter().enumerate() {
        planes.index_axis_mut(Axis(0), plane as usize).fill((whole >> bit & 1) as u8);
    }
    for row in 0..size.rows() {
        for col in 0..size.cols() {
            let cell = bytes.next().unwrap_or(0);
            planes[[0, row, col]] = u8::from(cell & 3 == 1);
            planes[[1, row, col]] = u8::from(cell & 3 == 2);
            planes[[3, row, col]] = u8::from(cell & 3 != 0 || cell >> 2 & 15 == 15);
            if cell == 0xff {
                planes[[(row + col) % 6, row, col]] = 1 + (whole as u8 >> 4);
            }
        }
    }
    match game {
        0 => shown::<Go>(rules, &planes, bytes),
        1 => shown::<Reversi>(ReversiRules, &planes, bytes),
        2 => shown::<Gomoku>(GomokuRules { exact_five }, &planes, bytes),
        3 => shown::<ConnectFour>((), &planes, bytes),
        4 => shown::<TicTacToe>((), &planes, bytes),
        _ => shown::<Hex>(HexRules { swap: exact_five }, &planes, bytes),
    }
}

fn shown<G: Game>(rules: G::Rules, planes: &Array3<u8>, bytes: &mut Bytes<'_>) -> Option<()> {
    let Ok(mut game) = G::from_planes(rules.clone(), &planes.view(), None) else {
        // What the game would have shown is not refused for another reason.
        let mut open = planes.clone();
        let stones = &planes.index_axis(Axis(0), 0) + &planes.index_axis(Axis(0), 1);
        open.index_axis_mut(Axis(0), Plane::Invalid as usize).assign(&stones);
        if let Ok(game) = G::from_planes(rules.clone(), &open.view(), None) {
            assert!(G::from_planes(rules, &game.planes(), None).is_ok_and(|again| again == game));
        }
        return None;
    };
    for plane in [Plane::Black, Plane::White, Plane::Turn, Plane::Pass, Plane::Done] {
        assert_eq!(
            game.planes().index_axis(Axis(0), plane as usize),
            planes.index_axis(Axis(0), plane as usize),
            "{plane:?}"
        );
    }
    if !game.is_over() {
        assert_eq!(game.planes(), planes.view());
    }
    let again = G::from_planes(rules, &game.planes(), None).expect("planes that a game shows");
    assert!(again == game, "planes shown are read as another game");
    while !game.is_over() {
        let before = game.planes().to_owned();
        let action = legal_action(bytes, &game)?;
        game.play(action).expect("a legal action");
        let after = game.clone();
        game.undo().expect("an action was played");
        assert_eq!(game.planes(), before);
        game = after;
    }
    None
}
