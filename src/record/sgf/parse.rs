//! Text to trees, in one pass and without recursion.

use super::decode::{Source, decode};
use super::error::{SgfError, abbreviated};
use super::scan::{find_tree, skip_space, value_end};
use super::tree::{Collection, NodeEntry, PropertyEntry, Span};

/// One open parenthesis.
#[derive(Clone, Copy)]
struct Frame {
    /// Its nodes that follow one another: from here...
    first: usize,
    /// ... to here; none yet if equal.
    end: usize,
    /// Whether a variation has begun, after which no such node may come.
    branched: bool,
}

impl Frame {
    fn takes_properties(self) -> bool {
        self.end > self.first && !self.branched
    }
}

impl Collection {
    /// Reads text, whatever character set it names. What stands before, between and after its
    /// game trees is passed over.
    ///
    /// # Errors
    /// [`SgfError`] if there is no game tree or a malformed one.
    pub fn from_text(text: &str) -> Result<Self, SgfError> {
        Self::parse(text.to_owned(), Source::text())
    }

    /// Reads bytes in the character set that their byte order mark (UTF-8 and UTF-16) or else the
    /// first root node (`CA`) names. Without one, and where the bytes do not fit it, they are
    /// UTF-8, or Latin-1 if they do not fit that either.
    ///
    /// # Errors
    /// [`SgfError`] as [`Collection::from_text`]; its offset is that of the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SgfError> {
        let (text, source) = decode(bytes);
        Self::parse(text, source)
    }

    fn parse(text: String, source: Source) -> Result<Self, SgfError> {
        let (nodes, properties, values) = (Vec::new(), Vec::new(), Vec::new());
        let length = u32::try_from(text.len());
        let mut collection = Self { text, source, nodes, properties, values };
        if length.is_err() {
            return Err(collection.error("the text is longer than 4 GiB", 0));
        }
        let mut at = 0;
        while let Some(start) = find_tree(collection.text.as_bytes(), at) {
            at = collection.parse_tree(start)?;
        }
        if collection.nodes.is_empty() {
            let end = collection.text.len();
            return Err(collection.error("no game tree: none begins with \"(;\"", end));
        }
        Ok(collection)
    }

    /// Reads the game tree that begins here; returns where it ends.
    fn parse_tree(&mut self, mut at: usize) -> Result<usize, SgfError> {
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            at = skip_space(self.text.as_bytes(), at);
            let byte = self.text.as_bytes().get(at).copied();
            let frame = frames.last_mut();
            match (byte, frame) {
                (None, _) => return Err(self.error("the text ends within a game tree", at)),
                (Some(b';'), Some(frame)) => {
                    if frame.branched {
                        let message = "a node after a variation: only \"(\" or \")\" may follow it";
                        return Err(self.error(message, at));
                    }
                    frame.end = self.nodes.len() + 1;
                    self.nodes.push(NodeEntry { end: 0, properties: self.properties.len() as u32 });
                }
                (Some(byte), Some(frame)) if frame.first == frame.end => {
                    let found = if byte.is_ascii_graphic() { char::from(byte) } else { '?' };
                    let message = format!("a game tree begins with {found:?} instead of a node");
                    return Err(self.error(message, at));
                }
                (Some(b'('), frame) => {
                    if let Some(frame) = frame {
                        frame.branched = true;
                    }
                    if frames.len() == Self::MAX_NESTING {
                        let most = Self::MAX_NESTING;
                        let message = format!("game trees nested more than {most} deep");
                        return Err(self.error(message, at));
                    }
                    let first = self.nodes.len();
                    frames.push(Frame { first, end: first, branched: false });
                }
                (Some(b')'), Some(&mut Frame { first, end, .. })) => {
                    let after = self.nodes.len() as u32;
                    self.nodes[first..end].iter_mut().for_each(|node| node.end = after);
                    frames.pop();
                    if frames.is_empty() {
                        return Ok(at + 1);
                    }
                }
                (Some(byte), Some(frame))
                    if byte.is_ascii_alphabetic() && frame.takes_properties() =>
                {
                    at = self.parse_property(at)?;
                    continue;
                }
                (Some(b'['), _) => return Err(self.error("a value without a property", at)),
                (Some(_), _) => {
                    let found = self.text[at..].chars().next().unwrap_or_default();
                    return Err(self.error(format!("{found:?} has no place here"), at));
                }
            }
            at += 1;
        }
    }

    /// Reads the property that begins here; returns where it ends.
    fn parse_property(&mut self, start: usize) -> Result<usize, SgfError> {
        let bytes = self.text.as_bytes();
        let letters = bytes[start..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let ident = Span { start: start as u32, end: (start + letters) as u32 };
        self.properties.push(PropertyEntry { ident, values: self.values.len() as u32 });
        let mut end = start + letters;
        loop {
            let at = skip_space(bytes, end);
            if bytes.get(at) != Some(&b'[') {
                break;
            }
            let Some(length) = value_end(&bytes[at + 1..]) else {
                return Err(self.error("a value without its closing bracket", at));
            };
            end = at + 1 + length;
            self.values.push(Span { start: at as u32 + 1, end: end as u32 });
            end += 1;
        }
        if end == start + letters {
            let message = format!("the property {} has no value", abbreviated(self.str(ident)));
            return Err(self.error(message, start));
        }
        Ok(end)
    }
}
