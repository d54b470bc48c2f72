//! What crosses between the library of a game and that of sixplane: types of C alone.
//!
//! Two libraries of Rust share neither layouts nor allocators, so each frees what it has made, and texts are copied.
//! A change of anything here is a new [`VERSION`].

#![allow(
    unsafe_code,
    reason = "the functions of a table take pointers: `calls` and `foreign` say what they promise"
)]

use std::ffi::{CStr, c_void};

use super::options::Value;

/// The version of what crosses.
pub const VERSION: u32 = 1;

/// What the capsule of a module is called in which Python hands [`Tables`] over.
pub const CAPSULE: &CStr = c"sixplane.own_games";

/// The number of words of a plane: what `W` may be.
pub(super) const WORDS: [usize; 7] = [1, 2, 3, 4, 6, 8, 10];

/// What stands first in every version.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) version: u32,
    /// The version of sixplane by which it was made, filled up with zeros.
    pub(super) made_by: [u8; 28],
}

impl Header {
    pub(super) fn new(version: u32, crate_version: &str) -> Self {
        let mut made_by = [0; 28];
        let length = crate_version.len().min(made_by.len());
        made_by[..length].copy_from_slice(&crate_version.as_bytes()[..length]);
        Self { version, made_by }
    }
}

/// The games of a module.
#[repr(C)]
#[derive(Debug)]
pub struct Tables {
    pub(super) header: Header,
    pub(super) count: usize,
    pub(super) first: *const Table,
}

impl Tables {
    /// Tables that live as long as the process: Python takes no module out of it.
    #[must_use]
    pub fn leak(tables: Vec<Table>) -> &'static Self {
        Self::leak_as(Header::new(VERSION, env!("CARGO_PKG_VERSION")), tables)
    }

    pub(super) fn leak_as(header: Header, tables: Vec<Table>) -> &'static Self {
        let tables = Box::leak(tables.into_boxed_slice());
        Box::leak(Box::new(Self { header, count: tables.len(), first: tables.as_ptr() }))
    }
}

/// A text of UTF-8 that lives as long as the process.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    pub(super) start: *const u8,
    pub(super) length: usize,
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Self {
        Self { start: text.as_ptr(), length: text.len() }
    }
}

/// An option: its name, and a value, which is a number in 64 bits or a text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct RawOption {
    pub(super) name: Text,
    /// 0 for a bool, 1 for an integer, 2 for a float, 3 for a text.
    pub(super) kind: u32,
    pub(super) bits: u64,
    pub(super) text: Text,
}

impl RawOption {
    /// The text is that of the value, which must outlive it.
    pub(super) fn new(name: &'static str, value: &Value) -> Self {
        let (kind, bits, text) = match value {
            Value::Bool(value) => (0, u64::from(*value), ""),
            Value::Int(value) => (1, *value as u64, ""),
            Value::Float(value) => (2, value.to_bits(), ""),
            Value::Text(value) => (3, 0, value.as_ref()),
        };
        let text = Text { start: text.as_ptr(), length: text.len() };
        Self { name: name.into(), kind, bits, text }
    }

    /// The value; `None` of a kind that there is not.
    ///
    /// # Safety
    /// The text is there, and is UTF-8 or fails to be.
    pub(super) unsafe fn value(&self) -> Option<Value> {
        Some(match self.kind {
            0 => Value::Bool(self.bits != 0),
            1 => Value::Int(self.bits as i64),
            2 => Value::Float(f64::from_bits(self.bits)),
            // SAFETY: as the caller promises.
            3 => Value::Text(unsafe { self.text.read() }?.to_owned().into()),
            _ => return None,
        })
    }
}

impl Text {
    /// The text; `None` if it is no UTF-8.
    ///
    /// # Safety
    /// There are so many bytes, which do not change as long as the text is used.
    pub(super) unsafe fn read<'a>(self) -> Option<&'a str> {
        // SAFETY: as the caller promises.
        let bytes = unsafe { std::slice::from_raw_parts(self.start, self.length) };
        std::str::from_utf8(bytes).ok()
    }
}

/// A position.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Asked {
    /// `(2, W)`: Black's stones and White's.
    pub(super) stones: *const u64,
    /// 1 if White is to play.
    pub(super) turn: u32,
    pub(super) passes: u32,
}

/// What comes of it.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Said {
    /// `(3, W)`: Black's stones, White's, and where the player to play may play then.
    pub(super) planes: *mut u64,
    pub(super) may_pass: u32,
    /// 0 while the game goes on, else one more than the number of the word.
    pub(super) ending: u32,
    pub(super) score: f64,
}

/// A random game from a position to its end.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Playout {
    /// Actions after which it stops.
    pub(super) limit: usize,
    /// xoshiro256++, which goes on from there.
    pub(super) random: [u64; 4],
    /// `(limit,)`: the actions; null if nobody asks for them.
    pub(super) played: *mut u16,
    pub(super) num_played: usize,
    pub(super) score: f64,
}

/// What a function of a table returns: it has done its work, or the text of `error` says why not.
pub(super) const DONE: u32 = 0;
/// Rules refuse a board or an option, as they may.
pub(super) const REFUSED: u32 = 1;
/// Rules panicked, or said what cannot be.
pub(super) const FAILED: u32 = 2;

/// Rules as C functions: `calls` makes them, `foreign` and `judge` call them.
#[repr(C)]
#[derive(Debug)]
pub struct Table {
    pub(super) name: Text,
    pub(super) title: Text,
    pub(super) about: Text,
    pub(super) forbidden: Text,
    pub(super) endings: *const Text,
    pub(super) num_endings: usize,
    pub(super) options: *const RawOption,
    pub(super) num_options: usize,
    pub(super) rows: u32,
    pub(super) cols: u32,
    pub(super) words: u32,
    pub(super) symmetries: u32,
    pub(super) look: u32,
    pub(super) has_pass: u32,
    pub(super) may_repeat: u32,
    pub(super) counts_points: u32,
    /// Rows, columns, the values of all options, and where the rules for that board go, which `free` takes back.
    pub(super) make: unsafe extern "C" fn(u32, u32, *const RawOption, *mut *mut c_void) -> u32,
    pub(super) free: unsafe extern "C" fn(*mut c_void),
    /// `(2, W)`: the stones at the start.
    pub(super) setup: unsafe extern "C" fn(*const c_void, *mut u64) -> u32,
    /// The position and an action in it, or -1 for none.
    pub(super) next: unsafe extern "C" fn(*const c_void, *const Asked, i64, *mut Said) -> u32,
    pub(super) playout: unsafe extern "C" fn(*const c_void, *const Asked, *mut Playout) -> u32,
    /// Copies the text of the last error of this thread, cut off at so many bytes; returns its length then.
    pub(super) error: unsafe extern "C" fn(*mut u8, usize) -> usize,
}

// SAFETY: what the pointers of a table lead to lives as long as the process and never changes.
unsafe impl Send for Table {}
// SAFETY: the same.
unsafe impl Sync for Table {}
