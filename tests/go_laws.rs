//! The laws of Go, each named by the sentence it proves, over random games on boards of all sizes.
//!
//! A law states how often its premises were met, and fails if one of them never was.

mod cases;
mod naive;
mod product;
mod walks;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use naive::{Ko, Naive, Side};
use ndarray::{Array2, Array3, ArrayView3};
use sixplane::{Action, ByColor, Color, Game, Go, Plane, PlayError, Setup, Status, zobrist};
use walks::{Event, Seen, Walk, law, take, walks, walks_under};

/// All that can be seen of a game.
#[derive(Clone, Debug, PartialEq)]
struct Sight {
    planes: Array3<u8>,
    history_planes: Array3<u8>,
    mask: Vec<i8>,
    legal: Vec<Action>,
    turn: Color,
    status: Status,
    hash: u64,
    actions: Vec<Action>,
    captures: ByColor<usize>,
    areas: ByColor<usize>,
    half_score: i32,
    chains: Array2<i32>,
    liberties: Array2<i32>,
}

fn mask(game: &Go) -> Vec<i8> {
    let mut mask = vec![7; game.size().num_actions()];
    game.write_action_mask(&mut mask);
    mask
}

fn sight(game: &Go) -> Sight {
    Sight {
        planes: game.planes().to_owned(),
        history_planes: game.history_planes(8),
        mask: mask(game),
        legal: game.legal_actions(),
        turn: game.turn(),
        status: game.status(),
        hash: game.state().hash(),
        actions: game.state().actions().collect(),
        captures: game.captures(),
        areas: game.areas(),
        half_score: product::half_score(game),
        chains: game.chains(),
        liberties: game.liberties(),
    }
}

fn hashed(game: &Go) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn mask_agrees_with_play() {
    let seen = Seen::default();
    law(300, &walks(), |walk| {
        let due = |step| walk.is_due(step);
        walk.play(|step, game, naive| {
            if !due(step) {
                return;
            }
            let mask = mask(game);
            let before = sight(game);
            for (action, &entry) in mask.iter().enumerate() {
                let mut twin = game.clone();
                let result = twin.play(Action::new(action));
                let refusal = naive.refusal(action);
                assert_eq!(result.is_ok(), entry == 1, "action {action}");
                assert_eq!(result.err().map(PlayError::reason), refusal.map(naive::Refusal::name));
                assert_eq!(game.legal_actions().contains(&Action::new(action)), entry == 1);
                if let Some(refusal) = refusal {
                    seen.note(refusal.name());
                    assert_eq!(sight(&twin), before);
                } else {
                    seen.note("legal");
                }
            }
            assert_eq!(product::planes(game), naive.planes());
        });
    });
    seen.report(
        "mask_agrees_with_play",
        &["legal", "game_over", "occupied", "suicide", "ko", "superko"],
    );
}

#[test]
fn an_illegal_play_changes_nothing() {
    let seen = Seen::default();
    law(300, &walks(), |walk| {
        let due = |step| walk.is_due(step);
        // The naive game never hears of the illegal plays, so the future is compared as well.
        walk.play(|step, game, naive| {
            if !due(step) {
                return;
            }
            let (before, twin) = (sight(game), game.clone());
            let pass = game.size().pass().index();
            let beyond = [pass + 1, pass + 64, 65_535, 65_536 + pass, usize::MAX];
            for action in (0..=pass).chain(beyond) {
                if game.check(Action::new(action)).is_ok() {
                    continue;
                }
                let error = game.play(Action::new(action)).expect_err("it is illegal");
                assert_eq!(Some(error.reason()), naive.refusal(action).map(naive::Refusal::name));
                seen.note(error.reason());
            }
            assert_eq!(sight(game), before);
            assert_eq!(*game, twin);
            assert_eq!(product::planes(game), naive.planes());
        });
    });
    let reasons = ["game_over", "off_board", "occupied", "suicide", "ko", "superko"];
    seen.report("an_illegal_play_changes_nothing", &reasons);
}

#[test]
fn undo_is_the_inverse_of_play() {
    let seen = Seen::default();
    law(200, &walks(), |walk| {
        let mut past: Vec<Sight> = Vec::new();
        let (mut game, _) = walk.play(|_, game, _| past.push(sight(game)));
        let last = past.pop().expect("the end");
        assert_eq!(sight(&game), last);
        if !game.is_over() {
            game.resign(game.turn()).unwrap();
            assert!(game.is_over() && sight(&game) != last);
            game.undo().unwrap();
            assert_eq!(sight(&game), last);
            seen.note("a resignation withdrawn");
        }
        seen.note_if(game.is_over(), "an end withdrawn");
        let end = game.clone();
        let mut after = last;
        while let Some(before) = past.pop() {
            game.undo().unwrap();
            assert_eq!(sight(&game), before);
            seen.note("steps withdrawn");
            seen.note_if(before.actions == after.actions, "a set turn withdrawn");
            seen.note_if(before.captures != after.captures, "captures withdrawn");
            after = before;
        }
        assert!(game.undo().is_err());
        // What was withdrawn can be played again, to the same end.
        let mut again = game.clone();
        for &choice in &walk.choices {
            let Some(event) = Walk::event(&again, choice) else { break };
            take(&mut again, event);
        }
        assert_eq!(again, end);
        assert_eq!(sight(&again), sight(&end));
    });
    let premises = [
        "steps withdrawn",
        "captures withdrawn",
        "an end withdrawn",
        "a set turn withdrawn",
        "a resignation withdrawn",
    ];
    seen.report("undo_is_the_inverse_of_play", &premises);
}

#[test]
fn a_game_taken_back_goes_on_as_if_never_played() {
    let seen = Seen::default();
    law(200, &walks(), |walk| {
        walk.play(|step, game, naive| {
            // Go a few steps ahead and come back; the walk then goes on with this game.
            let ahead = walk.choices.iter().rev().cycle().skip(step).take(step % 5);
            let mut taken = 0;
            for &choice in ahead {
                let Some(event) = Walk::event(game, choice) else { break };
                take(game, event);
                taken += 1;
            }
            for _ in 0..taken {
                game.undo().unwrap();
            }
            seen.add("steps ahead and back", taken);
            if walk.is_due(step) {
                assert_eq!(product::planes(game), naive.planes());
            }
        });
    });
    seen.report("a_game_taken_back_goes_on_as_if_never_played", &["steps ahead and back"]);
}

#[test]
fn incremental_hash_equals_fresh_hash() {
    let seen = Seen::default();
    law(300, &walks(), |walk| {
        walk.play(|_, game, naive| {
            let fresh = product::set_up(walk.rules, &naive.board, naive.turn);
            assert_eq!(game.state().hash(), fresh.state().hash());
            assert_eq!(game.state().key(), fresh.state().key());
            let stones = naive.board.iter().enumerate().filter_map(|(point, cell)| {
                cell.map(|side| zobrist::stone(product::color(side), point))
            });
            let keys = stones.fold(zobrist::turn(game.turn()), |all, key| all ^ key);
            assert_eq!(game.state().hash(), keys);
            seen.note_if(naive.captures != [0, 0], "positions after captures");
        });
    });
    seen.report("incremental_hash_equals_fresh_hash", &["positions after captures"]);
}

#[test]
fn positions_with_one_hash_are_one_position() {
    let seen = Seen::default();
    law(100, &walks(), |walk| {
        let mut by_hash = HashMap::new();
        walk.play(|_, game, naive| {
            let position = (naive.board.clone(), naive.turn);
            if let Some(earlier) = by_hash.insert(game.state().hash(), position.clone()) {
                assert_eq!(earlier, position);
                seen.note("positions met again");
            }
        });
        seen.add("positions", by_hash.len() as u64);
    });
    seen.report("positions_with_one_hash_are_one_position", &["positions", "positions met again"]);
}

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
            for point in 0..naive.points() {
                let expected = naive.is_eye(point, side, rule);
                let (action, color) = (Action::new(point), product::color(side));
                assert_eq!(game.is_eye(action, color, product::eye_rule(rule)), expected);
                seen.note_if(expected, name);
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
                let planes: Vec<u8> = game.history_planes(k).iter().copied().collect();
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
fn a_copy_is_a_game_of_its_own() {
    let seen = Seen::default();
    law(100, &walks(), |walk| {
        let mut copies: Vec<(Go, Sight)> = Vec::new();
        let (game, _) = walk.play(|step, game, _| {
            if step % 7 == 0 {
                let mut copy = game.clone();
                assert_eq!(copy, *game);
                assert_eq!(hashed(&copy), hashed(game));
                let now = sight(game);
                copies.push((game.clone(), now.clone()));
                if copy.play(copy.size().pass()).is_ok() {
                    assert_ne!(copy, *game);
                    assert_eq!(sight(game), now);
                    seen.note("copies played on");
                }
            }
        });
        for (copy, then) in copies {
            assert_eq!(sight(&copy), then);
            assert_eq!(copy == game, copy.state().steps().eq(game.state().steps()));
        }
    });
    seen.report("a_copy_is_a_game_of_its_own", &["copies played on"]);
}

#[test]
fn replaying_the_actions_gives_the_game() {
    let seen = Seen::default();
    law(100, &walks(), |walk| {
        let (game, _) = walk.play(|_, _, _| {});
        let mut again = game.start();
        assert_eq!(again.state().moves(), 0);
        for step in game.state().steps().collect::<Vec<_>>() {
            again.take(step).unwrap();
        }
        assert_eq!(again, game);
        assert_eq!(sight(&again), sight(&game));
        let actions: Vec<Action> = game.state().actions().collect();
        if game.state().steps().count() == actions.len() {
            let replayed = game.replay(actions.iter().copied()).unwrap();
            assert_eq!(replayed, game);
            assert_eq!(hashed(&replayed), hashed(&game));
            seen.note("games of actions alone");
        }
        let occupied =
            game.state().planes().plane_cells(Plane::Black).iter().position(|&cell| cell == 1);
        if let (Some(point), false) = (occupied, game.is_over()) {
            if game.state().steps().count() == actions.len() {
                let bad = actions.iter().copied().chain([Action::new(point)]);
                let error = game.replay(bad).unwrap_err();
                assert_eq!((error.index, error.action.index()), (actions.len(), point));
                seen.note("replays refused");
            }
        }
    });
    seen.report(
        "replaying_the_actions_gives_the_game",
        &["games of actions alone", "replays refused"],
    );
}

#[test]
fn truncation_ends_the_game_where_it_says() {
    let seen = Seen::default();
    law(100, &walks(), |walk| {
        let (free, _) = walk.play(|_, _, _| {});
        let actions: Vec<Action> = free.state().actions().collect();
        let setup = Setup::empty(free.size());
        for limit in 1..=actions.len().min(40) {
            let most = u32::try_from(limit).unwrap();
            let mut game = Go::from_setup(*free.rules(), setup.clone(), Some(most)).unwrap();
            for (step, &action) in actions.iter().enumerate() {
                assert_eq!(game.is_over(), step >= limit || game.has_ended());
                if game.play(action).is_err() {
                    break;
                }
            }
            // Without its set turns the walk may stop early; what counts is the end reached.
            if game.state().moves() == most {
                assert!(game.is_over());
                let Status::Done { outcome, ending } = game.status() else { panic!("it is over") };
                let ended = game.has_ended();
                assert_eq!(ending == sixplane::Ending::Rules, ended);
                assert_eq!(outcome.sign(), product::half_score(&game).signum() as i8);
                assert!(game.state().planes().plane_cells(Plane::Invalid).iter().all(|&c| c == 1));
                assert!(game.legal_actions().is_empty());
                game.undo().unwrap();
                assert!(!game.is_over());
                seen.note_if(!ended, "truncated");
                seen.note_if(ended, "ended by the rules on the last action");
            }
        }
    });
    seen.report(
        "truncation_ends_the_game_where_it_says",
        &["truncated", "ended by the rules on the last action"],
    );
}
