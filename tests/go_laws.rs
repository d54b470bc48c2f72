//! The laws of play in Go, each named by the sentence it proves, over random games on boards of all
//! sizes, side by side with the naive Go. What every game keeps is proved in `game_laws.rs`.
//!
//! A law states how often its premises were met, and fails if one of them never was.

use crate::{naive, product, walks};

use sixplane::{Action, Game, PlayError, zobrist};
use walks::sight::{Sight, mask, sight};
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
