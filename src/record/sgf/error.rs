//! What is wrong with a text, and where.

use thiserror::Error;

/// A text that is no SGF, or an SGF record that is no game.
///
/// ```
/// use sixplane::record::sgf::Collection;
///
/// let error = Collection::from_text("(;GM)").unwrap_err();
/// assert_eq!((error.offset, error.message), (2, "the property GM has no value".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message} (at byte {offset})")]
pub struct SgfError {
    /// What is wrong.
    pub message: String,
    /// How many bytes come before it of what was read: of the text, or of the bytes in their own
    /// character set.
    pub offset: usize,
}

/// A piece of the text for a message, which is not to be as long as the text may be.
pub(in crate::record) fn abbreviated(text: &str) -> String {
    const MOST: usize = 20;
    let end = text.char_indices().nth(MOST).map_or(text.len(), |(end, _)| end);
    let dots = if end < text.len() { "…" } else { "" };
    format!("{}{dots}", &text[..end])
}
