//! Whatever position and limits a solver has: its value is that of minimax, or none.
//!
//! `cargo fuzz run an_exact_value_is_that_of_minimax`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/byte_laws/mod.rs"]
mod byte_laws;

fuzz_target!(|bytes: &[u8]| byte_laws::exact::an_exact_value_is_that_of_minimax(bytes));
