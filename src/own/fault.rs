//! Why the functions of another library have not done their work.

#![allow(unsafe_code, reason = "the text of an error is fetched by a function of a table")]

use thiserror::Error;

use super::table::{DONE, REFUSED, Table};
use crate::setup::SetupError;

/// Bytes of an error that are copied.
const MESSAGE: usize = 1000;

/// Why rules did not answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum RulesError {
    /// There is no such board or option.
    #[error("{0}")]
    Refused(String),
    /// They panicked, or said what cannot be.
    #[error("{0}")]
    Failed(String),
}

impl From<RulesError> for SetupError {
    fn from(error: RulesError) -> Self {
        Self::new(error.to_string())
    }
}

/// What a function of a table has returned.
#[inline]
pub(super) fn check(table: &Table, code: u32) -> Result<(), RulesError> {
    if code == DONE { Ok(()) } else { Err(last_error(table, code)) }
}

#[cold]
fn last_error(table: &Table, code: u32) -> RulesError {
    let mut text = vec![0; MESSAGE];
    // SAFETY: there is place for so many bytes.
    let length = unsafe { (table.error)(text.as_mut_ptr(), text.len()) };
    text.truncate(length);
    let text = String::from_utf8_lossy(&text).into_owned();
    if code == REFUSED { RulesError::Refused(text) } else { RulesError::Failed(text) }
}

#[cold]
pub(super) fn failed(text: impl Into<String>) -> RulesError {
    RulesError::Failed(text.into())
}
