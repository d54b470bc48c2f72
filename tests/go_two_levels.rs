//! The two levels of Go agree: the game, which keeps chains and an atari bitmap, and the functions on
//! planes, which know the planes alone.
//!
//! Under simple ko without suicide, and without what planes cannot hold (resignation, truncation).

use crate::{naive, walks};

use naive::Ko;
use ndarray::{Array3, Array4, Axis};
use proptest::prelude::*;
use sixplane::functional::{Form, areas, children, invalid_plane, legal_actions, next_state};
use sixplane::{Action, Game, Go, Plane};
use walks::{Seen, Walk, law, walks_under};

/// Walks of actions alone: the functions have no way to hand the turn over.
fn walks_of_actions() -> BoxedStrategy<Walk> {
    let walks = walks_under(&[Ko::Simple], &[false]);
    walks
        .prop_map(|mut walk| {
            walk.choices.retain(|choice| choice % 64 != 0);
            walk
        })
        .boxed()
}

fn after(planes: &Array3<u8>, action: Action) -> Array3<u8> {
    let mut next = Array3::from_elem(planes.dim(), 9);
    next_state(&planes.view(), action, Form::Absolute, next.view_mut()).expect("a legal action");
    next
}

/// All planes but, at the end, the invalid one: there the functions compute it as ever, the game
/// fills it.
fn assert_same(planes: &Array3<u8>, game: &Go) {
    for (plane, (found, expected)) in
        planes.outer_iter().zip(game.planes().outer_iter()).enumerate()
    {
        if plane != Plane::Invalid as usize || !game.is_over() {
            assert_eq!(found, expected, "plane {plane}");
        }
    }
}

#[test]
fn planes_of_the_game_equal_planes_of_the_functions() {
    let seen = Seen::default();
    law(300, &walks_of_actions(), |walk| {
        let mut planes: Option<Array3<u8>> = None;
        walk.play(|step, game, naive| {
            let now = match (planes.take(), game.state().actions().next_back()) {
                (Some(before), Some(action)) => after(&before, action),
                _ => Array3::zeros(game.planes().dim()),
            };
            assert_same(&now, game);
            assert_eq!(areas(&now.view()).unwrap(), game.areas());
            assert_eq!(legal_actions(&now.view()).unwrap(), game.legal_actions());
            if walk.is_due(step) && !game.is_over() {
                let invalid = invalid_plane(&now.view()).unwrap();
                for (point, &cell) in invalid.iter().enumerate() {
                    // Computed from the stones alone, it knows no ko.
                    let expected =
                        naive.refusal(point).is_some_and(|why| why != naive::Refusal::Ko);
                    assert_eq!(cell == 1, expected, "point {point}");
                }
            }
            seen.note("positions");
            seen.note_if(naive.ko_point.is_some(), "kos");
            seen.note_if(naive.captures != [0, 0], "positions after captures");
            seen.note_if(game.is_over(), "ends");
            planes = Some(now);
        });
    });
    let premises = ["positions", "kos", "positions after captures", "ends"];
    seen.report("planes_of_the_game_equal_planes_of_the_functions", &premises);
}

#[test]
fn children_are_the_planes_after_every_legal_action() {
    let seen = Seen::default();
    law(60, &walks_of_actions(), |walk| {
        walk.play(|step, game, _| {
            if !walk.is_due(step) || game.is_over() {
                return;
            }
            let (_, rows, cols) = game.planes().dim();
            let actions = game.size().num_actions();
            let mut out = Array4::from_elem((actions, 6, rows, cols), 9_u8);
            children(&game.planes(), Form::Absolute, true, out.view_mut()).unwrap();
            for (index, child) in out.axis_iter(Axis(0)).enumerate() {
                let mut next = game.clone();
                if next.play(Action::new(index)).is_ok() {
                    assert_same(&child.to_owned(), &next);
                    seen.note("legal");
                } else {
                    assert!(child.iter().all(|&cell| cell == 0));
                    seen.note("illegal");
                }
            }
        });
    });
    seen.report("children_are_the_planes_after_every_legal_action", &["legal", "illegal"]);
}
