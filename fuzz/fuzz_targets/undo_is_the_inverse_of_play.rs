//! Whatever is played, taken back, set or resigned: undo is the inverse of each step.
//!
//! `cargo fuzz run undo_is_the_inverse_of_play`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/byte_laws/mod.rs"]
mod byte_laws;

fuzz_target!(|bytes: &[u8]| byte_laws::games::undo_is_the_inverse_of_play(bytes));
