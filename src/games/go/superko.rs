//! Superko: which plays would recreate an earlier board, found without playing them.
//!
//! The hash after a play is the hash before it, the stone's key and the keys of the chains it
//! takes. A small bit filter says of almost every such hash that no earlier position has it; the
//! others are looked up, and a hit is confirmed stone by stone, so a collision of hashes can
//! never forbid a legal play.
//!
//! A play that leaves its stone can only recreate a board that had that stone there, so only
//! points where the color ever had a stone are tested at all.

use super::board::Board;
use crate::bits::Bits;
use crate::color::Color;
use crate::state;
use crate::zobrist;

#[cfg(test)]
thread_local! {
    /// How many plays had the key of an earlier position, whether they recreate it or not.
    pub(super) static HITS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// An earlier position: its board is the board now with the changes since taken back.
#[derive(Clone, Copy, Debug)]
struct Position {
    key: u64,
    /// How many stone changes the course of play had made by then.
    changes: u32,
    turn: Color,
}

/// The positions that a play may not recreate.
#[derive(Debug)]
pub(super) struct Superko<const W: usize> {
    /// Whether a board may come again with the other player to play.
    situational: bool,
    suicide: bool,
    /// All ones, but for tests that want collisions.
    key_mask: u64,
    /// Points where each color ever had a stone.
    had: [Bits<W>; 2],
    positions: Vec<Position>,
    /// Bloom filter of the positions' keys: two bits of one word for each (Bloom, 1970; Putze,
    /// Sanders and Singler, 2007). A power of two long, at least half as many words as positions:
    /// fewer than one in a hundred other keys pass.
    filter: Vec<u64>,
}

impl<const W: usize> Clone for Superko<W> {
    fn clone(&self) -> Self {
        Self { positions: self.positions.clone(), filter: self.filter.clone(), ..*self }
    }

    /// Keeps what memory there is.
    fn clone_from(&mut self, source: &Self) {
        let positions = std::mem::take(&mut self.positions);
        let filter = std::mem::take(&mut self.filter);
        *self = Self { positions, filter, ..*source };
        self.positions.clone_from(&source.positions);
        self.filter.clone_from(&source.filter);
    }
}

impl<const W: usize> Superko<W> {
    pub(super) fn new(situational: bool, suicide: bool) -> Self {
        Self {
            situational,
            suicide,
            key_mask: u64::MAX,
            had: [Bits::EMPTY; 2],
            positions: Vec::new(),
            filter: vec![0; 64],
        }
    }

    #[cfg(test)]
    pub(super) fn narrow_keys(&mut self, bits: u32) {
        self.key_mask = (1 << bits) - 1;
    }

    /// Forgets every position.
    pub(super) fn clear(&mut self) {
        self.had = [Bits::EMPTY; 2];
        self.positions.clear();
        self.filter.fill(0);
    }

    /// Notes that `color` had a stone at a point.
    #[inline]
    pub(super) fn note_stone(&mut self, color: Color, point: usize) {
        self.had[color.index()].insert(point);
    }

    /// Notes a position: its stones' key, the player to play, and the number of stone changes
    /// that led to it.
    #[inline]
    pub(super) fn note_position(&mut self, key: u64, turn: Color, changes: usize) {
        let key = self.key(key, turn);
        self.positions.push(Position { key, changes: changes as u32, turn });
        if self.positions.len() > self.filter.len() * 2 {
            self.filter = vec![0; self.filter.len() * 2];
            for i in 0..self.positions.len() {
                self.insert(self.positions[i].key);
            }
        } else {
            self.insert(key);
        }
    }

    /// Notes the position after a pass: an earlier board, which counts again only if it is now the
    /// other player's to play and it matters who is. So there are never more than two positions
    /// for each play, however often players pass.
    #[inline]
    pub(super) fn note_pass(&mut self, key: u64, turn: Color, changes: usize) {
        let mut same = self.positions.iter().rev().take_while(|p| p.changes == changes as u32);
        if self.situational && same.all(|position| position.turn != turn) {
            self.note_position(key, turn, changes);
        }
    }

    /// Takes the plays out of `legal` that would recreate an earlier position.
    #[inline]
    pub(super) fn restrict(
        &self,
        board: &Board<W>,
        position: &state::Position<'_>,
        legal: &mut Bits<W>,
    ) {
        let color = position.turn;
        let mut suspects = *legal & self.had[color.index()];
        let mut suicides = Bits::EMPTY;
        if self.suicide {
            // A suicide leaves no stone at its point.
            suicides = *legal & !board.legal_before_ko(color, false);
            suspects |= suicides;
        }
        for point in suspects {
            let is_suicide = self.suicide && suicides.contains(point);
            let (taken, placed) = if is_suicide {
                (color, 0)
            } else {
                (color.opponent(), zobrist::stone(color, point))
            };
            let after = position.key ^ placed ^ board.atari_keys_at(point, taken);
            let after = self.key(after, color.opponent());
            if self.may_contain(after) && self.confirm(board, point, taken, after, position) {
                legal.remove(point);
            }
        }
    }

    /// Whether the play really recreates one of the positions with this key.
    #[cold]
    fn confirm(
        &self,
        board: &Board<W>,
        point: usize,
        taken: Color,
        key: u64,
        position: &state::Position<'_>,
    ) -> bool {
        if self.positions.iter().all(|earlier| earlier.key != key) {
            return false;
        }
        #[cfg(test)]
        HITS.with(|hits| hits.set(hits.get() + 1));
        // What the play changes, and what has changed since each earlier position: equal if the
        // play leads back to it.
        let (color, changes) = (position.turn, position.changes);
        let mut play = [Bits::EMPTY; 2];
        for head in board.ataris_at(point, taken) {
            play[taken.index()] |= board.chain_stones(head);
        }
        if taken != color {
            play[color.index()].insert(point);
        }
        let mut since = [Bits::EMPTY; 2];
        let mut end = changes.len();
        self.positions.iter().rev().any(|earlier| {
            for change in &changes[earlier.changes as usize..end] {
                since[change.color().index()].toggle(change.point());
            }
            end = earlier.changes as usize;
            earlier.key == key
                && since == play
                && (!self.situational || earlier.turn == color.opponent())
        })
    }

    #[inline]
    fn key(&self, stones: u64, turn: Color) -> u64 {
        let turn = if self.situational { zobrist::turn(turn) } else { 0 };
        (stones ^ turn) & self.key_mask
    }

    /// The word of the filter for a key, and its bits there.
    #[inline]
    fn bits(&self, key: u64) -> (usize, u64) {
        let bits = 1 << (key & 63) | 1 << (key >> 6 & 63);
        ((key >> 12) as usize & (self.filter.len() - 1), bits)
    }

    #[inline]
    fn may_contain(&self, key: u64) -> bool {
        let (word, bits) = self.bits(key);
        self.filter[word] & bits == bits
    }

    #[inline]
    fn insert(&mut self, key: u64) {
        let (word, bits) = self.bits(key);
        self.filter[word] |= bits;
    }
}
