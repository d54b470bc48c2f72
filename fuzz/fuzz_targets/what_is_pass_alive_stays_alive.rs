//! Whatever one color plays while the other always passes: what is pass-alive stays so.
//!
//! `cargo fuzz run what_is_pass_alive_stays_alive`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/byte_laws/mod.rs"]
mod byte_laws;

fuzz_target!(|bytes: &[u8]| byte_laws::life::what_is_pass_alive_stays_alive(bytes));
