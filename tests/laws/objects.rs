//! Laws of games as values: copies, equality, hashes, replays, self-play, batches.

use std::cell::RefCell;
use std::collections::HashMap;

use sixplane::batch::GameBatch;
use sixplane::players::selfplay::play_games;
use sixplane::playout::Scratch;
use sixplane::{Action, Color, RandomStream, Setup, playout, zobrist};

use super::walk::plain_actions;
use super::{Seen, Subject, sight, walk};

pub fn a_copy_is_a_game_of_its_own<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, walk| {
        let (before, mut copy) = (sight(game), game.clone());
        assert_eq!(copy, *game);
        assert_eq!(sight(&copy), before);
        if let Some(step) = walk.step(&copy) {
            copy.take(step).expect("a legal step");
            assert_ne!(copy, *game);
            seen.add("copies played on", 1);
        }
        // Back by some steps, or to the start: the longer the way, the rarer.
        let steps = copy.state().steps().count();
        let back = if walk.once_in(1 + steps / 40) { steps } else { steps.min(20) };
        for _ in 0..back {
            copy.undo().expect("a step to take back");
        }
        assert_eq!(sight(game), before);
        // Into one that stands elsewhere, as search does it.
        copy.clone_from(game);
        assert_eq!(sight(&copy), before);
        if let Some(step) = walk.step(&copy) {
            let mut fresh = game.clone();
            copy.take(step).expect("a legal step");
            fresh.take(step).expect("a legal step");
            assert_eq!(sight(&copy), sight(&fresh));
        }
    });
    seen.report(&["copies played on"]);
}

pub fn a_copy_over_any_other_game_is_that_game<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    let shelf = RefCell::new(starts[0].clone());
    walk(starts, |game, walk| {
        let mut copy = shelf.borrow_mut();
        seen.note_if(copy.size() != game.size(), "copies over games of another size");
        seen.note_if(copy.size() == game.size(), "copies over games of the same size");
        copy.clone_from(game);
        assert_eq!(*copy, *game);
        assert_eq!(sight(&*copy), sight(game));
        if let Some(step) = walk.step(game) {
            let mut twin = game.clone();
            twin.take(step).expect("a legal step");
            copy.take(step).expect("a legal step");
            assert_eq!(sight(&*copy), sight(&twin));
        }
    });
    // A subject of one start has no other size.
    let all = ["copies over games of the same size", "copies over games of another size"];
    seen.report(&all[..starts.len().min(2)]);
}

pub fn a_playout_leaves_the_game_as_it_was<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    let scratch = RefCell::new(Scratch::<G>::default());
    walk(starts, |game, walk| {
        let before = sight(game);
        let seed = walk.below(1000) as u64;
        let play = |scratch: &mut Scratch<G>| {
            let mut played = Vec::new();
            let score = game.playout(scratch, &mut RandomStream::new(seed), Some(&mut played));
            assert!(played.len() <= playout::limit(game));
            (played, score.to_bits())
        };
        let reused = play(&mut scratch.borrow_mut());
        assert_eq!(play(&mut Scratch::default()), reused);
        assert_eq!(sight(game), before);
        seen.note_if(!reused.0.is_empty(), "playouts of a running game");
    });
    seen.report(&["playouts of a running game"]);
}

pub fn different_histories_are_different_games<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, _| {
        let legal = game.legal_actions();
        let mut others = vec![game.clone()];
        for &action in legal.iter().take(2) {
            let mut other = game.clone();
            other.play(action).expect("a legal action");
            others.push(other);
        }
        if !legal.is_empty() {
            for color in Color::ALL {
                let (mut resigned, mut turned) = (game.clone(), game.clone());
                resigned.resign(color).expect("the game goes on");
                turned.set_turn(color).expect("the game goes on");
                others.extend([resigned, turned]);
            }
        }
        for (i, one) in others.iter().enumerate() {
            for other in &others[..i] {
                assert_ne!(one, other);
                assert_ne!(sight(one).hashed, sight(other).hashed);
                seen.add("pairs", 1);
            }
        }
    });
    seen.report(&["pairs"]);
}

pub fn replaying_the_actions_gives_the_game<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, _| {
        let mut again = game.start();
        assert_eq!(again.state().moves(), 0);
        for step in game.state().steps() {
            again.take(step).expect("a step taken before");
        }
        assert_eq!(again, *game);
        assert_eq!(sight(&again), sight(game));
        let Some(actions) = plain_actions(game) else { return };
        let replayed = game.replay(actions.iter().copied()).expect("legal actions");
        assert_eq!(sight(&replayed), sight(game));
        seen.add("games of actions alone", 1);
        let beyond = Action::new(game.size().num_actions());
        let error = game.replay(actions.iter().copied().chain([beyond])).expect_err("beyond");
        assert_eq!((error.index, error.action), (actions.len(), beyond));
        seen.add("replays refused", 1);
    });
    seen.report(&["games of actions alone", "replays refused"]);
}

pub fn incremental_hash_equals_fresh_hash<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, _| {
        let planes = game.state().planes();
        let mut key = 0;
        let mut setup = Setup::empty(game.size());
        setup.turn = game.turn();
        for point in 0..game.size().points() {
            if let Some(color) = planes.stone(point) {
                key ^= zobrist::stone(color, point);
                setup.stones[color].push(point as u16);
            }
        }
        assert_eq!(game.state().key(), key);
        assert_eq!(game.state().hash(), key ^ zobrist::turn(game.turn()));
        let fresh = G::from_setup(game.rules().clone(), setup, None).expect("a board of a game");
        assert_eq!(fresh.state().hash(), game.state().hash());
        seen.note_if(key != 0, "stones");
    });
    seen.report(&["stones"]);
}

pub fn positions_with_one_hash_are_one_position<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    let mut positions = HashMap::new();
    walk(starts, |game, _| {
        let stones = game.state().planes().cells()[..2 * game.size().points()].to_vec();
        let position = (stones, game.turn());
        // Boards of different sizes may have one key: points are numbered by the board.
        let key = (game.size(), game.state().hash());
        if let Some(earlier) = positions.insert(key, position.clone()) {
            assert_eq!(earlier, position);
            seen.add("positions met again", 1);
        }
    });
    seen.add("positions", positions.len());
    seen.report(&["positions", "positions met again"]);
}

/// The start with a limit of moves: random games need not end.
fn limited<G: Subject>(start: &G) -> G {
    let (setup, most) = (start.state().setup().clone(), 10 * start.size().num_actions());
    G::from_setup(start.rules().clone(), setup, Some(most as u32)).expect("its own setup")
}

pub fn a_game_of_selfplay_depends_on_seed_and_number_alone<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    for start in starts {
        let start = &limited(start);
        let games = play_games(start, 0, 6, 1, Some(2));
        let last = play_games(start, 4, 2, 1, Some(1));
        assert_eq!(games[4..], last);
        for game in &games {
            assert!(game.is_over());
            assert_eq!(sight(&game.replay(game.state().actions()).expect("legal")), sight(game));
            seen.add("actions", game.state().moves() as usize);
        }
        seen.note_if(games[0] != games[1], "games that differ");
    }
    seen.report(&["actions", "games that differ"]);
}

pub fn a_batch_is_its_games_played_one_by_one<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    for start in starts {
        let start = limited(start);
        let mut batch = GameBatch::new(&start, 5, 1, Some(2));
        let mut singles = vec![start.clone(); 5];
        for step in 0..60 {
            let actions = batch.sample();
            batch.play(&actions, None).expect("legal actions");
            for (single, &action) in singles.iter_mut().zip(&actions) {
                assert_eq!(action < 0, single.is_over());
                if let Ok(action) = usize::try_from(action) {
                    single.play(Action::new(action)).expect("a legal action");
                }
            }
            if step % 10 == 9 {
                assert!(batch.games().map(sight).eq(singles.iter().map(sight)));
                assert!(batch.games().eq(&singles));
            }
        }
        seen.add("games", batch.len());
        seen.add("finished games", singles.iter().filter(|single| single.is_over()).count());
    }
    seen.report(&["games", "finished games"]);
}
