//! The chains of a board: their stones, liberties and keys, and those that a play takes.

use super::{Board, EMPTY};
use crate::bits::Bits;
use crate::color::Color;
use crate::games::go::liberties::Liberties;

impl<const W: usize> Board<W> {
    /// The heads of the chains of `color` next to `point` that are in atari, each once.
    #[inline]
    pub(in crate::games::go) fn ataris_at(
        &self,
        point: usize,
        color: Color,
    ) -> impl Iterator<Item = usize> {
        let neighbors = self.next_to(point);
        let heads = neighbors.map(|n| self.head_of(n));
        (0..4).filter_map(move |i| {
            let found = self.color_at(neighbors[i]) == color.index() as u8
                && self.atari.contains(neighbors[i])
                && !heads[..i].contains(&heads[i]);
            found.then_some(heads[i])
        })
    }

    /// What a play takes when it takes [`Board::ataris_at`]: the exclusive or of the Zobrist keys
    /// of the stones, and their number.
    #[inline]
    pub(in crate::games::go) fn ataris_taken_at(&self, point: usize, color: Color) -> (u64, usize) {
        self.ataris_at(point, color).fold((0, 0), |(keys, stones), head| {
            (keys ^ self.chain_key(head), stones + self.length.as_flattened()[head] as usize)
        })
    }

    /// The points of `within` next to a stone of `color` in atari.
    #[inline]
    pub(in crate::games::go) fn next_to_ataris(&self, color: Color, within: Bits<W>) -> Bits<W> {
        self.layout.frame.neighbors_in(self.stones(color) & self.atari, within)
    }

    #[inline]
    pub(super) fn chain_key(&self, head: usize) -> u64 {
        self.chain.as_flattened()[head].key
    }

    /// The stones of the chain with this head.
    pub(in crate::games::go) fn chain_stones(&self, head: usize) -> Bits<W> {
        let mut stones = Bits::point(head);
        let mut stone = self.next.as_flattened()[head] as usize;
        while stone != head {
            stones.insert(stone);
            stone = self.next.as_flattened()[stone] as usize;
        }
        stones
    }

    /// The head of the chain at a point; `None` where there is no stone.
    #[must_use]
    pub fn chain_at(&self, point: usize) -> Option<usize> {
        (self.color_at(point) < EMPTY).then(|| self.head_of(point))
    }

    /// The liberties of the chain with this head.
    #[must_use]
    pub fn chain_liberties(&self, head: usize) -> Bits<W> {
        self.layout.frame.neighbors_in(self.chain_stones(head), self.empty())
    }

    /// A stone of a chain without liberties, if there is one.
    #[must_use]
    pub fn strangled(&self) -> Option<usize> {
        let stones = self.stones[0] | self.stones[1];
        stones.iter().find(|&point| {
            self.chain.as_flattened()[self.head_of(point)].liberties == Liberties::NONE
        })
    }
}
