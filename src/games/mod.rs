//! The games. Each knows nothing of the others.

pub mod go;
pub mod gomoku;
pub mod reversi;
