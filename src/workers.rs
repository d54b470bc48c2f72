//! Threads that share work on many items: the calling one, and a rayon pool made when first needed,
//! and made anew in a forked child, where the parent's threads do not exist.
//!
//! To put a thread to sleep and wake it takes 5 to 10 µs, steps of a batch take 50 to 400 and follow
//! one another closely. So whoever is done first looks out for a little while before it sleeps: the
//! caller for the others to end, the others for the caller's next work. Whoever else wants the
//! processor meanwhile gets it.

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

/// A share of work shorter than this costs more to hand over, its memory included, than it saves.
/// Where laws are tested, any work is shared.
const SHARE: Duration =
    if cfg!(debug_assertions) { Duration::from_nanos(100) } else { Duration::from_micros(10) };

/// So many runs a thread, for those that are held up to be helped out.
const RUNS: usize = 4;

/// How long a thread looks out for work before it sleeps.
const LOOKOUT: Duration = Duration::from_micros(50);

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

/// How long one item of some kind of work took the last time: it says how many threads the next
/// work of that kind is worth.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// In picoseconds; 0 before the first time.
    item: AtomicU64,
}

impl Clone for Pace {
    fn clone(&self) -> Self {
        Self { item: AtomicU64::new(self.item.load(Ordering::Relaxed)) }
    }
}

impl Pace {
    fn note(&self, items: usize, took: Duration) {
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.item.store(nanoseconds.saturating_mul(1000) / items.max(1) as u64, Ordering::Relaxed);
    }

    /// How many shares so many items make.
    fn shares(&self, items: usize) -> usize {
        let all = self.item.load(Ordering::Relaxed).saturating_mul(items as u64);
        (all / (1000 * SHARE.as_nanos() as u64)) as usize
    }
}

/// The threads that help the caller, and the process that made them.
#[derive(Debug)]
struct Helpers {
    pool: Option<Arc<ThreadPool>>,
    process: u32,
}

impl Drop for Helpers {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // The pool's threads live in another process: telling them to end would wait for
            // locks that nobody here releases.
            std::mem::forget(self.pool.take());
        }
    }
}

/// The environment variable that limits the number of threads where none is asked for.
const VARIABLE: &str = "SIXPLANE_THREADS";

/// A limit that is no positive integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ThreadsError(String);

impl fmt::Display for ThreadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the environment variable {VARIABLE} must be a positive integer, not {:?}",
            self.0
        )
    }
}

/// How many threads work is given to where nobody asks for a number: as many as there are
/// processors, or fewer if the environment variable `SIXPLANE_THREADS` says so. An empty one says
/// nothing.
pub(crate) fn default_threads() -> Result<usize, ThreadsError> {
    let limit = std::env::var_os(VARIABLE).unwrap_or_default();
    let limit = limit.to_string_lossy();
    match limit.trim().parse() {
        Ok(limit @ 1..) => Ok(processors().min(limit)),
        _ if limit.is_empty() => Ok(processors()),
        _ => Err(ThreadsError(limit.into_owned())),
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Up to so many threads. Results never depend on how many.
#[derive(Debug)]
pub(crate) struct Workers {
    threads: usize,
    helpers: Mutex<Option<Helpers>>,
}

impl Clone for Workers {
    fn clone(&self) -> Self {
        Self { threads: self.threads, helpers: Mutex::new(None) }
    }
}

impl Workers {
    /// `None`: as [`default_threads`] says, of the processors alone if the variable is malformed.
    pub(crate) fn new(threads: Option<usize>) -> Self {
        // Asked once: the answer takes as long as a step of a thousand games.
        let threads = threads.unwrap_or_else(|| default_threads().unwrap_or_else(|_| processors()));
        Self { threads, helpers: Mutex::new(None) }
    }

    /// The threads of this process beside the caller's; `None` if no more can be had.
    fn helpers(&self) -> Option<Arc<ThreadPool>> {
        let mut helpers = lock(&self.helpers);
        let process = std::process::id();
        if helpers.as_ref().is_none_or(|helpers| helpers.process != process) {
            let pool = ThreadPoolBuilder::new().num_threads(self.threads - 1).build().ok()?;
            *helpers = Some(Helpers { pool: Some(Arc::new(pool)), process });
        }
        helpers.as_ref().and_then(|helpers| helpers.pool.clone())
    }

    /// Cuts work on so many items into runs and calls with each: the number of its first item, and
    /// the run. Returns what the calls return, in the order of the runs. `pace` is that of this kind
    /// of work.
    pub(crate) fn runs<S: Split, R: Send>(
        &self,
        pace: &Pace,
        items: usize,
        work: S,
        run: impl Fn(usize, S) -> R + Sync,
    ) -> Vec<R> {
        let begin = Instant::now();
        let threads = self.threads.min(items).min(pace.shares(items));
        let Some(pool) = (threads > 1).then(|| self.helpers()).flatten() else {
            let result = run(0, work);
            pace.note(items, begin.elapsed());
            return vec![result];
        };
        let runs = cut(items, work, items.min(RUNS * threads));
        let busy = AtomicUsize::new(threads - 1);
        pool.in_place_scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|_| {
                    // Its own part first: the same as in the last call, and still in its cache.
                    let helper = pool.current_thread_index().unwrap_or_default();
                    take_turns(&runs, (helper + 1) * runs.len() / self.threads, &run);
                    look_out_for_work();
                    busy.fetch_sub(1, Ordering::Release);
                });
            }
            let begin = Instant::now();
            let taken = take_turns(&runs, 0, &run);
            let end = Instant::now();
            if taken > 0 {
                pace.note(taken * items / runs.len(), end - begin);
            }
            while busy.load(Ordering::Acquire) > 0 && end.elapsed() < LOOKOUT {
                std::thread::yield_now();
            }
        });
        runs.into_iter().filter_map(|run| into_inner(run).result).collect()
    }
}

/// A run of items: the number of the first, the work until somebody takes it, and what came of it.
struct Run<S, R> {
    first: usize,
    work: Option<S>,
    result: Option<R>,
}

/// Work on so many items in so many runs of about the same length.
fn cut<S: Split, R>(items: usize, mut work: S, count: usize) -> Vec<Mutex<Run<S, R>>> {
    let mut runs = Vec::with_capacity(count);
    let mut first = 0;
    for next in (1..count).map(|i| i * items / count) {
        let (run, others) = work.split_at(next - first);
        runs.push(Mutex::new(Run { first, work: Some(run), result: None }));
        (first, work) = (next, others);
    }
    runs.push(Mutex::new(Run { first, work: Some(work), result: None }));
    runs
}

/// Does every run that nobody has taken yet, from `home` on and around; says how many.
fn take_turns<S, R>(runs: &[Mutex<Run<S, R>>], home: usize, run: &impl Fn(usize, S) -> R) -> usize {
    let mut count = 0;
    for i in 0..runs.len() {
        let this = &runs[(home + i) % runs.len()];
        let taken = {
            let mut this = lock(this);
            this.work.take().map(|work| (this.first, work))
        };
        if let Some((first, work)) = taken {
            let result = run(first, work);
            lock(this).result = Some(result);
            count += 1;
        }
    }
    count
}

/// Keeps this thread of a pool from sleeping for a while after its last job.
fn look_out_for_work() {
    thread_local! {
        static LOOKING: Cell<bool> = const { Cell::new(false) };
    }
    if LOOKING.get() {
        // Called by a job that was found that way.
        return;
    }
    rayon::spawn(|| {
        if LOOKING.replace(true) {
            return;
        }
        let mut last = Instant::now();
        while last.elapsed() < LOOKOUT {
            match rayon::yield_now() {
                Some(Yield::Executed) => last = Instant::now(),
                _ => std::thread::yield_now(),
            }
        }
        LOOKING.set(false);
    });
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of work that is worth any number of threads.
    fn slow() -> Pace {
        Pace { item: AtomicU64::new(u64::MAX) }
    }

    fn squares(workers: &Workers, items: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..items).collect();
        let sums = workers.runs(&slow(), items, numbers.as_mut_slice(), |first, run| {
            for (i, number) in run.iter_mut().enumerate() {
                assert_eq!(*number, first + i);
                *number *= first + i;
            }
            run.len()
        });
        assert_eq!(sums.iter().sum::<usize>(), items);
        numbers
    }

    #[test]
    fn every_item_is_done_once_and_results_keep_their_order() {
        for threads in [1, 2, 3, 8] {
            let workers = Workers::new(Some(threads));
            for items in (0..200).chain([1000, 1023, 4096]) {
                let expected: Vec<usize> = (0..items).map(|i| i * i).collect();
                assert_eq!(squares(&workers, items), expected, "{items} items, {threads} threads");
                let all: Vec<usize> = (0..items).collect();
                let runs = workers.runs(&slow(), items, all.as_slice(), |_, run| run.to_vec());
                assert_eq!(runs.concat(), all);
            }
        }
    }

    #[test]
    fn work_is_shared_when_it_takes_long_enough() {
        let workers = Workers::new(Some(4));
        let pace = Pace::default();
        let runs = |pause: u64| {
            let items = [(); 8];
            let run = |_, run: &[()]| {
                std::thread::sleep(Duration::from_micros(pause * run.len() as u64));
            };
            workers.runs(&pace, items.len(), items.as_slice(), run).len()
        };
        assert_eq!(runs(1000), 1, "nobody knows yet how long it takes");
        assert_eq!(runs(1000), 8, "as many as there are items");
        assert_eq!(runs(0), 8, "as it was the last time");
        assert_eq!(pace.shares(0), 0);
        pace.note(1000, 5 * SHARE / 2);
        assert_eq!((pace.shares(1000), pace.shares(4000)), (2, 10));
    }

    #[test]
    fn threads_that_sleep_wake_for_the_next_work() {
        let workers = Workers::new(Some(2));
        for pause in [0, 10, 60, 200, 5000, 0, 100] {
            assert_eq!(squares(&workers, 64).len(), 64);
            std::thread::sleep(Duration::from_micros(pause));
        }
    }

    #[test]
    fn callers_share_the_helpers() {
        let workers = Workers::new(Some(3));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..50).for_each(|_| drop(squares(&workers, 300))));
            }
        });
    }

    #[test]
    fn a_panic_reaches_the_caller_and_leaves_the_threads_usable() {
        let workers = Workers::new(Some(2));
        let items = [0_u8; 256];
        for bad in [0, 255] {
            let work = std::panic::AssertUnwindSafe(|| {
                workers.runs(&slow(), items.len(), items.as_slice(), |first, run| {
                    assert!(!(first..first + run.len()).contains(&bad), "as told");
                });
            });
            assert!(std::panic::catch_unwind(work).is_err());
            assert_eq!(squares(&workers, 256).len(), 256);
        }
    }
}
