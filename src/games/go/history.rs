//! The earlier positions of a game, found by their numbers of stones.

use crate::color::Color;
use crate::prefetch::prefetch;
use crate::state::copy_list;

/// Numbers of stones: black, white.
pub(super) type Counts = [usize; 2];

/// What tells a position from others, nearly always.
#[derive(Clone, Copy, Debug)]
pub(super) struct PositionKey {
    /// The Zobrist key of its stones.
    pub(super) key: u64,
    pub(super) counts: Counts,
    /// The player to play.
    pub(super) turn: Color,
    /// The number of stone changes that led to it.
    pub(super) changes: usize,
}

/// An earlier position, in 16 bytes: its board is the board now with the changes since taken back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Earlier {
    /// The key it was added with.
    pub(super) key: u64,
    /// Twice the number of stone changes that led to it, plus the player to play.
    then: u32,
    /// The one before among those with as many stones, or `NONE`.
    before: u32,
}

impl Earlier {
    /// The number of stone changes that led to it.
    pub(super) fn changes(self) -> usize {
        (self.then >> 1) as usize
    }

    /// The player to play.
    pub(super) fn turn(self) -> Color {
        Color::ALL[(self.then & 1) as usize]
    }
}

const NONE: u32 = u32::MAX;

/// The earlier positions, in lists of those with as many stones.
#[derive(Debug)]
pub(super) struct History {
    positions: Vec<Earlier>,
    /// The last position of each list. Positions with as many stones share a list with few others.
    last: Box<[u32]>,
}

impl Clone for History {
    fn clone(&self) -> Self {
        Self { positions: self.positions.clone(), last: self.last.clone() }
    }

    /// Keeps what memory there is, and capacity for a usual game.
    fn clone_from(&mut self, source: &Self) {
        copy_list(&mut self.positions, &source.positions, self.last.len());
        self.last.clone_from(&source.last);
    }
}

impl History {
    /// No position, on a board of so many points.
    pub(super) fn new(points: usize) -> Self {
        // Long enough that most lists stay empty, for what is not there need not be read.
        let lists = (4 * points).next_power_of_two();
        Self { positions: Vec::new(), last: vec![NONE; lists].into() }
    }

    /// Bytes that it holds beside itself.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.positions.as_slice()) + size_of_val(&*self.last)
    }

    /// Forgets every position.
    pub(super) fn clear(&mut self) {
        self.positions.clear();
        self.last.fill(NONE);
    }

    /// Asks for the memory of the positions that the next play of `color` will be compared with.
    pub(super) fn prefetch(&self, counts: Counts, color: Color) {
        let mut after = counts;
        after[color.index()] += 1;
        prefetch(&self.last[self.list(after)]);
        after[color.opponent().index()] += 1;
        prefetch(&self.last[self.list(after)]);
        if let Some(last) = self.positions.last() {
            prefetch(last);
        }
    }

    /// Adds a position, with a key that may say more than that of its stones.
    #[inline]
    pub(super) fn add(&mut self, position: PositionKey, key: u64) {
        let list = self.list(position.counts);
        let before = std::mem::replace(&mut self.last[list], self.positions.len() as u32);
        let then = (position.changes as u32) << 1 | position.turn.index() as u32;
        self.positions.push(Earlier { key, then, before });
    }

    /// All positions, the last one first.
    pub(super) fn latest_first(&self) -> impl Iterator<Item = Earlier> {
        self.positions.iter().rev().copied()
    }

    /// The positions that may have so many stones, the last one first.
    #[inline]
    pub(super) fn with_counts(&self, counts: Counts) -> impl Iterator<Item = &Earlier> {
        let mut next = self.last[self.list(counts)];
        std::iter::from_fn(move || {
            let position = self.positions.get(next as usize)?;
            next = position.before;
            Some(position)
        })
    }

    /// Which list has the positions with so many stones.
    #[inline]
    fn list(&self, counts: Counts) -> usize {
        // Numbers that are near each other, as those of one game are, get lists of their own.
        (counts[0] + 23 * counts[1]) & (self.last.len() - 1)
    }
}
