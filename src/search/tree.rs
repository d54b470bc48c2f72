//! The tree that threads share: nodes of atomics, without locks but for expansions.
//!
//! A node's children are one run of nodes. They are written before the number that leads to them is
//! stored, and nodes never move: they lie in chunks of memory that are made when they are needed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use super::error::NoMemory;
use super::node::{Amaf, Node, NodeId};
use crate::geometry::Action;
use crate::threads::lock;

/// The node of the root position.
pub(super) const ROOT: NodeId = 0;

/// Nodes of the first chunk. Each further one has twice as many, so that a small search stays small
/// and a large one seldom asks for memory.
const FIRST: usize = 1 << 10;

/// Nodes with numbers from 0, up to a capacity.
#[derive(Debug)]
pub(super) struct Tree {
    chunks: Box<[OnceLock<Chunk>]>,
    /// How many numbers are given out, or skipped because a run does not cross chunks.
    used: Mutex<usize>,
    /// The most nodes there may be.
    pub(super) capacity: usize,
    has_amaf: bool,
    /// Whether the system has refused memory: then no more nodes are given out.
    is_starved: AtomicBool,
}

#[derive(Debug)]
struct Chunk {
    nodes: Box<[Node]>,
    /// One for each node, or none at all.
    amaf: Box<[Amaf]>,
}

/// The chunk of a node and its place there.
fn locate(index: usize) -> (usize, usize) {
    let chunk = (index / FIRST + 1).ilog2() as usize;
    (chunk, index - start_of(chunk))
}

/// The number of a chunk's first node.
fn start_of(chunk: usize) -> usize {
    FIRST * ((1 << chunk) - 1)
}

/// So many default values; `None` if the system has no memory for them.
#[cold]
fn boxed<T: Default>(count: usize) -> Option<Box<[T]>> {
    let mut items = Vec::new();
    items.try_reserve_exact(count).ok()?;
    items.resize_with(count, T::default);
    Some(items.into_boxed_slice())
}

impl Tree {
    /// A tree of a root alone.
    pub(super) fn new(capacity: usize, has_amaf: bool) -> Result<Self, NoMemory> {
        let chunks = locate(capacity).0 + 1;
        let mut tree = Self {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            used: 0.into(),
            capacity,
            has_amaf,
            is_starved: false.into(),
        };
        tree.clear();
        if tree.is_starved() { Err(NoMemory) } else { Ok(tree) }
    }

    pub(super) fn is_starved(&self) -> bool {
        self.is_starved.load(Ordering::Relaxed)
    }

    /// Back to a root alone, keeping the memory.
    pub(super) fn clear(&mut self) {
        *lock(&self.used) = 0;
        *self.is_starved.get_mut() = false;
        if self.allocate(1).is_some() {
            self.node(ROOT).reset(Action::from(0), 1.0, 0.0); // No action led there.
        }
    }

    /// Number of nodes, those skipped included.
    pub(super) fn len(&self) -> usize {
        *lock(&self.used)
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes(id, 1)[0]
    }

    /// The children of a node and the number of the first; none if it is not expanded.
    pub(super) fn children(&self, id: NodeId) -> (NodeId, &[Node]) {
        let Some((first, count)) = self.node(id).children() else { return (0, &[]) };
        (first, self.nodes(first, count))
    }

    /// Nodes of a run that was given out.
    fn nodes(&self, first: NodeId, count: usize) -> &[Node] {
        let (chunk, offset) = locate(first as usize);
        self.chunks[chunk].get().map_or(&[], |chunk| &chunk.nodes[offset..offset + count])
    }

    /// The AMAF statistics of a run that was given out; none if they are not kept.
    pub(super) fn amaf(&self, first: NodeId, count: usize) -> &[Amaf] {
        let (chunk, offset) = locate(first as usize);
        let chunk = self.chunks[chunk].get().filter(|_| self.has_amaf);
        chunk.map_or(&[], |chunk| &chunk.amaf[offset..offset + count])
    }

    /// Gives children to a leaf that no other thread expands, because the caller has
    /// [claimed](Node::claim) it or is alone: action, prior and value of each. `false` if the tree is
    /// full: then the node stays a leaf.
    pub(super) fn expand(
        &self,
        id: NodeId,
        children: impl ExactSizeIterator<Item = (Action, f32, f32)>,
    ) -> bool {
        let (node, count) = (self.node(id), children.len());
        let Some(first) = self.allocate(count) else {
            node.unclaim();
            return false;
        };
        for (child, (action, prior, value)) in self.nodes(first, count).iter().zip(children) {
            child.reset(action, prior, value);
        }
        for amaf in self.amaf(first, count) {
            amaf.set((0.0, 0.0));
        }
        node.publish_children(first, count);
        true
    }

    /// Copies a node of another tree and what is below it: it becomes the root of this one.
    pub(super) fn copy_below(&mut self, other: &Self, id: NodeId) {
        self.clear();
        self.node(ROOT).set_value(other.node(id).value());
        self.node(ROOT).copy_visits(other.node(id));
        let mut open = vec![(id, ROOT)];
        while let Some((from, to)) = open.pop() {
            let (first, children) = other.children(from);
            let count = children.len();
            let Some(copied) = (count > 0).then(|| self.allocate(count)).flatten() else {
                continue;
            };
            // Each node is read once: most of a large tree is in no processor's cache.
            for (i, (source, target)) in (0..).zip(children.iter().zip(self.nodes(copied, count))) {
                target.reset(source.action(), source.prior(), source.value());
                target.copy_visits(source);
                if source.children().is_some() {
                    open.push((first + i, copied + i));
                }
            }
            let amaf = other.amaf(first, count).iter().zip(self.amaf(copied, count));
            amaf.for_each(|(from, to)| to.set(from.get()));
            self.node(to).publish_children(copied, count);
        }
    }

    /// The first number of a run of so many nodes, at most [`FIRST`], for the caller alone; `None`
    /// when the tree is full or the system has no memory. The nodes hold what was there before.
    fn allocate(&self, count: usize) -> Option<NodeId> {
        let mut used = lock(&self.used);
        let (chunk, _) = locate(*used);
        let next = start_of(chunk + 1);
        let (first, chunk) = if *used + count <= next { (*used, chunk) } else { (next, chunk + 1) };
        if first + count > self.capacity || self.is_starved() {
            return None;
        }
        if self.chunks[chunk].get().is_none() {
            let size = (FIRST << chunk).min(self.capacity - start_of(chunk));
            let made = boxed(size).zip(boxed(if self.has_amaf { size } else { 0 }));
            let Some((nodes, amaf)) = made else {
                self.is_starved.store(true, Ordering::Relaxed);
                return None;
            };
            self.chunks[chunk].set(Chunk { nodes, amaf }).ok()?;
        }
        *used = first + count;
        Some(first as NodeId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp)] // Nothing is computed.
    fn what_is_copied_is_what_was_below() {
        let tree = Tree::new(100, true).expect("memory");
        let children =
            |count: usize| (0..count).map(|i| (Action::new(i), 0.25 * i as f32, 0.5 - i as f32));
        assert!(tree.expand(ROOT, children(3)));
        let (from, _) = tree.children(ROOT);
        assert!(tree.expand(from + 1, children(4)));
        tree.node(from + 1).add_visit(0.5);
        tree.node(from + 1).next_untried();
        let (first, below) = tree.children(from + 1);
        below[2].add_visit(-0.25);
        below[3].prove(-1);
        tree.node(from + 1).note_proven_child();
        for (i, amaf) in (1_u8..).zip(tree.amaf(first, 4)) {
            amaf.set((f32::from(i), -0.5));
        }
        let mut copy = Tree::new(100, true).expect("memory");
        copy.copy_below(&tree, from + 1);
        let (to, copied) = copy.children(ROOT);
        let of = |node: &Node| {
            let seen = (node.visits(), node.sum(), node.proof(), node.has_proven_child());
            (node.action(), node.prior(), node.value(), seen)
        };
        assert!(copied.iter().map(of).eq(below.iter().map(of)));
        let amaf = copy.amaf(to, 4).iter().map(Amaf::get);
        assert!(amaf.eq(tree.amaf(first, 4).iter().map(Amaf::get)));
        let (root, node) = (copy.node(ROOT), tree.node(from + 1));
        assert_eq!((root.value(), root.sum(), root.visits()), (node.value(), 0.5, 1));
        assert!(root.has_proven_child());
        assert_eq!(root.next_untried(), Some(1), "the first was selected");
    }

    #[test]
    fn runs_are_disjoint_and_whole_whatever_threads_ask_for_them() {
        let tree = Tree::new(100_000, true).expect("memory");
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut count = 1;
                    while let Some(first) = tree.allocate(count) {
                        let amaf = tree.amaf(first, count);
                        for (node, amaf) in tree.nodes(first, count).iter().zip(amaf) {
                            node.add_visit(1.0);
                            amaf.add(1.0);
                            assert_eq!((node.visits(), amaf.get()), (1, (1.0, 1.0)));
                        }
                        count = count * 7 % 601 + 1;
                    }
                });
            }
        });
        assert!((99_000..=100_000).contains(&tree.len()));
    }
}
