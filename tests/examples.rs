//! The examples run: each has a test that calls its `main`.

#[path = "../examples/batch.rs"]
mod batch;
#[path = "../examples/play.rs"]
mod play;
#[path = "../examples/search.rs"]
mod search;
