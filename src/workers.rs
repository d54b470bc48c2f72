//! Threads that share work on many items: a rayon pool made when first needed, and made anew in
//! a forked child, where the parent's threads do not exist.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Below this many items a thread, waking threads costs more than they save.
const GRAIN: usize = 48;

/// Work on many items that can be cut in two.
pub(crate) trait Split: Send + Sized {
    /// The work on the first `items`, and on the others.
    fn split_at(self, items: usize) -> (Self, Self);
}

impl<T: Send> Split for &mut [T] {
    fn split_at(self, items: usize) -> (Self, Self) {
        self.split_at_mut(items)
    }
}

impl<T: Sync> Split for &[T] {
    fn split_at(self, items: usize) -> (Self, Self) {
        <[T]>::split_at(self, items)
    }
}

impl<A: Split, B: Split> Split for (A, B) {
    fn split_at(self, items: usize) -> (Self, Self) {
        let ((a, after_a), (b, after_b)) = (self.0.split_at(items), self.1.split_at(items));
        ((a, b), (after_a, after_b))
    }
}

impl<A: Split, B: Split, C: Split> Split for (A, B, C) {
    fn split_at(self, items: usize) -> (Self, Self) {
        let ((ab, c), (after_ab, after_c)) = ((self.0, self.1), self.2).split_at(items);
        ((ab.0, ab.1, c), (after_ab.0, after_ab.1, after_c))
    }
}

/// A pool and the process that made it.
#[derive(Debug)]
struct Owned {
    pool: Option<Arc<ThreadPool>>,
    process: u32,
}

impl Drop for Owned {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // The pool's threads live in another process: telling them to end would wait for
            // locks that nobody here releases.
            std::mem::forget(self.pool.take());
        }
    }
}

/// Up to so many threads. Results never depend on how many.
#[derive(Debug)]
pub(crate) struct Workers {
    threads: usize,
    pool: Mutex<Option<Owned>>,
}

impl Clone for Workers {
    fn clone(&self) -> Self {
        Self { threads: self.threads, pool: Mutex::new(None) }
    }
}

impl Workers {
    /// `None`: as many as there are processors.
    pub(crate) fn new(threads: Option<usize>) -> Self {
        // Asked once: the answer takes as long as a step of a thousand games.
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads: threads.unwrap_or_else(processors), pool: Mutex::new(None) }
    }

    /// The pool of this process; `None` if one thread is enough or no more can be had.
    fn pool(&self, items: usize) -> Option<Arc<ThreadPool>> {
        let threads = self.threads.min(items / GRAIN);
        if threads < 2 {
            return None;
        }
        let mut owned = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if owned.as_ref().is_none_or(|owned| owned.process != process) {
            let pool = ThreadPoolBuilder::new().num_threads(self.threads).build().ok()?;
            *owned = Some(Owned { pool: Some(Arc::new(pool)), process });
        }
        owned.as_ref().and_then(|owned| owned.pool.clone())
    }

    /// Cuts work on so many items into runs and calls with each: the number of its first item, and
    /// the run. Returns what the calls return, in the order of the runs.
    pub(crate) fn runs<S: Split, R: Send>(
        &self,
        items: usize,
        work: S,
        run: impl Fn(usize, S) -> R + Sync,
    ) -> Vec<R> {
        fn split<S: Split, R: Send>(
            (first, items): (usize, usize),
            work: S,
            grain: usize,
            run: &(impl Fn(usize, S) -> R + Sync),
        ) -> Vec<R> {
            if items <= grain {
                return vec![run(first, work)];
            }
            let half = items / 2;
            let (work, others) = work.split_at(half);
            let (mut results, later) = rayon::join(
                || split((first, half), work, grain, run),
                || split((first + half, items - half), others, grain, run),
            );
            results.extend(later);
            results
        }
        match self.pool(items) {
            None => vec![run(0, work)],
            Some(pool) => {
                let grain = grain(items, &pool);
                pool.install(|| split((0, items), work, grain, &run))
            }
        }
    }
}

/// Runs short enough that threads which are held up are helped out, and no shorter.
fn grain(items: usize, pool: &ThreadPool) -> usize {
    (items / (4 * pool.current_num_threads())).max(GRAIN)
}
