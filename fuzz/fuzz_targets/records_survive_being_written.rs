//! Whatever bytes are read as SGF: nothing panics, trees and games survive being written.
//!
//! `cargo fuzz run records_survive_being_written`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/byte_laws/mod.rs"]
mod byte_laws;

fuzz_target!(|bytes: &[u8]| byte_laws::records::records_survive_being_written(bytes));
