//! The inner board: chains and bitmaps, without planes and without history.
//!
//! Does not check legality: [`Board::play`] is told only legal points, which [`Board::legal`]
//! gives (superko apart).
//!
//! Chains are linked rings of stones with a count of pseudo-liberties (an empty point counts once
//! for every stone of the chain next to it), as in libego. The count, the sum and the sum of
//! squares of those points say exactly whether they are all the same point: `count * squares ==
//! sum * sum` (equality in the Cauchy-Schwarz inequality). Chains with one liberty are kept in a
//! bitmap, `atari`, and with it the legal points of the whole board are one dilation.

// Neighbors are anything, so a branch on one costs more than the operations it would skip.
#![allow(clippy::needless_bitwise_bool)]

mod areas;
mod around;
mod chains;
#[cfg(test)]
mod check;

use std::sync::Arc;

use super::layout::Layout;
use super::liberties::Liberties;
use crate::bits::{Bits, Frame};
use crate::color::Color;
use crate::geometry::BoardSize;
use crate::prefetch::prefetch;
use crate::step::Change;
use crate::zobrist;

/// What is at a point, as the board's arrays hold it: a color's index, or one of these.
const EMPTY: u8 = 2;
const OFF_BOARD: u8 = 3;

/// No ko point.
const NO_KO: u16 = u16::MAX;

/// A chain, kept at the index of its head stone.
#[derive(Clone, Copy, Debug)]
struct Chain {
    liberties: Liberties,
    /// Exclusive or of its stones' Zobrist keys.
    key: u64,
}

/// The inner board of Go: stones, chains, the atari bitmap and the ko point.
#[derive(Debug)]
pub struct Board<const W: usize> {
    layout: Arc<Layout<W>>,
    stones: [Bits<W>; 2],
    /// Stones of chains with exactly one liberty.
    atari: Bits<W>,
    ko: u16,
    color: [[u8; 64]; W],
    /// The head of the chain of each stone; `Layout::OFF` elsewhere.
    head: [[u16; 64]; W],
    /// The next stone in the ring of its chain.
    next: [[u16; 64]; W],
    /// Stones of the chain, at its head.
    length: [[u16; 64]; W],
    /// At its head.
    chain: [[Chain; 64]; W],
}

impl<const W: usize> Clone for Board<W> {
    fn clone(&self) -> Self {
        Self { layout: Arc::clone(&self.layout), ..*self }
    }

    /// Copies straight into place, and leaves the shared tables alone if both boards share them.
    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.layout, &source.layout) {
            self.layout = Arc::clone(&source.layout);
        }
        self.stones = source.stones;
        self.atari = source.atari;
        self.ko = source.ko;
        self.color = source.color;
        self.head = source.head;
        self.next = source.next;
        self.length = source.length;
        self.chain = source.chain;
    }
}

impl<const W: usize> Board<W> {
    /// An empty board.
    #[must_use]
    pub fn new(size: BoardSize) -> Self {
        let mut color = [[OFF_BOARD; 64]; W];
        color.as_flattened_mut()[..size.points()].fill(EMPTY);
        Self {
            layout: Arc::new(Layout::new(size)),
            stones: [Bits::EMPTY; 2],
            atari: Bits::EMPTY,
            ko: NO_KO,
            color,
            head: [[Layout::<W>::OFF as u16; 64]; W],
            next: [[0; 64]; W],
            length: [[0; 64]; W],
            chain: [[Chain { liberties: Liberties::NONE, key: 0 }; 64]; W],
        }
    }

    /// Takes every stone off.
    pub fn clear(&mut self) {
        let points = self.size().points();
        self.stones = [Bits::EMPTY; 2];
        self.atari = Bits::EMPTY;
        self.ko = NO_KO;
        self.color.as_flattened_mut()[..points].fill(EMPTY);
        self.head.as_flattened_mut().fill(Layout::<W>::OFF as u16);
    }

    /// Takes every stone off and puts these on, at points of the board that differ.
    ///
    /// Does not check that every chain has a liberty: see [`Board::strangled`].
    pub fn set_stones(&mut self, stones: [Bits<W>; 2]) {
        self.clear();
        self.stones = stones;
        for color in Color::ALL {
            for point in stones[color.index()] {
                self.color.as_flattened_mut()[point] = color.index() as u8;
            }
        }
        for color in Color::ALL {
            for point in stones[color.index()] {
                let liberties = self.liberties_at(point);
                self.put(point, color, liberties);
                for n in self.next_to(point) {
                    if self.color_at(n) == color.index() as u8
                        && self.head_of(n) != Layout::<W>::OFF
                    {
                        self.join(self.head_of(point), n);
                    }
                }
            }
        }
        for point in stones[0] | stones[1] {
            if self.head_of(point) == point && self.liberties(point).is_single() {
                self.mark_atari(point);
            }
        }
    }

    /// Asks for the memory that a play will need.
    pub(super) fn prefetch(&self, point: usize) {
        if point < self.size().points() {
            let [up, .., down] = self.next_to(point);
            for near in [up, point, down] {
                prefetch(&self.color.as_flattened()[near]);
                prefetch(&self.head.as_flattened()[near]);
                prefetch(&self.chain.as_flattened()[near]);
            }
            prefetch(&self.next.as_flattened()[point]);
            prefetch(&self.length.as_flattened()[point]);
        }
    }

    /// The size of the board.
    #[must_use]
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.layout.frame.size()
    }

    /// Stones of a color.
    #[must_use]
    #[inline]
    pub fn stones(&self, color: Color) -> Bits<W> {
        self.stones[color.index()]
    }

    /// Empty points.
    #[must_use]
    #[inline]
    pub fn empty(&self) -> Bits<W> {
        self.layout.frame.board() & !(self.stones[0] | self.stones[1])
    }

    /// Stones of chains with exactly one liberty.
    #[must_use]
    #[inline]
    pub fn atari(&self) -> Bits<W> {
        self.atari
    }

    /// The point that simple ko forbids.
    #[must_use]
    #[inline]
    pub fn ko(&self) -> Option<usize> {
        (self.ko != NO_KO).then_some(self.ko as usize)
    }

    /// Forbids a point by simple ko until the next play or pass.
    pub fn set_ko(&mut self, point: Option<usize>) {
        self.ko = point.map_or(NO_KO, |point| point as u16);
    }

    #[inline]
    pub(super) fn next_to(&self, point: usize) -> [usize; 4] {
        self.layout.neighbors(point)
    }

    #[inline]
    fn color_at(&self, point: usize) -> u8 {
        self.color.as_flattened()[point]
    }

    #[inline]
    fn head_of(&self, point: usize) -> usize {
        self.head.as_flattened()[point] as usize
    }

    #[inline]
    fn liberties(&mut self, head: usize) -> &mut Liberties {
        &mut self.chain.as_flattened_mut()[head].liberties
    }

    /// The points where `color` may play, before ko: empty points next to an empty point, to an
    /// own chain that keeps a liberty, or to an enemy chain that is taken. With `suicide`, next
    /// to any own chain.
    #[must_use]
    #[inline]
    pub fn legal_before_ko(&self, color: Color, suicide: bool) -> Bits<W> {
        let (own, enemy) = (self.stones(color), self.stones(color.opponent()));
        let empty = self.empty();
        let mut safe = empty | (enemy & self.atari);
        safe |= if suicide { own } else { own & !self.atari };
        self.layout.frame.neighbors_in(safe, empty)
    }

    /// The points where `color` may play under simple ko.
    #[must_use]
    #[inline]
    pub fn legal(&self, color: Color, suicide: bool) -> Bits<W> {
        let mut legal = self.legal_before_ko(color, suicide);
        if self.ko != NO_KO {
            legal.remove(self.ko as usize);
        }
        legal
    }

    /// Passes: the ko point may be played again.
    #[inline]
    pub fn pass(&mut self) {
        self.ko = NO_KO;
    }

    /// Puts a stone at a legal point and takes what it takes, adding each stone that appeared or
    /// vanished to `changes`.
    #[inline]
    pub fn play(&mut self, point: usize, color: Color, changes: &mut Vec<Change>) {
        let (own, enemy) = (color.index() as u8, color.opponent().index() as u8);
        let neighbors = self.next_to(point);
        let colors = neighbors.map(|n| self.color_at(n));
        let heads = neighbors.map(|n| self.head_of(n));
        changes.push(Change::new(color, point));

        let lost = Liberties::one(point);
        for head in heads {
            self.liberties(head).take(lost);
        }
        self.stones[color.index()].insert(point);
        self.color.as_flattened_mut()[point] = own;
        self.put(point, color, Self::liberties_of(neighbors, colors));

        // Which neighbors are enemies left with one liberty or none, and which are own: found
        // without branches, since only the former are rare enough to predict.
        let (mut pressed, mut friends) = (0_u32, 0_u32);
        for i in 0..4 {
            let single = self.liberties(heads[i]).is_single();
            pressed |= u32::from((colors[i] == enemy) & single) << i;
            friends |= u32::from(colors[i] == own) << i;
        }
        let before = changes.len();
        while pressed != 0 {
            let i = pressed.trailing_zeros() as usize;
            pressed &= pressed - 1;
            if self.color_at(neighbors[i]) != enemy {
                continue; // Taken a moment ago.
            }
            if *self.liberties(heads[i]) == Liberties::NONE {
                self.remove_chain(heads[i], color.opponent(), changes);
            } else if !self.atari.contains(neighbors[i]) {
                self.mark_atari(heads[i]);
            }
        }
        let captured = changes.len() - before;
        if captured > 0 {
            self.release_atari(&changes[before..], color);
        }

        let mut head = point;
        while friends != 0 {
            let i = friends.trailing_zeros() as usize;
            friends &= friends - 1;
            head = self.join(head, neighbors[i]);
        }
        let liberties = *self.liberties(head);
        self.ko = NO_KO;
        if liberties == Liberties::NONE {
            let before = changes.len();
            self.remove_chain(head, color, changes);
            self.release_atari(&changes[before..], color.opponent());
        } else if liberties.is_single() {
            self.mark_atari(head);
            if captured == 1 && self.length.as_flattened()[head] == 1 {
                self.ko = changes[before].point() as u16;
            }
        }
    }

    /// The pseudo-liberties of one stone with these neighbors.
    #[inline]
    fn liberties_of(neighbors: [usize; 4], colors: [u8; 4]) -> Liberties {
        let mut all = Liberties::NONE;
        for (n, color) in neighbors.into_iter().zip(colors) {
            all.add(Liberties::one(n).only_if(color == EMPTY));
        }
        all
    }

    /// The pseudo-liberties of one stone at `point`.
    fn liberties_at(&self, point: usize) -> Liberties {
        let neighbors = self.next_to(point);
        Self::liberties_of(neighbors, neighbors.map(|n| self.color_at(n)))
    }

    /// Makes a stone a chain of its own.
    #[inline]
    fn put(&mut self, point: usize, color: Color, liberties: Liberties) {
        self.head.as_flattened_mut()[point] = point as u16;
        self.next.as_flattened_mut()[point] = point as u16;
        self.length.as_flattened_mut()[point] = 1;
        self.chain.as_flattened_mut()[point] =
            Chain { liberties, key: zobrist::stone(color, point) };
    }

    /// Joins the chain of the neighbor to the chain with this head, which is not flagged as in
    /// atari. Returns the head of both; the caller flags it if it has one liberty.
    #[inline(never)]
    fn join(&mut self, head: usize, neighbor: usize) -> usize {
        let (mut long, mut short) = (head, self.head_of(neighbor));
        if long == short {
            return head;
        }
        if self.atari.contains(neighbor) {
            self.clear_atari(short);
        }
        let length = self.length.as_flattened_mut();
        if length[long] < length[short] {
            std::mem::swap(&mut long, &mut short);
        }
        length[long] += length[short];
        let absorbed = self.chain.as_flattened()[short];
        let chain = &mut self.chain.as_flattened_mut()[long];
        chain.liberties.add(absorbed.liberties);
        chain.key ^= absorbed.key;
        let (heads, next) = (self.head.as_flattened_mut(), self.next.as_flattened_mut());
        let mut stone = short;
        loop {
            heads[stone] = long as u16;
            stone = next[stone] as usize;
            if stone == short {
                break;
            }
        }
        next.swap(long, short);
        long
    }

    /// Takes a chain off the board and gives its points to the chains around as liberties.
    #[inline]
    fn remove_chain(&mut self, head: usize, color: Color, changes: &mut Vec<Change>) {
        let mut stone = head;
        loop {
            changes.push(Change::new(color, stone));
            self.color.as_flattened_mut()[stone] = EMPTY;
            self.head.as_flattened_mut()[stone] = Layout::<W>::OFF as u16;
            self.stones[color.index()].remove(stone);
            self.atari.remove(stone);
            for n in self.next_to(stone) {
                let around = self.head_of(n);
                self.liberties(around).add(Liberties::one(stone));
            }
            stone = self.next.as_flattened()[stone] as usize;
            if stone == head {
                return;
            }
        }
    }

    /// Chains of `color` next to stones that vanished may have left atari.
    fn release_atari(&mut self, vanished: &[Change], color: Color) {
        let points: Bits<W> = vanished.iter().map(|change| change.point()).collect();
        let own = self.stones(color);
        let mut suspects = self.layout.frame.neighbors_in(points, own & self.atari);
        while let Some(stone) = suspects.first() {
            let head = self.head_of(stone);
            if self.liberties(head).is_single() {
                suspects.remove(stone);
            } else {
                self.clear_atari(head);
                suspects &= self.atari;
            }
        }
    }

    #[inline]
    fn mark_atari(&mut self, head: usize) {
        let mut stone = head;
        loop {
            self.atari.insert(stone);
            stone = self.next.as_flattened()[stone] as usize;
            if stone == head {
                return;
            }
        }
    }

    #[inline]
    fn clear_atari(&mut self, head: usize) {
        let mut stone = head;
        loop {
            self.atari.remove(stone);
            stone = self.next.as_flattened()[stone] as usize;
            if stone == head {
                return;
            }
        }
    }

    /// Number of stones of each color.
    #[inline]
    pub(super) fn counts(&self) -> [usize; 2] {
        self.stones.map(|stones| stones.count())
    }

    /// What shifting sets of points of this board needs.
    pub(super) fn frame(&self) -> &Frame<W> {
        &self.layout.frame
    }
}
