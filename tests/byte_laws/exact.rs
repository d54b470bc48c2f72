//! Exact values of any position near the end, beside minimax.

use sixplane::exact::{Effort, Exact, Memory, Task};
use sixplane::{Action, Game, Outcome};

use super::{Bytes, below, connect_four, gomoku, hex, legal_action, reversi, tic_tac_toe};

/// Most empty points of a position that minimax takes.
pub const EMPTY: usize = 5;

/// Whatever the position, the limits and what was solved before: a value is that of minimax, or none, and an action
/// that is marked loses.
pub fn an_exact_value_is_that_of_minimax(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied();
    let _ = (|| match below(&mut bytes, 5)? {
        0 => solved(&reversi(&mut bytes)?, &mut bytes),
        1 => solved(&gomoku(&mut bytes)?, &mut bytes),
        2 => solved(&connect_four(&mut bytes)?, &mut bytes),
        3 => solved(&hex(&mut bytes)?, &mut bytes),
        _ => solved(&tic_tac_toe(&mut bytes), &mut bytes),
    })();
}

/// The value with best play for the player to play, by the rules alone; the first win ends the search.
pub fn minimax<G: Game>(game: &G) -> i8 {
    if game.is_over() {
        let mine = Outcome::Win(game.turn()).sign();
        return mine * game.outcome().map_or(0, Outcome::sign);
    }
    let mut best = -1;
    for action in game.legal_actions() {
        let mut after = game.clone();
        after.play_unchecked(action);
        best = best.max(-minimax(&after));
        if best == 1 {
            break;
        }
    }
    best
}

/// Number of empty points.
pub fn empty<G: Game>(game: &G) -> usize {
    let planes = game.state().planes();
    (0..game.size().points()).filter(|&point| planes.stone(point).is_none()).count()
}

fn solved<G: Exact>(start: &G, bytes: &mut Bytes<'_>) -> Option<()> {
    let (mut game, mut memory) = (start.clone(), Memory::default());
    while !game.is_over() {
        // With many empty points as well: nothing panics, and what is marked can be played.
        let effort = [Effort::Leaf, Effort::Root, Effort::Whole][below(bytes, 3)?];
        let (limit, mut interrupt) = (20 * below(bytes, 100)? as u64, || false);
        let mut task = Task::new(effort, &mut interrupt).with_nodes(limit);
        let found = game.solve(&mut task, &mut memory);
        let (at_leaf, losing) = game.at_leaf(&mut memory);
        let exact =
            (empty(&game) <= EMPTY && game.check_solvable().is_ok()).then(|| minimax(&game));
        for value in [found.value, at_leaf].into_iter().flatten() {
            assert!(exact.is_none_or(|exact| value == exact), "{game:?}");
        }
        let mut end = game.clone();
        found.line.iter().for_each(|&action| end.play(action).expect("the line can be played"));
        assert!(found.nodes <= limit);
        for action in losing.iter().map(Action::new) {
            let mut after = game.clone();
            after.play(action).expect("a marked action is legal");
            assert!(exact.is_none() || minimax(&after) == 1, "{action:?} of {game:?}");
        }
        game.play(legal_action(bytes, &game)?).expect("a legal action");
    }
    Some(())
}
