//! How long a search with playouts goes on.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;

/// So many simulations between two questions whether the search should be interrupted.
const INTERVAL: u32 = 8;

/// The limits of a search, shared by its threads, and how much of them is used.
#[derive(Default)]
pub(super) struct Limits {
    simulations: u32,
    deadline: Option<Instant>,
    started: AtomicU32,
    pub(super) done: AtomicU32,
    is_over: AtomicBool,
    pub(super) is_interrupted: AtomicBool,
}

impl Limits {
    pub(super) fn new(simulations: u32, deadline: Option<Instant>) -> Self {
        Self { simulations, deadline, ..Self::default() }
    }

    /// Simulates until all threads together reach a limit, `interrupt` says so, or `simulate` says that it
    /// cannot go on. At least one simulation is run.
    pub(super) fn run(
        &self,
        interrupt: &mut dyn FnMut() -> bool,
        mut simulate: impl FnMut() -> bool,
    ) {
        let mut done = 0;
        while !self.is_over.load(Ordering::Relaxed)
            && self.started.fetch_add(1, Ordering::Relaxed) < self.simulations
        {
            let goes_on = simulate();
            done += 1;
            let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let is_interrupted = done % INTERVAL == 0 && interrupt();
            if is_interrupted {
                self.is_interrupted.store(true, Ordering::Relaxed);
            }
            if !goes_on || is_late || is_interrupted {
                self.is_over.store(true, Ordering::Relaxed);
            }
        }
        self.done.fetch_add(done, Ordering::Relaxed);
    }
}
