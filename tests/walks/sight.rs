//! All that can be seen of a game, to be compared.

use crate::product;
use ndarray::{Array2, Array3};
use sixplane::{Action, ByColor, Color, Game, Go, Status};

/// All that can be seen of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    pub planes: Array3<u8>,
    history_planes: Array3<u8>,
    mask: Vec<i8>,
    legal: Vec<Action>,
    turn: Color,
    status: Status,
    hash: u64,
    pub actions: Vec<Action>,
    pub captures: ByColor<usize>,
    areas: ByColor<usize>,
    half_score: i32,
    chains: Array2<i32>,
    liberties: Array2<i32>,
}

/// The action mask.
pub fn mask(game: &Go) -> Vec<i8> {
    let mut mask = vec![7; game.size().num_actions()];
    game.write_action_mask(&mut mask);
    mask
}

/// What is seen of a game now.
pub fn sight(game: &Go) -> Sight {
    Sight {
        planes: game.planes().to_owned(),
        history_planes: game.state().history_planes(8),
        mask: mask(game),
        legal: game.legal_actions(),
        turn: game.turn(),
        status: game.status(),
        hash: game.state().hash(),
        actions: game.state().actions().collect(),
        captures: game.captures(),
        areas: game.areas(),
        half_score: product::half_score(game),
        chains: game.chains(),
        liberties: game.liberties(),
    }
}
