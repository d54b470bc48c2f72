//! Board games whose whole state is six planes.
//!
//! The core stores the six-channel state (black, white, turn, invalid, pass, done) as `ndarray` planes
//! ([`planes`] says what 1 means in each) and computes groups by flood-fill labelling and liberties by
//! dilation ([`morphology`]); a game of Go in play starts from those groups and then brings its chains up
//! to date with each stone.
//!
//! A state is an array `(6, rows, cols)` of 0 and 1. An [`Action`] is the number `row * cols + col`, row 0
//! at the top, and `rows * cols` passes. The invalid plane is exact: under every rule, superko
//! included, an action may be played if and only if its point is 0 there.
//!
//! ```
//! use sixplane::{Action, Color, Game, Go, Outcome, Plane};
//!
//! let mut game = Go::new(3)?;
//! game.play(Action::new(4))?;
//! assert_eq!(game.turn(), Color::White);
//! assert_eq!(game.state().planes().plane(Plane::Invalid).to_string(), "\
//! [[0, 0, 0],
//!  [0, 1, 0],
//!  [0, 0, 0]]");
//! let pass = game.size().pass();
//! game.play(pass)?;
//! game.play(pass)?;
//! assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)));
//! assert_eq!(game.score(), 9.0 - 7.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Two levels
//!
//! *Functions on planes* ([`functional`]) know what six planes can know: simple ko lives in the
//! invalid plane. *Games* ([`Game`]) know the history as well, hence positional and
//! situational superko, undo and records. Tests compare the two where both apply.
//!
//! # Where everything is
//!
//! Each module uses those above it and none below.
//!
//! | module | what it is about |
//! |---|---|
//! | [`geometry`], [`color`], [`random`] | sizes, points, actions; the two colors; random streams |
//! | `threads`, `prefetch`, `clone` | a pool of threads; prefetching; copies into memory that is there already |
//! | [`log`], [`status`], [`error`] | what is played; what came of it; why an action is refused |
//! | [`zobrist`], [`bits`] | hash keys; one plane as bits: shifting, counting, selecting |
//! | [`planes`], [`view`] | the six planes, and the bridge between cells and bits; whose side they are seen from |
//! | [`morphology`], [`symmetry`], [`notation`] | dilation, flood fill and labelling; turns and reflections; names of points |
//! | [`functional`] | pure functions on six planes: next state, invalid plane, areas, children |
//! | [`setup`], [`state`], [`game`] | starting positions; the planes with the history; what a game is |
//! | [`playout`] | random play to the end of a game; what a game knows of its actions |
//! | [`exact`] | exact values: who wins for certain, by a game's own solver |
//! | [`games`] | the games, none of which knows another; Go's rules of repetition are in `games::go::simple_ko` and `superko` |
//! | [`own`] | games of a crate of your own, which Python takes: the rules alone, and the C functions by which they are asked |
//! | [`record`], [`players`] | SGF; players without search, and games between them |
//! | [`batch`] | many games in one step |
//! | [`search`] | Monte-Carlo tree search with playouts or evaluators; UCB1, PUCT and Gumbel in `search::selection` |
//! | `bindings` | the Python module, only with the feature `python`; a crate's module of games, only with `python-game` |
//!
//! The Python module holds no rules of its own.

pub mod batch;
#[cfg(feature = "python")]
mod bindings;
pub mod bits;
mod clone;
pub mod color;
// What the crate of another game needs of Python, without the rest of the bindings.
#[cfg(feature = "python-game")]
#[doc(hidden)]
#[path = "bindings/crate_module.rs"]
pub mod crate_module;
pub mod error;
pub mod exact;
pub mod functional;
pub mod game;
pub mod games;
pub mod geometry;
pub mod log;
pub mod morphology;
pub mod notation;
pub mod own;
pub mod planes;
pub mod players;
pub mod playout;
mod prefetch;
pub mod random;
pub mod record;
pub mod search;
pub mod setup;
pub mod state;
pub mod status;
pub mod symmetry;
mod threads;
pub mod view;
pub mod zobrist;

pub use color::{ByColor, Color};
pub use error::{PlayError, ReplayError, UndoError};
pub use exact::Exact;
pub use game::Game;
pub use games::connect_four::ConnectFour;
pub use games::go::{EyeRule, Go, KoRule, Komi, Rules, RulesError};
pub use games::gomoku::{Gomoku, GomokuRules};
pub use games::hex::{Hex, HexRules};
pub use games::reversi::{Reversi, ReversiRules};
pub use games::tic_tac_toe::TicTacToe;
pub use geometry::{Action, BoardSize, Point, SizeError};
pub use log::{Change, Step};
pub use notation::Notation;
pub use planes::{NUM_PLANES, Plane, Planes};
pub use playout::Playouts;
pub use random::RandomStream;
pub use setup::{Setup, SetupError};
pub use state::State;
pub use status::{Ending, Outcome, Status};
