//! The chains of a board: rings of stones, joined by plays and taken off.

use super::board::{Board, Chain, EMPTY};
use super::layout::{Layout, PerPoint};
use super::liberties::Liberties;
use crate::bits::Bits;
use crate::color::Color;
use crate::log::Change;
use crate::morphology::chains;
use crate::zobrist;

/// The stones of a chain, its head first.
#[inline]
fn ring<const W: usize>(next: &PerPoint<u16, W>, head: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(head), move |&stone| {
        let stone = next[stone] as usize;
        (stone != head).then_some(stone)
    })
}

impl<const W: usize> Board<W> {
    /// The slot of the chain of the stone at a point; [`Layout::OFF`] if there is none.
    #[inline]
    pub(super) fn head_of(&self, point: usize) -> usize {
        self.head[point] as usize
    }

    /// The head of the chain at a point; `None` where there is no stone.
    #[must_use]
    pub fn chain_at(&self, point: usize) -> Option<usize> {
        (self.cells[point] < EMPTY).then(|| self.head_of(point))
    }

    /// The stones of the chain with this head, which [`Board::chain_at`] names; with another point the call may
    /// not return.
    #[must_use]
    pub fn chain_stones(&self, head: usize) -> Bits<W> {
        ring(&self.next, head).collect()
    }

    /// The liberties of the chain with this head, as for [`Board::chain_stones`].
    #[must_use]
    pub fn chain_liberties(&self, head: usize) -> Bits<W> {
        self.frame().dilate(self.chain_stones(head), self.empty())
    }

    /// A stone of a chain without liberties, if there is one.
    #[must_use]
    pub fn without_liberties(&self) -> Option<usize> {
        let is_free = |chain: &Bits<W>| !self.frame().dilate(*chain, self.empty()).is_empty();
        chains(self.frame(), self.stones).find(|chain| !is_free(chain))?.first()
    }

    /// The heads of the chains of `color` next to `point` that are in atari, each once.
    #[inline]
    pub(super) fn ataris_at(&self, point: usize, color: Color) -> impl Iterator<Item = usize> {
        let neighbors = self.neighbors(point);
        let heads = neighbors.map(|n| self.head_of(n));
        (0..4).filter_map(move |i| {
            let found = self.is_stone(neighbors[i], color)
                && self.atari.contains(neighbors[i])
                && !heads[..i].contains(&heads[i]);
            found.then_some(heads[i])
        })
    }

    /// The exclusive or of the Zobrist keys of the stones of [`Board::ataris_at`], and their
    /// number.
    #[inline]
    pub(super) fn ataris_taken_at(&self, point: usize, color: Color) -> (u64, usize) {
        self.ataris_at(point, color).fold((0, 0), |(keys, stones), head| {
            (keys ^ self.chain[head].key, stones + self.length[head] as usize)
        })
    }

    /// Makes a stone a chain of its own.
    #[inline]
    pub(super) fn make_chain(&mut self, point: usize, color: Color, liberties: Liberties) {
        self.head[point] = point as u16;
        self.next[point] = point as u16;
        self.length[point] = 1;
        self.chain[point] = Chain { liberties, key: zobrist::stone(color, point) };
    }

    /// Makes these stones on the board, which labelling found connected, a chain.
    pub(super) fn set_chain(&mut self, stones: Bits<W>) {
        let head = stones.first().expect("a chain has stones");
        let color = Color::ALL[usize::from(self.stones[1].contains(head))];
        let (empty, mut last) = (self.empty(), head);
        let mut chain = Chain { liberties: Liberties::NONE, key: 0 };
        for stone in stones {
            let neighbors = self.neighbors(stone);
            chain
                .liberties
                .add(Liberties::of_stone(neighbors, neighbors.map(|n| empty.contains(n))));
            chain.key ^= zobrist::stone(color, stone);
            self.cells[stone] = color.index() as u8;
            self.head[stone] = head as u16;
            self.next[last] = stone as u16;
            last = stone;
        }
        self.next[last] = head as u16;
        self.length[head] = stones.count() as u16;
        self.chain[head] = chain;
        if self.frame().dilate(stones, empty).count() == 1 {
            self.atari |= stones;
        }
    }

    /// Joins the chain of the neighbor to the chain with this head, which is not marked as in
    /// atari. Returns the head of both; the caller marks it if it has one liberty.
    #[inline(never)]
    pub(super) fn join(&mut self, head: usize, neighbor: usize) -> usize {
        let (mut long, mut short) = (head, self.head_of(neighbor));
        if long == short {
            return head;
        }
        if self.atari.contains(neighbor) {
            for stone in ring(&self.next, short) {
                self.atari.remove(stone);
            }
        }
        if self.length[long] < self.length[short] {
            std::mem::swap(&mut long, &mut short);
        }
        self.length[long] += self.length[short];
        let Chain { liberties, key } = self.chain[short];
        self.chain[long].liberties.add(liberties);
        self.chain[long].key ^= key;
        for stone in ring(&self.next, short) {
            self.head[stone] = long as u16;
        }
        // Two rings become one where their heads exchange what follows them.
        (self.next[long], self.next[short]) = (self.next[short], self.next[long]);
        long
    }

    /// Takes a chain off the board and gives its points to the chains around as liberties.
    #[inline]
    pub(super) fn remove_chain(&mut self, head: usize, color: Color, changes: &mut Vec<Change>) {
        for stone in ring(&self.next, head) {
            changes.push(Change::new(color, stone));
            self.cells[stone] = EMPTY;
            self.head[stone] = Layout::<W>::OFF as u16;
            self.stones[color.index()].remove(stone);
            self.atari.remove(stone);
            for n in self.layout.neighbors(stone) {
                self.chain[self.head[n] as usize].liberties.add(Liberties::one(stone));
            }
        }
    }

    /// Marks a chain that has one liberty.
    #[inline]
    pub(super) fn mark_atari(&mut self, head: usize) {
        for stone in ring(&self.next, head) {
            self.atari.insert(stone);
        }
    }

    /// Chains of `color` next to stones that vanished may have left atari.
    pub(super) fn release_atari(&mut self, vanished: &[Change], color: Color) {
        let points: Bits<W> = vanished.iter().map(|change| change.point()).collect();
        let own = self.stones(color);
        let mut suspects = self.frame().dilate(points, own & self.atari);
        while let Some(stone) = suspects.first() {
            let chain = self.chain_stones(self.head_of(stone));
            suspects &= !chain;
            if !self.chain[self.head_of(stone)].liberties.is_single() {
                self.atari &= !chain;
            }
        }
    }
}
