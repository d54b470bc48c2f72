//! Rules as the C functions of a [`Table`]: what runs in the library of a game.

#![allow(
    unsafe_code,
    reason = "a function of a table gets pointers, whose promises `foreign` keeps"
)]

use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rand::RngExt;

use super::OwnRules;
use super::options::{Look, Options, Value};
use super::position::{Position, Standing};
use super::table::{Asked, DONE, FAILED, Playout, REFUSED, RawOption, Said, Table, Text, WORDS};
use crate::bits::{Bits, Frame, nth_of_words};
use crate::color::Color;
use crate::geometry::BoardSize;
use crate::random::RandomStream;

/// Rules for a board.
struct OnBoard<R, const W: usize> {
    rules: R,
    points: usize,
    board: Bits<W>,
}

/// Why a function has not done its work.
enum Fault {
    Refused(String),
    Failed(String),
}

thread_local! {
    /// The text of the last error.
    static LAST_ERROR: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The table of rules, which a module hands out under this name.
///
/// # Panics
/// If `W` is no number of words that [`with_words!`](crate::with_words) knows.
#[must_use]
pub fn table_of<R: OwnRules<W>, const W: usize>(
    _rules: PhantomData<R>,
    name: &'static str,
) -> Table {
    assert!(WORDS.contains(&W), "OwnRules<{W}>: the number of words must be one of {WORDS:?}");
    let endings: Vec<_> = R::ENDINGS.iter().map(|&word| Text::from(word)).collect();
    // Made once in a process, which keeps the default values and all texts.
    let defaults: &'static [(&str, Value)] = R::OPTIONS;
    let options: Vec<_> =
        defaults.iter().map(|(name, value)| RawOption::new(name, value)).collect();
    let (rows, cols) = R::DEFAULT_SIZE;
    Table {
        name: name.into(),
        title: if R::TITLE.is_empty() { name.into() } else { R::TITLE.into() },
        about: R::ABOUT.into(),
        forbidden: R::FORBIDDEN.into(),
        num_endings: endings.len(),
        endings: Box::leak(endings.into_boxed_slice()).as_ptr(),
        num_options: options.len(),
        options: Box::leak(options.into_boxed_slice()).as_ptr(),
        rows: rows as u32,
        cols: cols as u32,
        words: W as u32,
        symmetries: R::SYMMETRIES as u32,
        look: match R::LOOK {
            Look::Squares => 0,
            Look::Lines => 1,
            Look::Drops => 2,
        },
        has_pass: u32::from(R::HAS_PASS),
        may_repeat: u32::from(R::MAY_REPEAT),
        counts_points: u32::from(R::COUNTS_POINTS),
        make: make::<R, W>,
        free: free::<R, W>,
        setup: setup::<R, W>,
        next: next::<R, W>,
        playout: playout::<R, W>,
        error,
    }
}

impl<R: OwnRules<W>, const W: usize> OnBoard<R, W> {
    #[inline]
    fn legal(&self, position: &Position<W>) -> Bits<W> {
        self.rules.legal(position) & self.board
    }

    #[inline]
    fn may_pass(&self, position: &Position<W>) -> bool {
        R::HAS_PASS && self.rules.may_pass(position)
    }

    #[inline]
    fn play(&self, position: &mut Position<W>, action: usize) {
        if action == self.points {
            position.passes = (position.passes + 1).min(2);
        } else {
            self.rules.play(position, action);
            position.passes = 0;
        }
        position.hand_over();
    }

    /// Plays at random to the end or so many actions, and returns the score. Chooses as `Playouts::playout` does.
    #[inline]
    fn play_out(
        &self,
        mut position: Position<W>,
        limit: usize,
        rng: &mut RandomStream,
        mut played: impl FnMut(usize),
    ) -> Result<f64, Fault> {
        let mut standing =
            if limit == 0 { self.rules.ending(&position) } else { Standing::GOES_ON };
        for _ in 0..limit {
            let legal = self.legal(&position);
            let count = legal.count() as u32;
            let action = if count > 0 {
                nth_of_words(&legal.0, rng.random_range(0..count))
            } else if self.may_pass(&position) {
                self.points
            } else {
                return Err(Fault::Failed(STUCK.to_owned()));
            };
            played(action);
            self.play(&mut position, action);
            standing = self.rules.ending(&position);
            if standing.ending.is_some() {
                break;
            }
        }
        Ok(standing.score)
    }
}

/// What is wrong with rules that leave a player nothing to do.
pub(super) const STUCK: &str = "the game goes on, but no action is legal: ending must end it";

/// Does the work of a function of a table. No panic leaves it, since no panic may cross into another library.
#[inline]
fn guarded(work: impl FnOnce() -> Result<(), Fault>) -> u32 {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => DONE,
        Ok(Err(Fault::Refused(text))) => told(text, REFUSED),
        Ok(Err(Fault::Failed(text))) => told(text, FAILED),
        Err(payload) => told(panic_text(payload), FAILED),
    }
}

#[cold]
fn told(text: String, code: u32) -> u32 {
    // A thread that ends has no such text any more.
    let _ = LAST_ERROR.try_with(|last| *last.borrow_mut() = text);
    code
}

#[cold]
fn unknown_word(word: &str, known: &[&str]) -> Fault {
    Fault::Failed(format!("ending returns the word {word:?}: ENDINGS has {known:?}"))
}

#[cold]
fn panic_text(payload: Box<dyn Any + Send>) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let told = format!("panicked: {}", text.unwrap_or("without a message"));
    // Not dropped: what is no text may panic once more.
    std::mem::forget(payload);
    told
}

/// The position that a function is asked about.
///
/// # Safety
/// It has `2 * W` words of stones.
#[inline]
unsafe fn position_of<const W: usize>(asked: &Asked) -> Position<W> {
    // SAFETY: as the caller promises.
    let [black, white] = unsafe { asked.stones.cast::<[[u64; W]; 2]>().read() };
    let turn = if asked.turn == 0 { Color::Black } else { Color::White };
    let (own, opponent) = if asked.turn == 0 { (black, white) } else { (white, black) };
    Position { own: Bits(own), opponent: Bits(opponent), turn, passes: asked.passes as u8 }
}

/// # Safety
/// There is a value for each option, and a place for the rules.
unsafe extern "C" fn make<R: OwnRules<W>, const W: usize>(
    rows: u32,
    cols: u32,
    values: *const RawOption,
    made: *mut *mut c_void,
) -> u32 {
    guarded(|| {
        let refused = |error: &dyn ToString| Fault::Refused(error.to_string());
        let size = BoardSize::new(rows as usize, cols as usize).map_err(|error| refused(&error))?;
        if size.points() > 64 * W {
            let text = format!("the rules are for boards of at most {} points, not {size}", 64 * W);
            return Err(Fault::Refused(text));
        }
        // SAFETY: the caller has given so many.
        let values = unsafe { std::slice::from_raw_parts(values, R::OPTIONS.len()) };
        // SAFETY: their texts live until this function returns.
        let value = |raw: &RawOption| unsafe { raw.value() };
        let options = R::OPTIONS.iter().zip(values);
        let options = options.map(|(&(name, _), raw)| Some((name, value(raw)?)));
        let broken = || Fault::Failed("an option of another kind".to_owned());
        let options: Options = options.collect::<Option<_>>().ok_or_else(broken)?;
        let rules = R::new(size, &options).map_err(|error| refused(&error))?;
        let board = Frame::<W>::new(size).board();
        let boxed = Box::new(OnBoard { rules, points: size.points(), board });
        // SAFETY: the caller has given a place for it.
        unsafe { made.write(Box::into_raw(boxed).cast()) };
        Ok(())
    })
}

/// # Safety
/// `make` of the same table has made the rules, and nobody uses them any more.
unsafe extern "C" fn free<R: OwnRules<W>, const W: usize>(rules: *mut c_void) {
    guarded(|| {
        // SAFETY: as the caller promises.
        drop(unsafe { Box::from_raw(rules.cast::<OnBoard<R, W>>()) });
        Ok(())
    });
}

/// # Safety
/// The rules are there, and place for `2 * W` words.
unsafe extern "C" fn setup<R: OwnRules<W>, const W: usize>(
    rules: *const c_void,
    stones: *mut u64,
) -> u32 {
    guarded(|| {
        // SAFETY: as the caller promises.
        let on_board = unsafe { &*rules.cast::<OnBoard<R, W>>() };
        let found = on_board.rules.setup();
        // SAFETY: as the caller promises.
        unsafe { stones.cast::<[[u64; W]; 2]>().write([found.black.0, found.white.0]) };
        Ok(())
    })
}

/// # Safety
/// The rules are there, the stones of the position, and place for `3 * W` words; the action is on the board.
unsafe extern "C" fn next<R: OwnRules<W>, const W: usize>(
    rules: *const c_void,
    asked: *const Asked,
    action: i64,
    said: *mut Said,
) -> u32 {
    guarded(|| {
        // SAFETY: as the caller promises.
        let (on_board, asked) = unsafe { (&*rules.cast::<OnBoard<R, W>>(), &*asked) };
        // SAFETY: as the caller promises.
        let mut position = unsafe { position_of::<W>(asked) };
        if let Ok(action) = usize::try_from(action) {
            on_board.play(&mut position, action);
        }
        let standing = on_board.rules.ending(&position);
        let ending = match standing.ending {
            None => 0,
            Some(word) => {
                let found = R::ENDINGS.iter().position(|&known| known == word);
                1 + found.ok_or_else(|| unknown_word(word, R::ENDINGS))?
            }
        };
        let legal = on_board.legal(&position);
        let stones = Color::ALL.map(|color| position.stones(color).0);
        let planes = [stones[0], stones[1], legal.0];
        // SAFETY: as the caller promises.
        unsafe {
            (*said).planes.cast::<[[u64; W]; 3]>().write(planes);
            (*said).may_pass = u32::from(on_board.may_pass(&position));
            (*said).ending = ending as u32;
            (*said).score = standing.score;
        }
        Ok(())
    })
}

/// # Safety
/// The rules are there, the stones of the position, and place for `limit` actions, if they are asked for.
unsafe extern "C" fn playout<R: OwnRules<W>, const W: usize>(
    rules: *const c_void,
    asked: *const Asked,
    playout: *mut Playout,
) -> u32 {
    guarded(|| {
        // SAFETY: as the caller promises.
        let (on_board, playout) = unsafe { (&*rules.cast::<OnBoard<R, W>>(), &mut *playout) };
        // SAFETY: as the caller promises.
        let position = unsafe { position_of::<W>(&*asked) };
        let mut rng = RandomStream::of_words(playout.random);
        let (limit, first) = (playout.limit, playout.played);
        let mut count = 0;
        playout.score = if first.is_null() {
            on_board.play_out(position, limit, &mut rng, |_| {})?
        } else {
            on_board.play_out(position, limit, &mut rng, |action| {
                // SAFETY: there is place for `limit` of them, and `play_out` plays no more.
                unsafe { first.add(count).write(action as u16) };
                count += 1;
            })?
        };
        playout.num_played = count;
        playout.random = rng.words();
        Ok(())
    })
}

/// # Safety
/// There is place for so many bytes.
unsafe extern "C" fn error(text: *mut u8, capacity: usize) -> usize {
    let copy = |last: &RefCell<String>| {
        let last = last.borrow();
        let length = last.len().min(capacity);
        // SAFETY: both have so many bytes, and are of two libraries.
        unsafe { text.copy_from_nonoverlapping(last.as_ptr(), length) };
        length
    };
    LAST_ERROR.try_with(copy).unwrap_or(0)
}
