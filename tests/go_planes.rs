//! The laws of Go's planes and of what is counted on them, over random games on boards of all sizes.
//!
//! A law states how often its premises were met, and fails if one of them never was.

use crate::{naive, product, walks};

use naive::{Ko, Naive, Side};
use ndarray::ArrayView3;
use sixplane::games::go::handicap_points;
use sixplane::{Action, BoardSize, Color, Game, Go, KoRule, Plane, PlayError, Rules, Setup};
use walks::{Event, Seen, Walk, law, take, walks, walks_under};

/// The symmetries of a board as maps of points: bit 0 flips left and right, bit 1 up and down, and
/// bit 2, on square boards, exchanges rows and columns.
fn mapped(symmetry: usize, point: usize, rows: usize, cols: usize) -> usize {
    if point == rows * cols {
        return point;
    }
    let (mut row, mut col) = (point / cols, point % cols);
    if symmetry & 1 != 0 {
        col = cols - 1 - col;
    }
    if symmetry & 2 != 0 {
        row = rows - 1 - row;
    }
    if symmetry & 4 != 0 {
        (row, col) = (col, row);
    }
    row * cols + col
}

#[test]
fn symmetry_commutes_with_play() {
    let seen = Seen::default();
    law(100, &walks(), |walk| {
        let (rows, cols) = (walk.rules.rows, walk.rules.cols);
        let symmetries = if rows == cols { 8 } else { 4 };
        let mut twins: Vec<Go> = vec![product::empty(walk.rules); symmetries];
        let mut game = product::empty(walk.rules);
        for &choice in &walk.choices {
            let Some(event) = Walk::event(&game, choice) else { break };
            take(&mut game, event);
            let planes = product::planes(&game);
            for (symmetry, twin) in twins.iter_mut().enumerate() {
                let map = |point| mapped(symmetry, point, rows, cols);
                take(
                    twin,
                    match event {
                        Event::Action(action) => Event::Action(map(action)),
                        turn @ Event::SetTurn(_) => turn,
                    },
                );
                let turned = product::planes(twin);
                for (at, &cell) in planes.iter().enumerate() {
                    let (plane, point) = (at / (rows * cols), at % (rows * cols));
                    assert_eq!(
                        cell,
                        turned[plane * rows * cols + map(point)],
                        "symmetry {symmetry}"
                    );
                }
                assert_eq!((twin.captures(), twin.areas()), (game.captures(), game.areas()));
            }
        }
        seen.note_if(rows == cols, "square boards");
        seen.note_if(rows != cols, "rectangles");
        let taken = game.captures();
        seen.add("captures", (taken[Color::Black] + taken[Color::White]) as u64);
    });
    seen.report("symmetry_commutes_with_play", &["square boards", "rectangles", "captures"]);
}

#[test]
fn exchanging_the_colors_commutes_with_play() {
    let seen = Seen::default();
    law(100, &walks(), |walk| {
        let rules = naive::Rules { half_komi: 0, ..walk.rules };
        let board = vec![None; rules.rows * rules.cols];
        let mut game = product::empty(rules);
        let mut twin = product::set_up(rules, &board, Side::White);
        for &choice in &walk.choices {
            let Some(event) = Walk::event(&game, choice) else { break };
            take(&mut game, event);
            take(
                &mut twin,
                match event {
                    Event::SetTurn(side) => Event::SetTurn(side.other()),
                    action @ Event::Action(_) => action,
                },
            );
            let (planes, exchanged) = (game.state().planes(), twin.state().planes());
            assert_eq!(planes.plane_cells(Plane::Black), exchanged.plane_cells(Plane::White));
            assert_eq!(planes.plane_cells(Plane::White), exchanged.plane_cells(Plane::Black));
            assert_eq!(planes.plane_cells(Plane::Invalid), exchanged.plane_cells(Plane::Invalid));
            assert_eq!(product::half_score(&game), -product::half_score(&twin));
            seen.note("steps");
        }
    });
    seen.report("exchanging_the_colors_commutes_with_play", &["steps"]);
}

#[test]
fn from_planes_gives_the_same_future_under_simple_ko() {
    let seen = Seen::default();
    law(200, &walks_under(&[Ko::Simple], &[false, true]), |walk| {
        let mut copies: Vec<(usize, Go)> = Vec::new();
        let ends = walk.choices.len();
        walk.play(|step, game, naive| {
            let every = if walk.rules.rows * walk.rules.cols <= 49 { 1 } else { 29 };
            if step % every == 0 || step == ends || game.is_over() || naive.ko_point.is_some() {
                let rules = *game.rules();
                let copy = Go::from_planes(rules, &game.planes(), None).expect("planes of a game");
                assert_eq!(copy.planes(), game.planes());
                seen.note("positions");
                seen.note_if(naive.ko_point.is_some(), "a ko");
                seen.note_if(naive.passed, "a pass");
                seen.note_if(naive.over, "an end");
                copies.push((step, copy));
            }
        });
        for (start, mut copy) in copies {
            // From the same planes on, every step of the walk gives the same planes.
            let mut game = product::empty(walk.rules);
            for (step, &choice) in walk.choices.iter().enumerate().take(start + 24) {
                let Some(event) = Walk::event(&game, choice) else { break };
                take(&mut game, event);
                if step >= start {
                    take(&mut copy, event);
                    assert_eq!(copy.planes(), game.planes());
                    seen.note("steps of the future");
                }
            }
            assert_eq!(copy.outcome(), game.outcome());
            assert_eq!(copy.state().hash(), game.state().hash());
        }
    });
    let premises = ["positions", "a ko", "a pass", "an end", "steps of the future"];
    seen.report("from_planes_gives_the_same_future_under_simple_ko", &premises);
}

#[test]
fn from_planes_keeps_what_superko_forbids_for_one_play() {
    let seen = Seen::default();
    let superko = walks_under(&[Ko::Positional, Ko::Situational], &[false, true]);
    law(300, &superko, |walk| {
        walk.play(|step, game, naive| {
            if !walk.is_due(step) {
                return;
            }
            let planes: ArrayView3<'_, u8> = game.planes();
            let mut copy = Go::from_planes(*game.rules(), &planes, None).expect("planes of a game");
            assert_eq!(copy.planes(), planes);
            let repetition =
                |&action: &usize| naive.refusal(action) == Some(naive::Refusal::Superko);
            let Some(point) = (0..naive.points()).find(repetition) else { return };
            seen.note("positions with a superko refusal");
            assert_eq!(copy.play(Action::new(point)).unwrap_err().reason(), "superko");
            // One pass later nothing tells the new game of the board before its start, unless
            // the play would recreate that very board.
            copy.play(copy.size().pass()).unwrap();
            if copy.is_over() {
                return;
            }
            copy.set_turn(product::color(naive.turn)).unwrap();
            let mut fresh = Naive::from_board(walk.rules, naive.board.clone(), naive.turn);
            fresh.play(fresh.points()).unwrap();
            fresh.set_turn(naive.turn);
            assert_eq!(product::planes(&copy), fresh.planes());
        });
    });
    seen.report(
        "from_planes_keeps_what_superko_forbids_for_one_play",
        &["positions with a superko refusal"],
    );
}

#[test]
fn planes_of_a_finished_game_forbid_no_play_to_come() {
    let mut game = Go::new(3).unwrap();
    for action in [4, 9, 9] {
        game.play(Action::new(action)).unwrap();
    }
    let filled = game.planes().to_owned();
    let mut marked = filled.clone();
    let mut invalid = marked.index_axis_mut(ndarray::Axis(0), Plane::Invalid as usize);
    invalid.fill(0);
    (invalid[[0, 0]], invalid[[1, 1]]) = (1, 1);
    let read = |planes: &ndarray::Array3<u8>| {
        Go::from_planes(Rules::default(), &planes.view(), None).unwrap()
    };
    assert!(read(&marked) == read(&filled), "one position, two games");
}

#[test]
fn a_ko_that_the_planes_hold_ends_with_the_first_step_of_any_kind() {
    let rules = Rules { ko: KoRule::Simple, ..Rules::default() };
    let text = ". X O .\nX O . O\n. X O .";
    let setup = Setup::from_text(text, Color::Black).unwrap();
    let mut game = Go::from_setup(rules, setup, None).unwrap();
    game.play_at(1, 2).unwrap();
    let mut copy = Go::from_planes(rules, &game.planes(), None).unwrap();
    let ko = Action::new(5);
    let is_ko = |game: &Go| game.check(ko) == Err(PlayError::Forbidden("ko"));
    assert!(is_ko(&game) && is_ko(&copy));
    assert!(copy.play_repetition(ko).is_err());
    for game in [&mut game, &mut copy] {
        game.set_turn(Color::White).unwrap();
        assert!(!is_ko(game), "the turn was set");
        game.play_at(0, 3).unwrap();
        game.undo().unwrap();
        assert!(!is_ko(game), "back at the turn that was set");
        game.undo().unwrap();
        assert!(is_ko(game), "back at the start");
    }
}

#[test]
fn stones_and_liberties_equal_a_naive_recount() {
    let seen = Seen::default();
    law(250, &walks(), |walk| {
        walk.play(|step, game, naive| {
            if !walk.is_due(step) {
                return;
            }
            recount(game, naive, &seen);
        });
    });
    let premises = [
        "chains",
        "captures",
        "eyes by diagonal",
        "eyes by chain",
        "eyes by playout",
        "neutral points",
    ];
    seen.report("stones_and_liberties_equal_a_naive_recount", &premises);
}

fn recount(game: &Go, naive: &Naive, seen: &Seen) {
    assert_eq!(product::board(game), naive.board);
    let chains: Vec<i32> = game.chains().iter().copied().collect();
    let liberties: Vec<i32> = game.liberties().iter().copied().collect();
    let mut last = 0;
    for point in 0..naive.points() {
        if naive.board[point].is_none() {
            assert_eq!((chains[point], liberties[point]), (0, 0));
            continue;
        }
        let (chain, _) = naive.region(&naive.board, point);
        let first = *chain.first().expect("the point itself");
        if first == point {
            // Labels are given in the order of the chains' first points.
            last += 1;
            assert_eq!(chains[point], last);
            seen.note("chains");
        }
        assert_eq!(chains[point], chains[first]);
        let count = naive.liberties(&naive.board, point).len();
        assert_eq!(liberties[point], i32::try_from(count).unwrap());
    }
    let taken = game.captures();
    assert_eq!([taken[Color::Black], taken[Color::White]], naive.captures);
    seen.note_if(naive.captures != [0, 0], "captures");
    let areas = game.areas();
    assert_eq!((areas[Color::Black], areas[Color::White]), naive.areas());
    assert_eq!(product::half_score(game), naive.half_score());
    for (&sign, owner) in game.ownership().iter().zip(naive.ownership()) {
        let expected = match owner {
            Some(Side::Black) => 1,
            Some(Side::White) => -1,
            None => 0,
        };
        assert_eq!(sign, expected);
        seen.note_if(sign == 0, "neutral points");
    }
    for (rule, name) in
        product::EYE_RULES.into_iter().zip(["eyes by diagonal", "eyes by chain", "eyes by playout"])
    {
        for side in [Side::Black, Side::White] {
            let (color, eye_rule) = (product::color(side), product::eye_rule(rule));
            let mut eyes = Vec::new();
            for point in 0..naive.points() {
                let (expected, action) = (naive.is_eye(point, side, rule), Action::new(point));
                assert_eq!(game.is_eye(action, color, eye_rule), expected);
                eyes.extend(expected.then_some(action));
                seen.note_if(expected, name);
            }
            assert_eq!(game.eyes(color, eye_rule), eyes);
            for off in [naive.points(), 10_000] {
                assert!(!game.is_eye(Action::new(off), color, eye_rule), "off the board");
            }
        }
    }
}

#[test]
fn history_planes_are_the_boards_of_the_last_actions() {
    let seen = Seen::default();
    law(100, &walks(), |walk| {
        let mut boards: Vec<naive::Board> = Vec::new();
        walk.play(|step, game, naive| {
            // Handing the turn over is no action and no board of its own.
            if game.state().moves() as usize == boards.len() {
                boards.push(naive.board.clone());
            }
            if !walk.is_due(step) {
                return;
            }
            let points = naive.points();
            for k in [1, 3, 8] {
                let planes: Vec<u8> = game.state().history_planes(k).iter().copied().collect();
                assert_eq!(planes.len(), (2 * k + 1) * points);
                for back in 0..k {
                    let board = boards.len().checked_sub(back + 1).map(|i| &boards[i]);
                    for (half, side) in [naive.turn, naive.turn.other()].into_iter().enumerate() {
                        for point in 0..points {
                            let expected = board.is_some_and(|board| board[point] == Some(side));
                            let cell = planes[(2 * back + half) * points + point];
                            assert_eq!(cell, u8::from(expected), "{k} {back} {half} {point}");
                        }
                    }
                    seen.note_if(board.is_none(), "boards before the start");
                }
                let turn = u8::from(naive.turn == Side::White);
                assert!(planes[2 * k * points..].iter().all(|&cell| cell == turn));
                seen.note("histories");
            }
        });
    });
    seen.report(
        "history_planes_are_the_boards_of_the_last_actions",
        &["boards before the start", "histories"],
    );
}

#[test]
fn handicap_stones_stand_where_the_text_protocol_puts_them() {
    let names = |stones, side| {
        let size = BoardSize::square(side).unwrap();
        let points = handicap_points(stones, size).unwrap();
        points
            .iter()
            .map(|&p| Go::NOTATION.name(size, Action::new(p)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(names(9, 19), "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
    assert_eq!(names(5, 9), "C3 G7 C7 G3 E5");
    assert_eq!(names(4, 8), "C3 F6 C6 F3");
    assert_eq!(names(4, 12), "C3 K10 C10 K3");
    assert_eq!(names(7, 13), "D4 K10 D10 K4 D7 K7 G7");
    assert!(handicap_points(5, BoardSize::square(8).unwrap()).is_err());
    assert!(handicap_points(5, BoardSize::square(7).unwrap()).is_err());
    assert!(handicap_points(1, BoardSize::square(19).unwrap()).is_err());
    assert!(handicap_points(2, BoardSize::new(19, 18).unwrap()).is_err());
}
