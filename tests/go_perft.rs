//! The number of action sequences, against numbers that others have counted and against the naive Go.

use crate::{naive, product};

use naive::{Ko, Naive};
use sixplane::{Game, Go};

/// Counts by playing on copies.
fn perft_by_copies(game: &Go, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let children = game.legal_actions().into_iter().map(|action| {
        let mut next = game.clone();
        next.play(action).expect("the action is legal");
        perft_by_copies(&next, depth - 1)
    });
    children.sum()
}

/// Counts by playing and taking back on one game.
fn perft_by_undo(game: &mut Go, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for action in game.legal_actions() {
        game.play(action).expect("the action is legal");
        count += perft_by_undo(game, depth - 1);
        game.undo().expect("an action was played");
    }
    count
}

fn counts(rows: usize, cols: usize, ko: Ko, depths: std::ops::RangeInclusive<u32>) -> Vec<u64> {
    let game = product::empty(naive::Rules::new(rows, cols, ko));
    depths
        .map(|depth| {
            let count = perft_by_copies(&game, depth);
            let mut played = game.clone();
            assert_eq!(count, perft_by_undo(&mut played, depth), "{rows}x{cols} {ko:?} {depth}");
            assert_eq!(played, game);
            count
        })
        .collect()
}

#[test]
fn perft_is_the_known_one() {
    for ko in Ko::ALL {
        assert_eq!(counts(2, 2, ko, 1..=6), [5, 21, 68, 156, 316, 604], "2x2 {ko:?}");
        assert_eq!(counts(3, 3, ko, 1..=4), [10, 91, 738, 5_281], "3x3 {ko:?}");
        assert_eq!(counts(5, 5, ko, 1..=3), [26, 651, 15_650], "5x5 {ko:?}");
    }
}

#[test]
fn perft_tells_the_ko_rules_apart() {
    assert_eq!(counts(2, 2, Ko::Simple, 7..=7), [1_168]);
    assert_eq!(counts(2, 2, Ko::Positional, 7..=7), [1_088]);
    assert_eq!(counts(2, 2, Ko::Situational, 7..=7), [1_112]);
}

#[test]
fn perft_equals_the_naive_one_on_rectangles_with_and_without_suicide() {
    for ko in Ko::ALL {
        for suicide in [false, true] {
            for (rows, cols, depth) in [(2, 2, 9), (2, 3, 7), (3, 2, 7), (2, 5, 4), (4, 3, 4)] {
                let rules = naive::Rules { suicide, ..naive::Rules::new(rows, cols, ko) };
                let expected = naive::perft(&Naive::new(rules), depth as usize);
                let found = perft_by_copies(&product::empty(rules), depth);
                assert_eq!(found, expected, "{rules:?} {depth}");
            }
        }
    }
}
