//! Bytes and text: the character set that a record names, and the one it is in.

use std::sync::OnceLock;

use encoding_rs::{Encoding, UTF_8};

use super::charset::named;
use super::scan::{find_tree, value_end};

/// What a text was decoded from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) encoding: &'static Encoding,
    /// How many bytes were skipped before the text: those of a byte order mark.
    skipped: usize,
    /// The bytes that were given, with those skipped; none where they are those of the text itself.
    pub(super) bytes: Box<[u8]>,
    /// How long the text is that was decoded before each of the bytes, once somebody has asked.
    decoded: OnceLock<Box<[u32]>>,
}

impl Source {
    /// That of a text which is given as text.
    pub(super) fn text() -> Self {
        Self { encoding: UTF_8, skipped: 0, bytes: Box::default(), decoded: OnceLock::new() }
    }

    /// Whether bytes that fit this character set are surely in it: they are UTF-8, or begin with a byte
    /// order mark.
    pub(super) fn is_certain(&self) -> bool {
        self.encoding == UTF_8 || self.skipped > 0
    }

    /// How many of the bytes given come before this place of the text.
    pub(super) fn offset(&self, text: usize) -> usize {
        if self.encoding == UTF_8 {
            return self.skipped + text;
        }
        let decoded = self.decoded.get_or_init(|| self.decode_again());
        self.skipped + decoded.partition_point(|&before| (before as usize) < text)
    }

    /// Some characters are not encoded in one way only, so their bytes cannot be counted from the text.
    fn decode_again(&self) -> Box<[u32]> {
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        // A byte completes one character at most, after others that it proves to be whole.
        let (mut buffer, mut length) = ([0; 32], 0_u32);
        let decoded = self.bytes[self.skipped..].iter().map(|&byte| {
            let before = length;
            let (_, _, written) =
                decoder.decode_to_utf8_without_replacement(&[byte], &mut buffer, false);
            length = length.saturating_add(written as u32);
            before
        });
        decoded.collect()
    }
}

/// The text of bytes and where it comes from, if they say it themselves: by a byte order mark, by the
/// name of their character set, or because they are UTF-8.
pub(super) fn decode(bytes: &[u8]) -> Option<(String, Source)> {
    let marked = Encoding::for_bom(bytes);
    let declared = declared(bytes).and_then(named).map(|encoding| (encoding, 0));
    let mut all = marked.into_iter().chain(declared).chain([(UTF_8, 0)]);
    all.find_map(|(encoding, skipped)| decode_as(bytes, encoding, skipped))
}

/// The same in a character set, if the bytes but for some at their beginning are in it.
pub(super) fn decode_as(
    bytes: &[u8],
    encoding: &'static Encoding,
    skipped: usize,
) -> Option<(String, Source)> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[skipped..])?;
    let is_text = encoding == UTF_8 && skipped == 0;
    let bytes = if is_text { Box::default() } else { Box::from(bytes) };
    Some((text.into_owned(), Source { encoding, skipped, bytes, decoded: OnceLock::new() }))
}

/// The name of a character set in the first root node.
pub(super) fn declared(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.get(find_tree(bytes, 0)? + 1..)?.trim_ascii_start();
    let mut rest = rest.strip_prefix(b";").unwrap_or(rest);
    loop {
        let (name, after) = rest.split_at(rest.iter().position(|byte| b"[;()".contains(byte))?);
        let (value, after) =
            after.strip_prefix(b"[").and_then(|after| after.split_at_checked(value_end(after)?))?;
        if name.iter().filter(|byte| byte.is_ascii_uppercase()).eq(b"CA") {
            return Some(value.trim_ascii());
        }
        rest = &after[1..];
    }
}
