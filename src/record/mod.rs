//! Records of games: games as text, and back.
//!
//! [`sgf`] is the format and knows no game; [`Recorded`] is a game whose main line it can hold: any with
//! [`RecordRules`].
//!
//! [`NamedRules`] are the names of Go's rules (`RU`). Where a combination of ko and suicide has no
//! name, it is written as `KataGo` spells single rules, such as `koSIMPLEscoreAREAtaxNONEsui1`. The
//! names say more than ko and suicide, but only these two are read from them: scores are counted
//! by area, and komi is what `KM` says. For Gomoku `RU` is `Freestyle` or `Standard` (exactly
//! five). Reversi has no rules to name; its records name points as the board does.
//!
//! What others write and the format does not know is read where it is surely meant, and else left out
//! with an [`SgfWarning`](sgf::SgfWarning).

mod connect_four;
mod go;
mod gomoku;
mod handicap;
mod hex;
mod komi;
mod main_line;
mod number;
mod opening;
mod point;
mod recorded;
mod reversi;
mod rules;
pub mod sgf;
mod spelling;
mod tic_tac_toe;
mod write;

pub use go::{GivenRules, NamedRules};
pub use gomoku::GivenGomokuRules;
pub use hex::GivenHexRules;
pub use point::{action_named, record_name, recorded_action};
pub use recorded::Recorded;
pub use rules::{RecordRules, Start};
pub use sgf::SgfError;
pub use write::Info;
