//! A node of the tree: an action, its statistics and what follows it.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

use crate::geometry::Action;

/// [`Node::children`] of a node that has none yet.
const LEAF: u32 = u32::MAX;
/// [`Node::children`] of a node whose children are being written.
const BUSY: u32 = u32::MAX - 1;

/// The bits of [`Node::action`] above the action: what is certain of the position.
const PROOF_SHIFT: u32 = 14;
/// The bit below: whether something is certain of a child.
const HAS_PROVEN_CHILD: u16 = 1 << 13;

/// The number of a node.
pub(super) type NodeId = u32;

/// An edge `(s, a)` of the literature together with the position that it leads to. 32 bytes.
///
/// All values are for the player who plays the action.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The sum of the values of its visits: `N(s, a) Q(s, a)`, a float's bits.
    sum: AtomicU64,
    /// `N(s, a)`.
    visits: AtomicU32,
    /// Simulations under way through it: each counts as a visit that lost (virtual loss: Chaslot,
    /// Winands and van den Herik, 2008).
    pending: AtomicU16,
    /// The action, above it [`HAS_PROVEN_CHILD`], and in the two highest bits the proof: 0 while there is none, else
    /// 2 more than the value.
    action: AtomicU16,
    /// `P(s, a)`: the probability of the action before any search, a float's bits.
    prior: AtomicU32,
    /// The value of the position before any search: the heuristic value of the action, or what the
    /// evaluator said, from the moment of the expansion on. A float's bits.
    value: AtomicU32,
    /// The number of the first child, [`LEAF`] or [`BUSY`].
    children: AtomicU32,
    num_children: AtomicU16,
    /// How many of its children were selected for their first visits, in their order.
    tried: AtomicU16,
}

impl Node {
    /// A node without visits and children.
    pub(super) fn reset(&self, action: Action, prior: f32, value: f32) {
        self.sum.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.pending.store(0, Relaxed);
        self.action.store(action.get(), Relaxed);
        self.set_prior(prior);
        self.set_value(value);
        self.children.store(LEAF, Relaxed);
        self.num_children.store(0, Relaxed);
        self.tried.store(0, Relaxed);
    }

    pub(super) fn action(&self) -> Action {
        Action::from(self.action.load(Relaxed) & (HAS_PROVEN_CHILD - 1))
    }

    /// What the action is worth for certain with best play of both: +1 for a win, 0 for a draw, -1 for a loss;
    /// `None` while that is open.
    pub(super) fn proof(&self) -> Option<i8> {
        match self.action.load(Relaxed) >> PROOF_SHIFT {
            0 => None,
            proof => Some(proof as i8 - 2),
        }
    }

    /// Notes a proof; `false` if there was one. Two proofs of a position never differ.
    pub(super) fn prove(&self, value: i8) -> bool {
        let proof = ((value + 2) as u16) << PROOF_SHIFT;
        self.action.fetch_or(proof, Relaxed) >> PROOF_SHIFT == 0
    }

    pub(super) fn has_proven_child(&self) -> bool {
        self.action.load(Relaxed) & HAS_PROVEN_CHILD != 0
    }

    pub(super) fn note_proven_child(&self) {
        self.action.fetch_or(HAS_PROVEN_CHILD, Relaxed);
    }

    /// Forgets the proof.
    pub(super) fn reopen(&self) {
        self.action.fetch_and((1 << PROOF_SHIFT) - 1, Relaxed);
    }

    /// Adds to the sum of the values without a visit.
    pub(super) fn shift(&self, value: f64) {
        let add = |sum| Some((f64::from_bits(sum) + value).to_bits());
        // Never fails: the closure always has a new sum.
        let _ = self.sum.fetch_update(Relaxed, Relaxed, add);
    }

    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    pub(super) fn pending(&self) -> u32 {
        u32::from(self.pending.load(Relaxed))
    }

    pub(super) fn sum(&self) -> f64 {
        f64::from_bits(self.sum.load(Relaxed))
    }

    /// `Q(s, a)`, and 0 without visits.
    pub(super) fn mean(&self) -> f64 {
        self.sum() / f64::from(self.visits().max(1))
    }

    pub(super) fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Relaxed))
    }

    pub(super) fn set_prior(&self, prior: f32) {
        self.prior.store(prior.to_bits(), Relaxed);
    }

    pub(super) fn value(&self) -> f32 {
        f32::from_bits(self.value.load(Relaxed))
    }

    pub(super) fn set_value(&self, value: f32) {
        self.value.store(value.to_bits(), Relaxed);
    }

    /// Counts a simulation as under way.
    pub(super) fn enter(&self) {
        self.pending.fetch_add(1, Relaxed);
    }

    /// Withdraws [`Node::enter`].
    pub(super) fn leave(&self) {
        self.pending.fetch_sub(1, Relaxed);
    }

    /// Adds a visit of this value.
    pub(super) fn add_visit(&self, value: f64) {
        self.visits.fetch_add(1, Relaxed);
        self.shift(value);
    }

    /// The next child that was never selected, if there is one. It is found without a look at the
    /// children: most of a large tree is in no processor's cache.
    pub(super) fn next_untried(&self) -> Option<usize> {
        let count = self.num_children.load(Relaxed);
        if self.tried.load(Relaxed) >= count {
            return None;
        }
        // Threads that come together may count beyond the last, but never so far as to wrap.
        let next = self.tried.fetch_add(1, Relaxed);
        (next < count).then_some(next as usize)
    }

    /// Gives a node without visits those of another one, of which all children are copied, too.
    pub(super) fn copy_visits(&self, other: &Self) {
        self.tried.store(other.tried.load(Relaxed), Relaxed);
        self.sum.store(other.sum.load(Relaxed), Relaxed);
        self.visits.store(other.visits(), Relaxed);
        let certain = other.action.load(Relaxed) & !(HAS_PROVEN_CHILD - 1);
        self.action.store(self.action.load(Relaxed) | certain, Relaxed);
    }

    /// Reserves the node for its expansion; `false` if it has children or another thread did so.
    pub(super) fn claim(&self) -> bool {
        self.children.load(Relaxed) == LEAF
            && self.children.compare_exchange(LEAF, BUSY, Relaxed, Relaxed).is_ok()
    }

    /// Gives up a reservation.
    pub(super) fn unclaim(&self) {
        self.children.store(LEAF, Relaxed);
    }

    /// The number of the first child and how many there are, once the node is expanded.
    pub(super) fn children(&self) -> Option<(NodeId, usize)> {
        let first = self.children.load(Acquire);
        (first < BUSY).then(|| (first, self.num_children.load(Relaxed) as usize))
    }

    /// Makes children that are written already visible to all threads.
    pub(super) fn publish_children(&self, first: NodeId, count: usize) {
        self.num_children.store(count as u16, Relaxed);
        self.children.store(first, Release);
    }
}

/// The all-moves-as-first statistics of an action (AMAF): of the simulations in which the same
/// player plays it later, anywhere.
#[derive(Debug, Default)]
pub(super) struct Amaf(AtomicU64);

impl Amaf {
    /// How many there were, and the sum of their values.
    pub(super) fn get(&self) -> (f32, f32) {
        let bits = self.0.load(Relaxed);
        (f32::from_bits((bits >> 32) as u32), f32::from_bits(bits as u32))
    }

    pub(super) fn set(&self, (count, sum): (f32, f32)) {
        let bits = u64::from(count.to_bits()) << 32 | u64::from(sum.to_bits());
        self.0.store(bits, Relaxed);
    }

    /// Adds a value. One that another thread adds at the same moment may be lost: that is rare, and
    /// cheaper than to wait.
    pub(super) fn add(&self, value: f32) {
        let (count, sum) = self.get();
        self.set((count + 1.0, sum + value));
    }
}
