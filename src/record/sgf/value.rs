//! Values of properties: as they are written, and the text they stand for.

use super::{Collection, SgfError, Span};

/// A value of a property.
///
/// ```
/// use sixplane::record::sgf::Collection;
///
/// let collection = Collection::from_text("(;AP[a\\:b:1.0]C[x\\\ny\nz])")?;
/// let root = collection.games().next().unwrap();
/// let ap = root.find("AP").unwrap().value();
/// assert_eq!(ap.raw(), "a\\:b:1.0");
/// assert_eq!(ap.compose(), Some(("a:b".to_owned(), "1.0".to_owned())));
/// let comment = root.find("C").unwrap().value();
/// assert_eq!(comment.text(), "xy\nz"); // an escaped line break only wraps the text
/// assert_eq!(comment.simple_text(), "xy z");
/// # Ok::<(), sixplane::record::SgfError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    collection: &'a Collection,
    span: Span,
}

impl<'a> Value<'a> {
    pub(super) fn new(collection: &'a Collection, span: Span) -> Self {
        Self { collection, span }
    }

    /// What stands between the brackets.
    #[must_use]
    pub fn raw(self) -> &'a str {
        self.collection.str(self.span)
    }

    /// The text it stands for, of several lines.
    #[must_use]
    pub fn text(self) -> String {
        unescape(self.raw(), '\n')
    }

    /// The text it stands for, of one line.
    #[must_use]
    pub fn simple_text(self) -> String {
        unescape(self.raw(), ' ')
    }

    /// The two texts it stands for, if it has two parts with a colon between.
    #[must_use]
    pub fn compose(self) -> Option<(String, String)> {
        let raw = self.raw();
        let mut escaped = false;
        let colon = raw.bytes().position(|byte| {
            let found = byte == b':' && !escaped;
            escaped = byte == b'\\' && !escaped;
            found
        })?;
        Some((unescape(&raw[..colon], ' '), unescape(&raw[colon + 1..], ' ')))
    }

    /// An error that points at this value.
    #[must_use]
    pub fn error(self, message: impl Into<String>) -> SgfError {
        self.collection.error(message, self.span.start as usize)
    }
}

/// The text of a raw value: a backslash takes the next character as it is and removes a line
/// break; white space other than line breaks is a space.
fn unescape(raw: &str, line_break: char) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(first) = chars.next() {
        let escaped = first == '\\';
        let Some(char) = (if escaped { chars.next() } else { Some(first) }) else { break };
        match char {
            '\n' | '\r' => {
                // Two different ones in a row are one line break.
                let other = if char == '\n' { '\r' } else { '\n' };
                chars.next_if_eq(&other);
                if !escaped {
                    text.push(line_break);
                }
            }
            '\t' | '\u{b}' | '\u{c}' => text.push(' '),
            _ => text.push(char),
        }
    }
    text
}
