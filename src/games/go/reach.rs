//! Which empty points each color's stones reach, kept from one position to the next: what the
//! score needs, at a fraction of the cost of filling the whole board.

use super::board::Board;
use crate::bits::Bits;
use crate::color::Color;

/// Boards of so many words are filled sooner than compared.
const SMALL: usize = 3;

/// What the stones of a position reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach<const W: usize> {
    /// Of the position.
    stones: [Bits<W>; 2],
    /// Empty points from which a way through empty points leads to a stone of the color.
    reached: [Bits<W>; 2],
}

impl<const W: usize> Reach<W> {
    /// Of the empty board, where there is nothing to reach.
    pub(super) fn new() -> Self {
        Self { stones: [Bits::EMPTY; 2], reached: [Bits::EMPTY; 2] }
    }

    /// Goes over to the position of a board and gives the empty points that each color reaches.
    pub(super) fn update(&mut self, board: &Board<W>) -> [Bits<W>; 2] {
        if W <= SMALL {
            return board.reached();
        }
        let stones = Color::ALL.map(|color| board.stones(color));
        let before = std::mem::replace(&mut self.stones, stones);
        let appeared = [stones[0] & !before[0], stones[1] & !before[1]];
        let vanished = [before[0] & !stones[0], before[1] & !stones[1]];
        let color = if appeared[0].is_empty() { Color::White } else { Color::Black };
        let taken = vanished[color.opponent().index()];
        if (appeared[0] | appeared[1]).count() == 1
            && vanished[color.index()].is_empty()
            && (taken.is_empty() || Self::is_enclosed(board, color, taken))
        {
            for point in appeared[color.index()] {
                self.put(board, color, point, taken);
            }
            self.reached[color.index()] |= taken;
        } else if appeared != vanished || !appeared[0].is_empty() {
            self.reached = board.reached();
        }
        self.reached
    }

    /// Whether these points, now empty, touch nothing but each other and stones of `color`.
    fn is_enclosed(board: &Board<W>, color: Color, taken: Bits<W>) -> bool {
        let others = (board.empty() | board.stones(color.opponent())) & !taken;
        board.frame().neighbors_in(taken, others).is_empty()
    }

    /// Goes on to the position with one stone more; points that were taken do not count as empty.
    fn put(&mut self, board: &Board<W>, color: Color, point: usize, taken: Bits<W>) {
        let (own, other) = (color.index(), color.opponent().index());
        let was_reached = self.reached[other].contains(point);
        self.reached.iter_mut().for_each(|reached| reached.remove(point));
        for start in board.next_to(point) {
            if !board.is_empty_at(start) || taken.contains(start) {
                continue;
            }
            // The stone's color reaches all that was one region with its point.
            if !self.reached[own].contains(start) {
                let empty = board.empty() & !taken;
                self.reached[own] |= board.frame().fill(Bits::point(start), empty);
            }
            // The other color, if it reached that region, reaches those of the parts the stone
            // has cut it into that have a stone of that color beside them.
            if was_reached
                && self.reached[other].contains(start)
                && !board.is_next_to(start, color.opponent())
            {
                let lost = Self::part_without(board, color.opponent(), start, taken);
                self.reached[other] &= !lost;
            }
        }
    }

    /// The region of an empty point if no stone of `color` is beside it, else nothing.
    fn part_without(board: &Board<W>, color: Color, start: usize, taken: Bits<W>) -> Bits<W> {
        let (stones, empty) = (board.stones(color), board.empty() & !taken);
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
