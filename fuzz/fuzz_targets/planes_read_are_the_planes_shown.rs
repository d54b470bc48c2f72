//! Whatever planes are read: they are refused, or shown again by the game read from them.
//!
//! `cargo fuzz run planes_read_are_the_planes_shown`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/byte_laws/mod.rs"]
mod byte_laws;

fuzz_target!(|bytes: &[u8]| byte_laws::planes::planes_read_are_the_planes_shown(bytes));
