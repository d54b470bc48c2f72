//! Whatever stones are played, chains and liberties are those of labelling and dilation.
//!
//! `cargo fuzz run chains_of_a_board_are_the_labelled_groups_of_its_stones`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/byte_laws/mod.rs"]
mod byte_laws;

fuzz_target!(|bytes: &[u8]| {
    byte_laws::chains::chains_of_a_board_are_the_labelled_groups_of_its_stones(bytes);
});
