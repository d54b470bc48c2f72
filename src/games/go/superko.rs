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
use super::history::{Counts, History, PositionKey};
use super::rules::{KoRule, Rules};
use crate::bits::Bits;
use crate::clone::clone_by_field;
use crate::color::Color;
use crate::log::Change;
use crate::setup::Setup;
use crate::zobrist;

#[cfg(test)]
thread_local! {
    /// How many plays had the key of an earlier position, whether they recreate it or not.
    pub(super) static HITS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The positions that a play may not recreate.
#[derive(Debug)]
pub(super) struct Superko<const W: usize> {
    rules: Rules,
    /// All ones, but for tests that want collisions.
    key_mask: u64,
    /// Points where each color ever had a stone.
    had: [Bits<W>; 2],
    pub(super) now: PositionKey,
    pub(super) history: History,
}

clone_by_field!(Superko<W> { rules, key_mask, had, now, history });

impl<const W: usize> Superko<W> {
    /// Without a position, on a board of so many points.
    pub(super) fn new(points: usize, rules: Rules) -> Self {
        Self {
            rules,
            key_mask: u64::MAX,
            had: [Bits::EMPTY; 2],
            now: PositionKey { key: 0, counts: [0; 2], turn: Color::Black, changes: 0 },
            history: History::new(points),
        }
    }

    #[cfg(test)]
    pub(super) fn narrow_keys(&mut self, bits: u32) {
        self.key_mask = (1 << bits) - 1;
    }

    /// Forgets every position but that of a starting board.
    pub(super) fn start(&mut self, setup: &Setup) {
        self.history.clear();
        self.had = [Bits::EMPTY; 2];
        self.now = PositionKey { key: 0, counts: [0; 2], turn: setup.turn, changes: 0 };
        for color in Color::ALL {
            for &point in &setup.stones[color] {
                self.had[color.index()].insert(point as usize);
                self.now.key ^= zobrist::stone(color, point as usize);
            }
            self.now.counts[color.index()] = setup.stones[color].len();
        }
        self.add_position();
    }

    /// Goes on to the position after an action that changed these stones.
    #[inline]
    pub(super) fn add(&mut self, changes: &[Change]) {
        let (color, now) = (self.now.turn, &mut self.now);
        now.turn = color.opponent();
        let Some((put, taken)) = changes.split_first() else {
            // After a pass an earlier board counts again only if it is now the other player's to play
            // and it matters who is. So there are never more than two positions for each play, however
            // often players pass.
            let latest = self.history.latest_first();
            if self.rules.ko == KoRule::Situational
                && latest
                    .take_while(|earlier| earlier.changes() == now.changes)
                    .all(|earlier| earlier.turn() != now.turn)
            {
                self.add_position();
            }
            return;
        };
        self.had[color.index()].insert(put.point());
        now.key = changes.iter().fold(now.key, |key, &change| key ^ zobrist::change(change));
        now.counts[color.index()] += 1;
        for stone in taken {
            now.counts[stone.color().index()] -= 1;
        }
        now.changes += changes.len();
        self.add_position();
    }

    #[inline]
    fn add_position(&mut self) {
        self.history.add(self.now, self.now.key ^ self.turn_key(self.now.turn));
    }

    /// By what the player to play changes the key of a position.
    fn turn_key(&self, turn: Color) -> u64 {
        if self.rules.ko == KoRule::Situational { zobrist::turn(turn) } else { 0 }
    }

    /// Of these legal plays those that would recreate an earlier position; `changes` are all changes of
    /// stones since the start.
    #[inline]
    pub(super) fn forbidden(
        &self,
        board: &Board<W>,
        changes: &[Change],
        legal: Bits<W>,
    ) -> Bits<W> {
        let (color, other) = (self.now.turn, self.now.turn.opponent());
        let (key, counts) = (self.now.key ^ self.turn_key(other), self.now.counts);
        let mut with_stone = counts;
        with_stone[color.index()] += 1;

        // A set of its own: to load whole what was just stored word by word is slow.
        let mut forbidden = Bits::EMPTY;
        let suspects = legal & self.had[color.index()];
        let captures = board.frame().dilate(board.stones(other) & board.atari(), suspects);
        let mut quiet = suspects & !captures;
        for point in captures {
            let stone = zobrist::stone(color, point);
            if self.recreates(board, point, other, (key ^ stone, with_stone), changes) {
                forbidden.insert(point);
            }
        }
        if self.rules.suicide {
            let suicides = legal & !board.legal_before_ko(color, false);
            quiet &= !suicides;
            for point in suicides {
                // The stone put is gone again with those it joined.
                if self.recreates(board, point, color, (key, counts), changes) {
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
                    && self.confirm(board, point, other, earlier.key, changes)
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
        changes: &[Change],
    ) -> bool {
        let (keys, stones) = board.ataris_taken_at(point, taken);
        key ^= keys;
        counts[taken.index()] -= stones;
        self.history.with_counts(counts).any(|earlier| self.equal(earlier.key, key))
            && self.confirm(board, point, taken, key, changes)
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
        changes: &[Change],
    ) -> bool {
        #[cfg(test)]
        HITS.with(|hits| hits.set(hits.get() + 1));
        // What the play changes, and what has changed since each earlier position: equal if the
        // play leads back to it.
        let mut play = [Bits::EMPTY; 2];
        for head in board.ataris_at(point, taken) {
            play[taken.index()] |= board.chain_stones(head);
        }
        let (color, other) = (self.now.turn, self.now.turn.opponent());
        if taken != color {
            play[color.index()].insert(point);
        }
        let (mut since, mut end) = ([Bits::EMPTY; 2], changes.len());
        self.history.latest_first().any(|earlier| {
            for change in &changes[earlier.changes()..end] {
                since[change.color().index()].toggle(change.point());
            }
            end = earlier.changes();
            self.equal(earlier.key, key)
                && since == play
                && (self.rules.ko != KoRule::Situational || earlier.turn() == other)
        })
    }
}
