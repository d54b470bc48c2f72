//! Laws of playing and taking back.

use sixplane::players::random::RandomPlayer;
use sixplane::{Action, Color, Ending, Outcome, PlayError, Status};

use super::walk::plain_actions;
use super::{Seen, Subject, mask, sight, walk};

pub fn the_mask_agrees_with_play<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, _| {
        for (action, &entry) in mask(game).iter().enumerate() {
            let action = Action::new(action);
            let checked = game.check(action);
            assert_eq!(checked.is_ok(), entry == 1, "{action:?}");
            assert_eq!(game.clone().play(action), checked);
            seen.note_if(entry == 1, "legal actions");
            seen.note_if(entry == 0, "illegal actions");
        }
    });
    seen.report(&["legal actions", "illegal actions"]);
}

pub fn an_illegal_play_changes_nothing<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, _| {
        let (before, twin) = (sight(game), game.clone());
        let pass = game.size().pass().index();
        for action in (0..=pass).chain([pass + 1, pass + 64, 65_535, 65_536 + pass, usize::MAX]) {
            let action = Action::new(action);
            let Err(error) = game.check(action) else { continue };
            assert_eq!(game.play(action), Err(error));
            // The reason is the first that holds.
            let stone =
                action.index() < pass && game.state().planes().stone(action.index()).is_some();
            match error {
                PlayError::GameOver => assert!(game.is_over()),
                _ if game.is_over() => panic!("{error} after the end"),
                PlayError::OffBoard => assert!(action.index() > pass),
                PlayError::PassNotAllowed => assert_eq!(action.index(), pass),
                PlayError::Occupied => assert!(stone),
                PlayError::Forbidden(_) => assert!(!stone && action.index() < pass),
            }
            seen.note_if(error == PlayError::GameOver, "game over");
            seen.note_if(error == PlayError::OffBoard, "off the board");
            seen.note_if(error == PlayError::Occupied, "occupied");
        }
        assert_eq!(sight(game), before);
        assert_eq!(*game, twin);
    });
    seen.report(&["game over", "off the board", "occupied"]);
}

pub fn undo_is_the_inverse_of_play<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, walk| {
        let before = sight(game);
        for action in game.legal_actions() {
            if walk.once_in(4) {
                let mut twin = game.clone();
                twin.play(action).expect("a legal action");
                assert_ne!(sight(&twin), before);
                twin.undo().expect("an action to take back");
                assert_eq!(sight(&twin), before);
                assert_eq!(twin, *game);
                seen.add("actions withdrawn", 1);
            }
        }
        // To the start, and back to the same end: the longer the way, the rarer.
        let mut past = game.clone();
        let steps: Vec<_> = game.state().steps().collect();
        if !walk.once_in(1 + steps.len() / 40) {
            return;
        }
        for _ in &steps {
            past.undo().expect("a step to take back");
        }
        assert!(past.undo().is_err());
        assert_eq!(sight(&past), sight(&game.start()));
        for step in steps {
            past.take(step).expect("a step taken before");
            seen.add("steps taken again", 1);
        }
        assert_eq!(sight(&past), before);
    });
    seen.report(&["actions withdrawn", "steps taken again"]);
}

pub fn a_game_taken_back_goes_on_as_if_never_played<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, walk| {
        let (mut ahead, mut taken) = (game.clone(), 0);
        for _ in 0..walk.below(6) {
            let Some(step) = walk.step(&ahead) else { break };
            ahead.take(step).expect("a legal step");
            taken += 1;
        }
        for _ in 0..taken {
            ahead.undo().expect("a step to take back");
        }
        let mut plain = game.clone();
        for _ in 0..6 {
            assert_eq!(sight(&ahead), sight(&plain));
            let Some(step) = walk.step(&plain) else { break };
            plain.take(step).expect("a legal step");
            ahead.take(step).expect("legal there as well");
            seen.add("steps of the future", taken);
        }
    });
    seen.report(&["steps of the future"]);
}

pub fn set_turn_is_one_step_and_no_action<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, _| {
        let before = sight(game);
        for color in Color::ALL {
            let mut twin = game.clone();
            if game.is_over() {
                assert_eq!(twin.set_turn(color), Err(PlayError::GameOver));
                continue;
            }
            twin.set_turn(color).expect("the game goes on");
            assert_eq!(twin.turn(), color);
            assert!(!twin.state().passed());
            assert_ne!(twin, *game);
            assert_eq!(twin.state().key(), game.state().key());
            assert_eq!(sight(&twin).actions, before.actions);
            twin.undo().expect("a step to take back");
            assert_eq!(sight(&twin), before);
            assert_eq!(twin, *game);
            seen.note_if(color == game.turn(), "set to what it was");
            seen.note_if(color != game.turn(), "handed over");
        }
    });
    seen.report(&["set to what it was", "handed over"]);
}

pub fn a_resignation_ends_the_game_and_is_no_action<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, _| {
        let before = sight(game);
        for color in Color::ALL {
            let mut twin = game.clone();
            if game.is_over() {
                assert_eq!(twin.resign(color), Err(PlayError::GameOver));
                continue;
            }
            twin.resign(color).expect("the game goes on");
            assert_eq!(twin.outcome(), Some(Outcome::Win(color.opponent())));
            assert_eq!((twin.turn(), twin.state().hash()), (game.turn(), game.state().hash()));
            assert_eq!(sight(&twin).actions, before.actions);
            assert!(twin.legal_actions().is_empty());
            twin.undo().expect("a resignation to withdraw");
            assert_eq!(sight(&twin), before);
            assert_eq!(twin, *game);
            seen.add("resignations", 1);
        }
    });
    seen.report(&["resignations"]);
}

pub fn truncation_ends_the_game_where_it_says<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, walk| {
        let Some(actions) = plain_actions(game).filter(|actions| !actions.is_empty()) else {
            return;
        };
        let limit = 1 + walk.below(actions.len());
        let setup = game.state().setup().clone();
        let mut cut = G::from_setup(game.rules().clone(), setup, Some(limit as u32)).expect("it");
        for &action in &actions[..limit] {
            assert!(!cut.is_over());
            cut.play(action).expect("legal without a limit");
        }
        let free = game.replay(actions[..limit].iter().copied()).expect("legal actions");
        let ending = if free.is_over() { Ending::Rules } else { Ending::Truncation };
        assert_eq!(cut.status(), Status::Done { outcome: Outcome::of_score(cut.score()), ending });
        assert!(cut.legal_actions().is_empty());
        seen.note_if(free.is_over(), "ended by the rules on the last action");
        seen.note_if(!free.is_over(), "truncated");
        cut.undo().expect("an action to take back");
        assert!(!cut.is_over());
    });
    seen.report(&["truncated", "ended by the rules on the last action"]);
}

pub fn the_score_kept_is_the_score<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    for (seed, start) in starts.iter().enumerate() {
        let (mut player, mut game) = (RandomPlayer::new(seed as u64), start.clone());
        for step in 0..200 {
            // Some plays together, and some taken back.
            for _ in 0..=step % 3 {
                if !game.is_over() {
                    let action = player.select_action_avoiding(&game, |_| false);
                    game.play(action).expect("a legal action");
                }
            }
            let (kept, fresh) = (game.update_score(), game.score());
            assert!(kept.total_cmp(&fresh).is_eq(), "{kept} instead of {fresh}");
            seen.note_if(fresh.total_cmp(&start.score()).is_ne(), "scores other than at the start");
            for _ in 0..[0, 0, 0, 1, 5][step % 5] {
                seen.note_if(game.undo().is_ok(), "steps taken back");
            }
            if game.is_over() {
                game.restart();
            }
        }
    }
    seen.report(&["scores other than at the start", "steps taken back"]);
}
