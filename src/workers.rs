//! Threads that share the work on a slice: a rayon pool made when first needed, and made anew in
//! a forked child, where the parent's threads do not exist.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::rows::RowsMut;

/// Below this many items a thread, waking threads costs more than they save.
const GRAIN: usize = 16;

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
    threads: Option<usize>,
    pool: Mutex<Option<Owned>>,
}

impl Clone for Workers {
    fn clone(&self) -> Self {
        Self::new(self.threads)
    }
}

impl Workers {
    /// `None`: as many as there are processors.
    pub(crate) fn new(threads: Option<usize>) -> Self {
        Self { threads, pool: Mutex::new(None) }
    }

    /// The pool of this process; `None` if one thread is enough or no more can be had.
    fn pool(&self, items: usize) -> Option<Arc<ThreadPool>> {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.unwrap_or_else(processors).min(items / GRAIN);
        if threads < 2 {
            return None;
        }
        let mut owned = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if owned.as_ref().is_none_or(|owned| owned.process != process) {
            let threads = self.threads.unwrap_or_else(processors);
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().ok()?;
            *owned = Some(Owned { pool: Some(Arc::new(pool)), process });
        }
        owned.as_ref().and_then(|owned| owned.pool.clone())
    }

    /// Calls with every item.
    pub(crate) fn each<T: Send>(&self, items: &mut [T], work: impl Fn(&mut T) + Sync) {
        let mut nothing = vec![(); items.len()];
        self.pairs(items, &mut nothing, |item, ()| work(item));
    }

    /// Calls with every item and its partner.
    pub(crate) fn pairs<T: Send, U: Send>(
        &self,
        items: &mut [T],
        partners: &mut [U],
        work: impl Fn(&mut T, &mut U) + Sync,
    ) {
        fn split<T: Send, U: Send>(
            items: &mut [T],
            partners: &mut [U],
            grain: usize,
            work: &(impl Fn(&mut T, &mut U) + Sync),
        ) {
            if items.len() <= grain {
                for (item, partner) in items.iter_mut().zip(partners) {
                    work(item, partner);
                }
                return;
            }
            let half = items.len() / 2;
            let ((items, others), (partners, strangers)) =
                (items.split_at_mut(half), partners.split_at_mut(half));
            rayon::join(
                || split(items, partners, grain, work),
                || split(others, strangers, grain, work),
            );
        }
        match self.pool(items.len()) {
            None => split(items, partners, usize::MAX, &work),
            Some(pool) => {
                let grain = grain(items.len(), &pool);
                pool.install(|| split(items, partners, grain, &work));
            }
        }
    }

    /// Calls with runs of items and their rows: the number of the first item, the run, its rows.
    /// Returns what the calls return, in the order of the runs.
    pub(crate) fn rows<T: Send, R: Send>(
        &self,
        items: &mut [T],
        rows: RowsMut<'_>,
        work: impl Fn(usize, &mut [T], RowsMut<'_>) -> R + Sync,
    ) -> Vec<R> {
        fn split<T: Send, R: Send>(
            first: usize,
            items: &mut [T],
            rows: RowsMut<'_>,
            grain: usize,
            work: &(impl Fn(usize, &mut [T], RowsMut<'_>) -> R + Sync),
        ) -> Vec<R> {
            if items.len() <= grain {
                return vec![work(first, items, rows)];
            }
            let half = items.len() / 2;
            let ((items, others), (rows, other_rows)) =
                (items.split_at_mut(half), rows.split_at(half));
            let (mut results, later) = rayon::join(
                || split(first, items, rows, grain, work),
                || split(first + half, others, other_rows, grain, work),
            );
            results.extend(later);
            results
        }
        match self.pool(items.len()) {
            None => split(0, items, rows, usize::MAX, &work),
            Some(pool) => {
                let grain = grain(items.len(), &pool);
                pool.install(|| split(0, items, rows, grain, &work))
            }
        }
    }
}

/// Runs short enough that threads which are held up are helped out, and no shorter.
fn grain(items: usize, pool: &ThreadPool) -> usize {
    (items / (4 * pool.current_num_threads())).max(GRAIN)
}
