//! The games that Python has: those of the crate, and those whose rules are Python themselves.

pub(super) use super::own_game as own;
pub(super) use crate::games::*;

/// Calls a macro with the module and the type of every game, as `games::for_each_game`.
macro_rules! for_each_game_of_python {
    ($visit:ident) => {
        $crate::games::for_each_game!($visit, own: OwnGame);
    };
}
pub(super) use for_each_game_of_python;
