//! Playing and taking back, in any order.

use std::hash::{DefaultHasher, Hash, Hasher};

use ndarray::Array3;
use sixplane::{Action, Color, Game, PlayError, Status};

use super::{Bytes, action, below, with_game};

/// All that can be seen of a game.
#[derive(Debug, PartialEq)]
struct Sight {
    planes: Array3<u8>,
    history_planes: Array3<u8>,
    mask: Vec<i8>,
    status: Status,
    score: f64,
    actions: Vec<Action>,
    hashes: (u64, u64),
}

fn sight<G: Game + Hash>(game: &G) -> Sight {
    let mut mask = vec![7; game.size().num_actions()];
    game.write_action_mask(&mut mask);
    let mut hasher = DefaultHasher::new();
    game.hash(&mut hasher);
    Sight {
        planes: game.planes().to_owned(),
        history_planes: game.state().history_planes(3),
        mask,
        status: game.status(),
        score: game.score(),
        actions: game.state().actions().collect(),
        hashes: (game.state().hash(), hasher.finish()),
    }
}

/// Undo is the inverse of every step, the mask agrees with play, refused steps change nothing, and a
/// replay gives an equal game.
pub fn undo_is_the_inverse_of_play(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied();
    let _ = (|| with_game!(&mut bytes, walk))();
}

fn walk<G: Game + Hash>(start: &G, bytes: &mut Bytes<'_>) -> Option<()> {
    let mut game = start.clone();
    let mut seen = vec![sight(&game)];
    let size = game.size();
    while let Some(step) = below(bytes, 16) {
        let now = seen.last()?;
        let done = match step {
            0..4 => {
                let is_start = seen.len() == 1;
                assert_eq!(game.undo().is_err(), is_start, "undo is refused at the start only");
                if !is_start {
                    seen.pop();
                }
                assert_eq!(Some(&sight(&game)), seen.last());
                continue;
            }
            4 => game.resign(Color::ALL[below(bytes, 2)?]),
            5 => game.set_turn(Color::ALL[below(bytes, 2)?]),
            6 => play(&mut game, now, size.pass()),
            _ => play(&mut game, now, action(bytes, size)?),
        };
        if let Err(error) = done {
            assert_eq!(&sight(&game), now, "refused by {error}, yet something changed");
        } else {
            seen.push(sight(&game));
            assert_replays(&game);
        }
    }
    None
}

fn play<G: Game>(game: &mut G, now: &Sight, action: Action) -> Result<(), PlayError> {
    let allowed = now.mask.get(action.index()) == Some(&1);
    assert_eq!(game.check(action).is_ok(), allowed, "{action:?} and the mask");
    let played = game.play(action);
    assert_eq!(played.is_ok(), allowed);
    played
}

/// The same steps from the start give an equal game, and so does a copy over another game.
fn assert_replays<G: Game + Hash>(game: &G) {
    let mut again = game.start();
    for step in game.state().steps() {
        again.take(step).expect("a step that was taken");
    }
    if let Status::Done { ending: sixplane::Ending::Resignation(color), .. } = game.status() {
        again.resign(color).expect("a game that goes on");
    }
    assert!(&again == game, "the same steps make another game");
    assert_eq!(sight(&again), sight(game));
    let mut copy = game.start();
    copy.clone_from(game);
    assert_eq!(sight(&copy), sight(game));
}
