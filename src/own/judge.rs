//! The rules of another library on one board. Nothing that they say is taken for granted.

#![allow(unsafe_code, reason = "the functions of a table are called, with what they ask for")]

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
    #[inline]
    pub(crate) fn next(
        &self,
        board: &Board,
        action: Option<Action>,
        changes: &mut Vec<Change>,
        legal: &mut LegalPoints,
    ) -> Result<Judged, RulesError> {
        with_words_for!(self.last_bit(), W => {
            let before = board.stones.map(|stones| narrow::<W>(&stones));
            let asked = asked(board, &before, action);
            let mut planes = [[0; W]; 3];
            let planes_then = planes.as_mut_ptr().cast();
            let mut said = Said { planes: planes_then, may_pass: 0, ending: 0, score: 0.0 };
            // SAFETY: the rules are those of the table, and there are so many stones and planes.
            let code = unsafe { (self.table.next)(self.rules, &raw const asked, &raw mut said) };
            check(self.table, code)?;
            let [black, white, open] = planes.map(Bits);
            let (taken, board) = (black | white, narrow::<W>(&self.board));
            let is_wrong = (black & white) | (taken & open) | ((taken | open) & !Bits(board));
            let judged =
                Judged { may_pass: said.may_pass != 0, ending: said.ending as usize, score: said.score };
            let is_stuck = judged.ending == 0 && open.is_empty() && !judged.may_pass;
            let is_number = judged.ending <= self.table.num_endings && judged.score.is_finite();
            if !is_wrong.is_empty() || is_stuck || !is_number {
                return Err(wrong([black, white, open], &judged, is_stuck));
            }
            let [black, white] = [black ^ Bits(before[0]), white ^ Bits(before[1])];
            for point in (black | white).iter() {
                changes.push(match (black.contains(point), white.contains(point)) {
                    (true, true) => Change::flip(point),
                    (true, false) => Change::new(Color::Black, point),
                    (false, _) => Change::new(Color::White, point),
                });
            }
            legal.0[..W].copy_from_slice(&open.0);
            Ok(judged)
        })
    }

    /// Plays at random from a position to the end, or so many actions, and returns the score. Adds the actions
    /// to `played`.
    ///
    /// # Errors
    /// [`RulesError::Failed`] if the rules panic, or say what cannot be.
    pub(crate) fn playout(
        &self,
        board: &Board,
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
        let code = with_words_for!(self.last_bit(), W => {
            let stones = board.stones.map(|stones| narrow::<W>(&stones));
            let asked = asked(board, &stones, None);
            // SAFETY: the rules are those of the table, and there is place for so many actions.
            unsafe { (self.table.playout)(self.rules, &raw const asked, &raw mut playout) }
        });
        check(self.table, code)?;
        if !playout.score.is_finite() {
            return Err(failed(format!("ending returns the score {}", playout.score)));
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
    fn last_bit(&self) -> usize {
        64 * self.table.words as usize - 1
    }
}

/// The first words of a plane.
#[inline]
fn narrow<const W: usize>(plane: &LegalPoints) -> [u64; W] {
    std::array::from_fn(|word| plane.0[word])
}

#[inline]
fn asked<const W: usize>(board: &Board, stones: &[[u64; W]; 2], action: Option<Action>) -> Asked {
    Asked {
        stones: stones.as_ptr().cast(),
        turn: board.turn.index() as u32,
        passes: u32::from(board.passes),
        action: action.map_or(-1, |action| action.index() as i64),
    }
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
    if !judged.score.is_finite() {
        return failed(format!("ending returns the score {}", judged.score));
    }
    failed("play puts a stone beyond the board")
}
