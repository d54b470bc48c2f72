//! The rules of Go on bits: what a stone captures, and where one would have no liberty.

use crate::bits::{Bits, Frame, shift_down, shift_up};

/// How often the stones known to have two liberties spread along their chains all at once, before
/// the few chains still in question are followed one by one.
const ROUNDS: usize = 4;

/// The points that `spread` reaches from `seed` step by step, and whether one is in `goal`: then
/// those up to there.
#[inline]
fn flood<const W: usize>(
    seed: Bits<W>,
    goal: Bits<W>,
    spread: impl Fn(Bits<W>) -> Bits<W>,
) -> (Bits<W>, bool) {
    let mut flooded = seed;
    loop {
        if !(flooded & goal).is_empty() {
            return (flooded, true);
        }
        let grown = spread(flooded) & !flooded;
        if grown.is_empty() {
            return (flooded, false);
        }
        flooded |= grown;
    }
}

/// The stones of the enemy chains without a liberty among those that hold the points `touched`.
#[inline]
pub(super) fn captured<const W: usize>(
    frame: &Frame<W>,
    touched: Bits<W>,
    own: Bits<W>,
    enemy: Bits<W>,
) -> Bits<W> {
    let mut captured = Bits::EMPTY;
    if touched.is_empty() {
        return captured;
    }
    let free = frame.neighbors_in(frame.board() & !(own | enemy), enemy);
    let mut questioned = touched & !free;
    while let Some(stone) = questioned.first() {
        let grow = |chain| frame.neighbors_in(chain, enemy);
        let (chain, is_free) = flood(Bits::point(stone), free, grow);
        questioned &= !chain;
        if !is_free {
            captured |= chain;
        }
    }
    captured
}

/// The empty points where `own` may not play because the stone's chain would have no liberty.
///
/// Read off the liberties of the chains around, without trying moves: with no empty point beside
/// it, a stone lives by an own chain that has a second liberty or an enemy chain that has not.
pub(super) fn suicides<const W: usize>(frame: &Frame<W>, own: Bits<W>, enemy: Bits<W>) -> Bits<W> {
    let stones = own | enemy;
    let empty = frame.board() & !stones;
    let [right, left, down, up] = frame.steps(empty);
    let beside = right | left | down | up;
    let enclosed = empty & !beside;
    if enclosed.is_empty() {
        return enclosed;
    }

    // Stones seen to be in a chain of two or more liberties: those that touch two empty points,
    // and neighbors in a chain that touch one each, which on a grid is never the same.
    let one = stones & beside;
    let two = stones & ((right & left) | (down & up) | ((right | left) & (down | up)));
    let links = Links::new(frame, own, enemy);
    let mut safe = two | (one & links.spread(one));
    for _ in 0..ROUNDS {
        safe |= links.spread(safe);
    }

    let open = enclosed & !frame.neighbors(own & safe);
    // What is not safe and linked to nothing has one liberty, so only longer chains are in question.
    let mut unknown = frame.neighbors_in(open, links.linked() & !safe);
    while let Some(stone) = unknown.first() {
        let seed = Bits::point(stone);
        // The one empty point that the stone touches; its chain is safe if it touches another.
        let liberty = frame.neighbors_in(seed, empty);
        let goal = safe | frame.neighbors_in(empty & !liberty, stones);
        let (chain, is_safe) = flood(seed, goal, |chain| links.spread(chain));
        if is_safe {
            safe |= chain;
        }
        unknown &= !chain;
    }
    open & !frame.neighbors((own & safe) | (enemy & !safe))
}

/// Which neighboring points hold stones of one color, so that one flood follows the chains of both
/// colors and never leaves a chain.
struct Links<const W: usize> {
    /// The stone to the right is of the same color.
    right: Bits<W>,
    /// The stone below is of the same color.
    below: Bits<W>,
    cols: u32,
}

impl<const W: usize> Links<W> {
    #[inline]
    fn new(frame: &Frame<W>, own: Bits<W>, enemy: Bits<W>) -> Self {
        let [_, own_right, _, own_below] = frame.steps(own);
        let [_, enemy_right, _, enemy_below] = frame.steps(enemy);
        Self {
            right: (own & own_right) | (enemy & enemy_right),
            below: (own & own_below) | (enemy & enemy_below),
            cols: frame.size().cols() as u32,
        }
    }

    /// The stones linked to any other.
    #[inline]
    fn linked(&self) -> Bits<W> {
        self.right | shift_up(self.right, 1) | self.below | shift_up(self.below, self.cols)
    }

    /// The stones linked to a stone of the set.
    #[inline]
    fn spread(&self, stones: Bits<W>) -> Bits<W> {
        shift_up(stones & self.right, 1)
            | (shift_down(stones, 1) & self.right)
            | shift_up(stones & self.below, self.cols)
            | (shift_down(stones, self.cols) & self.below)
    }
}
