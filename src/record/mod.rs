//! Records of games: games as text, and back.
//!
//! [`sgf`] is the format and knows no game; [`Recorded`] is a game whose main line it can hold.
//!
//! Go's rules are named by `RU`:
//!
//! | ko | suicide | written | read as well, in any case |
//! |---|---|---|---|
//! | simple | no | `Chinese` | `Japanese`, `Korean` |
//! | simple | yes | `koSIMPLEscoreAREAtaxNONEsui1` | |
//! | positional | no | `koPOSITIONALscoreAREAtaxNONEsui0` | `Chinese-OGS`, `Chinese-KGS` |
//! | positional | yes | `Tromp-Taylor` | `GOE`, `Ing` |
//! | situational | no | `AGA` | `BGA`, `French` |
//! | situational | yes | `NZ` | `New Zealand` |
//!
//! The names say more than ko and suicide, but that is all that is taken from them: scores are
//! counted by area, and komi is what `KM` says. The names are those of the format where it has
//! one, the others and the spelling of single rules are `KataGo`'s.
//!
//! For Gomoku `RU` is `Freestyle` or `Standard` (exactly five); Reversi has no rules to name.

mod go;
mod gomoku;
mod main_line;
mod opening;
mod points;
mod recorded;
mod reversi;
pub mod sgf;

pub use go::{GivenRules, NamedRules};
pub use gomoku::GivenGomokuRules;
pub use recorded::{Info, LeftOut, Recorded, Start};
pub use sgf::SgfError;
