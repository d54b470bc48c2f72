//! The laws that every game on `trait Game` keeps, over seeded random games.
//!
//! A test file proves them all of a game by one line, with the games to start from:
//!
//! ```text
//! laws::laws_of_every_game!(|| vec![Go::new(5).unwrap()]);
//! ```
//!
//! A law states how often its premises were met, and fails if one of them never was.

#![allow(dead_code)]

pub mod objects;
pub mod planes;
pub mod play;
mod walk;

use std::hash::{DefaultHasher, Hash, Hasher};

use ndarray::Array3;
use sixplane::{Action, Color, Game, Playouts, Status};
pub use walk::{Seen, walk};

/// What the laws ask of a game beside the trait.
pub trait Subject: Playouts + Hash {}

impl<G: Playouts + Hash> Subject for G {}

/// All that can be seen of any game.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    planes: Array3<u8>,
    history_planes: Array3<u8>,
    mask: Vec<i8>,
    legal: Vec<Action>,
    turn: Color,
    status: Status,
    score: f64,
    hash: u64,
    actions: Vec<Action>,
    hashed: u64,
}

/// What is seen of a game now.
pub fn sight<G: Subject>(game: &G) -> Sight {
    let mut hasher = DefaultHasher::new();
    game.hash(&mut hasher);
    Sight {
        planes: game.planes().to_owned(),
        history_planes: game.state().history_planes(3),
        mask: mask(game),
        legal: game.legal_actions(),
        turn: game.turn(),
        status: game.status(),
        score: game.score(),
        hash: game.state().hash(),
        actions: game.state().actions().collect(),
        hashed: hasher.finish(),
    }
}

/// The action mask.
pub fn mask<G: Game>(game: &G) -> Vec<i8> {
    let mut mask = vec![7; game.size().num_actions()];
    game.write_action_mask(&mut mask);
    mask
}

/// One test for each law, of the games that the function gives.
macro_rules! laws_of_every_game {
    ($starts:expr) => {
        $crate::laws::laws_of_every_game! { $starts;
            planes: planes_are_zeros_and_ones, the_invalid_plane_is_the_complement_of_the_mask,
                a_finished_game_is_shut_and_a_running_one_open,
                history_planes_are_the_boards_of_the_last_actions, from_planes_gives_the_planes;
            play: the_mask_agrees_with_play, an_illegal_play_changes_nothing,
                undo_is_the_inverse_of_play, a_game_taken_back_goes_on_as_if_never_played,
                set_turn_is_one_step_and_no_action, a_resignation_ends_the_game_and_is_no_action,
                truncation_ends_the_game_where_it_says, the_score_kept_is_the_score;
            objects: a_copy_is_a_game_of_its_own, a_copy_over_any_other_game_is_that_game,
                a_playout_leaves_the_game_as_it_was,
                different_histories_are_different_games,
                replaying_the_actions_gives_the_game, incremental_hash_equals_fresh_hash,
                positions_with_one_hash_are_one_position,
                a_game_of_selfplay_depends_on_seed_and_number_alone,
                a_batch_is_its_games_played_one_by_one;
        }
    };
    ($starts:expr; $($file:ident: $($law:ident),*;)*) => {
        $($(
            #[test]
            fn $law() {
                $crate::laws::$file::$law(&$starts());
            }
        )*)*
    };
}
pub(crate) use laws_of_every_game;
