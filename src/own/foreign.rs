//! Rules in another library, called by their table. Nothing that they say is taken for granted.

#![allow(unsafe_code, reason = "the functions of a table are called, with what they ask for")]
#![cfg_attr(not(feature = "python"), allow(dead_code, reason = "tests of the core need a part"))]

use std::ffi::c_void;

use thiserror::Error;

use super::fault::{RulesError, check};
use super::judge::Judge;
use super::options::{Look, Value};
use super::table::{Header, RawOption, Table, Tables, Text, VERSION, WORDS};
use crate::bits::Frame;
use crate::geometry::BoardSize;

/// Why games of another library cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum TableError {
    /// It was made for another version.
    #[error(
        "the module was built with sixplane {made_by}, whose games of a crate are of version {found}, and this is \
         sixplane {}, which takes version {VERSION}: build the module with this version",
        env!("CARGO_PKG_VERSION")
    )]
    Version {
        /// The version of its table.
        found: u32,
        /// The version of sixplane that made it.
        made_by: String,
    },
    /// What it says cannot be.
    #[error("{0}")]
    Wrong(String),
}

/// The rules of another library, for all boards: what `table_of` says of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreign {
    table: &'static Table,
    /// Its name, such as `ConnectFour`.
    pub(crate) name: &'static str,
    /// Its name in words.
    pub(crate) title: &'static str,
    /// Its rules in a few sentences.
    pub(crate) about: &'static str,
    /// Why an empty point may not be played, in a word.
    pub(crate) forbidden: &'static str,
    /// Rows and columns of the board where nobody asks for others.
    pub(crate) default_size: BoardSize,
    /// How many of the board's symmetries the rules keep: 1, 2 or 8.
    pub(crate) symmetries: usize,
    /// How the board looks.
    pub(crate) look: Look,
}

impl Foreign {
    /// The games of a module, in their order.
    ///
    /// # Safety
    /// At the pointer are [`Tables`] of any version, for as long as the process lives.
    ///
    /// # Errors
    /// [`TableError`] if they are of another version, or say what cannot be.
    pub(crate) unsafe fn read(tables: *const c_void) -> Result<Vec<Self>, TableError> {
        // SAFETY: every version begins with the header.
        let header = unsafe { *tables.cast::<Header>() };
        if header.version != VERSION {
            let text = header.made_by.iter().take_while(|&&byte| byte != 0).copied().collect();
            let made_by = String::from_utf8(text).unwrap_or_else(|_| "?".to_owned());
            return Err(TableError::Version { found: header.version, made_by });
        }
        // SAFETY: they are of this version, with as many tables as they say.
        let tables = unsafe {
            let tables = &*tables.cast::<Tables>();
            std::slice::from_raw_parts(tables.first, tables.count)
        };
        tables.iter().map(Self::of).collect()
    }

    fn of(table: &'static Table) -> Result<Self, TableError> {
        let text = |text: Text, what: &str| lasting(text, what);
        let name = text(table.name, "the name")?;
        let wrong = |what: String| TableError::Wrong(format!("{name}: {what}"));
        let default_size = BoardSize::new(table.rows as usize, table.cols as usize)
            .map_err(|error| wrong(error.to_string()))?;
        let words = table.words as usize;
        if !WORDS.contains(&words) || default_size.points() > 64 * words {
            return Err(wrong(format!("the board {default_size} does not fit {words} words")));
        }
        let symmetries = table.symmetries as usize;
        if ![1, 2, 8].contains(&symmetries) {
            return Err(wrong(format!("SYMMETRIES must be 1, 2 or 8, not {symmetries}")));
        }
        let looks = [Look::Squares, Look::Lines, Look::Drops];
        Ok(Self {
            table,
            name,
            title: text(table.title, "TITLE")?,
            about: text(table.about, "ABOUT")?,
            forbidden: text(table.forbidden, "FORBIDDEN")?,
            default_size,
            symmetries,
            look: looks.get(table.look as usize).copied().unwrap_or_default(),
        })
    }

    /// The words of endings.
    ///
    /// # Errors
    /// [`TableError`] if one is no text.
    pub(crate) fn endings(&self) -> Result<Vec<&'static str>, TableError> {
        // SAFETY: there are so many.
        let texts =
            unsafe { std::slice::from_raw_parts(self.table.endings, self.table.num_endings) };
        texts.iter().map(|&text| lasting(text, "ENDINGS")).collect()
    }

    /// The options and the value of each where nobody gives another.
    ///
    /// # Errors
    /// [`TableError`] if one is no option.
    pub(crate) fn options(&self) -> Result<Vec<(&'static str, Value)>, TableError> {
        // SAFETY: there are so many.
        let raw = unsafe { std::slice::from_raw_parts(self.table.options, self.table.num_options) };
        let read = |raw: &RawOption| {
            // SAFETY: the texts of a table are always there.
            let value = unsafe { raw.value() };
            let wrong = || TableError::Wrong("OPTIONS has no such kind of value".to_owned());
            Ok((lasting(raw.name, "OPTIONS")?, value.ok_or_else(wrong)?))
        };
        raw.iter().map(read).collect()
    }

    /// Whether a player may ever pass.
    #[must_use]
    pub(crate) fn has_pass(&self) -> bool {
        self.table.has_pass != 0
    }

    /// Whether a position may come again.
    #[must_use]
    pub(crate) fn may_repeat(&self) -> bool {
        self.table.may_repeat != 0
    }

    /// Whether the score counts points or stones.
    #[must_use]
    pub(crate) fn counts_points(&self) -> bool {
        self.table.counts_points != 0
    }

    /// The rules on a board of this size, with a value for each option.
    ///
    /// # Errors
    /// [`RulesError::Refused`] if there is no such board or a value is missing; [`RulesError::Failed`].
    pub(crate) fn on_board(&self, size: BoardSize, values: &[Value]) -> Result<Judge, RulesError> {
        if values.len() != self.table.num_options {
            let text = format!("{} values for {} options", values.len(), self.table.num_options);
            return Err(RulesError::Refused(text));
        }
        let raw: Vec<_> = values.iter().map(|value| RawOption::new("", value)).collect();
        let mut rules = std::ptr::null_mut();
        let (rows, cols) = (size.rows() as u32, size.cols() as u32);
        // SAFETY: there is a value for each option, whose texts outlive the call, and a place for the rules.
        let code = unsafe { (self.table.make)(rows, cols, raw.as_ptr(), &raw mut rules) };
        check(self.table, code)?;
        Ok(Judge { table: self.table, rules, size, board: Frame::new(size).board() })
    }
}

/// A text of a table.
fn lasting(text: Text, what: &str) -> Result<&'static str, TableError> {
    // SAFETY: the texts of a table are always there.
    let read = unsafe { text.read() };
    read.ok_or_else(|| TableError::Wrong(format!("{what} is no UTF-8")))
}
