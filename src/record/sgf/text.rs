//! Escapes: the text that a raw value stands for, and back.

/// The text of a raw value: a backslash takes the next character as it is and removes a line
/// break; white space other than line breaks is a space.
pub(super) fn unescape(raw: &str, line_break: char) -> String {
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

/// A text with a space for each line break.
pub(super) fn one_line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}

/// A text with a backslash before each of these characters.
pub(super) fn escape(text: &str, special: &[char]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        if special.contains(&char) {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}
