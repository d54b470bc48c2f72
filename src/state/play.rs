//! An action from opening to closing: what it changes, and what the game says then.

// Small parts of every step: a call each would cost more than they do.
#![allow(clippy::inline_always)]

use super::LegalPoints;
use crate::bits::Bits;
use crate::color::Color;
use crate::planes::{Plane, write_bits};
use crate::step::Change;
use crate::zobrist;

/// Where a game stands, for it to say which points are legal.
#[derive(Debug)]
pub struct Position<'a> {
    /// The player to play.
    pub turn: Color,
    /// The Zobrist key of the stones.
    pub key: u64,
    /// All stone changes since the start, one after another.
    pub changes: &'a [Change],
    pub(super) legal: &'a mut LegalPoints,
    pub(super) invalid: &'a mut [u8],
}

impl Position<'_> {
    /// Says where the player to play may play; writes the invalid plane.
    #[inline(always)]
    pub fn set_legal<const W: usize>(self, legal: Bits<W>) {
        self.legal.0[..W].copy_from_slice(&legal.0);
        write_bits(&!legal, self.invalid);
    }
}

/// An action being played: what it changes, from [`State::open`](super::State::open) to [`Play::close`].
#[derive(Debug)]
pub struct Play<'a> {
    pub(super) key: u64,
    pub(super) changes: &'a mut Vec<Change>,
    /// How many changes, of all since the start, are in planes and key.
    pub(super) carried: usize,
    pub(super) passes: bool,
    pub(super) points: usize,
    pub(super) cells: &'a mut [u8],
    pub(super) now: &'a mut Now,
    pub(super) legal: &'a mut LegalPoints,
}

impl<'a> Play<'a> {
    /// Makes a change.
    #[inline(always)]
    pub fn change(&mut self, change: Change) {
        self.changes.push(change);
        self.carry(change);
    }

    /// All changes since the start. A board that makes its list of changes as it plays puts them
    /// here, at the end, instead.
    #[inline]
    pub fn list(&mut self) -> &mut Vec<Change> {
        self.changes
    }

    /// Passes the turn. The game then says where the next player may play:
    /// [`Position::set_legal`].
    #[inline(always)]
    #[allow(clippy::must_use_candidate)] // A game may forbid points one by one instead.
    pub fn close(mut self) -> Position<'a> {
        for i in self.carried..self.changes.len() {
            self.carry(self.changes[i]);
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
        Position {
            turn: now.turn,
            key: now.key,
            changes: self.changes,
            legal: self.legal,
            invalid: &mut self.cells[Plane::Invalid as usize * points..][..points],
        }
    }

    #[inline(always)]
    fn carry(&mut self, change: Change) {
        toggle(self.cells, self.points, change);
        self.key ^= zobrist::change(change);
        self.carried += 1;
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

/// Carries a change into the black and the white plane, or takes it back.
#[inline]
pub(super) fn toggle(cells: &mut [u8], points: usize, change: Change) {
    let point = change.point();
    cells[change.color().index() * points + point] ^= 1;
    if change.is_flip() {
        // The color of a flip is White.
        cells[point] ^= 1;
    }
}
