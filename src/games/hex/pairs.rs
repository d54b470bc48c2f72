//! Connections of Hex that nobody can break, on words of 64 points.
//!
//! Two chains with two empty points next to both are joined: the owner of the chains is sure of one of the points. Who
//! joins both sides by such pairs has won, and it does not matter who has the points outside the pairs. Books on Hex
//! call such a pair a bridge, and the points that stop all of the opponent's wins the must-play region.

use super::sides::is_on_side;
use crate::bits::Bits;
use crate::color::Color;
use crate::geometry::BoardSize;

/// Points of the largest board: bits of a word.
pub(super) const POINTS: usize = 64;

/// Most chains of one color, and a side.
const PARTS: usize = POINTS / 2 + 1;

/// What a color lacks at a point that leads to no side of its own, and more than it lacks elsewhere.
const FAR: u8 = 16;

/// A board: what is where on it, and which points are next to each other.
pub(super) struct Pairs {
    cols: usize,
    pub(super) board: u64,
    /// All columns but the last, all but the first.
    not_last: u64,
    not_first: u64,
    /// The first and the second side of each color.
    sides: [[u64; 2]; 2],
    /// The points, those in the middle first.
    pub(super) order: [u8; POINTS],
}

/// A chain, or a side with the stones at it: the points next to it, and the empty points that join it to the first side.
#[derive(Clone, Copy, Default)]
struct Part {
    next: u64,
    needs: u64,
}

/// Each of some points as a set of its own.
fn each(points: u64) -> impl Iterator<Item = u64> {
    Bits([points]).iter().map(|point| 1 << point)
}

/// Two of some points, if there are two.
fn pair(points: u64) -> Option<u64> {
    let more = points & points.wrapping_sub(1);
    (more != 0).then(|| points & points.wrapping_neg() | more & more.wrapping_neg())
}

impl Pairs {
    pub(super) fn new(size: BoardSize) -> Self {
        let points = |belongs: &dyn Fn(usize) -> bool| {
            (0..size.points())
                .filter(|&point| belongs(point))
                .fold(0, |all, point| all | 1 << point)
        };
        let sides = Color::ALL.map(|color| {
            [false, true].map(|second| points(&|point| is_on_side(size, color, point, second)))
        });
        let board = points(&|_| true);
        let mut order: [u8; POINTS] = std::array::from_fn(|place| place as u8);
        order[..size.points()].sort_by_key(|&point| from_middle(size, point.into()));
        let [first, last] = sides[Color::White.index()];
        let (not_first, not_last) = (board & !first, board & !last);
        Self { cols: size.cols(), board, not_last, not_first, sides, order }
    }

    /// The points next to some, one set for each of the six directions.
    #[inline]
    fn steps(&self, points: u64) -> [u64; 6] {
        let (right, left) = (points & self.not_last, points & self.not_first);
        let cols = self.cols;
        [
            points >> cols,
            points << cols,
            right << 1,
            left >> 1,
            right >> (cols - 1),
            left << (cols - 1),
        ]
    }

    #[inline]
    fn next_to(&self, points: u64) -> u64 {
        self.steps(points).iter().fold(0, |all, step| all | step) & self.board
    }

    /// The points of which at least two neighbors are among some points.
    #[inline]
    fn next_to_two(&self, points: u64) -> u64 {
        let add = |(one, two): (u64, u64), step: &u64| (one | step, two | one & step);
        self.steps(points).iter().fold((0, 0), add).1 & self.board
    }

    /// The stones that are joined to some points along chains.
    #[inline]
    fn chain(&self, mut points: u64, stones: u64) -> u64 {
        loop {
            let grown = points | self.next_to(points) & stones;
            if grown == points {
                return points;
            }
            points = grown;
        }
    }

    /// The empty points that a color needs to join its sides, whoever is to play; not always found.
    pub(super) fn joined(&self, color: Color, stones: u64, empty: u64) -> Option<u64> {
        let [first, last] = self.sides[color.index()];
        let (mut parts, mut count) = ([Part::default(); PARTS], 1);
        let at_side = self.chain(first & stones, stones);
        if at_side & last != 0 {
            return Some(0);
        }
        parts[0] = Part { next: first | self.next_to(at_side), needs: 0 };
        let (mut rest, mut free, mut done) = (stones & !at_side, empty, 0);
        while done < count {
            let part = parts[done];
            done += 1;
            if let Some(pair) = pair(part.next & last & free) {
                return Some(part.needs | pair);
            }
            let mut others = rest & self.next_to(part.next & free);
            while others != 0 {
                let stones = self.chain(others & others.wrapping_neg(), rest);
                others &= !stones;
                let next = self.next_to(stones);
                let Some(pair) = pair(part.next & next & free) else { continue };
                let needs = part.needs | pair;
                if stones & last != 0 {
                    return Some(needs);
                }
                (parts[count], count) = (Part { next, needs }, count + 1);
                (rest, free) = (rest & !stones, free & !pair);
            }
        }
        None
    }

    /// What a color may reach from one of its sides: the points next to it, over pairs that may have points in common.
    fn reach(&self, side: u64, stones: u64, empty: u64) -> u64 {
        let mut next = side;
        loop {
            let open = next & empty;
            let joined = stones & (next | self.next_to_two(open));
            let grown = next | self.next_to(self.chain(joined, stones));
            if grown == next {
                return next;
            }
            next = grown;
        }
    }

    /// The empty points where a stone might join both sides.
    fn candidates(&self, color: Color, stones: u64, empty: u64) -> u64 {
        let [first, last] = self.sides[color.index()].map(|side| {
            let next = self.reach(side, stones, empty);
            next | self.next_to_two(next & empty)
        });
        first & last & empty
    }

    /// The stones by which a color, to play, wins at once, and what it needs then.
    pub(super) fn wins(
        &self,
        color: Color,
        stones: u64,
        empty: u64,
    ) -> impl Iterator<Item = (u64, u64)> {
        each(self.candidates(color, stones, empty)).filter_map(move |play| {
            let needs = self.joined(color, stones | play, empty & !play)?;
            Some((play, needs | play))
        })
    }

    /// The points of which one must be played against these wins of the opponent, and all that those need.
    pub(super) fn must(&self, color: Color, other: u64, empty: u64) -> (u64, u64) {
        let (mut must, mut needed) = (empty, 0);
        for (_, needs) in self.wins(color.opponent(), other, empty) {
            if must & !needs != 0 {
                (must, needed) = (must & needs, needed | needs);
            }
        }
        (must, needed)
    }

    /// The number of stones that a color lacks at each point to its two sides together, over pairs.
    fn lacking(&self, color: Color, stones: u64, empty: u64) -> [u8; POINTS] {
        let mut lacking = [0; POINTS];
        for side in self.sides[color.index()] {
            let (mut next, mut seen) = (side, 0);
            let mut steps = 1;
            let mut linked = stones;
            while seen != empty && steps < FAR {
                next = self.reach(next, linked, empty);
                let reached = (next | self.next_to_two(next & empty)) & empty & !seen;
                if reached == 0 {
                    break;
                }
                for point in Bits([reached]) {
                    lacking[point] += steps;
                }
                (seen, linked) = (seen | reached, linked | reached);
                next |= self.next_to(reached);
                steps += 1;
            }
            for point in Bits([empty & !seen]) {
                lacking[point] += FAR;
            }
        }
        lacking
    }

    /// The plays in the order in which they are tried: those that both colors would need most, the middle first.
    pub(super) fn ordered(
        &self,
        color: Color,
        own: u64,
        other: u64,
        plays: u64,
    ) -> ([u64; POINTS], usize) {
        let empty = self.board & !(own | other);
        let (mine, theirs) =
            (self.lacking(color, own, empty), self.lacking(color.opponent(), other, empty));
        let (mut order, mut count) = ([0_u64; POINTS], 0);
        for &point in &self.order {
            if plays >> point & 1 == 1 {
                (order[count], count) = (1 << point, count + 1);
            }
        }
        order[..count].sort_by_key(|play| {
            let point = play.trailing_zeros() as usize;
            mine[point] + theirs[point]
        });
        (order, count)
    }
}

/// How far a point is from the middle of the board, in steps of half a point.
fn from_middle(size: BoardSize, point: usize) -> usize {
    let (row, col) = (point / size.cols(), point % size.cols());
    let down = (2 * row + 1) as isize - size.rows() as isize;
    let right = (2 * col + 1) as isize - size.cols() as isize;
    down.unsigned_abs() + right.unsigned_abs() + (down + right).unsigned_abs()
}
