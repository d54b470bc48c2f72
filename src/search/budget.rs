//! How long a search with rollouts goes on.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Time between two looks at whether somebody wants the search to end.
const PATIENCE: Duration = Duration::from_millis(20);

/// How much may still be done, shared by the threads of a search.
pub(super) struct Budget {
    simulations: u32,
    deadline: Option<Instant>,
    started: AtomicU32,
    pub(super) done: AtomicU32,
    is_over: AtomicBool,
    pub(super) interrupted: AtomicBool,
}

impl Budget {
    pub(super) fn new(simulations: u32, deadline: Option<Instant>) -> Self {
        Self {
            simulations,
            deadline,
            started: 0.into(),
            done: 0.into(),
            is_over: false.into(),
            interrupted: false.into(),
        }
    }

    /// Works until the budget is spent by all threads together, or `simulate` says that it cannot go on.
    /// At least one simulation is run.
    pub(super) fn spend(
        &self,
        interrupt: &mut dyn FnMut() -> bool,
        mut simulate: impl FnMut() -> bool,
    ) {
        let mut asked = Instant::now();
        let mut done = 0;
        while self.started.fetch_add(1, Ordering::Relaxed) < self.simulations {
            let goes_on = simulate();
            done += 1;
            if !goes_on {
                self.is_over.store(true, Ordering::Relaxed);
                break;
            }
            if done % 8 == 0 || self.deadline.is_some() {
                let now = Instant::now();
                if self.deadline.is_some_and(|deadline| now >= deadline) {
                    self.is_over.store(true, Ordering::Relaxed);
                }
                if now.duration_since(asked) > PATIENCE {
                    asked = now;
                    if interrupt() {
                        self.interrupted.store(true, Ordering::Relaxed);
                        self.is_over.store(true, Ordering::Relaxed);
                    }
                }
                if self.is_over.load(Ordering::Relaxed) {
                    break;
                }
            }
        }
        self.done.fetch_add(done, Ordering::Relaxed);
    }
}
