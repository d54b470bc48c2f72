//! Whatever is played: the functions on planes say what a game of Go says.
//!
//! `cargo fuzz run functions_on_planes_agree_with_go`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/byte_laws/mod.rs"]
mod byte_laws;

fuzz_target!(|bytes: &[u8]| byte_laws::functional::functions_on_planes_agree_with_go(bytes));
