//! Bytes and text: the character set that a record names, and the one it is in.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::parse::find_tree;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of bytes, the encoding they are in, and how many were skipped before the text.
pub(super) fn decode(bytes: &[u8]) -> (String, &'static Encoding, usize) {
    if let Some(rest) = bytes.strip_prefix(BYTE_ORDER_MARK) {
        if let Ok(text) = std::str::from_utf8(rest) {
            return (text.to_owned(), UTF_8, BYTE_ORDER_MARK.len());
        }
    }
    for encoding in declared(bytes).into_iter().chain([UTF_8]) {
        if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes) {
            return (text.into_owned(), encoding, 0);
        }
    }
    // Any bytes fit this one, which is Latin-1 and more.
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    (text.into_owned(), WINDOWS_1252, 0)
}

/// The bytes of text that [`decode`] gave.
pub(super) fn encode(text: String, encoding: &'static Encoding) -> Vec<u8> {
    if encoding == UTF_8 { text.into_bytes() } else { encoding.encode(&text).0.into_owned() }
}

/// How many bytes the text takes in an encoding.
pub(super) fn encoded_len(text: &str, encoding: &'static Encoding) -> usize {
    if encoding == UTF_8 { text.len() } else { encoding.encode(text).0.len() }
}

/// The character set that the first root node names, if it is one that shares the ASCII range:
/// no other can name itself.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut rest = bytes.get(find_tree(bytes, 0)? + 1..)?.trim_ascii_start().get(1..)?;
    let mut name = Vec::new();
    let mut in_name = false;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'[' => {
                let end = value_end(rest)?;
                if name == b"CA" {
                    let encoding = Encoding::for_label(&rest[..end])?;
                    return encoding.is_ascii_compatible().then_some(encoding);
                }
                rest = &rest[end + 1..];
                in_name = false;
            }
            b'A'..=b'Z' | b'a'..=b'z' => {
                if !std::mem::replace(&mut in_name, true) {
                    name.clear();
                }
                // No name that matters is longer.
                if byte.is_ascii_uppercase() && name.len() < 3 {
                    name.push(byte);
                }
            }
            b';' | b'(' | b')' => return None,
            _ => {}
        }
    }
    None
}

/// Where the closing bracket of a value stands.
pub(super) fn value_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte == b']' || byte == b'\\')?;
        if bytes[at] == b']' {
            return Some(at);
        }
        at += 2;
    }
}
