//! The laws of the fuzzer, on random bytes.

use std::env;
use std::time::{Duration, Instant};

use crate::byte_laws;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Calls a law with bytes of 400 lengths, and then again with others for as long as `SIXPLANE_LAW_SECONDS` says.
fn for_random_bytes(law: fn(&[u8])) {
    let seconds = env::var("SIXPLANE_LAW_SECONDS").map_or(0, |text| text.parse().unwrap());
    let end = Instant::now() + Duration::from_secs(seconds);
    for seed in 1.. {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for length in (0..400).map(|i| 2 * i) {
            let mut bytes = vec![0; length];
            rng.fill_bytes(&mut bytes);
            law(&bytes);
        }
        if Instant::now() >= end {
            break;
        }
    }
}

/// A test of each law, by its name.
macro_rules! tests {
    ($($file:ident::$law:ident,)+) => {
        $(
            #[test]
            fn $law() {
                for_random_bytes(byte_laws::$file::$law);
            }
        )+
    };
}

byte_laws::with_laws!(tests);
