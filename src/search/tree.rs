//! The tree that threads share: nodes of atomics, without locks but for expansions.
//!
//! A node's children are one run of nodes. They are written before the number that leads to them is
//! stored, and nodes never move.

use super::arena::Arena;
use super::error::NoMemory;
use super::node::{Amaf, Node, NodeId};
use crate::geometry::Action;

/// The node of the root position.
pub(super) const ROOT: NodeId = 0;

/// A tree of at most so many nodes.
#[derive(Debug)]
pub(super) struct Tree(Arena);

impl Tree {
    /// A tree of a root alone.
    pub(super) fn new(max_nodes: usize, has_amaf: bool) -> Result<Self, NoMemory> {
        let mut tree = Self(Arena::new(max_nodes, has_amaf));
        tree.clear();
        if tree.is_starved() { Err(NoMemory) } else { Ok(tree) }
    }

    /// The most nodes it may have.
    pub(super) fn capacity(&self) -> usize {
        self.0.capacity()
    }

    /// Whether the system has refused memory for more nodes.
    #[inline]
    pub(super) fn is_starved(&self) -> bool {
        self.0.is_starved()
    }

    /// Back to a root alone, keeping the memory.
    pub(super) fn clear(&mut self) {
        self.0.clear();
        if self.0.allocate(1).is_some() {
            self.node(ROOT).reset(Action::from(u16::MAX), 1.0, 0.0);
        }
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.0.used()
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.0.nodes(id as usize, 1)[0]
    }

    /// The children of a node and the number of the first; none if it is not expanded.
    #[inline]
    pub(super) fn children(&self, id: NodeId) -> (NodeId, &[Node]) {
        let Some((first, count)) = self.node(id).children() else { return (0, &[]) };
        (first, self.0.nodes(first as usize, count))
    }

    /// The AMAF statistics of a run of nodes; none if they are not kept.
    #[inline]
    pub(super) fn amaf(&self, first: NodeId, count: usize) -> &[Amaf] {
        self.0.amaf(first as usize, count)
    }

    /// Gives children to a node that the caller has [claimed](Node::claim): action, prior and value
    /// of each. `false` if the tree is full: then the node stays a leaf.
    pub(super) fn expand(
        &self,
        id: NodeId,
        count: usize,
        children: impl Iterator<Item = (Action, f32, f32)>,
    ) -> bool {
        let node = self.node(id);
        let Some(first) = self.0.allocate(count) else {
            node.unclaim();
            return false;
        };
        for (child, (action, prior, value)) in self.0.nodes(first, count).iter().zip(children) {
            child.reset(action, prior, value);
        }
        for amaf in self.0.amaf(first, count) {
            amaf.set((0.0, 0.0));
        }
        node.publish_children(first as NodeId, count);
        true
    }

    /// Copies a node of another tree and what is below it: it becomes the root of this one.
    pub(super) fn copy_below(&mut self, other: &Self, id: NodeId) {
        self.clear();
        self.node(ROOT).set_value(other.node(id).value());
        let mut open = vec![(id, ROOT)];
        while let Some((from, to)) = open.pop() {
            let (source, target) = (other.node(from), self.node(to));
            target.copy_visits(source);
            let (first, children) = other.children(from);
            if children.is_empty() || !target.claim() {
                continue;
            }
            let count = children.len();
            let edges = children.iter().map(|child| (child.action(), child.prior(), child.value()));
            if self.expand(to, count, edges) {
                let (copied, _) = self.children(to);
                let amaf = other.amaf(first, count).iter().zip(self.amaf(copied, count));
                amaf.for_each(|(from, to)| to.set(from.get()));
                open.extend((0..count as NodeId).map(|i| (first + i, copied + i)));
            }
        }
    }
}
