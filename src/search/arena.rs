//! The memory of a tree: nodes that never move, in chunks that are made when they are needed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use super::node::{Amaf, Node};
use crate::threads::lock;

/// Nodes of the first chunk. Each further one has twice as many, so that a small search stays small
/// and a large one seldom asks for memory.
const FIRST: usize = 1 << 10;

/// Nodes with numbers from 0, up to a capacity.
#[derive(Debug)]
pub(super) struct Arena {
    chunks: Box<[OnceLock<Chunk>]>,
    /// How many numbers are given out, or skipped because a run does not cross chunks.
    used: Mutex<usize>,
    capacity: usize,
    has_amaf: bool,
    /// Whether the system has refused memory.
    is_starved: AtomicBool,
}

#[derive(Debug)]
struct Chunk {
    nodes: Box<[Node]>,
    /// One for each node, or none at all.
    amaf: Box<[Amaf]>,
}

/// The chunk of a node and its place there.
#[inline]
fn locate(index: usize) -> (usize, usize) {
    let chunk = (index / FIRST + 1).ilog2() as usize;
    (chunk, index - start_of(chunk))
}

/// The number of a chunk's first node.
#[inline]
fn start_of(chunk: usize) -> usize {
    FIRST * ((1 << chunk) - 1)
}

/// So many default values; `None` if the system has no memory for them.
fn boxed<T: Default>(count: usize) -> Option<Box<[T]>> {
    let mut items = Vec::new();
    items.try_reserve_exact(count).ok()?;
    items.resize_with(count, T::default);
    Some(items.into_boxed_slice())
}

impl Arena {
    pub(super) fn new(capacity: usize, has_amaf: bool) -> Self {
        let chunks = locate(capacity).0 + 1;
        Self {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            used: 0.into(),
            capacity,
            has_amaf,
            is_starved: false.into(),
        }
    }

    /// The most nodes there may be.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Whether the system has refused memory: then no more nodes are given out.
    #[inline]
    pub(super) fn is_starved(&self) -> bool {
        self.is_starved.load(Ordering::Relaxed)
    }

    /// Nodes given out or skipped.
    pub(super) fn used(&self) -> usize {
        *lock(&self.used)
    }

    /// Forgets every node and keeps the memory.
    pub(super) fn clear(&mut self) {
        *lock(&self.used) = 0;
        *self.is_starved.get_mut() = false;
    }

    /// The first number of a run of so many nodes, at most [`FIRST`], for the caller alone; `None`
    /// when the arena is full or the system has no memory. The nodes hold what was there before.
    pub(super) fn allocate(&self, count: usize) -> Option<usize> {
        let mut used = lock(&self.used);
        let (chunk, _) = locate(*used);
        let next = start_of(chunk + 1);
        let (first, chunk) = if *used + count <= next { (*used, chunk) } else { (next, chunk + 1) };
        if first + count > self.capacity || self.is_starved() {
            return None;
        }
        if self.chunks[chunk].get().is_none() {
            let Some(made) = self.make_chunk(chunk) else {
                self.is_starved.store(true, Ordering::Relaxed);
                return None;
            };
            self.chunks[chunk].set(made).ok()?;
        }
        *used = first + count;
        Some(first)
    }

    #[cold]
    fn make_chunk(&self, chunk: usize) -> Option<Chunk> {
        let size = (FIRST << chunk).min(self.capacity - start_of(chunk));
        Some(Chunk { nodes: boxed(size)?, amaf: boxed(if self.has_amaf { size } else { 0 })? })
    }

    /// Nodes of a run that was given out.
    #[inline]
    pub(super) fn nodes(&self, first: usize, count: usize) -> &[Node] {
        let (chunk, offset) = locate(first);
        self.chunks[chunk].get().map_or(&[], |chunk| &chunk.nodes[offset..offset + count])
    }

    /// The AMAF statistics of a run that was given out; none if they are not kept.
    #[inline]
    pub(super) fn amaf(&self, first: usize, count: usize) -> &[Amaf] {
        let (chunk, offset) = locate(first);
        let chunk = self.chunks[chunk].get().filter(|_| self.has_amaf);
        chunk.map_or(&[], |chunk| &chunk.amaf[offset..offset + count])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_disjoint_and_whole_whatever_threads_ask_for_them() {
        let arena = Arena::new(100_000, true);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut count = 1;
                    while let Some(first) = arena.allocate(count) {
                        let amaf = arena.amaf(first, count);
                        for (node, amaf) in arena.nodes(first, count).iter().zip(amaf) {
                            node.add_visit(1.0);
                            amaf.add(1.0);
                            assert_eq!((node.visits(), amaf.get()), (1, (1.0, 1.0)));
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
        let mut arena = Arena::new(5, false);
        assert_eq!(arena.allocate(3), Some(0));
        assert_eq!(arena.allocate(3), None);
        assert_eq!(arena.allocate(2), Some(3));
        arena.clear();
        assert_eq!(arena.allocate(5), Some(0));
        assert_eq!((arena.nodes(0, 5).len(), arena.amaf(0, 5).len()), (5, 0));
    }
}
