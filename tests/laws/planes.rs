//! Laws of the planes and of what is derived from them.

use std::collections::VecDeque;

use ndarray::s;
use sixplane::{Color, NUM_PLANES, Plane, Step};

use super::{Seen, Subject, mask, sight, walk};

pub fn planes_are_zeros_and_ones<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, _| {
        let planes = game.state().planes();
        assert_eq!(game.planes().dim(), (NUM_PLANES, game.size().rows(), game.size().cols()));
        assert!(planes.cells().iter().all(|&cell| cell <= 1));
        let whole = [
            (Plane::Turn, game.turn() == Color::White),
            (Plane::Pass, game.state().passed()),
            (Plane::Done, game.is_over()),
        ];
        for (plane, set) in whole {
            assert!(planes.plane_cells(plane).iter().all(|&cell| cell == u8::from(set)));
            seen.note_if(set && plane == Plane::Turn, "white to play");
        }
        let pass = Step::Action(game.size().pass());
        if let Some(last) = game.state().steps().next_back() {
            assert_eq!(game.state().passed(), last == pass);
        }
        for point in 0..game.size().points() {
            let black = planes.get(Plane::Black, point);
            let white = planes.get(Plane::White, point);
            assert!(!(black && white), "two stones at {point}");
            assert!(!(black || white) || planes.get(Plane::Invalid, point));
            seen.note_if(black || white, "stones");
        }
    });
    seen.report(&["stones", "white to play"]);
}

pub fn the_invalid_plane_is_the_complement_of_the_mask<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, _| {
        let mask = mask(game);
        let invalid = game.state().planes().plane_cells(Plane::Invalid);
        assert!(mask.iter().zip(invalid).all(|(&legal, &cell)| legal == i8::from(cell == 0)));
        let legal = (0..mask.len()).filter(|&action| mask[action] == 1);
        assert!(legal.eq(game.legal_actions().iter().map(|action| action.index())));
        for (point, &cell) in invalid.iter().enumerate() {
            assert_eq!(game.state().legal().contains(point), cell == 0);
        }
        seen.add("actions", mask.len());
    });
    seen.report(&["actions"]);
}

pub fn a_finished_game_is_shut_and_a_running_one_open<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, _| {
        assert_eq!(game.is_over(), game.outcome().is_some());
        if game.is_over() {
            assert!(game.legal_actions().is_empty());
            assert!(game.state().planes().plane_cells(Plane::Invalid).iter().all(|&c| c == 1));
            assert_eq!(game.outcome(), Some(sixplane::Outcome::of_score(game.score())));
        } else {
            assert!(!game.legal_actions().is_empty());
        }
        seen.note_if(game.is_over(), "finished games");
        seen.note_if(!game.is_over(), "running games");
    });
    seen.report(&["finished games", "running games"]);
}

pub fn history_planes_are_the_boards_of_the_last_actions<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, walk| {
        let k = 1 + walk.below(5);
        let history = game.state().history_planes(k);
        let mut boards = VecDeque::from([game.planes().slice(s![..2, .., ..]).to_owned()]);
        let mut past = game.clone();
        while boards.len() < k {
            let moves = past.state().moves();
            while past.state().moves() == moves && past.undo().is_ok() {}
            if past.state().moves() == moves {
                break;
            }
            boards.push_back(past.planes().slice(s![..2, .., ..]).to_owned());
        }
        let (now, other) = (game.turn().index(), game.turn().opponent().index());
        for back in 0..k {
            for (layer, color) in [now, other].into_iter().enumerate() {
                let found = history.slice(s![2 * back + layer, .., ..]);
                match boards.get(back) {
                    Some(board) => assert_eq!(found, board.slice(s![color, .., ..])),
                    None => assert!(found.iter().all(|&cell| cell == 0)),
                }
            }
        }
        assert!(history.slice(s![2 * k, .., ..]).iter().all(|&cell| usize::from(cell) == now));
        seen.add("earlier boards", boards.len() - 1);
        seen.add("boards before the start", k - boards.len());
    });
    seen.report(&["earlier boards", "boards before the start"]);
}

pub fn from_planes_gives_the_planes<G: Subject>(starts: &[G]) {
    let seen = Seen::default();
    walk(starts, |game, _| {
        let again = G::from_planes(game.rules().clone(), &game.planes(), None).expect("its planes");
        assert_eq!(again.planes(), game.planes());
        assert_eq!(mask(&again), mask(game));
        assert_eq!(again.state().hash(), game.state().hash());
        assert_eq!(again.state().moves(), 0);
        let origin = sight(&again.start());
        assert_eq!(origin, sight(&again));
        seen.note_if(game.is_over(), "finished games");
        seen.note_if(!game.is_over(), "running games");
    });
    seen.report(&["finished games", "running games"]);
}
