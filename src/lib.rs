//! Board games whose whole state is six planes.

pub mod bits;
pub mod color;
pub mod geometry;
pub mod planes;
pub mod zobrist;

pub use color::{ByColor, Color};
pub use geometry::{Action, BoardSize, Point, SizeError};
pub use planes::{NUM_PLANES, Plane, Planes};
