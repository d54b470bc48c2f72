//! The inner board: stones, chains and simple ko, without planes and without history.
//!
//! Does not check legality: [`Board::play`] takes only legal points, which [`Board::legal`] gives
//! (superko apart).
//!
//! Chains are linked rings of stones with a count of pseudo-liberties (an empty point counts once
//! for every stone of the chain next to it), as in libego. Chains with one liberty are kept in a
//! bitmap, `atari`, and with it the legal points of the whole board are one dilation.

use std::sync::Arc;

use super::layout::{Layout, PerPoint};
use super::liberties::Liberties;
use crate::bits::{Bits, Frame};
use crate::color::Color;
use crate::geometry::BoardSize;
use crate::log::Change;
use crate::morphology::chains;
use crate::prefetch::prefetch;

/// What is at a point, as [`Board::cells`] holds it: a color's index, or one of these.
pub(super) const EMPTY: u8 = 2;
pub(super) const OFF_BOARD: u8 = 3;

/// A chain, kept at the slot of its head stone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    pub(super) liberties: Liberties,
    /// Exclusive or of its stones' Zobrist keys.
    pub(super) key: u64,
}

/// The inner board of Go.
///
/// ```
/// use sixplane::games::go::Board;
/// use sixplane::{BoardSize, Color};
///
/// let mut board = Board::<1>::new(BoardSize::square(3)?);
/// let mut changes = Vec::new();
/// for (point, color) in [(0, Color::White), (1, Color::Black), (3, Color::Black)] {
///     board.play(point, color, &mut changes);
/// }
/// assert_eq!(changes.len(), 4); // three stones put, one taken
/// assert_eq!(board.stones(Color::White).count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Board<const W: usize> {
    pub(super) layout: Arc<Layout<W>>,
    pub(super) stones: [Bits<W>; 2],
    /// Stones of chains with exactly one liberty.
    pub(super) atari: Bits<W>,
    /// The point that simple ko forbids.
    pub(super) ko: Option<u16>,
    /// What is at each point.
    pub(super) cells: PerPoint<u8, W>,
    /// The head of the chain of each stone; `Layout::OFF` elsewhere.
    pub(super) head: PerPoint<u16, W>,
    /// The next stone in the ring of its chain.
    pub(super) next: PerPoint<u16, W>,
    /// Number of stones of the chain, at its head.
    pub(super) length: PerPoint<u16, W>,
    /// At its head.
    pub(super) chain: PerPoint<Chain, W>,
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
        self.cells = source.cells;
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
        let mut board = Self {
            layout: Arc::new(Layout::new(size)),
            stones: [Bits::EMPTY; 2],
            atari: Bits::EMPTY,
            ko: None,
            cells: PerPoint::new(OFF_BOARD),
            head: PerPoint::new(Layout::<W>::OFF as u16),
            next: PerPoint::new(0),
            length: PerPoint::new(0),
            chain: PerPoint::new(Chain { liberties: Liberties::NONE, key: 0 }),
        };
        board.clear();
        board
    }

    /// Takes every stone off.
    pub fn clear(&mut self) {
        self.stones = [Bits::EMPTY; 2];
        self.atari = Bits::EMPTY;
        self.ko = None;
        self.head.fill(Layout::<W>::OFF as u16);
        for point in 0..self.size().points() {
            self.cells[point] = EMPTY;
        }
    }

    /// Takes every stone off and puts these on, at points of the board that differ. Labels their chains.
    ///
    /// Does not check that every chain has a liberty: see [`Board::without_liberties`].
    pub fn set_stones(&mut self, stones: [Bits<W>; 2]) {
        self.clear();
        self.stones = stones;
        let layout = Arc::clone(&self.layout);
        chains(&layout.frame, stones).for_each(|chain| self.set_chain(chain));
    }

    /// Asks for the memory that a play will need.
    pub(super) fn prefetch(&self, point: usize) {
        if point < self.size().points() {
            let [up, .., down] = self.neighbors(point);
            for near in [up, point, down] {
                prefetch(&self.cells[near]);
                prefetch(&self.head[near]);
                prefetch(&self.chain[near]);
            }
            prefetch(&self.next[point]);
            prefetch(&self.length[point]);
        }
    }

    /// The size of the board.
    #[must_use]
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.layout.frame.size()
    }

    /// What shifting sets of points of this board needs.
    pub(super) fn frame(&self) -> &Frame<W> {
        &self.layout.frame
    }

    /// Stones of a color.
    #[must_use]
    #[inline]
    pub fn stones(&self, color: Color) -> Bits<W> {
        self.stones[color.index()]
    }

    /// Number of stones of each color.
    #[inline]
    pub(super) fn counts(&self) -> [usize; 2] {
        self.stones.map(|stones| stones.count())
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

    #[inline]
    pub(super) fn neighbors(&self, point: usize) -> [usize; 4] {
        self.layout.neighbors(point)
    }

    /// Whether a stone of `color` is at a point, which may be off the board.
    #[inline]
    pub(super) fn is_stone(&self, point: usize, color: Color) -> bool {
        self.cells[point] == color.index() as u8
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
        self.frame().dilate(safe, empty)
    }

    /// Puts a stone at a legal point and takes what it takes, adding each stone that appeared or
    /// vanished to `changes`.
    #[inline]
    pub fn play(&mut self, point: usize, color: Color, changes: &mut Vec<Change>) {
        let (own, enemy) = (color.index() as u8, color.opponent().index() as u8);
        let neighbors = self.neighbors(point);
        let cells = neighbors.map(|n| self.cells[n]);
        let heads = neighbors.map(|n| self.head_of(n));
        let first = changes.len();
        changes.push(Change::new(color, point));

        for head in heads {
            self.chain[head].liberties.take(Liberties::one(point));
        }
        self.stones[color.index()].insert(point);
        self.cells[point] = own;
        self.make_chain(
            point,
            color,
            Liberties::of_stone(neighbors, cells.map(|cell| cell == EMPTY)),
        );

        // Which neighbors are enemies left with one liberty or none, and which are own: found
        // without branches, since only the former are rare enough to predict.
        let (mut pressed, mut friends) = (0_u32, 0_u32);
        for i in 0..4 {
            let single = self.chain[heads[i]].liberties.is_single();
            pressed |= u32::from((cells[i] == enemy) & single) << i;
            friends |= u32::from(cells[i] == own) << i;
        }
        while pressed != 0 {
            let i = pressed.trailing_zeros() as usize;
            pressed &= pressed - 1;
            if self.cells[neighbors[i]] != enemy {
                continue; // Taken a moment ago.
            }
            if self.chain[heads[i]].liberties == Liberties::NONE {
                self.remove_chain(heads[i], color.opponent(), changes);
            } else if !self.atari.contains(neighbors[i]) {
                self.mark_atari(heads[i]);
            }
        }
        let taken = &changes[first + 1..];
        if !taken.is_empty() {
            self.release_atari(taken, color);
        }

        let mut head = point;
        while friends != 0 {
            let i = friends.trailing_zeros() as usize;
            friends &= friends - 1;
            head = self.join(head, neighbors[i]);
        }
        let liberties = self.chain[head].liberties;
        if liberties == Liberties::NONE {
            let before = changes.len();
            self.remove_chain(head, color, changes);
            self.release_atari(&changes[before..], color.opponent());
        } else if liberties.is_single() {
            self.mark_atari(head);
        }
        self.ko = self.ko_after(&changes[first..]);
    }

    /// Passes: the ko point may be played again.
    #[inline]
    pub fn pass(&mut self) {
        self.ko = None;
    }
}
