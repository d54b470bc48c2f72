//! Board games whose whole state is six planes.

#[cfg(feature = "python")]
mod bindings;
pub mod bits;
pub mod color;
pub mod functional;
pub mod game;
pub mod games;
pub mod geometry;
pub mod morphology;
pub mod notation;
pub mod planes;
pub mod players;
pub mod record;
pub mod setup;
pub mod state;
pub mod symmetry;
pub mod zobrist;

pub use color::{ByColor, Color};
pub use game::{Game, PlayError, ReplayError, UndoError};
pub use games::go::{EyeRule, Go, KoRule, Komi, Rules, RulesError};
pub use geometry::{Action, BoardSize, Point, SizeError};
pub use notation::Notation;
pub use planes::{NUM_PLANES, Plane, Planes};
pub use setup::{Setup, SetupError};
pub use state::{Ending, Outcome, State, Status, Step};
