//! The games. Each knows nothing of the others.

pub mod go;
