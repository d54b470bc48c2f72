//! The tree that threads share: nodes of atomics, without locks.
//!
//! A node is an action with its statistics (of the edge to it) and, once it is expanded, a run of
//! children. Nodes never move; a node's children are written before the number that leads to them
//! is stored.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::arena::Arena;
use super::error::NoMemory;
use crate::geometry::Action;

/// [`Node::children`] of a node that has none yet.
const LEAF: u32 = u32::MAX;
/// [`Node::children`] of a node whose children somebody is about to write.
const BUSY: u32 = u32::MAX - 1;

/// The number of a node.
pub(super) type NodeId = u32;

/// The node of the root position.
pub(super) const ROOT: NodeId = 0;

/// An action, what came of it, and what follows. 32 bytes.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// Sum of what its visits were worth to the player who plays its action, a float's bits.
    sum: AtomicU64,
    visits: AtomicU32,
    /// Simulations on their way through it: each counts as a visit that lost (virtual loss; Chaslot,
    /// Winands and van den Herik, 2008).
    pending: AtomicU16,
    /// How many of its children were handed out for their first visits, in their order.
    tried: AtomicU16,
    /// A float's bits: a probability, or for Gumbel selection its logarithm.
    prior: AtomicU32,
    /// What an evaluator said of the position, for its player to play: a float's bits.
    value: AtomicU32,
    /// The number of the first child, [`LEAF`] or [`BUSY`].
    children: AtomicU32,
    num_children: AtomicU16,
    action: AtomicU16,
}

impl Node {
    fn reset(&self, action: Action, prior: f32) {
        self.sum.store(0, Ordering::Relaxed);
        self.visits.store(0, Ordering::Relaxed);
        self.pending.store(0, Ordering::Relaxed);
        self.tried.store(0, Ordering::Relaxed);
        self.prior.store(prior.to_bits(), Ordering::Relaxed);
        self.value.store(0, Ordering::Relaxed);
        self.children.store(LEAF, Ordering::Relaxed);
        self.num_children.store(0, Ordering::Relaxed);
        self.action.store(action.get(), Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn action(&self) -> Action {
        Action::from(self.action.load(Ordering::Relaxed))
    }

    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn pending(&self) -> u32 {
        u32::from(self.pending.load(Ordering::Relaxed))
    }

    /// The next child that was never handed out, if there is one. Other children need not be looked
    /// at: most of a large tree is in no processor's cache.
    #[inline]
    pub(super) fn try_next(&self) -> Option<usize> {
        let count = self.num_children.load(Ordering::Relaxed);
        if self.tried.load(Ordering::Relaxed) >= count {
            return None;
        }
        // Threads that come together may count beyond the last, but never so far as to wrap.
        let next = self.tried.fetch_add(1, Ordering::Relaxed);
        (next < count).then_some(next as usize)
    }

    #[inline]
    pub(super) fn sum(&self) -> f64 {
        f64::from_bits(self.sum.load(Ordering::Relaxed))
    }

    #[inline]
    pub(super) fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Ordering::Relaxed))
    }

    pub(super) fn set_prior(&self, prior: f32) {
        self.prior.store(prior.to_bits(), Ordering::Relaxed);
    }

    /// The evaluation of the position, for its player to play.
    #[inline]
    pub(super) fn value(&self) -> f32 {
        f32::from_bits(self.value.load(Ordering::Relaxed))
    }

    /// Adds a visit that was worth `value` to the player who plays the action.
    #[inline]
    pub(super) fn add_visit(&self, value: f64) {
        self.visits.fetch_add(1, Ordering::Relaxed);
        let add = |sum| Some((f64::from_bits(sum) + value).to_bits());
        // Never fails: the closure always has a new sum.
        let _ = self.sum.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// Counts a simulation on its way.
    #[inline]
    pub(super) fn enter(&self) {
        self.pending.fetch_add(1, Ordering::Relaxed);
    }

    /// Withdraws [`Node::enter`].
    #[inline]
    pub(super) fn leave(&self) {
        self.pending.fetch_sub(1, Ordering::Relaxed);
    }

    /// Reserves the node for writing its children; `false` if it has some or somebody did.
    #[inline]
    pub(super) fn claim(&self) -> bool {
        let (success, failure) = (Ordering::Relaxed, Ordering::Relaxed);
        self.children.compare_exchange(LEAF, BUSY, success, failure).is_ok()
    }

    /// Gives up a reservation.
    pub(super) fn unclaim(&self) {
        self.children.store(LEAF, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn is_expanded(&self) -> bool {
        self.children.load(Ordering::Acquire) < BUSY
    }
}

/// Actions after all moves first: the value of an action played anywhere later by the same player.
#[derive(Debug, Default)]
pub(super) struct Amaf(AtomicU64);

impl Amaf {
    /// How often, and the sum of the values.
    #[inline]
    pub(super) fn get(&self) -> (f32, f32) {
        let bits = self.0.load(Ordering::Relaxed);
        (f32::from_bits((bits >> 32) as u32), f32::from_bits(bits as u32))
    }

    /// Adds a value. One that another thread adds in this very moment may be lost: these numbers are
    /// rough, and there are too many of them to be waited for.
    #[inline]
    pub(super) fn add(&self, value: f32) {
        let (count, sum) = self.get();
        self.set(count + 1.0, sum + value);
    }

    #[inline]
    fn set(&self, count: f32, sum: f32) {
        let bits = u64::from(count.to_bits()) << 32 | u64::from(sum.to_bits());
        self.0.store(bits, Ordering::Relaxed);
    }
}

/// A tree of at most so many nodes.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Arena<Node>,
    /// One for each node, if they are wanted.
    amaf: Option<Arena<Amaf>>,
}

impl Tree {
    /// A tree of a root alone.
    pub(super) fn new(max_nodes: usize, with_amaf: bool) -> Result<Self, NoMemory> {
        let mut tree =
            Self { nodes: Arena::new(max_nodes), amaf: with_amaf.then(|| Arena::new(max_nodes)) };
        tree.clear();
        if tree.is_starved() { Err(NoMemory) } else { Ok(tree) }
    }

    /// The most nodes it may have.
    pub(super) fn capacity(&self) -> usize {
        self.nodes.capacity()
    }

    /// Whether the system has refused memory for more nodes.
    #[inline]
    pub(super) fn is_starved(&self) -> bool {
        self.nodes.is_starved() || self.amaf.as_ref().is_some_and(Arena::is_starved)
    }

    /// Back to a root alone, keeping the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        if let Some(amaf) = &mut self.amaf {
            amaf.clear();
        }
        if let Some(root) = self.allocate(1) {
            self.nodes.item(root).reset(Action::from(u16::MAX), 1.0);
        }
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.used()
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        self.nodes.item(id as usize)
    }

    /// The children of a node and the number of the first; none if it is not expanded.
    #[inline]
    pub(super) fn children(&self, id: NodeId) -> (NodeId, &[Node]) {
        let node = self.node(id);
        let first = node.children.load(Ordering::Acquire);
        if first >= BUSY {
            return (0, &[]);
        }
        let count = node.num_children.load(Ordering::Relaxed) as usize;
        (first, self.nodes.run(first as usize, count))
    }

    /// The AMAF statistics of a run of nodes; none if they are not kept.
    #[inline]
    pub(super) fn amaf(&self, first: NodeId, count: usize) -> &[Amaf] {
        self.amaf.as_ref().map_or(&[], |amaf| amaf.run(first as usize, count))
    }

    /// Writes the children of a node that the caller has [claimed](Node::claim), and the evaluation
    /// of its position. `false` if the tree is full: then the node stays a leaf.
    pub(super) fn expand(
        &self,
        id: NodeId,
        value: f32,
        count: usize,
        children: impl Iterator<Item = (Action, f32)>,
    ) -> bool {
        let node = self.node(id);
        let Some(first) = self.allocate(count) else {
            node.unclaim();
            return false;
        };
        for (child, (action, prior)) in self.nodes.run(first, count).iter().zip(children) {
            child.reset(action, prior);
        }
        for amaf in self.amaf(first as NodeId, count) {
            amaf.set(0.0, 0.0);
        }
        node.value.store(value.to_bits(), Ordering::Relaxed);
        node.num_children.store(count as u16, Ordering::Relaxed);
        // Only now can others see the children.
        node.children.store(first as u32, Ordering::Release);
        true
    }

    fn allocate(&self, count: usize) -> Option<usize> {
        let first = self.nodes.allocate(count)?;
        let has_amaf = self.amaf.as_ref().is_none_or(|amaf| amaf.make(first));
        has_amaf.then_some(first)
    }

    /// Copies what is below a node of another tree, which becomes the root of this one.
    pub(super) fn copy_below(&mut self, other: &Self, id: NodeId) {
        self.clear();
        let mut open = vec![(id, ROOT)];
        while let Some((from, to)) = open.pop() {
            let (source, target) = (other.node(from), self.node(to));
            target.sum.store(source.sum.load(Ordering::Relaxed), Ordering::Relaxed);
            target.visits.store(source.visits(), Ordering::Relaxed);
            let (first, children) = other.children(from);
            let actions = children.iter().map(|child| (child.action(), child.prior()));
            if children.is_empty() || !target.claim() {
                continue;
            }
            if self.expand(to, source.value(), children.len(), actions) {
                target.tried.store(source.tried.load(Ordering::Relaxed), Ordering::Relaxed);
                let (copied, copies) = self.children(to);
                let amaf = other.amaf(first, children.len());
                for (from, to) in amaf.iter().zip(self.amaf(copied, copies.len())) {
                    let (count, sum) = from.get();
                    to.set(count, sum);
                }
                open.extend((0..children.len() as u32).map(|i| (first + i, copied + i)));
            }
        }
    }
}
