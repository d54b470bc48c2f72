//! Go: what a play is worth, from the game before and after it.

use sixplane::games::go::heuristic_values::{
    ATARI, CAPTURE, CAPTURED_STONE, EMPTY_FIRST, EMPTY_SECOND, EXTENDED_STONE, EXTENSION,
    LONG_EXTENSION, MANY, NEAR, NEARBY, OWN_EYE, PASS, SELF_ATARI, SHAPE, SHAPES, THROW_IN,
};
use sixplane::players::random::RandomPlayer;
use sixplane::{Action, BoardSize, Color, EyeRule, Game, Go, Playouts, Point, Rules};

use crate::effort::share;

/// A stone's color, none for an empty point.
fn stone(game: &Go, point: usize) -> Option<Color> {
    game.state().planes().stone(point)
}

/// What is at a place that may be off the board: `X` for Black, `O` for White, `.` or `#`.
fn cell(game: &Go, row: isize, col: isize) -> char {
    let (Ok(row), Ok(col)) = (usize::try_from(row), usize::try_from(col)) else { return '#' };
    let Some(action) = game.size().action(Point { row, col }) else { return '#' };
    match stone(game, action.index()) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    }
}

/// Whether a drawn shape is there, seen from one of eight sides and with colors as drawn or not.
fn has_shape(game: &Go, row: usize, col: usize, shape: &str, side: usize, swapped: bool) -> bool {
    let rows: Vec<Vec<char>> = shape.split(' ').map(|row| row.chars().collect()).collect();
    let places = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right)));
    places.filter(|&place| place != (0, 0)).all(|(down, right): (isize, isize)| {
        let (mut dr, mut dc) = if side & 1 == 0 { (down, right) } else { (right, down) };
        dr = if side & 2 == 0 { dr } else { -dr };
        dc = if side & 4 == 0 { dc } else { -dc };
        let found = match cell(game, row as isize + dr, col as isize + dc) {
            'X' if swapped => 'O',
            'O' if swapped => 'X',
            other => other,
        };
        match rows[(down + 1) as usize][(right + 1) as usize] {
            '?' => true,
            'x' => found != 'X',
            'o' => found != 'O',
            drawn => found == drawn,
        }
    })
}

/// The heuristic value of a play, and whether it is one of a list of things that should all come up.
fn value(game: &Go, action: Action, seen: &mut [usize; 9]) -> f32 {
    let size = game.size();
    if action == size.pass() {
        return PASS;
    }
    let (own, enemy) = (game.turn(), game.turn().opponent());
    let point = action.index();
    let (row, col) = (point / size.cols(), point % size.cols());
    let mut after = game.clone();
    after.play(action).unwrap();
    let liberties: Vec<i32> = game.liberties().iter().copied().collect();
    let chains: Vec<i32> = game.chains().iter().copied().collect();
    let chain_of = |p: usize| -> Vec<usize> {
        (0..size.points()).filter(|&q| chains[q] == chains[p]).collect()
    };
    let mut worth = 0.0;
    let mut note = |what: usize, amount: f32| {
        seen[what] += 1;
        worth += amount;
    };

    let taken: Vec<usize> = (0..size.points())
        .filter(|&p| stone(game, p) == Some(enemy) && stone(&after, p).is_none())
        .collect();
    // What the play connects: itself and the own chains beside it.
    let beside: Vec<usize> =
        size.neighbors(point).filter(|&n| stone(game, n) == Some(own)).collect();
    let mut merged: Vec<usize> = beside.iter().flat_map(|&n| chain_of(n)).collect();
    merged.sort_unstable();
    merged.dedup();
    let saved = merged.iter().filter(|&&p| liberties[p] == 1).count();
    let left = if stone(&after, point).is_some() { after.liberties()[[row, col]] } else { 0 };
    if !taken.is_empty() {
        let mut freed: Vec<usize> = taken
            .iter()
            .flat_map(|&p| size.neighbors(p))
            .filter(|&n| stone(game, n) == Some(own) && liberties[n] == 1)
            .flat_map(chain_of)
            .collect();
        freed.sort_unstable();
        freed.dedup();
        let count = (taken.len() + freed.len()).min(MANY);
        note(0, CAPTURE + CAPTURED_STONE * count as f32);
    } else if left < 2 {
        note(1, if merged.is_empty() { THROW_IN } else { SELF_ATARI });
    } else if saved > 0 {
        let extension = if left > 2 { LONG_EXTENSION } else { EXTENSION };
        note(2, extension + EXTENDED_STONE * saved.min(MANY) as f32);
    }
    let is_short = taken.is_empty() && left < 2;
    let mut around = size.neighbors(point);
    if !is_short && around.any(|n| stone(game, n) == Some(enemy) && liberties[n] == 2) {
        note(3, ATARI);
    }
    if game.is_eye(action, own, EyeRule::Playout) && saved == 0 {
        note(4, OWN_EYE);
    }

    let away = |p: usize| (row.abs_diff(p / size.cols()), col.abs_diff(p % size.cols()));
    let mut stones = (0..size.points()).filter(|&p| stone(game, p).is_some());
    if !stones.any(|p| away(p).0 + away(p).1 <= 2) {
        match [row, col, size.rows() - 1 - row, size.cols() - 1 - col].iter().min() {
            Some(0) => note(5, EMPTY_FIRST),
            Some(1) => note(6, EMPTY_SECOND),
            _ => {}
        }
    }
    match game.state().actions().next_back() {
        Some(last) if last != size.pass() => match away(last.index()) {
            (0 | 1, 0 | 1) => note(7, NEAR),
            (0..=2, 0..=2) => note(7, NEARBY),
            _ => {}
        },
        _ => {}
    }
    let all = SHAPES.iter().flat_map(|shape| (0..16).map(move |way| (shape, way)));
    let mut all = all.map(|(shape, way)| has_shape(game, row, col, shape, way & 7, way > 7));
    if all.any(|found| found) {
        note(8, SHAPE);
    }
    worth.clamp(-1.0, 1.0)
}

fn values(game: &Go) -> Vec<(Action, f32)> {
    let actions = game.legal_actions();
    let mut values = vec![0.0; actions.len()];
    game.write_heuristic_values(&actions, &mut values);
    actions.into_iter().zip(values).collect()
}

#[test]
fn heuristic_values_are_what_trying_every_play_shows() {
    let mut seen = [0; 9];
    for (rows, cols) in [(2, 2), (2, 5), (4, 4), (7, 9), (9, 9), (13, 5)] {
        let size = BoardSize::new(rows, cols).unwrap();
        for (suicide, seed) in [(false, 0), (true, 0), (false, 1), (true, 1), (false, 2), (true, 2)]
        {
            let rules = Rules { suicide, ..Rules::default() };
            let mut game = Go::with_rules(size, rules, None).unwrap();
            let mut player = RandomPlayer::new(seed);
            for _ in 0..share(90) {
                if game.is_over() {
                    break;
                }
                // Any legal action, eyes and all, so that captures abound.
                game.play(player.select_action_avoiding(&game, |_| false)).unwrap();
                for (action, found) in values(&game) {
                    let expected = value(&game, action, &mut seen);
                    let picture = game.state().planes().view();
                    assert!((found - expected).abs() < 1e-5, "{action:?} of {picture}: {found}");
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn a_capture_that_saves_stones_looks_best() {
    let game = Go::from_text(
        "
        . . . . . . .
        . . . . . . .
        . . X O O . .
        . X O X X O .
        . . . . O O .
        . . . . . . .
        . . . . . . .",
        Color::Black,
    )
    .unwrap();
    let best = values(&game).into_iter().max_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap();
    assert_eq!(best.0.index(), 4 * 7 + 2);
}
