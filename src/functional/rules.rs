//! The rules of Go on bits: what a stone captures, and where one would have no liberty.

use crate::bits::{Bits, Frame};

/// How often the stones known to have two liberties spread along their chains all at once, before
/// the few chains still in question are followed one by one.
const ROUNDS: usize = 4;

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
    let free = frame.dilate(frame.board() & !(own | enemy), enemy);
    let mut questioned = touched & !free;
    while let Some(stone) = questioned.first() {
        let chain = frame.flood(Bits::point(stone), enemy, |chain| !(chain & free).is_empty());
        questioned &= !chain;
        if (chain & free).is_empty() {
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
    let empty = frame.board() & !(own | enemy);
    let [right, left, down, up] = frame.steps(empty);
    let beside = right | left | down | up;
    let enclosed = empty & !beside;
    if enclosed.is_empty() {
        return enclosed;
    }
    // Stones that touch two empty points.
    let two = (right & left) | (down & up) | ((right | left) & (down | up));
    let seen = |color: Bits<W>| {
        // With them, neighbors in a chain that touch one each, which on a grid is never the same.
        let one = beside & color;
        let mut rounds = 0;
        frame.flood(two | frame.dilate(one, one), color, |_| {
            rounds += 1;
            rounds > ROUNDS
        })
    };
    let safe = seen(own);
    let mut open = enclosed & !frame.dilate(safe, enclosed);
    if open.is_empty() {
        return open;
    }
    let around = frame.dilate(open, own);
    if !around.is_empty() {
        let safe = with_two_liberties(frame, own, empty, around, safe);
        open &= !frame.dilate(safe, open);
    }
    let around = frame.dilate(open, enemy);
    let safe = with_two_liberties(frame, enemy, empty, around, seen(enemy));
    open & !frame.dilate(around & !safe, open)
}

/// Stones of a color in chains of two or more liberties: of those asked for all, of others some, among
/// them those known to be `safe`.
#[inline]
fn with_two_liberties<const W: usize>(
    frame: &Frame<W>,
    color: Bits<W>,
    empty: Bits<W>,
    asked: Bits<W>,
    mut safe: Bits<W>,
) -> Bits<W> {
    let asked = asked & !safe;
    // What is not safe and stands alone has one liberty, so only longer chains are in question.
    let mut unknown = if asked.is_empty() { asked } else { frame.dilate(color, asked) };
    while let Some(stone) = unknown.first() {
        let seed = Bits::point(stone);
        // The one empty point that the stone touches; its chain is safe if it touches another.
        let liberty = frame.dilate(seed, empty);
        let goal = safe | frame.dilate(empty & !liberty, color);
        let chain = frame.flood(seed, color, |chain| !(chain & goal).is_empty());
        if !(chain & goal).is_empty() {
            safe |= chain;
        }
        unknown &= !chain;
    }
    safe
}
