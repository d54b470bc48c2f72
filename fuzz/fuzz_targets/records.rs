//! Whatever bytes are read as SGF: nothing panics, trees and games survive being written.
//!
//! `cargo +nightly fuzz run records`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/record_laws/mod.rs"]
mod record_laws;

fuzz_target!(|bytes: &[u8]| record_laws::check(bytes));
