//! The stones of a board of Hex, and those of each color that are joined to its first side.
//!
//! A stone is joined at most once in a game, so all stones of a game together cost as much as one flood fill.

use crate::bits::Bits;
use crate::color::Color;
use crate::geometry::BoardSize;

/// Words that hold the points of any board.
pub(super) const WORDS: usize = 6;

/// The stones of both colors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    size: BoardSize,
    stones: [Bits<WORDS>; 2],
    /// The stones of each color from which a chain leads to its first side: Black's top, White's left.
    joined: [Bits<WORDS>; 2],
}

impl Sides {
    pub(super) fn new(size: BoardSize) -> Self {
        Self { size, stones: [Bits::EMPTY; 2], joined: [Bits::EMPTY; 2] }
    }

    pub(super) fn stones(&self, color: Color) -> Bits<WORDS> {
        self.stones[color.index()]
    }

    pub(super) fn empty(&self) -> Bits<WORDS> {
        let board: Bits<WORDS> = (0..self.size.points()).collect();
        board & !(self.stones[0] | self.stones[1])
    }

    /// Puts a stone on an empty point and says whether it joins the two sides of its color.
    #[inline]
    pub(super) fn put(&mut self, color: Color, point: usize) -> bool {
        let (size, stones) = (self.size, &mut self.stones[color.index()]);
        let joined = &mut self.joined[color.index()];
        stones.insert(point);
        if !is_on_side(size, color, point, false)
            && !neighbors(size, point).any(|other| joined.contains(other))
        {
            return false;
        }
        let (mut open, mut wins) = (Bits::<WORDS>::point(point), false);
        joined.insert(point);
        while let Some(point) = open.first() {
            open.remove(point);
            wins |= is_on_side(size, color, point, true);
            for other in neighbors(size, point) {
                if stones.contains(other) && !joined.contains(other) {
                    joined.insert(other);
                    open.insert(other);
                }
            }
        }
        wins
    }

    /// A shortest chain of a color from its first side to its second one; of equals, one whose points come first.
    pub(super) fn chain(&self, color: Color) -> Option<Vec<usize>> {
        let (size, stones) = (self.size, self.stones[color.index()]);
        // Breadth first from the second side, so that the way back begins at the first one.
        let mut next = vec![None; size.points()];
        let mut seen: Vec<usize> =
            stones.iter().filter(|&point| is_on_side(size, color, point, true)).collect();
        for &point in &seen {
            next[point] = Some(point);
        }
        let mut done = 0;
        while let Some(&point) = seen.get(done) {
            if is_on_side(size, color, point, false) {
                let step = |&point: &usize| next[point].filter(|&after| after != point);
                return Some(std::iter::successors(Some(point), step).collect());
            }
            for other in neighbors(size, point) {
                if stones.contains(other) && next[other].is_none() {
                    next[other] = Some(point);
                    seen.push(other);
                }
            }
            done += 1;
        }
        None
    }
}

/// Whether a point is on the first or the second side of a color.
#[inline]
pub(super) fn is_on_side(size: BoardSize, color: Color, point: usize, second: bool) -> bool {
    let (place, places) = match color {
        Color::Black => (point / size.cols(), size.rows()),
        Color::White => (point % size.cols(), size.cols()),
    };
    place == if second { places - 1 } else { 0 }
}

/// The points next to a point, of which there are up to six: in its row, above it and above to the right, below it
/// and below to the left.
#[inline]
fn neighbors(size: BoardSize, point: usize) -> impl Iterator<Item = usize> {
    let cols = size.cols();
    let (row, col) = (point / cols, point % cols);
    let (up, down) = (row > 0, row + 1 < size.rows());
    let (left, right) = (col > 0, col + 1 < cols);
    let all = [
        (up, point.wrapping_sub(cols)),
        (up && right, (point + 1).wrapping_sub(cols)),
        (left, point.wrapping_sub(1)),
        (right, point + 1),
        (down && left, point + cols - 1),
        (down, point + cols),
    ];
    all.into_iter().filter_map(|(is_there, other)| is_there.then_some(other))
}
