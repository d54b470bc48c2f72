//! What takes too long to reach from outside.

use super::MOST_CHANGES;
use crate::error::PlayError;
use crate::game::Game;
use crate::games::go::{Go, KoRule, Rules};
use crate::geometry::BoardSize;
use crate::players::random::RandomPlayer;
use crate::status::{Ending, Status};

/// Plays random points until the game is cut off; no two passes end it.
fn play_without_end(game: &mut Go) {
    let (mut player, pass) = (RandomPlayer::new(1), game.size().pass());
    while !game.is_over() {
        let action = player.select_action_avoiding(game, |_| false);
        if action == pass && game.state().passed() {
            game.set_turn(game.turn().opponent()).unwrap();
        } else {
            game.play(action).unwrap();
        }
    }
}

#[test]
fn a_game_is_cut_off_before_a_number_of_changes_wraps() {
    let size = BoardSize::square(4).unwrap();
    let rules = Rules { ko: KoRule::Simple, ..Rules::default() };
    let mut game = Go::with_rules(size, rules, None).unwrap();
    play_without_end(&mut game);
    assert!(matches!(game.status(), Status::Done { ending: Ending::Truncation, .. }));
    let over = game.state().changes().len() - MOST_CHANGES;
    assert!(over <= size.points(), "the last play went {over} changes beyond");
    assert_eq!(game.play(size.pass()), Err(PlayError::GameOver));
    game.undo().unwrap();
    assert!(!game.is_over() && game.state().changes().len() < MOST_CHANGES);
}
