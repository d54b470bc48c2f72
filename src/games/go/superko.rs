//! Superko: which plays would recreate an earlier board, found without playing them.
//!
//! A play that takes nothing adds one stone: it can only recreate a board with as many stones of
//! each color, and then the keys of the two boards differ by that stone's key. So earlier boards
//! are kept by their numbers of stones, and of the few that fit, the difference names the point.
//! Plays that take stones are few; each has its key compared with the boards that fit. A hit is
//! confirmed stone by stone, so a collision of keys can never forbid a legal play.
//!
//! A play that leaves its stone can only recreate a board that had that stone there, so only
//! points where the color ever had a stone are tested at all.

use super::board::Board;
use crate::bits::Bits;
use crate::color::Color;
use crate::prefetch::prefetch;
use crate::room::fit;
use crate::state;
use crate::zobrist;

#[cfg(test)]
thread_local! {
    /// How many plays had the key of an earlier position, whether they recreate it or not.
    pub(super) static HITS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Numbers of stones: black, white.
pub(super) type Counts = [usize; 2];

/// An earlier position, in 16 bytes: its board is the board now with the changes since taken back.
#[derive(Clone, Copy, Debug)]
struct Position {
    key: u64,
    /// Twice the number of stone changes that the course of play had made by then, plus the player
    /// to play.
    then: u32,
    /// The one before among those with as many stones, or `NONE`.
    before: u32,
}

impl Position {
    fn changes(self) -> usize {
        (self.then >> 1) as usize
    }

    fn turn(self) -> Color {
        Color::ALL[(self.then & 1) as usize]
    }
}

const NONE: u32 = u32::MAX;

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
    /// The last position of each list. Those with as many stones share a list with few others.
    last: Box<[u32]>,
}

impl<const W: usize> Clone for Superko<W> {
    fn clone(&self) -> Self {
        Self { positions: self.positions.clone(), last: self.last.clone(), ..*self }
    }

    /// Keeps what memory there is, and room for a usual course.
    fn clone_from(&mut self, source: &Self) {
        self.situational = source.situational;
        self.suicide = source.suicide;
        self.key_mask = source.key_mask;
        self.had = source.had;
        self.positions.clone_from(&source.positions);
        self.last.clone_from(&source.last);
        let filler = Position { key: 0, then: 0, before: NONE };
        fit(&mut self.positions, self.last.len(), filler);
    }
}

impl<const W: usize> Superko<W> {
    pub(super) fn new(points: usize, situational: bool, suicide: bool) -> Self {
        // Long enough that most lists stay empty, for what is not there need not be read.
        let lists = (4 * points).next_power_of_two();
        Self {
            situational,
            suicide,
            key_mask: u64::MAX,
            had: [Bits::EMPTY; 2],
            positions: Vec::new(),
            last: vec![NONE; lists].into(),
        }
    }

    /// Bytes that it holds beside itself.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.positions.as_slice()) + size_of_val(&*self.last)
    }

    #[cfg(test)]
    pub(super) fn narrow_keys(&mut self, bits: u32) {
        self.key_mask = (1 << bits) - 1;
    }

    /// Forgets every position.
    pub(super) fn clear(&mut self) {
        self.had = [Bits::EMPTY; 2];
        self.positions.clear();
        self.last.fill(NONE);
    }

    /// Asks for the memory that the next play of `color` will need.
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

    /// Notes that `color` had a stone at a point.
    #[inline]
    pub(super) fn note_stone(&mut self, color: Color, point: usize) {
        self.had[color.index()].insert(point);
    }

    /// Notes a position: its stones' key, their numbers, the player to play, and the number of
    /// stone changes that led to it.
    #[inline]
    pub(super) fn note_position(&mut self, key: u64, counts: Counts, turn: Color, changes: usize) {
        let list = self.list(counts);
        let last = &mut self.last[list];
        let before = std::mem::replace(last, self.positions.len() as u32);
        let key = if self.situational { key ^ zobrist::turn(turn) } else { key };
        let then = (changes as u32) << 1 | turn.index() as u32;
        self.positions.push(Position { key, then, before });
    }

    /// Notes the position after a pass: an earlier board, which counts again only if it is now the
    /// other player's to play and it matters who is. So there are never more than two positions
    /// for each play, however often players pass.
    #[inline]
    pub(super) fn note_pass(&mut self, key: u64, counts: Counts, turn: Color, changes: usize) {
        let mut same = self.positions.iter().rev().take_while(|p| p.changes() == changes);
        if self.situational && same.all(|position| position.turn() != turn) {
            self.note_position(key, counts, turn, changes);
        }
    }

    /// Of these legal plays those that would recreate an earlier position.
    #[inline]
    pub(super) fn forbidden(
        &self,
        board: &Board<W>,
        position: &state::LegalWriter<'_>,
        legal: Bits<W>,
    ) -> Bits<W> {
        let (color, other) = (position.turn, position.turn.opponent());
        let turn = if self.situational { zobrist::turn(other) } else { 0 };
        let key = position.key ^ turn;
        let counts = board.counts();

        // Apart from `legal`: words of it written here could not be read together with the others
        // until all earlier writes of the step are through.
        let mut forbidden = Bits::EMPTY;
        let suspects = legal & self.had[color.index()];
        let captures = board.next_to_ataris(other, suspects);
        let mut quiet = suspects & !captures;
        if self.suicide {
            let suicides = legal & !board.legal_before_ko(color, false);
            quiet &= !suicides;
            for point in suicides {
                // The stone put is gone again with those it joined.
                let (keys, stones) = board.ataris_taken_at(point, color);
                let mut counts = counts;
                counts[color.index()] -= stones;
                if self.recreates(board, point, color, (key ^ keys, counts), position) {
                    forbidden.insert(point);
                }
            }
        }
        let mut more = counts;
        more[color.index()] += 1;
        for point in captures {
            let (keys, stones) = board.ataris_taken_at(point, other);
            let mut counts = more;
            counts[other.index()] -= stones;
            let key = key ^ keys ^ zobrist::stone(color, point);
            if self.recreates(board, point, other, (key, counts), position) {
                forbidden.insert(point);
            }
        }
        if quiet.is_empty() {
            return forbidden;
        }
        for earlier in self.with_counts(more) {
            let stone = earlier.key ^ key;
            for &point in zobrist::candidates(color, stone) {
                let point = point as usize;
                if self.equal(zobrist::stone(color, point), stone)
                    && quiet.0.get(point >> 6).is_some_and(|word| word >> (point & 63) & 1 == 1)
                    && self.confirm(board, point, other, earlier.key, position)
                {
                    forbidden.insert(point);
                }
            }
        }
        forbidden
    }

    /// Whether the board after a play that takes chains of color `taken`, of this key and these
    /// numbers of stones, was there before.
    #[inline]
    fn recreates(
        &self,
        board: &Board<W>,
        point: usize,
        taken: Color,
        (key, counts): (u64, Counts),
        position: &state::LegalWriter<'_>,
    ) -> bool {
        self.with_counts(counts).any(|earlier| self.equal(earlier.key, key))
            && self.confirm(board, point, taken, key, position)
    }

    /// The earlier positions that may have so many stones, the last one first.
    #[inline]
    fn with_counts(&self, counts: Counts) -> impl Iterator<Item = &Position> {
        let mut next = self.last[self.list(counts)];
        std::iter::from_fn(move || {
            let position = self.positions.get(next as usize)?;
            next = position.before;
            Some(position)
        })
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
        position: &state::LegalWriter<'_>,
    ) -> bool {
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
            for change in &changes[earlier.changes()..end] {
                since[change.color().index()].toggle(change.point());
            }
            end = earlier.changes();
            self.equal(earlier.key, key)
                && since == play
                && (!self.situational || earlier.turn() == color.opponent())
        })
    }

    /// Which list has the positions with so many stones.
    #[inline]
    fn list(&self, counts: Counts) -> usize {
        // Numbers that are near each other, as those of one game are, get lists of their own.
        (counts[0] + 23 * counts[1]) & (self.last.len() - 1)
    }
}
