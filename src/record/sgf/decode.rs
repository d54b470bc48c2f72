//! Bytes and text: the character set that a record names, and the one it is in.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::scan::{find_tree, value_end};

/// Names of character sets that records use beside those of the Encoding Standard, and the
/// standard's.
const MORE_NAMES: [(&str, &str); 10] = [
    ("euc-cn", "gb2312"),
    ("x-euc-cn", "gb2312"),
    ("cp936", "gbk"),
    ("ms936", "gbk"),
    ("cp932", "shift_jis"),
    ("cp949", "euc-kr"),
    ("ms949", "euc-kr"),
    ("cp950", "big5"),
    ("latin-1", "iso-8859-1"),
    ("utf_8", "utf-8"),
];

/// What a text was decoded from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) encoding: &'static Encoding,
    /// How many bytes were skipped before the text: those of a byte order mark.
    skipped: usize,
    /// The bytes of the text; none if they are UTF-8, for then they are those of the text itself.
    bytes: Box<[u8]>,
}

impl Source {
    /// That of a text which is given as text.
    pub(super) fn text() -> Self {
        Self { encoding: UTF_8, skipped: 0, bytes: Box::default() }
    }

    /// How many of the bytes given come before this place of the text.
    ///
    /// It decodes again and counts, for some characters are not encoded in one way only.
    pub(super) fn offset(&self, text: usize) -> usize {
        if self.encoding == UTF_8 {
            return self.skipped + text;
        }
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        // A byte completes one character at most, after others that it proves to be whole.
        let (mut decoded, mut missing) = ([0; 32], text);
        let is_before = |byte: &&u8| {
            let is_before = missing > 0;
            let (_, _, written) =
                decoder.decode_to_utf8_without_replacement(&[**byte], &mut decoded, false);
            missing = missing.saturating_sub(written);
            is_before
        };
        self.skipped + self.bytes.iter().take_while(is_before).count()
    }
}

/// The text of bytes, and where it comes from.
pub(super) fn decode(bytes: &[u8]) -> (String, Source) {
    let marked = Encoding::for_bom(bytes);
    let declared = declared(bytes).map(|encoding| (encoding, 0));
    for (encoding, skipped) in marked.into_iter().chain(declared).chain([(UTF_8, 0)]) {
        let bytes = &bytes[skipped..];
        if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes) {
            let bytes = if encoding == UTF_8 { Box::default() } else { Box::from(bytes) };
            return (text.into_owned(), Source { encoding, skipped, bytes });
        }
    }
    // Any bytes fit this one, which is Latin-1 and more.
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    (text.into_owned(), Source { encoding: WINDOWS_1252, skipped: 0, bytes: bytes.into() })
}

/// The character set that the first root node names, if it is one that shares the ASCII range:
/// no other can name itself.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut rest = bytes.get(find_tree(bytes, 0)? + 1..)?.trim_ascii_start().get(1..)?;
    loop {
        let (name, after) = rest.split_at(rest.iter().position(|byte| b"[;()".contains(byte))?);
        let (value, after) =
            after.strip_prefix(b"[").and_then(|after| after.split_at_checked(value_end(after)?))?;
        if name.iter().filter(|byte| byte.is_ascii_uppercase()).eq(b"CA") {
            return named(value).filter(|encoding| encoding.is_ascii_compatible());
        }
        rest = &after[1..];
    }
}

fn named(name: &[u8]) -> Option<&'static Encoding> {
    let name = name.trim_ascii();
    let other = MORE_NAMES.iter().find(|(other, _)| name.eq_ignore_ascii_case(other.as_bytes()));
    Encoding::for_label(other.map_or(name, |(_, standard)| standard.as_bytes()))
}
