//! The rules of another library on one board. Nothing that they say is taken for granted.

#![allow(unsafe_code, reason = "the functions of a table are called, with what they ask for")]
// A part of every step: what it returns should not go by memory.
#![allow(clippy::inline_always)]

use std::ffi::c_void;

use super::calls::STUCK;
use super::fault::{RulesError, check, failed};
use super::table::{Asked, Playout, Said, Table};
use crate::bits::Bits;
use crate::color::{ByColor, Color};
use crate::geometry::{Action, BoardSize};
use crate::log::Change;
use crate::random::RandomStream;
use crate::setup::Setup;
use crate::state::LegalPoints;
use crate::with_words_for;

/// What rules say of a position beside its legal points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Judged {
    /// Whether the player to play may pass.
    pub(crate) may_pass: bool,
    /// 0 while the game goes on, else one more than the number of the word.
    pub(crate) ending: usize,
    /// The score in Black's view.
    pub(crate) score: f64,
}

/// What comes of an action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next<const W: usize> {
    /// Black's stones and White's.
    pub(crate) stones: [Bits<W>; 2],
    /// Where the player to play may play.
    pub(crate) legal: Bits<W>,
    /// What the rules say beside.
    pub(crate) judged: Judged,
}

impl<const W: usize> Next<W> {
    /// Adds the changes since these stones.
    #[inline]
    pub(crate) fn add_changes(&self, before: &Stones, changes: &mut Vec<Change>) {
        let before = before.read::<W>();
        let [black, white] = [self.stones[0] ^ before[0], self.stones[1] ^ before[1]];
        for point in black | white {
            changes.push(match (black.contains(point), white.contains(point)) {
                (true, true) => Change::flip(point),
                (true, false) => Change::new(Color::Black, point),
                (false, _) => Change::new(Color::White, point),
            });
        }
    }
}

/// Black's stones and White's as rules read them: `(2, W)` words, and then nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stones([u64; 2 * LegalPoints::EMPTY.0.len()]);

impl Stones {
    /// # Panics
    /// If no plane has so many words.
    #[inline]
    pub(crate) fn read<const W: usize>(&self) -> [Bits<W>; 2] {
        let plane = |first: usize| Bits(std::array::from_fn(|word| self.0[first + word]));
        [plane(0), plane(W)]
    }

    /// # Panics
    /// If no plane has so many words.
    #[inline]
    pub(crate) fn write<const W: usize>(&mut self, [black, white]: [Bits<W>; 2]) {
        self.0[..W].copy_from_slice(&black.0);
        self.0[W..2 * W].copy_from_slice(&white.0);
    }
}

/// A position that rules are asked about; the default has no stones and Black to play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    /// Black's stones and White's.
    pub(crate) stones: [LegalPoints; 2],
    /// The player to play.
    pub(crate) turn: Color,
    /// How many of the last two actions were passes with none after them.
    pub(crate) passes: u8,
}

impl Board {
    /// Makes these changes of stones.
    #[inline]
    pub(crate) fn change(&mut self, changes: &[Change]) {
        for &change in changes {
            for (color, stones) in Color::ALL.into_iter().zip(&mut self.stones) {
                stones.0[change.point() >> 6] ^=
                    u64::from(change.is_of(color)) << (change.point() & 63);
            }
        }
    }
}

impl Default for Board {
    fn default() -> Self {
        Self { stones: [Bits::EMPTY; 2], turn: Color::Black, passes: 0 }
    }
}

/// Rules of another library, for a board. They are freed there.
#[derive(Debug)]
pub(crate) struct Judge {
    pub(super) table: &'static Table,
    pub(super) rules: *mut c_void,
    pub(super) size: BoardSize,
    pub(super) board: LegalPoints,
}

// SAFETY: rules are `Send`, as `OwnRules` asks for.
unsafe impl Send for Judge {}
// SAFETY: rules are `Sync`, as `OwnRules` asks for.
unsafe impl Sync for Judge {}

impl Drop for Judge {
    fn drop(&mut self) {
        // SAFETY: `make` of this table has made them, and this was the last use.
        unsafe { (self.table.free)(self.rules) }
    }
}

impl Judge {
    /// The position that games start from.
    ///
    /// # Errors
    /// [`RulesError`] if there is none.
    pub(crate) fn setup(&self) -> Result<Setup, RulesError> {
        with_words_for!(self.last_bit(), W => {
            let mut stones = [[0; W]; 2];
            // SAFETY: the rules are those of the table, and there are two planes.
            check(self.table, unsafe { (self.table.setup)(self.rules, stones.as_mut_ptr().cast()) })?;
            let [black, white] = stones.map(|words| Bits(words).iter().collect());
            let setup = Setup::from_stones(self.size, &ByColor { black, white }, Color::Black);
            setup.map_err(|error| failed(format!("setup: {error}")))
        })
    }

    /// Finds out what comes of an action in a position, or without one, what the rules say of the position:
    /// adds the changes of stones, and writes where the player to play may play then.
    ///
    /// # Errors
    /// [`RulesError::Failed`] if the rules panic, or say what cannot be.
    pub(crate) fn next(
        &self,
        board: &Board,
        action: Option<Action>,
        changes: &mut Vec<Change>,
        legal: &mut LegalPoints,
    ) -> Result<Judged, RulesError> {
        with_words_for!(self.last_bit(), W => {
            let mut stones = Stones::default();
            stones.write(board.stones.map(narrow::<W>));
            let next = self.next_of::<W>(&stones, board.turn, board.passes, action)?;
            next.add_changes(&stones, changes);
            legal.0[..W].copy_from_slice(&next.legal.0);
            Ok(next.judged)
        })
    }

    /// The same where the number of words is known, for each action of a game. What it gives stays in registers if
    /// it is inlined: a processor waits for a flag that is written as one byte and read with what is beside it.
    ///
    /// # Errors
    /// [`RulesError::Failed`] if the rules panic, or say what cannot be.
    ///
    /// # Panics
    /// If the planes of these rules have another number of words.
    #[inline(always)]
    pub(crate) fn next_of<const W: usize>(
        &self,
        stones: &Stones,
        turn: Color,
        passes: u8,
        action: Option<Action>,
    ) -> Result<Next<W>, RulesError> {
        assert_eq!(self.table.words as usize, W, "the rules write so many words");
        let asked = asked(stones, turn, passes);
        let action = action.map_or(-1, |action| action.index() as i64);
        let mut planes = [[0; W]; 3];
        let planes_then = planes.as_mut_ptr().cast();
        let mut said = Said { planes: planes_then, may_pass: 0, ending: 0, score: 0.0 };
        // SAFETY: the rules are those of the table, and there are so many stones and planes.
        let code =
            unsafe { (self.table.next)(self.rules, &raw const asked, action, &raw mut said) };
        check(self.table, code)?;
        let [black, white, legal] = planes.map(Bits);
        let (taken, board) = (black | white, narrow::<W>(self.board));
        let is_wrong = (black & white) | (taken & legal) | ((taken | legal) & !board);
        let judged = Judged {
            may_pass: said.may_pass != 0,
            ending: said.ending as usize,
            score: said.score,
        };
        let is_stuck = judged.ending == 0 && legal.is_empty() && !judged.may_pass;
        let is_number = judged.ending <= self.table.num_endings && is_score(judged.score);
        if !is_wrong.is_empty() || is_stuck || !is_number {
            return Err(wrong([black, white, legal], &judged, is_stuck));
        }
        Ok(Next { stones: [black, white], legal, judged })
    }

    /// Plays at random from a position to the end, or so many actions, and returns the score. Adds the actions
    /// to `played`.
    ///
    /// # Errors
    /// [`RulesError::Failed`] if the rules panic, or say what cannot be.
    pub(crate) fn playout(
        &self,
        stones: &Stones,
        turn: Color,
        passes: u8,
        limit: usize,
        rng: &mut RandomStream,
        played: Option<&mut Vec<Action>>,
    ) -> Result<f64, RulesError> {
        let mut actions = vec![0; if played.is_some() { limit } else { 0 }];
        let mut playout = Playout {
            limit,
            random: rng.words(),
            played: if played.is_some() { actions.as_mut_ptr() } else { std::ptr::null_mut() },
            num_played: 0,
            score: 0.0,
        };
        let asked = asked(stones, turn, passes);
        // SAFETY: the rules are those of the table, and there is place for so many actions.
        let code = unsafe { (self.table.playout)(self.rules, &raw const asked, &raw mut playout) };
        check(self.table, code)?;
        if !is_score(playout.score) {
            return Err(no_score(playout.score));
        }
        if let Some(played) = played {
            let actions = actions.get(..playout.num_played).unwrap_or_default();
            if actions.iter().any(|&action| usize::from(action) > self.size.points()) {
                return Err(failed("a playout has left the board"));
            }
            played.extend(actions.iter().map(|&action| Action::from(action)));
        }
        *rng = RandomStream::of_words(playout.random);
        Ok(playout.score)
    }

    /// The last bit of a plane, by which `with_words_for` knows its words.
    #[inline]
    pub(crate) fn last_bit(&self) -> usize {
        64 * self.table.words as usize - 1
    }
}

/// The first words of a plane.
#[inline]
fn narrow<const W: usize>(plane: LegalPoints) -> Bits<W> {
    Bits(std::array::from_fn(|word| plane.0[word]))
}

#[inline]
fn asked(stones: &Stones, turn: Color, passes: u8) -> Asked {
    let turn = turn.index() as u32;
    Asked { stones: stones.0.as_ptr(), turn, passes: u32::from(passes) }
}

/// Whether a score is finite, also as the `f32` that batches hold.
#[inline]
fn is_score(score: f64) -> bool {
    score.abs() <= f64::from(f32::MAX)
}

#[cold]
fn no_score(score: f64) -> RulesError {
    failed(format!("ending returns the score {score:?}, which must be finite, also as float32"))
}

/// What is wrong with an answer.
#[cold]
fn wrong<const W: usize>(
    [black, white, open]: [Bits<W>; 3],
    judged: &Judged,
    is_stuck: bool,
) -> RulesError {
    if !(black & white).is_empty() {
        return failed("play puts two stones on one point");
    }
    if let Some(point) = ((black | white) & open).first() {
        return failed(format!("legal allows a play on the occupied point {point}"));
    }
    if is_stuck {
        return failed(STUCK);
    }
    if !is_score(judged.score) {
        return no_score(judged.score);
    }
    failed("play puts a stone beyond the board")
}
