//! Threads that share the work of one call: the calling thread and a rayon pool of helpers.
//!
//! The pool is made when it is first needed, and made anew in a forked child, where the threads of
//! the parent do not exist. Results never depend on the number of threads.
//!
//! To put a thread to sleep and wake it again takes 5 to 10 µs, and steps of a batch take 50 to 400
//! and follow one another closely. So a thread that runs out of work spins for a little while before
//! it sleeps: the caller until the helpers are done, a helper until the next call. While it spins it
//! yields the processor to any other thread.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};
use thiserror::Error;

/// Tasks for each thread: a thread that is held up leaves its later tasks to the others.
const TASKS: usize = 4;

/// How long a thread without work spins before it sleeps.
const SPIN: Duration = Duration::from_micros(50);

/// The environment variable that limits the number of threads where the caller gives none.
const VARIABLE: &str = "SIXPLANE_THREADS";

/// The value of `SIXPLANE_THREADS` is no positive integer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the environment variable {name} must be a positive integer, not {0:?}", name = VARIABLE)]
pub(crate) struct ThreadsError(String);

/// The number of threads where the caller gives none: as many as there are processors, or fewer if
/// the environment variable `SIXPLANE_THREADS` says so. An empty variable counts as unset.
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

/// Up to so many threads, the calling one included.
#[derive(Debug)]
pub(crate) struct Threads {
    count: usize,
    /// The helpers and the process that made them.
    pool: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

impl Clone for Threads {
    /// As many threads, with a pool of their own.
    fn clone(&self) -> Self {
        Self::new(Some(self.count))
    }
}

impl Threads {
    /// `None`: as many as [`default_threads`] says, or as there are processors if the variable is
    /// malformed. Zero is one.
    pub(crate) fn new(count: Option<usize>) -> Self {
        let count = count.unwrap_or_else(|| default_threads().unwrap_or_else(|_| processors()));
        Self { count: count.max(1), pool: Mutex::new(None) }
    }

    /// The number of items a task should have: at least `least`, which should take some 10 µs.
    pub(crate) fn task_len(&self, items: usize, least: usize) -> usize {
        if self.count == 1 { items.max(1) } else { items.div_ceil(TASKS * self.count).max(least) }
    }

    /// Calls `work` with each task and returns the results in the order of the tasks.
    pub(crate) fn map<T: Send, R: Send>(
        &self,
        tasks: impl IntoIterator<Item = T>,
        work: impl Fn(T) -> R + Sync,
    ) -> Vec<R> {
        // A task until it is taken, then its result.
        let slots: Vec<_> = tasks.into_iter().map(|task| Mutex::new((Some(task), None))).collect();
        self.each(slots.len(), &|index| {
            let mut slot = lock(&slots[index]);
            slot.1 = slot.0.take().map(&work);
        });
        let results = slots
            .into_iter()
            .map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner).1);
        results.map(|result| result.expect("each task is done, or has panicked")).collect()
    }

    /// Calls `work` with each index below `count`, once. It is compiled once, unlike [`map`](Self::map).
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let helpers = self.count.min(count).saturating_sub(1);
        if helpers == 0 {
            return (0..count).for_each(work);
        }
        let left = Mutex::new(0..count);
        // The caller begins with the first task, the helpers with the last: in call after call each
        // has about the same games, which are still in its cache.
        let next = |from_front: bool| {
            let mut left = lock(&left);
            if from_front { left.next() } else { left.next_back() }
        };
        let take_turns = |from_front: bool| {
            while let Some(index) = next(from_front) {
                work(index);
            }
        };
        self.share(helpers, &|_| take_turns(false), &mut || take_turns(true));
    }

    /// Calls `work` with each item until one fails or `interrupt` says to stop; the first error is what went wrong.
    /// Only the calling thread asks `interrupt`: while its own item is at work, which asks what it is given, and
    /// while it waits for others, whose items are told of it so.
    pub(crate) fn try_each<T: Send, E: Send>(
        &self,
        items: &mut [T],
        work: impl Fn(&mut T, &mut dyn FnMut() -> bool) -> Result<(), E> + Sync,
        interrupt: &mut dyn FnMut() -> bool,
        interrupted: impl Fn() -> E,
    ) -> Result<(), E> {
        let helpers = self.count.min(items.len()).saturating_sub(1);
        let (left, running, result) =
            (Mutex::new(items.iter_mut()), Running::default(), Mutex::new(Ok(())));
        let has_failed = || lock(&result).is_err();
        // The first error is the one to tell: the others follow from it.
        let fail = |error| {
            let mut result = lock(&result);
            if result.is_ok() {
                *result = Err(error);
            }
        };
        let take_turns = |interrupt: &mut dyn FnMut() -> bool| {
            while !has_failed() {
                let _one = running.begin();
                let Some(item) = lock(&left).next() else { return };
                if let Err(error) = work(item, interrupt) {
                    fail(error);
                }
            }
        };
        self.share(helpers, &|_| take_turns(&mut || has_failed()), &mut || {
            take_turns(&mut || has_failed() || interrupt());
            while running.goes_on() {
                if interrupt() {
                    fail(interrupted());
                }
            }
        });
        result.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `caller` on this thread while `helper` runs with 1, 2, … `helpers` on others, and
    /// returns when all are done. There may be no helpers: the system can refuse threads.
    pub(crate) fn share(
        &self,
        helpers: usize,
        helper: &(dyn Fn(usize) + Sync),
        caller: &mut dyn FnMut(),
    ) {
        let Some(pool) = (helpers > 0).then(|| self.pool()).flatten() else { return caller() };
        let busy = &AtomicUsize::new(helpers);
        pool.in_place_scope(|scope| {
            for number in 1..=helpers {
                scope.spawn(move |_| {
                    helper(number);
                    spin_for_work();
                    busy.fetch_sub(1, Ordering::Release);
                });
            }
            caller();
            let end = Instant::now();
            while busy.load(Ordering::Acquire) > 0 && end.elapsed() < SPIN {
                std::thread::yield_now();
            }
        });
    }

    /// The helpers of this process; `None` if the system refuses threads.
    fn pool(&self) -> Option<Arc<ThreadPool>> {
        let mut pool = lock(&self.pool);
        forget_those_of_a_parent(&mut pool);
        if pool.is_none() {
            let threads = ThreadPoolBuilder::new().num_threads(self.count - 1).build().ok()?;
            *pool = Some((std::process::id(), Arc::new(threads)));
        }
        pool.as_ref().map(|(_, threads)| Arc::clone(threads))
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        forget_those_of_a_parent(self.pool.get_mut().unwrap_or_else(PoisonError::into_inner));
    }
}

/// How many threads are at work, for one that waits for them and looks at times whether the user interrupts.
#[derive(Default)]
pub(crate) struct Running {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Running {
    /// Counts a thread until what is returned goes, also by a panic.
    pub(crate) fn begin(&self) -> RunningOne<'_> {
        *lock(&self.count) += 1;
        RunningOne(self)
    }

    /// Waits until no thread is at work, but not long, and returns whether one still is.
    pub(crate) fn goes_on(&self) -> bool {
        const PAUSE: Duration = Duration::from_millis(10);
        let count = lock(&self.count);
        let waited = self.changed.wait_timeout_while(count, PAUSE, |count| *count > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 > 0
    }
}

pub(crate) struct RunningOne<'a>(&'a Running);

impl Drop for RunningOne<'_> {
    fn drop(&mut self) {
        *lock(&self.0.count) -= 1;
        self.0.changed.notify_all();
    }
}

/// In a forked child, to end threads that do not exist there would wait for ever.
fn forget_those_of_a_parent(pool: &mut Option<(u32, Arc<ThreadPool>)>) {
    if pool.as_ref().is_some_and(|&(process, _)| process != std::process::id()) {
        std::mem::forget(pool.take());
    }
}

/// Keeps this thread of a pool awake for a while after its last job.
fn spin_for_work() {
    thread_local! {
        static IS_SPINNING: Cell<bool> = const { Cell::new(false) };
    }
    if IS_SPINNING.get() {
        // The job that calls this was found while spinning.
        return;
    }
    rayon::spawn(|| {
        if IS_SPINNING.replace(true) {
            return;
        }
        let mut last = Instant::now();
        while last.elapsed() < SPIN {
            match rayon::yield_now() {
                Some(Yield::Executed) => last = Instant::now(),
                _ => std::thread::yield_now(),
            }
        }
        IS_SPINNING.set(false);
    });
}

/// Locks a mutex, whose value is whole even if another thread panicked while it had it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: &Threads, items: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..items).collect();
        let length = threads.task_len(items, 1);
        let tasks = numbers.chunks_mut(length).enumerate();
        let lengths = threads.map(tasks, |(i, task)| {
            for (j, number) in task.iter_mut().enumerate() {
                *number *= i * length + j;
            }
            task.len()
        });
        assert_eq!(lengths.iter().sum::<usize>(), items);
        numbers
    }

    #[test]
    fn every_task_is_done_once_and_results_keep_their_order() {
        for count in [1, 2, 3, 8] {
            let threads = Threads::new(Some(count));
            for items in (0..200).chain([1000, 1023, 4096]) {
                let expected: Vec<usize> = (0..items).map(|i| i * i).collect();
                assert_eq!(squares(&threads, items), expected, "{items} items, {count} threads");
                assert_eq!(threads.map(0..items, |i| i * i), expected);
            }
        }
    }

    #[test]
    fn a_task_has_its_share_and_no_less_than_is_worth_a_thread() {
        let lengths = |count| [0, 10, 1000].map(|n| Threads::new(Some(count)).task_len(n, 16));
        assert_eq!(lengths(1), [1, 10, 1000]);
        assert_eq!(lengths(2), [16, 16, 125]);
        assert_eq!(lengths(64), [16, 16, 16]);
    }

    #[test]
    fn each_helper_has_its_own_number() {
        let threads = Threads::new(Some(4));
        let seen = [const { AtomicUsize::new(0) }; 4];
        let count = |number: usize| {
            seen[number].fetch_add(1, Ordering::Relaxed);
        };
        threads.share(3, &count, &mut || count(0));
        assert_eq!(seen.map(AtomicUsize::into_inner), [1; 4]);
    }

    #[test]
    fn threads_that_sleep_wake_for_the_next_work() {
        let threads = Threads::new(Some(2));
        for pause in [0, 10, 60, 200, 5000, 0, 100] {
            assert_eq!(squares(&threads, 64).len(), 64);
            std::thread::sleep(Duration::from_micros(pause));
        }
    }

    #[test]
    fn callers_share_the_helpers() {
        let threads = Threads::new(Some(3));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        assert!(squares(&threads, 300).into_iter().eq((0..300).map(|i| i * i)));
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_reaches_the_caller_and_leaves_the_threads_usable() {
        let threads = Threads::new(Some(2));
        for bad in [0, 255] {
            let work = std::panic::AssertUnwindSafe(|| {
                threads.map(0..256, |i| assert_ne!(i, bad, "as told"));
            });
            assert!(std::panic::catch_unwind(work).is_err());
            assert_eq!(squares(&threads, 256).len(), 256);
        }
    }
}
