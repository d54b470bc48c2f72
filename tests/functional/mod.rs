//! The functional level against a plain board of cells.

mod go;
mod morphology;
mod plain;
