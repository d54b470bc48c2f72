//! The laws of the fuzz targets, on random bytes.

use std::env;
use std::time::{Duration, Instant};

use crate::byte_laws;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Calls a law with bytes of 400 lengths, and then again with others for as long as `SIXPLANE_LAW_SECONDS` says.
fn for_random_bytes(law: fn(&[u8])) {
    let seconds = env::var("SIXPLANE_LAW_SECONDS").map_or(0, |text| text.parse().unwrap());
    let end = Instant::now() + Duration::from_secs(seconds);
    for seed in 1.. {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for length in (0..400).map(|i| 2 * i) {
            let mut bytes = vec![0; length];
            rng.fill_bytes(&mut bytes);
            law(&bytes);
        }
        if Instant::now() >= end {
            break;
        }
    }
}

#[test]
fn chains_of_a_board_are_the_labelled_groups_of_its_stones() {
    for_random_bytes(byte_laws::chains::chains_of_a_board_are_the_labelled_groups_of_its_stones);
}

#[test]
fn what_is_pass_alive_stays_alive() {
    for_random_bytes(byte_laws::life::what_is_pass_alive_stays_alive);
}

#[test]
fn undo_is_the_inverse_of_play() {
    for_random_bytes(byte_laws::games::undo_is_the_inverse_of_play);
}

#[test]
fn planes_read_are_the_planes_shown() {
    for_random_bytes(byte_laws::planes::planes_read_are_the_planes_shown);
}

#[test]
fn functions_on_planes_agree_with_go() {
    for_random_bytes(byte_laws::functional::functions_on_planes_agree_with_go);
}

#[test]
fn a_batch_equals_its_games_played_alone() {
    for_random_bytes(byte_laws::batches::a_batch_equals_its_games_played_alone);
}

#[test]
fn a_search_finds_a_legal_action() {
    for_random_bytes(byte_laws::searches::a_search_finds_a_legal_action);
}

#[test]
fn an_exact_value_is_that_of_minimax() {
    for_random_bytes(byte_laws::exact::an_exact_value_is_that_of_minimax);
}
