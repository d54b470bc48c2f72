//! Text to trees, in one pass and without recursion.

use std::ops::Range;

use super::decode::{Source, decode};
use super::error::{SgfError, abbreviated};
use super::guess::{checked, guess};
use super::scan::{begins_game, find_tree, skip_space, value_end};
use super::tree::{Collection, NodeEntry, PropertyEntry, Span};
use super::warning::Cut;

impl Collection {
    /// Reads text, whatever character set it names. What stands before, between and after its
    /// game trees is passed over. A text that ends within a game tree is read as far as it goes, and
    /// [warned](Collection::warnings) of.
    ///
    /// # Errors
    /// [`SgfError`] if there is no game tree or a malformed one.
    pub fn from_text(text: &str) -> Result<Self, SgfError> {
        Self::parse(text.to_owned(), Source::text())
    }

    /// Reads bytes in the character set that their byte order mark (UTF-8 and UTF-16) or else the
    /// first root node (`CA`) names. Without one, and where the bytes do not fit it, they are
    /// UTF-8, or what they seem to be if they do not fit that either, with a
    /// [warning](Collection::warnings). So they are where a record names a set in which rules or moves
    /// would be part of a name or comment.
    ///
    /// # Errors
    /// [`SgfError`] as [`Collection::from_text`]; its offset is that of the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SgfError> {
        match decode(bytes) {
            Some((text, source)) if source.is_certain() || bytes.is_ascii() => {
                Self::parse(text, source)
            }
            Some((text, source)) => checked(bytes, Self::parse(text, source)),
            None => guess(bytes),
        }
    }

    pub(super) fn parse(text: String, source: Source) -> Result<Self, SgfError> {
        let (nodes, properties, values) = (Vec::new(), Vec::new(), Vec::new());
        let length = u32::try_from(text.len());
        let (roots, cuts, guessed) = (Vec::new(), Vec::new(), None);
        let mut collection = Self { text, source, roots, nodes, properties, values, cuts, guessed };
        if length.is_err() {
            return Err(collection.error("the text is longer than 4 GiB", 0));
        }
        let mut at = 0;
        while let Some(start) = find_tree(collection.text.as_bytes(), at) {
            collection.roots.push(collection.nodes.len() as u32);
            at = collection.parse_tree(start)?;
        }
        if collection.nodes.is_empty() {
            let end = collection.text.len();
            return Err(collection.error("no game tree: none begins with \"(;\"", end));
        }
        if let ([], [cut, ..]) = (&collection.properties[..], &collection.cuts[..]) {
            // Nothing came before the text ended.
            let message = format!("the text ends within a {}", cut.within);
            return Err(collection.error(message, cut.at as usize));
        }
        Ok(collection)
    }

    /// Reads the game tree that begins here; returns where it ends.
    fn parse_tree(&mut self, mut at: usize) -> Result<usize, SgfError> {
        // Of each open parenthesis, its nodes that follow one another. If there are nodes after them, a
        // variation has begun, and no more may follow.
        let mut open: Vec<Range<usize>> = Vec::new();
        loop {
            at = skip_space(self.text.as_bytes(), at);
            let byte = self.text.as_bytes().get(at).copied();
            let after = self.nodes.len();
            match (byte, open.last_mut()) {
                (None, _) => {
                    self.cut_off("game tree", at);
                    return Ok(self.close(open, at));
                }
                (Some(b';'), Some(nodes)) => {
                    if nodes.end < after {
                        let message = "a node after a variation: only \"(\" or \")\" may follow it";
                        return Err(self.error(message, at));
                    }
                    nodes.end += 1;
                    self.begin_node();
                }
                // Some programs leave the semicolon of the first node out.
                (Some(byte), Some(nodes))
                    if nodes.start == nodes.end && byte.is_ascii_alphabetic() =>
                {
                    nodes.end += 1;
                    self.begin_node();
                    continue;
                }
                (Some(byte), Some(nodes)) if nodes.start == nodes.end => {
                    let found = if byte.is_ascii_graphic() { char::from(byte) } else { '?' };
                    let message = format!("a game tree begins with {found:?} instead of a node");
                    return Err(self.error(message, at));
                }
                // What only a root has: the end of the tree before it is missing.
                (Some(b'('), Some(_)) if begins_game(self.text.as_bytes(), at) => {
                    self.cut_off("game tree", at);
                    return Ok(self.close(open, at));
                }
                (Some(b'('), _) => {
                    if open.len() == Self::MAX_NESTING {
                        let most = Self::MAX_NESTING;
                        let message = format!("game trees nested more than {most} deep");
                        return Err(self.error(message, at));
                    }
                    open.push(after..after);
                }
                (Some(b')'), Some(nodes)) => {
                    self.nodes[nodes.clone()].iter_mut().for_each(|node| node.end = after as u32);
                    open.pop();
                    if open.is_empty() {
                        return Ok(at + 1);
                    }
                }
                (Some(byte), Some(nodes)) if byte.is_ascii_alphabetic() && nodes.end == after => {
                    at = self.parse_property(at)?;
                    continue;
                }
                (Some(b'['), _) => return Err(self.error("a value without a property", at)),
                (Some(_), _) => {
                    let found = self.text[at..].chars().next().expect("a byte is there");
                    return Err(self.error(format!("{found:?} has no place here"), at));
                }
            }
            at += 1;
        }
    }

    fn begin_node(&mut self) {
        let none = self.properties.len();
        self.nodes.push(NodeEntry { end: 0, properties: Span::new(none, none) });
    }

    /// Notes that the last game tree ends too early, unless that is known.
    fn cut_off(&mut self, within: &'static str, at: usize) {
        let root = self.roots[self.roots.len() - 1];
        if self.cuts.last().is_none_or(|last| last.root != root) {
            self.cuts.push(Cut { root, at: at as u32, within });
        }
    }

    /// Ends all that is open.
    fn close(&mut self, open: Vec<Range<usize>>, at: usize) -> usize {
        let after = self.nodes.len() as u32;
        for nodes in open {
            self.nodes[nodes].iter_mut().for_each(|node| node.end = after);
        }
        at
    }

    /// Reads the property that begins here, of the last node; returns where it ends.
    fn parse_property(&mut self, start: usize) -> Result<usize, SgfError> {
        let bytes = self.text.as_bytes();
        let letters = bytes[start..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let ident = Span::new(start, start + letters);
        let first = self.values.len();
        let mut end = start + letters;
        loop {
            let at = skip_space(bytes, end);
            if bytes.get(at) != Some(&b'[') {
                break;
            }
            let Some(length) = value_end(&bytes[at + 1..]) else {
                self.cut_off("value", at);
                end = self.text.len();
                break;
            };
            end = at + length + 2;
            self.values.push(Span::new(at + 1, end - 1));
        }
        let values = Span::new(first, self.values.len());
        if values.range().is_empty() {
            if end == self.text.len() && self.cuts.last().is_some_and(|cut| cut.within == "value") {
                return Ok(end);
            }
            let message = format!("the property {} has no value", abbreviated(self.str(ident)));
            return Err(self.error(message, start));
        }
        self.properties.push(PropertyEntry { ident, values });
        if let Some(node) = self.nodes.last_mut() {
            node.properties.end += 1;
        }
        Ok(end)
    }
}
