//! Trees to text.

use std::fmt::{Display, Write};
use std::ops::Range;

use super::tree::{CHARACTER_SET, Collection, Node, Property, Value};

/// Lines are broken before the first node that begins beyond this column.
const LINE: usize = 72;

/// The character set of what is written.
const UTF_8: &str = "UTF-8";

/// Writes SGF text piece by piece.
///
/// ```
/// use sixplane::record::sgf::Writer;
///
/// let mut writer = Writer::new();
/// writer.open().node().property("GM", [1]).text("C", "4 [sic]").property("AB", ["aa", "bb"]);
/// writer.node().property("W", ["cc"]).close();
/// assert_eq!(writer.finish(), "(;GM[1]C[4 [sic\\]]AB[aa][bb];W[cc])\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Writer {
    text: String,
    /// Where the last line begins.
    line: usize,
}

impl Writer {
    /// A writer that has written nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a game tree, or a variation after the node written last.
    pub fn open(&mut self) -> &mut Self {
        self.break_line();
        self.text.push('(');
        self
    }

    /// Begins a node.
    pub fn node(&mut self) -> &mut Self {
        self.break_line();
        self.text.push(';');
        self
    }

    /// Ends the game tree or variation begun last.
    pub fn close(&mut self) -> &mut Self {
        self.text.push(')');
        self
    }

    /// Writes a property whose values need no escape. Without values it writes nothing.
    pub fn property(
        &mut self,
        ident: &str,
        values: impl IntoIterator<Item = impl Display>,
    ) -> &mut Self {
        let mut named = false;
        for value in values {
            if !std::mem::replace(&mut named, true) {
                self.text.push_str(ident);
            }
            // Writing to a string cannot fail.
            let _ = write!(self.text, "[{value}]");
        }
        self
    }

    /// Writes a property that is a text of any number of lines.
    pub fn text(&mut self, ident: &str, text: &str) -> &mut Self {
        self.property(ident, [escape(text)])
    }

    /// Writes a property that is a text of one line; line breaks become spaces.
    pub fn simple_text(&mut self, ident: &str, text: &str) -> &mut Self {
        self.text(ident, &one_line(text))
    }

    /// Writes a property that is two texts of one line.
    pub fn compose(&mut self, ident: &str, one: &str, two: &str) -> &mut Self {
        let part = |text: &str| escape(&one_line(text)).replace(':', "\\:");
        self.property(ident, [format!("{}:{}", part(one), part(two))])
    }

    /// The text.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }

    fn break_line(&mut self) {
        if self.text.len() - self.line > LINE {
            self.text.push('\n');
            self.line = self.text.len();
        }
    }
}

/// A text with a space for each line break.
fn one_line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Whether the tree of a node is ASCII, which is the same in all character sets.
fn is_ascii(node: Node<'_>) -> bool {
    let mut values = node.tree().flat_map(Node::properties).flat_map(Property::values);
    values.all(|value| value.raw().is_ascii())
}

impl Collection {
    /// The trees as text that reads as an equal collection. A root that names a character set,
    /// or needs to, names UTF-8.
    ///
    /// ```
    /// use sixplane::record::sgf::Collection;
    ///
    /// let collection = Collection::from_bytes(b"(;CA[Shift_JIS]PB[\x82\xa0])")?;
    /// assert_eq!(collection.to_text(), "(;CA[UTF-8]PB[\u{3042}])\n");
    /// # Ok::<(), sixplane::record::SgfError>(())
    /// ```
    #[must_use]
    pub fn to_text(&self) -> String {
        write(self, 0..self.nodes.len())
    }
}

impl Node<'_> {
    /// Its tree as text: that of a collection whose only root it is.
    #[must_use]
    pub fn to_text(self) -> String {
        write(self.collection, self.id..self.end())
    }
}

/// The trees of a collection that these nodes make up.
fn write(collection: &Collection, nodes: Range<usize>) -> String {
    let mut writer = Writer::new();
    // Where the open trees and variations end.
    let mut ends = Vec::new();
    let mut previous_end = 0;
    for id in nodes {
        while ends.last() == Some(&id) {
            ends.pop();
            writer.close();
        }
        let node = Node { collection, id };
        let is_root = ends.is_empty();
        // An only child ends where its parent does; a root or a variation does not end where
        // the node written before it ends.
        if node.end() != previous_end {
            writer.open();
            ends.push(node.end());
        }
        previous_end = node.end();
        writer.node();
        let mut names_utf_8 = false;
        if is_root && node.find(CHARACTER_SET).is_none() && !is_ascii(node) {
            // Without a name it would be Latin-1.
            writer.property(CHARACTER_SET, [UTF_8]);
        }
        for property in node.properties() {
            if !is_root || !property.is(CHARACTER_SET) {
                writer.property(property.ident(), property.values().map(Value::raw));
            } else if !std::mem::replace(&mut names_utf_8, true) {
                writer.property(CHARACTER_SET, [UTF_8]);
            }
        }
    }
    for _ in ends {
        writer.close();
    }
    writer.finish()
}
