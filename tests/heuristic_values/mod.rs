//! The heuristic value of every play, found by trying it out and looking: slow and plain.

mod go;
mod reversi;
