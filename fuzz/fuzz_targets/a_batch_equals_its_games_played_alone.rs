//! Whatever actions and options a batch is given: it equals its games played alone.
//!
//! `cargo fuzz run a_batch_equals_its_games_played_alone`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/byte_laws/mod.rs"]
mod byte_laws;

fuzz_target!(|bytes: &[u8]| byte_laws::batches::a_batch_equals_its_games_played_alone(bytes));
