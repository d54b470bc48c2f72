//! How many random games a law looks at: a third in the check of a change, all of them at night.

use std::ops::Div;

/// A third of the games, one at least, or all of them where `SIXPLANE_LAWS` is `all`.
pub fn share<N: Div<Output = N> + From<u8> + Ord>(games: N) -> N {
    let all = std::env::var_os("SIXPLANE_LAWS").is_some_and(|value| value == "all");
    if all { games } else { N::max(games / 3.into(), 1.into()) }
}
