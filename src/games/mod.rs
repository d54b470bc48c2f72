//! The games. Each knows nothing of the others.
//!
//! The list at the end is all that the crate knows of its games: a new one is a folder here and a
//! line there.

mod any_width;
mod lines;

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::game::Game;

/// The text of a board with each row half a point to the right of the row above.
fn slanted(board: &str) -> String {
    let lines = board.lines().enumerate();
    let moved = lines.map(|(i, line)| format!("{:1$}{line}", "", i.saturating_sub(1)));
    moved.collect::<Vec<_>>().join("\n")
}

/// Declares the games, what all of them have alike, and [`for_each_game`] of them.
macro_rules! games {
    ($dollar:tt $($module:ident: $Game:ident,)*) => {
        $(
            pub mod $module;

            impl PartialEq for $module::$Game {
                fn eq(&self, other: &Self) -> bool {
                    self.same_game(other)
                }
            }

            impl Eq for $module::$Game {}

            impl Hash for $module::$Game {
                fn hash<H: Hasher>(&self, hasher: &mut H) {
                    self.rules().hash(hasher);
                    self.state().hash_history(hasher);
                }
            }

            impl fmt::Display for $module::$Game {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    let last = self.state().actions().next_back();
                    let text = Self::NOTATION.draw(self.state().planes(), last);
                    f.write_str(&if Self::IS_SLANTED { slanted(&text) } else { text })
                }
            }
        )*

        /// Calls a macro with the module and the type of every game:
        /// `for_each_game!(visit)` is `visit! { go: Go, gomoku: Gomoku, ... }`. More may be named after it.
        #[allow(unused_macros)] // Only the Python module needs it.
        macro_rules! for_each_game {
            ($dollar visit:ident $dollar(, $dollar more:ident: $dollar More:ident)*) => {
                $dollar visit! { $($module: $Game),* $dollar(, $dollar more: $dollar More)* }
            };
        }
        #[allow(unused_imports)]
        pub(crate) use for_each_game;
    };
}

games! { $
    connect_four: ConnectFour,
    go: Go,
    gomoku: Gomoku,
    hex: Hex,
    reversi: Reversi,
    tic_tac_toe: TicTacToe,
}
