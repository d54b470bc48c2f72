//! `sixplane.sgf`: collections and nodes, which share the text they were read from.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use super::any_game::{AnyGame, Followed, PyGame, PythonGame as _, with_any};
use super::callbacks::callback;
use super::convert;
use super::kinds::{KINDS, Kind};
use super::record::{collection, sgf_warnings, whole_or_warn};
use crate::geometry::Action;
use crate::record::SgfError;
use crate::record::sgf::{Collection, Given, Node, Property, Value};

/// The game of a record that names none (`GM`).
const GO: u32 = 1;

#[doc = stub!(parse_sgf)]
#[pyfunction]
pub(super) fn parse_sgf(data: &Bound<'_, PyAny>) -> PyResult<PyCollection> {
    Ok(PyCollection { collection: Arc::new(collection(data)?) })
}

#[doc = stub!(record_name)]
#[pyfunction]
pub(super) fn record_name(game: PyRef<'_, PyGame>, action: &Bound<'_, PyAny>) -> PyResult<String> {
    let action = convert::action(game.game.state().size(), action)?;
    Ok(with_any!(&game.game, |game| game.record_name(action)))
}

#[doc = stub!(recorded_action)]
#[pyfunction]
pub(super) fn recorded_action(game: PyRef<'_, PyGame>, text: &str) -> Option<usize> {
    with_any!(&game.game, |game| game.recorded_action(text)).map(Action::index)
}

#[doc = stub!(Collection)]
#[pyclass(name = "Collection", module = "sixplane.sgf", frozen)]
pub(super) struct PyCollection {
    collection: Arc<Collection>,
}

#[pymethods]
impl PyCollection {
    #[doc = stub!(Collection.encoding)]
    #[getter]
    fn encoding(&self) -> &'static str {
        self.collection.encoding()
    }

    #[doc = stub!(Collection.games)]
    #[getter]
    fn games(&self) -> Vec<PyNode> {
        self.collection.games().map(|node| PyNode::new(&self.collection, node)).collect()
    }

    #[doc = stub!(Collection.warnings)]
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        sgf_warnings(py, &self.collection.warnings())
    }

    #[doc = stub!(Collection.to_text)]
    fn to_text(&self, py: Python<'_>) -> String {
        py.detach(|| self.collection.to_text())
    }

    #[doc = stub!(Collection.to_bytes)]
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.to_text(py).as_bytes())
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> bool {
        py.detach(|| self.collection == other.collection)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let parse = callback(py, "parse_sgf")?;
        // Newly written text would lose the character set, the offsets and the warnings.
        match self.collection.source() {
            Given::Text(text) => (&*parse, (text,)).into_pyobject(py),
            Given::Bytes(bytes) => (&*parse, (PyBytes::new(py, bytes),)).into_pyobject(py),
        }
    }

    fn __repr__(&self) -> String {
        format!("<sixplane.sgf.Collection of {} games>", self.collection.games().count())
    }
}

#[doc = stub!(Node)]
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

    /// The line through this node as a game of the kind that `GM` names, as far as it can go.
    fn follow_named(
        &self,
        py: Python<'_>,
        usual: Option<&AnyGame>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Followed> {
        let number = self.node().root().find("GM").map(|gm| gm.value().raw().trim().parse());
        let usual_kind = usual.map(|game| with_any!(game, |game| game.number()));
        let is_meant = |kind: &&Kind| match usual_kind {
            Some(number) => kind.number == number,
            None => number.clone().unwrap_or(Ok(GO)) == Ok(kind.number),
        };
        match KINDS.iter().find(is_meant) {
            Some(kind) => (kind.follow)(py, self.node(), usual, rules),
            None => Err(self.unknown_game().into()),
        }
    }

    fn unknown_game(&self) -> SgfError {
        let known = KINDS.iter().map(|kind| format!("{} is {}", kind.number, kind.name));
        let known: Vec<_> = known.collect();
        let message = format!("a record of another game: {} (GM)", known.join(", "));
        let root = self.node().root();
        root.find("GM").map_or_else(|| root.error(&message), |gm| gm.error(&message))
    }
}

fn raw_values(values: impl Iterator<Item = impl ToString>) -> Vec<String> {
    values.map(|value| value.to_string()).collect()
}

#[pymethods]
impl PyNode {
    #[doc = stub!(Node.properties)]
    #[getter]
    fn properties(&self) -> Vec<(String, Vec<String>)> {
        let properties = self.node().properties();
        properties
            .map(|one| (one.ident().to_owned(), raw_values(one.values().map(Value::raw))))
            .collect()
    }

    #[doc = stub!(Node.children)]
    #[getter]
    fn children(&self) -> Vec<Self> {
        self.node().children().map(|node| Self::new(&self.collection, node)).collect()
    }

    #[doc = stub!(Node.get)]
    fn get(&self, name: &str) -> Option<Vec<String>> {
        Some(raw_values(self.node().find(name)?.values().map(Value::raw)))
    }

    #[doc = stub!(Node.text)]
    fn text(&self, name: &str) -> Option<String> {
        Some(self.node().find(name)?.text())
    }

    #[doc = stub!(Node.main_line)]
    fn main_line(&self) -> MainLine {
        MainLine { node: Some(Self::new(&self.collection, self.node())) }
    }

    #[doc = stub!(Node.to_game)]
    #[pyo3(signature = (*, strict=false, **rules))]
    fn to_game<'py>(
        &self,
        py: Python<'py>,
        strict: bool,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyGame>> {
        whole_or_warn(py, self.follow_named(py, None, rules)?, strict)?.into_object(py)
    }

    #[doc = stub!(Node.follow)]
    #[pyo3(signature = (*, usual=None, **rules))]
    fn follow<'py>(
        &self,
        py: Python<'py>,
        usual: Option<PyRef<'py, PyGame>>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(Bound<'py, PyGame>, Bound<'py, PyList>)> {
        let usual = usual.as_ref().map(|game| &game.game);
        let (game, warnings) = self.follow_named(py, usual, rules)?;
        Ok((game.into_object(py)?, sgf_warnings(py, &warnings)?))
    }

    #[doc = stub!(Node.to_text)]
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
