//! The laws of play in Go, each named by the sentence it proves, over random games on boards of all
//! sizes.
//!
//! A law states how often its premises were met, and fails if one of them never was.

mod cases;
mod naive;
mod product;
mod walks;

use std::collections::HashMap;

use sixplane::{Action, Game, Go, Plane, PlayError, Setup, Status, zobrist};
use walks::sight::{Sight, hashed, mask, sight};
use walks::{Seen, Walk, law, take, walks};

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
            let mut other = game.clone();
            other.resign(game.turn().opponent()).unwrap();
            let running = game.clone();
            game.resign(game.turn()).unwrap();
            assert!(game.is_over() && sight(&game) != last);
            assert!(game != running && game != other);
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
