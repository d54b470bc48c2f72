//! Which empty points each color's stones reach, kept from one position to the next: what the
//! score needs, at a fraction of the cost of filling the whole board.

use super::board::Board;
use crate::bits::Bits;
use crate::color::Color;
use crate::step::Change;

/// Boards of so many words are filled sooner than compared with what was before.
const SMALL: usize = 3;

/// What the stones of a position reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach<const W: usize> {
    /// How many actions led to the position.
    moves: u32,
    /// How many stone changes these were.
    changes: usize,
    /// Empty points from which a way through empty points leads to a stone of the color.
    reached: [Bits<W>; 2],
    /// How many of them only that color reaches.
    alone: [usize; 2],
}

impl<const W: usize> Reach<W> {
    /// Of a position after so many actions and stone changes.
    pub(super) fn new(board: &Board<W>, moves: u32, changes: usize) -> Self {
        let mut reach =
            Self { moves, changes, reached: [Bits::EMPTY; 2], alone: Default::default() };
        reach.fill(board);
        reach
    }

    /// Goes on to the position of the board, which so many actions led to, with these stone changes
    /// since the start; gives the numbers of empty points that only Black's, only White's stones
    /// reach.
    ///
    /// If only one action was played since the last time, that is quick. Nothing else may have
    /// happened: whoever takes actions back starts anew.
    #[inline]
    pub(super) fn update(
        &mut self,
        board: &Board<W>,
        moves: u32,
        changes: &[Change],
    ) -> [usize; 2] {
        let since = changes.get(self.changes..).unwrap_or_default();
        match since {
            [] => {}
            &[put, ref taken @ ..]
                if W > SMALL
                    && moves == self.moves + 1
                    && taken.iter().all(|stone| stone.color() != put.color()) =>
            {
                self.put(board, put, taken);
            }
            _ => self.fill(board),
        }
        (self.moves, self.changes) = (moves, changes.len());
        self.alone
    }

    /// Fills the whole board.
    fn fill(&mut self, board: &Board<W>) {
        self.reached = board.reached();
        self.count();
    }

    fn count(&mut self) {
        let [black, white] = self.reached;
        self.alone = [(black & !white).count(), (white & !black).count()];
    }

    /// Goes on to the position after a play that took these stones.
    #[inline]
    fn put(&mut self, board: &Board<W>, put: Change, taken: &[Change]) {
        let (color, point) = (put.color(), put.point());
        let (own, other) = (color.index(), color.opponent().index());
        let reached = [0, 1].map(|color| self.reached[color].contains(point));
        for color in [own, other] {
            self.reached[color].remove(point);
            self.alone[color] -= usize::from(reached[color] & !reached[1 - color]);
        }
        // Stones that were taken leave points that nothing but the taker's stones surrounds. None
        // of the parts around is next to them.
        let is_part = |start: usize| {
            board.is_empty_at(start) && taken.iter().all(|stone| stone.point() != start)
        };
        let starts = board.next_to(point).map(|start| is_part(start).then_some(start));
        if !reached[own] {
            // The stone's color reaches all that was one region with its point.
            for start in starts.into_iter().flatten() {
                self.reached[own] |= board.frame().fill(Bits::point(start), board.empty());
            }
            self.count();
        }
        if reached[other] {
            self.cut(board, color.opponent(), point, (starts, !taken.is_empty()));
        }
        for stone in taken {
            self.reached[own].insert(stone.point());
        }
        self.alone[own] += taken.len();
    }

    /// The color reached the region that a stone of its opponent was put into. It still reaches those
    /// of the parts which that may have cut the region into that have a stone of the color beside
    /// them. The parts begin at these neighbors of the stone.
    #[inline]
    fn cut(
        &mut self,
        board: &Board<W>,
        color: Color,
        point: usize,
        (starts, has_taken): ([Option<usize>; 4], bool),
    ) {
        // Neighbors in two lines are one part if the point between them, diagonal from the stone, is
        // empty.
        let is_joined = |a: usize, b: usize| {
            (a.abs_diff(point) == 1) != (b.abs_diff(point) == 1) && board.is_empty_at(a + b - point)
        };
        let mut parts = starts;
        for i in 1..4 {
            if let Some(start) = starts[i] {
                if starts[..i].iter().flatten().any(|&earlier| is_joined(start, earlier)) {
                    parts[i] = None;
                }
            }
        }
        // A region in one piece keeps the stones beside it, unless the only way there was this point.
        let is_whole = parts.iter().flatten().count() == 1;
        if is_whole && !has_taken && !board.is_next_to(point, color) {
            return;
        }
        for start in parts.into_iter().flatten() {
            if !board.is_next_to(start, color)
                && !board
                    .next_to(start)
                    .into_iter()
                    .any(|n| board.is_empty_at(n) && board.is_next_to(n, color))
                && self.reached[color.index()].contains(start)
            {
                let lost = Self::part_without(board, color, start);
                if !lost.is_empty() {
                    self.reached[color.index()] &= !lost;
                    self.count();
                }
            }
        }
    }

    /// The region of an empty point if no stone of `color` is beside it, else nothing.
    #[inline(never)]
    fn part_without(board: &Board<W>, color: Color, start: usize) -> Bits<W> {
        let (stones, empty) = (board.stones(color), board.empty());
        let mut part = Bits::point(start);
        loop {
            let beside = board.frame().neighbors_in(part, (empty | stones) & !part);
            if !(beside & stones).is_empty() {
                return Bits::EMPTY;
            }
            if beside.is_empty() {
                return part;
            }
            part |= beside;
        }
    }
}
