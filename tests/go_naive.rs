//! The naive Go is itself checked, against numbers that others have counted.

use crate::{cases, naive};

use naive::{Ko, Naive, Rules, legal_positions, perft};

fn counts(rows: usize, cols: usize, ko: Ko, depths: std::ops::RangeInclusive<usize>) -> Vec<u64> {
    let game = Naive::new(Rules::new(rows, cols, ko));
    depths.map(|depth| perft(&game, depth)).collect()
}

#[test]
fn naive_counts_the_legal_positions() {
    assert_eq!(legal_positions(2, 2), 57);
    assert_eq!(legal_positions(3, 3), 12_675);
}

#[test]
fn naive_perft_is_the_known_one() {
    for ko in Ko::ALL {
        assert_eq!(counts(2, 2, ko, 1..=6), [5, 21, 68, 156, 316, 604], "2x2 {ko:?}");
        assert_eq!(counts(3, 3, ko, 1..=4), [10, 91, 738, 5_281], "3x3 {ko:?}");
        assert_eq!(counts(5, 5, ko, 1..=3), [26, 651, 15_650], "5x5 {ko:?}");
    }
}

#[test]
fn naive_perft_tells_the_ko_rules_apart() {
    assert_eq!(counts(2, 2, Ko::Simple, 7..=7), [1_168]);
    assert_eq!(counts(2, 2, Ko::Positional, 7..=7), [1_088]);
    assert_eq!(counts(2, 2, Ko::Situational, 7..=7), [1_112]);
}

#[test]
fn naive_passes_every_case() {
    let runs: usize = cases::all().iter().map(cases::run::<Naive>).sum();
    println!("{runs} runs of the cases");
}
