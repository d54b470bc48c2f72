//! Superko: which plays would recreate an earlier board, found without playing them.
//!
//! A play that takes nothing adds one stone: it can only recreate a board with as many stones of
//! each color, and then the keys of the two boards differ by that stone's key. So the [`History`]
//! keeps earlier boards by their numbers of stones, and of the few that fit, the difference names
//! the point. Plays that take stones are few; each has its key compared with the boards that fit.
//! A hit is confirmed stone by stone, so a collision of keys can never forbid a legal play.
//!
//! A play that leaves its stone can only recreate a board that had that stone there, so only
//! points where the color ever had a stone are tested at all.
//!
//! [`Superko::forbidden`] finds those plays: of plays that take nothing itself, of plays that take
//! stones by `recreates`; `confirm` compares stone by stone.

use super::board::Board;
use super::history::{Counts, History, Snapshot};
use crate::bits::Bits;
use crate::color::Color;
use crate::state::LegalWriter;
use crate::zobrist;

#[cfg(test)]
thread_local! {
    /// How many plays had the key of an earlier position, whether they recreate it or not.
    pub(super) static HITS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
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
    pub(super) history: History,
}

impl<const W: usize> Clone for Superko<W> {
    fn clone(&self) -> Self {
        Self { history: self.history.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.situational = source.situational;
        self.suicide = source.suicide;
        self.key_mask = source.key_mask;
        self.had = source.had;
        self.history.clone_from(&source.history);
    }
}

impl<const W: usize> Superko<W> {
    pub(super) fn new(points: usize, situational: bool, suicide: bool) -> Self {
        Self {
            situational,
            suicide,
            key_mask: u64::MAX,
            had: [Bits::EMPTY; 2],
            history: History::new(points),
        }
    }

    #[cfg(test)]
    pub(super) fn narrow_keys(&mut self, bits: u32) {
        self.key_mask = (1 << bits) - 1;
    }

    /// Forgets every position.
    pub(super) fn clear(&mut self) {
        self.had = [Bits::EMPTY; 2];
        self.history.clear();
    }

    /// Adds that `color` had a stone at a point.
    #[inline]
    pub(super) fn add_stone(&mut self, color: Color, point: usize) {
        self.had[color.index()].insert(point);
    }

    /// Adds a position.
    #[inline]
    pub(super) fn add_position(&mut self, now: Snapshot) {
        let turn = if self.situational { zobrist::turn(now.turn) } else { 0 };
        self.history.add(now, now.key ^ turn);
    }

    /// Adds the position after a pass: an earlier board, which counts again only if it is now the
    /// other player's to play and it matters who is. So there are never more than two positions
    /// for each play, however often players pass.
    #[inline]
    pub(super) fn add_pass(&mut self, now: Snapshot) {
        let latest = self.history.latest_first();
        let is_new = latest
            .take_while(|earlier| earlier.changes() == now.changes)
            .all(|earlier| earlier.turn() != now.turn);
        if self.situational && is_new {
            self.add_position(now);
        }
    }

    /// Of these legal plays those that would recreate an earlier position.
    #[inline]
    pub(super) fn forbidden(
        &self,
        board: &Board<W>,
        now: &LegalWriter<'_>,
        legal: Bits<W>,
    ) -> Bits<W> {
        let (color, other) = (now.turn, now.turn.opponent());
        let turn = if self.situational { zobrist::turn(other) } else { 0 };
        let (key, counts) = (now.key ^ turn, board.counts());
        let mut with_stone = counts;
        with_stone[color.index()] += 1;

        // Apart from `legal`: words of it written here could not be read together with the others
        // until all earlier writes of the step are through.
        let mut forbidden = Bits::EMPTY;
        let suspects = legal & self.had[color.index()];
        let captures = board.frame().neighbors_in(board.stones(other) & board.atari(), suspects);
        let mut quiet = suspects & !captures;
        for point in captures {
            let stone = zobrist::stone(color, point);
            if self.recreates(board, point, other, (key ^ stone, with_stone), now) {
                forbidden.insert(point);
            }
        }
        if self.suicide {
            let suicides = legal & !board.legal_before_ko(color, false);
            quiet &= !suicides;
            for point in suicides {
                // The stone put is gone again with those it joined.
                if self.recreates(board, point, color, (key, counts), now) {
                    forbidden.insert(point);
                }
            }
        }
        if quiet.is_empty() {
            return forbidden;
        }
        for earlier in self.history.with_counts(with_stone) {
            let stone = earlier.key ^ key;
            for &point in zobrist::candidates(color, stone) {
                let point = point as usize;
                if self.equal(zobrist::stone(color, point), stone)
                    && quiet.0.get(point >> 6).is_some_and(|word| word >> (point & 63) & 1 == 1)
                    && self.confirm(board, point, other, earlier.key, now)
                {
                    forbidden.insert(point);
                }
            }
        }
        forbidden
    }

    /// Whether a play that takes the chains of color `taken` recreates an earlier board; the key
    /// and the numbers of stones are those before it takes them.
    #[inline]
    fn recreates(
        &self,
        board: &Board<W>,
        point: usize,
        taken: Color,
        (mut key, mut counts): (u64, Counts),
        now: &LegalWriter<'_>,
    ) -> bool {
        let (keys, stones) = board.ataris_taken_at(point, taken);
        key ^= keys;
        counts[taken.index()] -= stones;
        self.history.with_counts(counts).any(|earlier| self.equal(earlier.key, key))
            && self.confirm(board, point, taken, key, now)
    }

    #[inline]
    fn equal(&self, key: u64, other: u64) -> bool {
        (key ^ other) & self.key_mask == 0
    }

    /// Whether the play really recreates one of the positions with this key.
    #[cold]
    fn confirm(
        &self,
        board: &Board<W>,
        point: usize,
        taken: Color,
        key: u64,
        now: &LegalWriter<'_>,
    ) -> bool {
        #[cfg(test)]
        HITS.with(|hits| hits.set(hits.get() + 1));
        // What the play changes, and what has changed since each earlier position: equal if the
        // play leads back to it.
        let mut play = [Bits::EMPTY; 2];
        for head in board.ataris_at(point, taken) {
            play[taken.index()] |= board.chain_stones(head);
        }
        if taken != now.turn {
            play[now.turn.index()].insert(point);
        }
        let (mut since, mut end) = ([Bits::EMPTY; 2], now.changes.len());
        self.history.latest_first().any(|earlier| {
            for change in &now.changes[earlier.changes()..end] {
                since[change.color().index()].toggle(change.point());
            }
            end = earlier.changes();
            self.equal(earlier.key, key)
                && since == play
                && (!self.situational || earlier.turn() == now.turn.opponent())
        })
    }
}
