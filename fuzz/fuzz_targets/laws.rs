//! The law that the variable `LAW` names, on bytes that the fuzzer chooses.
//!
//! `LAW=undo_is_the_inverse_of_play cargo fuzz run --sanitizer none laws`

#![no_main]

use std::env;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/byte_laws/mod.rs"]
mod byte_laws;

/// The law of a name.
macro_rules! find {
    ($($file:ident::$law:ident,)+) => {
        fn find(name: &str) -> Option<fn(&[u8])> {
            match name {
                $(stringify!($law) => Some(byte_laws::$file::$law),)+
                _ => None,
            }
        }
    };
}

byte_laws::with_laws!(find);

static LAW: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = env::var("LAW").expect("LAW names a law of tests/byte_laws");
    find(&name).unwrap_or_else(|| panic!("tests/byte_laws has no law {name}"))
});

fuzz_target!(|bytes: &[u8]| (*LAW)(bytes));
