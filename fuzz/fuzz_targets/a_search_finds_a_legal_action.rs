//! Whatever position and settings a search has: it ends with a legal action.
//!
//! `cargo fuzz run a_search_finds_a_legal_action`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/byte_laws/mod.rs"]
mod byte_laws;

fuzz_target!(|bytes: &[u8]| byte_laws::searches::a_search_finds_a_legal_action(bytes));
