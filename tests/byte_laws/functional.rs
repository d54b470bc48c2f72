//! Functions on planes beside a game of Go under simple ko.

use ndarray::{Array3, Axis};
use sixplane::functional::{Form, PlanesError, areas, invalid_plane, legal_actions, next_state};
use sixplane::{Game, Go, KoRule, Plane, Rules};

use super::{Bytes, action, below, rules_of_go, size};

/// The functions on planes say of every action what a game says.
pub fn functions_on_planes_agree_with_go(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied();
    let _ = walk(&mut bytes);
}

fn walk(bytes: &mut Bytes<'_>) -> Option<()> {
    let rules = Rules { ko: KoRule::Simple, suicide: false, ..rules_of_go(bytes)? };
    let mut game = Go::with_rules(size(bytes, 2)?, rules, None).expect("no handicap");
    loop {
        let planes = game.planes().to_owned();
        assert_eq!(legal_actions(&planes.view()), Ok(game.legal_actions()));
        assert_eq!(areas(&planes.view()), Ok(game.areas()));
        let without_ko = invalid_plane(&planes.view()).expect("planes of a game");
        let invalid = planes.index_axis(Axis(0), Plane::Invalid as usize);
        let differ = without_ko.iter().zip(invalid).filter(|(a, b)| a != b).count();
        assert!(game.is_over() || differ <= 1, "{differ} points differ, and only a ko may");
        let action =
            if below(bytes, 8)? == 0 { game.size().pass() } else { action(bytes, game.size())? };
        let mut next = Array3::from_elem(planes.dim(), 7_u8);
        let said = next_state(&planes.view(), action, Form::default(), next.view_mut());
        match game.play(action) {
            Ok(()) => {
                assert_eq!(said, Ok(()));
                for plane in [
                    Plane::Black,
                    Plane::White,
                    Plane::Turn,
                    Plane::Invalid,
                    Plane::Pass,
                    Plane::Done,
                ] {
                    // Of a finished game the functions do not know that nothing may be played.
                    if plane != Plane::Invalid || !game.is_over() {
                        let shown = game.state().planes().plane(plane);
                        assert_eq!(next.index_axis(Axis(0), plane as usize), shown, "{plane:?}");
                    }
                }
            }
            Err(error) => {
                assert!(next.iter().all(|&cell| cell == 7), "a refused action wrote planes");
                let size = game.size();
                assert_eq!(said, Err(PlanesError::Illegal { action, size, why: error }));
            }
        }
    }
}
