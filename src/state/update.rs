//! What an action changes, and what the game then says is legal.

// Small parts of every step: a call each would cost more than they do.
#![allow(clippy::inline_always)]

use crate::bits::Bits;
use crate::color::Color;
use crate::planes::{Plane, write_bits};
use crate::step::Change;
use crate::zobrist;

/// The points that may be played, as bits: the complement of the invalid plane.
pub type LegalPoints = Bits<10>;

/// Writes which points are legal, and says what that may depend on.
#[derive(Debug)]
pub struct LegalWriter<'a> {
    /// The player to play.
    pub turn: Color,
    /// The Zobrist key of the stones.
    pub key: u64,
    /// All stone changes since the start, one after another.
    pub changes: &'a [Change],
    pub(super) legal: &'a mut LegalPoints,
    pub(super) invalid: &'a mut [u8],
}

impl LegalWriter<'_> {
    /// Says where the player to play may play; writes the invalid plane.
    #[inline(always)]
    pub fn write<const W: usize>(self, legal: Bits<W>) {
        self.legal.0[..W].copy_from_slice(&legal.0);
        write_bits(&!legal, self.invalid);
    }
}

/// The changes of one action, from [`State::begin`](super::State::begin) to [`Update::end_turn`].
#[derive(Debug)]
pub struct Update<'a> {
    pub(super) key: u64,
    pub(super) changes: &'a mut Vec<Change>,
    /// How many changes, of all since the start, are in planes and key.
    pub(super) done: usize,
    pub(super) passes: bool,
    pub(super) points: usize,
    pub(super) cells: &'a mut [u8],
    pub(super) now: &'a mut Now,
    pub(super) legal: &'a mut LegalPoints,
}

impl<'a> Update<'a> {
    /// Adds a change.
    #[inline(always)]
    pub fn add(&mut self, change: Change) {
        self.changes.push(change);
        self.write(change);
    }

    /// All changes since the start. A board that makes its list of changes as it plays puts them
    /// here, at the end, instead.
    #[inline]
    pub fn changes_mut(&mut self) -> &mut Vec<Change> {
        self.changes
    }

    /// Hands the turn to the other player. The game then says where that one may play:
    /// [`LegalWriter::write`].
    #[inline(always)]
    #[allow(clippy::must_use_candidate)] // A game may forbid points one by one instead.
    pub fn end_turn(mut self) -> LegalWriter<'a> {
        for i in self.done..self.changes.len() {
            self.write(self.changes[i]);
        }
        let (points, now) = (self.points, self.now);
        now.key = self.key;
        now.moves += 1;
        now.turn = now.turn.opponent();
        self.cells[Plane::Turn as usize * points..][..points].fill(now.turn.index() as u8);
        if self.passes != now.passed {
            now.passed = self.passes;
            self.cells[Plane::Pass as usize * points..][..points].fill(u8::from(now.passed));
        }
        LegalWriter {
            turn: now.turn,
            key: now.key,
            changes: self.changes,
            legal: self.legal,
            invalid: &mut self.cells[Plane::Invalid as usize * points..][..points],
        }
    }

    #[inline(always)]
    fn write(&mut self, change: Change) {
        toggle(self.cells, self.points, change);
        self.key ^= zobrist::change(change);
        self.done += 1;
    }
}

/// What an action changes besides planes and log.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now {
    pub(super) key: u64,
    pub(super) turn: Color,
    pub(super) passed: bool,
    pub(super) moves: u32,
}

/// Writes a change into the black and the white plane, or takes it back.
#[inline]
pub(super) fn toggle(cells: &mut [u8], points: usize, change: Change) {
    let point = change.point();
    cells[change.color().index() * points + point] ^= 1;
    if change.is_flip() {
        // The color of a flip is White.
        cells[point] ^= 1;
    }
}
