//! Places in a text: where game trees begin and values end.

/// Where the next game tree begins: at a parenthesis before a semicolon, or before a property, for
/// some programs leave the first semicolon out. Two parentheses are a game tree as well, a malformed
/// one, lest the inner one be taken for the whole.
pub(super) fn find_tree(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let start = at + bytes.get(at..)?.iter().position(|&byte| byte == b'(')?;
        at = skip_space(bytes, start + 1);
        if matches!(bytes.get(at), Some(b';' | b'(')) || begins_property(bytes, at) {
            return Some(start);
        }
    }
}

/// Whether a property of FF\[4\] may begin here: a name of one or two capital letters, then a value.
fn begins_property(bytes: &[u8], at: usize) -> bool {
    let letters = bytes[at..].iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    matches!(letters, 1 | 2) && bytes.get(skip_space(bytes, at + letters)) == Some(&b'[')
}

/// Whether a variation that begins here is a game: its first property is one that only roots have.
pub(super) fn begins_game(bytes: &[u8], parenthesis: usize) -> bool {
    let mut at = skip_space(bytes, parenthesis + 1);
    if bytes.get(at) == Some(&b';') {
        at = skip_space(bytes, at + 1);
    }
    let rest = &bytes[at..];
    begins_property(bytes, at) && (rest.starts_with(b"GM") || rest.starts_with(b"FF"))
}

pub(super) fn skip_space(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\x0b';
    at + rest.iter().position(|byte| !is_space(byte)).unwrap_or(rest.len())
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
