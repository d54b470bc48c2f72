//! `sixplane.sgf`: collections and nodes, which share the text they were read from.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use super::any_game::{Followed, PyGame};
use super::kinds::KINDS;
use super::provided::provided;
use super::record::{collection, sgf_warning, whole_or_warn};
use crate::record::SgfError;
use crate::record::sgf::{Collection, Node, Property, Value};

/// The game of a record that names none (`GM`).
const GO: u32 = 1;

/// Reads SGF: bytes in the character set that the first root names (`CA`), or text.
///
/// Bytes that begin with a byte order mark are UTF-8 or UTF-16. Without a name, and where they do
/// not fit it, they are UTF-8, else Latin-1. What stands around the game trees is passed over. Takes
/// time in proportion to the length of the text.
///
/// Raises:
///     SGFError: there is no game tree or a malformed one; its `offset` is that of the fault, in the
///         bytes given or in those of the text in UTF-8.
///     TypeError: it is neither bytes (a bytearray or memoryview will do) nor str.
///
/// Example:
///     >>> from sixplane import sgf
///     >>> collection = sgf.parse(b"(;GM[1]SZ[5];B[cc];W[cd])")
///     >>> collection.games[0].to_game().actions
///     array([12, 17])
#[pyfunction]
pub(super) fn parse_sgf(data: &Bound<'_, PyAny>) -> PyResult<PyCollection> {
    Ok(PyCollection { collection: Arc::new(collection(data)?) })
}

/// The game trees of an SGF text, whole: variations, properties known and unknown.
///
/// Equal if they have the same nodes with the same properties in the same order, whatever character
/// set (`CA`) they name: what is written is UTF-8 and says so.
///
/// Example:
///     >>> from sixplane import sgf
///     >>> collection = sgf.parse("(;GM[1]SZ[5];B[cc])(;GM[1]SZ[9])")
///     >>> collection.encoding, tuple(root.text("SZ") for root in collection.games)
///     ('UTF-8', ('5', '9'))
///     >>> sgf.parse(collection.to_text()) == sgf.parse(collection.to_bytes()) == collection
///     True
#[pyclass(name = "Collection", module = "sixplane.sgf", frozen)]
pub(super) struct PyCollection {
    collection: Arc<Collection>,
}

#[pymethods]
impl PyCollection {
    /// The character set it was read in, such as `"UTF-8"`.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.collection.encoding()
    }

    /// The root nodes, one for each game.
    #[getter]
    fn games(&self) -> Vec<PyNode> {
        self.collection.games().map(|node| PyNode::new(&self.collection, node)).collect()
    }

    /// The trees as text that reads as an equal collection.
    ///
    /// A root that names a character set (`CA`), or holds more than ASCII, names UTF-8.
    fn to_text(&self, py: Python<'_>) -> String {
        py.detach(|| self.collection.to_text())
    }

    /// The same as bytes, in UTF-8.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.to_text(py).as_bytes())
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> bool {
        py.detach(|| self.collection == other.collection)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let parse = provided(py, "parse_sgf")?;
        (parse, (self.to_bytes(py),)).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        format!("<sixplane.sgf.Collection of {} games>", self.collection.games().count())
    }
}

/// A node of a game tree: its properties, and the nodes that may follow it.
///
/// Equal if the trees below are, too.
///
/// Example:
///     >>> from sixplane import sgf
///     >>> root = sgf.parse("(;GM[1]SZ[5]C[start];B[cc](;W[cd])(;W[bc]C[other]))").games[0]
///     >>> root.text("C"), ", ".join(name for name, values in root.properties)
///     ('start', 'GM, SZ, C')
///     >>> root.to_game().move_number, len(list(root.main_line()))
///     (2, 3)
///     >>> for white in root.children[0].children:
///     ...     print(*white.get("W"), len(white.to_text()), white.text("C"))
///     cd 9 None
///     bc 17 other
///     >>> game, left_out = root.follow(komi=6.5)
///     >>> game.komi, left_out
///     (6.5, None)
#[pyclass(name = "Node", module = "sixplane.sgf", frozen)]
pub(super) struct PyNode {
    collection: Arc<Collection>,
    id: usize,
}

impl PyNode {
    fn new(collection: &Arc<Collection>, node: Node<'_>) -> Self {
        Self { collection: Arc::clone(collection), id: node.id() }
    }

    fn node(&self) -> Node<'_> {
        self.collection.node(self.id)
    }

    /// The main line as a game of the kind that `GM` names, as far as it can go.
    fn follow_named(
        &self,
        py: Python<'_>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Followed> {
        let property = self.node().find("GM");
        let number = property.map_or(Ok(GO), |gm| gm.value().raw().trim().parse());
        let mut records = KINDS.iter().filter_map(|kind| kind.records);
        match records.find(|&(own, _)| number == Ok(own)) {
            Some((_, follow)) => follow(py, self.node(), rules),
            None => Err(self.unknown_game().into()),
        }
    }

    fn unknown_game(&self) -> SgfError {
        let known = KINDS.iter().filter_map(|kind| Some((kind.records?.0, kind.name)));
        let known: Vec<_> = known.map(|(number, name)| format!("{number} is {name}")).collect();
        let message = format!("a record of another game: {} (GM)", known.join(", "));
        self.node().find("GM").map_or_else(|| self.node().error(&message), |gm| gm.error(&message))
    }
}

fn raw_values(values: impl Iterator<Item = impl ToString>) -> Vec<String> {
    values.map(|value| value.to_string()).collect()
}

#[pymethods]
impl PyNode {
    /// Names and values in the order of the text, as they are written (with their escapes).
    #[getter]
    fn properties(&self) -> Vec<(String, Vec<String>)> {
        let properties = self.node().properties();
        properties
            .map(|one| (one.ident().to_owned(), raw_values(one.values().map(Value::raw))))
            .collect()
    }

    /// The nodes that may follow it; the first is the main line.
    #[getter]
    fn children(&self) -> Vec<Self> {
        self.node().children().map(|node| Self::new(&self.collection, node)).collect()
    }

    /// The values of the first property of this name, as they are written; None without one.
    fn get(&self, name: &str) -> Option<Vec<String>> {
        Some(raw_values(self.node().find(name)?.values().map(Value::raw)))
    }

    /// The text that the first value of a property stands for; None without one.
    ///
    /// Names, dates, results and the like have one line: there line breaks are spaces. Comments, and
    /// properties that `FF[4]` does not know, have any number of lines.
    fn text(&self, name: &str) -> Option<String> {
        Some(self.node().find(name)?.text())
    }

    /// This node, its first child, and so on.
    fn main_line(&self) -> MainLine {
        MainLine { node: Some(Self::new(&self.collection, self.node())) }
    }

    /// The main line from this root on as a game: Go, Reversi or Gomoku, as `GM` says.
    ///
    /// It is played as far as the game can go. If the record goes on, with an illegal move or after
    /// the end of the game, an `SGFWarning` says what is left out.
    ///
    /// Args:
    ///     strict: raise an `SGFError` instead of leaving anything out.
    ///     rules: of the game, which go before what the record says.
    ///
    /// Raises:
    ///     SGFError: a record of another game, a start that the game cannot have, or with `strict` an
    ///         illegal move; the offset is that in the whole text.
    #[pyo3(signature = (*, strict=false, **rules))]
    fn to_game<'py>(
        &self,
        py: Python<'py>,
        strict: bool,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyGame>> {
        whole_or_warn(py, self.follow_named(py, rules)?, strict)?.into_object(py)
    }

    /// The game that `to_game` makes, and what it leaves out; None if that is nothing.
    ///
    /// Raises:
    ///     SGFError: as `to_game`.
    #[pyo3(signature = (**rules))]
    fn follow<'py>(
        &self,
        py: Python<'py>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(Bound<'py, PyGame>, Option<Bound<'py, PyAny>>)> {
        let (game, left_out) = self.follow_named(py, rules)?;
        Ok((
            game.into_object(py)?,
            left_out.map(|left_out| sgf_warning(py, &left_out)).transpose()?,
        ))
    }

    /// Its tree as text.
    fn to_text(&self, py: Python<'_>) -> String {
        py.detach(|| self.node().to_text())
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> bool {
        py.detach(|| self.node() == other.node())
    }

    fn __repr__(&self) -> String {
        let idents: Vec<_> = self.node().properties().take(8).map(Property::ident).collect();
        format!("<sixplane.sgf.Node {}>", idents.join(" "))
    }
}

/// Goes along a main line, which may be long, without holding it.
#[pyclass(module = "sixplane.sgf")]
pub(super) struct MainLine {
    node: Option<PyNode>,
}

#[pymethods]
impl MainLine {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&mut self) -> Option<PyNode> {
        let node = self.node.take()?;
        let child = node.node().children().next();
        self.node = child.map(|child| PyNode::new(&node.collection, child));
        Some(node)
    }
}
