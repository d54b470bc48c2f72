//! Memory that grows while threads use it: runs of items that never move.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Items of the first chunk. Each further one has twice as many, so a small search stays small
/// and a large one asks for memory seldom.
const FIRST: usize = 1 << 10;

/// Runs of items with numbers from 0, up to a capacity.
#[derive(Debug)]
pub(super) struct Arena<T> {
    chunks: Box<[OnceLock<Box<[T]>>]>,
    used: AtomicUsize,
    capacity: usize,
    /// Held by whoever makes a chunk.
    growing: Mutex<()>,
    /// Whether the system has refused memory.
    is_starved: AtomicBool,
}

/// The chunk of an item and its place there.
#[inline]
fn locate(index: usize) -> (usize, usize) {
    let chunk = (index / FIRST + 1).ilog2() as usize;
    (chunk, index - start_of(chunk))
}

/// The number of a chunk's first item.
#[inline]
fn start_of(chunk: usize) -> usize {
    FIRST * ((1 << chunk) - 1)
}

impl<T: Default> Arena<T> {
    pub(super) fn new(capacity: usize) -> Self {
        let chunks = locate(capacity).0 + 1;
        Self {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            used: 0.into(),
            capacity,
            growing: Mutex::new(()),
            is_starved: false.into(),
        }
    }

    /// The most items there may be.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Whether the system has refused memory: nothing more is given out then.
    #[inline]
    pub(super) fn is_starved(&self) -> bool {
        self.is_starved.load(Ordering::Relaxed)
    }

    /// Items given out, and those left out because a run does not cross chunks.
    pub(super) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Forgets every item and keeps the memory.
    pub(super) fn clear(&mut self) {
        *self.used.get_mut() = 0;
        *self.is_starved.get_mut() = false;
    }

    /// The first number of a run of so many items, at most [`FIRST`], that nobody else has; `None` when
    /// the arena is full or the system has no memory. What is there is whatever was there before.
    #[inline]
    pub(super) fn allocate(&self, count: usize) -> Option<usize> {
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            let (chunk, _) = locate(used);
            let next = start_of(chunk + 1);
            let first = if used + count <= next { used } else { next };
            if first + count > self.capacity || self.is_starved() {
                return None;
            }
            let after = first + count;
            let (success, failure) = (Ordering::Relaxed, Ordering::Relaxed);
            match self.used.compare_exchange_weak(used, after, success, failure) {
                Ok(_) => return self.make(first).then_some(first),
                Err(now) => used = now,
            }
        }
    }

    /// Makes sure that the chunk of an item exists; `false` if the system has no memory for it.
    #[inline]
    pub(super) fn make(&self, index: usize) -> bool {
        let (chunk, _) = locate(index);
        self.chunks[chunk].get().is_some() || self.make_chunk(chunk)
    }

    #[cold]
    fn make_chunk(&self, chunk: usize) -> bool {
        // Two threads that made it at once would need twice the memory.
        let _alone = self.growing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.chunks[chunk].get().is_some() {
            return true;
        }
        let size = (FIRST << chunk).min(self.capacity - start_of(chunk));
        let mut items = Vec::new();
        if items.try_reserve_exact(size).is_err() {
            self.is_starved.store(true, Ordering::Relaxed);
            return false;
        }
        items.resize_with(size, T::default);
        self.chunks[chunk].set(items.into_boxed_slice()).is_ok()
    }

    /// Items of a run that was given out.
    #[inline]
    pub(super) fn run(&self, first: usize, count: usize) -> &[T] {
        let (chunk, offset) = locate(first);
        self.chunks[chunk].get().map_or(&[], |items| &items[offset..offset + count])
    }

    /// An item of a run that was given out.
    #[inline]
    pub(super) fn item(&self, index: usize) -> &T {
        &self.run(index, 1)[0]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[test]
    fn runs_are_disjoint_and_whole_whatever_threads_ask_for_them() {
        let arena = Arena::<AtomicU32>::new(100_000);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut count = 1;
                    while let Some(first) = arena.allocate(count) {
                        for item in arena.run(first, count) {
                            assert_eq!(item.fetch_add(1, Ordering::Relaxed), 0);
                        }
                        count = count * 7 % 601 + 1;
                    }
                });
            }
        });
        assert!(arena.used() <= 100_000);
        assert!(arena.used() > 99_000);
    }

    #[test]
    fn a_full_arena_gives_nothing_and_a_cleared_one_starts_again() {
        let mut arena = Arena::<AtomicU32>::new(5);
        assert_eq!(arena.allocate(3), Some(0));
        assert_eq!(arena.allocate(3), None);
        assert_eq!(arena.allocate(2), Some(3));
        arena.clear();
        assert_eq!(arena.allocate(5), Some(0));
        assert_eq!(arena.run(0, 5).len(), 5);
    }
}
