//! Game trees: what a text says, kept whole.

use std::ops::Range;

use super::decode::Source;
use super::error::SgfError;
use super::warning::Cut;

/// The property that names a character set.
pub(super) const CHARACTER_SET: &str = "CA";

/// The properties whose values are one line of text, alone or after a point or a number.
const ONE_LINE: [&str; 24] = [
    "AN", "AP", "BR", "BT", "CA", "CP", "DT", "EV", "FG", "GN", "LB", "N", "ON", "OT", "PB", "PC",
    "PW", "RE", "RO", "RU", "SO", "US", "WR", "WT",
];

/// From where to where: in the text, or among the properties or values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    pub(super) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Nodes stand in the order of the text: a node's first child follows it, and its tree is the
/// nodes up to `end`, where its next sibling may stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeEntry {
    pub(super) end: u32,
    pub(super) properties: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PropertyEntry {
    pub(super) ident: Span,
    pub(super) values: Span,
}

/// The game trees of a text.
///
/// Two collections are equal if they have the same nodes with the same properties in the same
/// order, however their texts are spaced and whatever character set they name (`CA`): what is
/// written is always UTF-8 and says so.
///
/// ```
/// use sixplane::record::sgf::Collection;
///
/// let text = "(;GM[1]C[one \\] two];B[aa](;W[bb])(;W[cc]XY[?]))";
/// let collection = Collection::from_text(text)?;
/// let root = collection.games().next().unwrap();
/// assert_eq!(root.find("C").unwrap().value().text(), "one ] two");
/// let second = root.children().next().unwrap();
/// let replies: Vec<_> = second.children().map(|node| node.find("W").unwrap().value().raw()).collect();
/// assert_eq!(replies, ["bb", "cc"]);
/// assert_eq!(Collection::from_text(&collection.to_text())?, collection);
/// # Ok::<(), sixplane::record::SgfError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Collection {
    pub(super) text: String,
    pub(super) source: Source,
    /// The numbers of the root nodes.
    pub(super) roots: Vec<u32>,
    pub(super) nodes: Vec<NodeEntry>,
    pub(super) properties: Vec<PropertyEntry>,
    pub(super) values: Vec<Span>,
    /// Where game trees end too early, in the order of the text.
    pub(super) cuts: Vec<Cut>,
    /// Why the character set is a guess.
    pub(super) guessed: Option<SgfError>,
}

impl Collection {
    /// How deep game trees may be nested.
    pub const MAX_NESTING: usize = 10_000;

    /// The root nodes, one for each game.
    pub fn games(&self) -> impl Iterator<Item = Node<'_>> {
        self.roots.iter().map(|&id| Node { collection: self, id: id as usize })
    }

    /// All properties of all nodes.
    pub(super) fn properties(&self) -> impl Iterator<Item = Property<'_>> {
        self.properties.iter().map(|&entry| Property { collection: self, entry })
    }

    /// The root node of the first game: every collection has one.
    #[must_use]
    pub fn first_game(&self) -> Node<'_> {
        Node { collection: self, id: 0 }
    }

    /// The name of the character set it was read in, such as `"UTF-8"`.
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        self.source.encoding.name()
    }

    /// What it was read from, which reads as the same again, warnings and offsets included.
    #[cfg(feature = "python")]
    pub(crate) fn source(&self) -> Given<'_> {
        let bytes = &self.source.bytes;
        if bytes.is_empty() { Given::Text(&self.text) } else { Given::Bytes(bytes) }
    }

    /// The node with this number, in the order of the text, which is below that of nodes.
    #[cfg(feature = "python")]
    pub(crate) fn node(&self, id: usize) -> Node<'_> {
        Node { collection: self, id }
    }

    /// The nodes of trees that stand side by side.
    fn siblings(&self, start: usize, end: usize) -> impl Iterator<Item = Node<'_>> {
        let mut id = start;
        std::iter::from_fn(move || {
            let node = (id < end).then_some(Node { collection: self, id })?;
            id = node.end();
            Some(node)
        })
    }

    pub(super) fn str(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// An error at a place of the text, in the bytes that it was read from.
    pub(super) fn error(&self, message: impl Into<String>, offset: usize) -> SgfError {
        SgfError { message: message.into(), offset: self.source.offset(offset) }
    }
}

/// What a collection was read from.
#[cfg(feature = "python")]
pub(crate) enum Given<'a> {
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl PartialEq for Collection {
    fn eq(&self, other: &Self) -> bool {
        self.games().eq(other.games())
    }
}

impl Eq for Collection {}

/// A node of a game tree: properties, and the nodes that may follow.
///
/// ```
/// use sixplane::record::sgf::Collection;
///
/// let collection = Collection::from_text("(;SZ[9];B[ee](;W[ce];B[ec])(;W[gg]))")?;
/// let root = collection.first_game();
/// assert_eq!(root.main_line().count(), 4);
/// assert_eq!(root.find("SZ").map(|property| property.value().raw()), Some("9"));
/// let names: Vec<_> = root.properties().map(|property| property.ident()).collect();
/// assert_eq!(names, ["SZ"]);
/// # Ok::<(), sixplane::record::SgfError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    pub(super) collection: &'a Collection,
    pub(super) id: usize,
}

/// Two nodes are equal if their trees are: the same properties but for `CA` in the same order, and
/// so on in all variations.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        // But for the character set, which is that of the bytes only.
        let content = |node: Self| node.properties().filter(|one| !one.is(CHARACTER_SET));
        let ends = |root: Self| root.tree().map(move |node| node.end() - root.id);
        ends(*self).eq(ends(*other))
            && self.tree().zip(other.tree()).all(|(one, two)| content(one).eq(content(two)))
    }
}

impl Eq for Node<'_> {}

impl<'a> Node<'a> {
    /// More nodes than most games have.
    const USUAL_LINE: usize = 512;

    /// Its number in the order of the text.
    pub(crate) fn id(self) -> usize {
        self.id
    }

    /// The nodes that may follow it; the first is the main line.
    pub fn children(self) -> impl Iterator<Item = Node<'a>> {
        self.collection.siblings(self.id + 1, self.end())
    }

    /// This node, its first child, and so on to the end of the main line.
    pub fn main_line(self) -> impl Iterator<Item = Node<'a>> + Clone {
        std::iter::successors(Some(self), |node| node.children().next())
    }

    /// This node and all that follow it, in every variation, in the order of the text.
    pub(in crate::record) fn with_all_below(self) -> impl Iterator<Item = Node<'a>> {
        (self.id..self.end()).map(move |id| Self { id, ..self })
    }

    /// The root node of its game.
    #[must_use]
    pub fn root(self) -> Self {
        let after = self.collection.roots.partition_point(|&root| root as usize <= self.id);
        Self { id: self.collection.roots[after - 1] as usize, ..self }
    }

    /// The nodes from the root of its game to this one, then its main line.
    pub(in crate::record) fn line(self) -> Vec<Self> {
        let holds = |node: &Self| node.id <= self.id && self.id < node.end();
        let root = self.root();
        let mut line = Vec::with_capacity((root.end() - root.id).min(Self::USUAL_LINE));
        let path = std::iter::successors(Some(root), |node| node.children().find(holds));
        line.extend(path.take_while(|node| node.id < self.id));
        line.extend(self.main_line());
        line
    }

    /// Its properties, in the order of the text.
    pub fn properties(self) -> impl Iterator<Item = Property<'a>> {
        let Self { collection, id } = self;
        let entries = &collection.properties[collection.nodes[id].properties.range()];
        entries.iter().map(move |&entry| Property { collection, entry })
    }

    /// Its first property of this name, such as `"AB"`.
    #[must_use]
    pub fn find(self, name: &str) -> Option<Property<'a>> {
        self.properties().find(|property| property.is(name))
    }

    /// A property of the game as a whole. It is in the root as a rule, but may come later.
    pub(in crate::record) fn find_info(self, name: &str) -> Option<Property<'a>> {
        self.main_line().find_map(|node| node.find(name))
    }

    /// An error that points at the first property of this node, or at the start of the text if
    /// it has none.
    #[must_use]
    pub fn error(self, message: impl Into<String>) -> SgfError {
        let message = message.into();
        match self.properties().next() {
            Some(property) => property.error(message),
            None => SgfError { message, offset: 0 },
        }
    }

    /// All nodes of its tree, in the order of the text.
    pub(super) fn tree(self) -> impl Iterator<Item = Node<'a>> {
        (self.id..self.end()).map(move |id| Node { id, ..self })
    }

    /// The node after the last of its tree.
    pub(super) fn end(self) -> usize {
        self.collection.nodes[self.id].end as usize
    }
}

/// A property of a node: its name and one or more values.
///
/// ```
/// use sixplane::record::sgf::Collection;
///
/// let collection = Collection::from_text("(;AddBlack[cc][gg])")?;
/// let property = collection.first_game().find("AB").expect("set-up stones");
/// assert_eq!((property.ident(), property.is("AB")), ("AddBlack", true));
/// assert_eq!(property.values().map(|value| value.raw()).collect::<Vec<_>>(), ["cc", "gg"]);
/// # Ok::<(), sixplane::record::SgfError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    collection: &'a Collection,
    entry: PropertyEntry,
}

impl<'a> Property<'a> {
    /// Its name as written.
    #[must_use]
    pub fn ident(self) -> &'a str {
        self.collection.str(self.entry.ident)
    }

    /// Whether it has this name in capital letters. In its own name small letters do not count:
    /// earlier versions of the format wrote `AddBlack` for `AB`.
    #[must_use]
    pub fn is(self, name: &str) -> bool {
        self.ident().bytes().filter(u8::is_ascii_uppercase).eq(name.bytes())
    }

    /// Its values, in the order of the text; there is at least one.
    pub fn values(self) -> impl Iterator<Item = Value<'a>> {
        let Self { collection, entry } = self;
        let spans = &collection.values[entry.values.range()];
        spans.iter().map(move |&span| Value { collection, span })
    }

    /// Its first value.
    #[must_use]
    pub fn value(self) -> Value<'a> {
        let Self { collection, entry } = self;
        Value { collection, span: collection.values[entry.values.start as usize] }
    }

    /// The text that its first value stands for: one line where the format has one line, as for
    /// names and dates, else any number of lines.
    ///
    /// ```
    /// use sixplane::record::sgf::Collection;
    ///
    /// let collection = Collection::from_text("(;PB[two\nlines]C[two\nlines])")?;
    /// let root = collection.games().next().unwrap();
    /// assert_eq!(root.find("PB").unwrap().text(), "two lines");
    /// assert_eq!(root.find("C").unwrap().text(), "two\nlines");
    /// # Ok::<(), sixplane::record::SgfError>(())
    /// ```
    #[must_use]
    pub fn text(self) -> String {
        let value = self.value();
        if ONE_LINE.iter().any(|name| self.is(name)) { value.simple_text() } else { value.text() }
    }

    /// An error that points at this property.
    #[must_use]
    pub fn error(self, message: impl Into<String>) -> SgfError {
        self.collection.error(message, self.entry.ident.start as usize)
    }
}

impl PartialEq for Property<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.ident() == other.ident()
            && self.values().map(Value::raw).eq(other.values().map(Value::raw))
    }
}

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
