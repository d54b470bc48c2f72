//! Reversi: what the position after a play is worth, point by point and line by line.

use crate::effort::share;
use crate::naive::reversi as naive;

use naive::{Reversi as Naive, other};
use sixplane::games::reversi::heuristic_values::{
    ANCHORED, C_SQUARE, CORNER, LOST_CORNER, MOBILITY, OPEN_CORNER, POTENTIAL, X_SQUARE,
};
use sixplane::players::random::RandomPlayer;
use sixplane::{Action, BoardSize, Color, Game, Playouts, Reversi, ReversiRules};

type Place = (usize, usize);

fn naive(game: &Reversi) -> Naive {
    let cell = |point| match game.state().planes().stone(point) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    let (rows, cols) = (game.size().rows(), game.size().cols());
    let row = |row: usize| (0..cols).map(|col| cell(row * cols + col)).collect();
    Naive { cells: (0..rows).map(row).collect(), turn: letter(game.turn()), passed: false }
}

fn letter(color: Color) -> char {
    if color == Color::Black { 'X' } else { 'O' }
}

fn places(board: &Naive) -> impl Iterator<Item = Place> {
    let cols = board.cols();
    (0..board.rows()).flat_map(move |row| (0..cols).map(move |col| (row, col)))
}

fn count(board: &Naive, accepts: impl Fn(Place) -> bool) -> usize {
    places(board).filter(|&place| accepts(place)).count()
}

/// The place next to another in a direction, if the board has it.
fn step(board: &Naive, (row, col): Place, (down, right): (isize, isize)) -> Option<Place> {
    let place = (row.checked_add_signed(down)?, col.checked_add_signed(right)?);
    (place.0 < board.rows() && place.1 < board.cols()).then_some(place)
}

fn may_play(board: &Naive, color: char, (row, col): Place) -> bool {
    board.cells[row][col] == '.' && !board.flips(row, col, color).is_empty()
}

/// Number of empty places beside discs of a color.
fn potential(board: &Naive, color: char) -> usize {
    let is_beside = |place: Place| {
        let directions = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right)));
        let mut around = directions.filter_map(|direction| step(board, place, direction));
        around.any(|(row, col)| board.cells[row][col] == color)
    };
    count(board, |(row, col)| board.cells[row][col] == '.' && is_beside((row, col)))
}

/// The corners, each with the directions along the edges from it.
fn corners(board: &Naive) -> [(Place, isize, isize); 4] {
    let (bottom, right) = (board.rows() - 1, board.cols() - 1);
    [((0, 0), 1, 1), ((0, right), 1, -1), ((bottom, 0), -1, 1), ((bottom, right), -1, -1)]
}

/// Number of discs on the edge, corners left out, that only discs of their color lead to from a
/// corner.
fn anchored(board: &Naive, color: char) -> usize {
    let mut found = Vec::new();
    for (corner, down, right) in corners(board) {
        for direction in [(down, 0), (0, right)] {
            let mut at = corner;
            while board.cells[at.0][at.1] == color {
                found.push(at);
                let Some(next) = step(board, at, direction) else { break };
                at = next;
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|&place| corners(board).iter().all(|&(corner, _, _)| corner != place));
    found.len()
}

/// The worth of the position after a play of a color, and a count of what came up.
fn value(board: &Naive, own: char, seen: &mut [usize; 9]) -> f32 {
    let enemy = other(own);
    let plays = |color| count(board, |place| may_play(board, color, place));
    let share =
        |own: usize, enemy: usize| (own as f32 - enemy as f32) / (own as f32 + enemy as f32 + 2.0);
    if board.is_over() {
        let discs = |color| count(board, |(row, col)| board.cells[row][col] == color);
        seen[0] += 1;
        return (discs(own) as f32 - discs(enemy) as f32).clamp(-1.0, 1.0);
    }
    let mut worth = MOBILITY * share(plays(own), plays(enemy));
    worth += POTENTIAL * share(potential(board, enemy), potential(board, own));
    let mut note = |what: usize, weight: f32, own: usize, enemy: usize| {
        seen[what] += own;
        seen[what + 1] += enemy;
        worth += weight * (own as f32 - enemy as f32);
    };
    note(1, ANCHORED, anchored(board, own), anchored(board, enemy));
    let (mut x_squares, mut c_squares) = (Vec::new(), Vec::new());
    for (corner, down, right) in corners(board) {
        match board.cells[corner.0][corner.1] {
            '.' => {
                x_squares.extend(step(board, corner, (down, right)));
                c_squares.extend(step(board, corner, (down, 0)));
                c_squares.extend(step(board, corner, (0, right)));
                let may = |color| usize::from(may_play(board, color, corner));
                note(3, LOST_CORNER, may(enemy), 0);
                note(4, OPEN_CORNER, may(own), 0);
            }
            color => note(5, CORNER, usize::from(color == own), usize::from(color == enemy)),
        }
    }
    for (what, weight, squares) in [(6, X_SQUARE, x_squares), (7, C_SQUARE, c_squares)] {
        let count =
            |color| squares.iter().filter(|&&(row, col)| board.cells[row][col] == color).count();
        note(what, weight, count(own), count(enemy));
    }
    worth.clamp(-1.0, 1.0)
}

fn values(game: &Reversi) -> Vec<(Action, f32)> {
    let actions = game.legal_actions();
    let mut values = vec![0.0; actions.len()];
    game.write_heuristic_values(&actions, &mut values);
    actions.into_iter().zip(values).collect()
}

#[test]
fn heuristic_values_are_what_trying_every_play_shows() {
    let mut seen = [0; 9];
    let mut passes = 0;
    for (rows, cols, games) in
        [(4, 4, 60), (4, 6, 30), (10, 4, 10), (6, 8, 10), (8, 8, 10), (16, 12, 3), (24, 24, 3)]
    {
        let start =
            Reversi::with_rules(BoardSize::new(rows, cols).unwrap(), ReversiRules, None).unwrap();
        for seed in 0..share(games) {
            let (mut player, mut game) = (RandomPlayer::new(seed), start.clone());
            while !game.is_over() {
                passes += usize::from(game.may_pass());
                for (action, found) in values(&game) {
                    let mut after = game.clone();
                    after.play(action).unwrap();
                    let expected = value(&naive(&after), letter(game.turn()), &mut seen);
                    let picture = game.state().planes().view();
                    assert!((found - expected).abs() < 1e-5, "{action:?} of {picture}: {found}");
                }
                game.play(player.select_action(&game)).unwrap();
            }
        }
    }
    assert!(
        passes > share(50) && seen.iter().all(|&count| count > share(100)),
        "{passes} {seen:?}"
    );
}

#[test]
fn a_corner_looks_better_than_a_disc_beside_an_empty_one() {
    let game = Reversi::from_text(
        "
        . . . . . . . .
        . O . . . . . .
        . . O . . O . .
        . . . X O . . .
        . . . O X . . .
        . . X . . X . .
        . . . . . . . .
        . . . . . . . .",
        Color::Black,
    )
    .unwrap();
    let values = values(&game);
    let value_of =
        |point| values.iter().find(|(action, _)| action.index() == point).expect("legal").1;
    let (corner, x_square) = (value_of(0), value_of(8 + 6));
    assert!(x_square < corner, "{x_square} {corner}");
    assert!(values.iter().all(|&(_, value)| value >= x_square), "{values:?}");
}
