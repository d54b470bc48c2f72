//! `sixplane.sgf`: collections and nodes, which share the text they were read from.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use super::class::GameClass;
use super::convert;
use super::go::PyGo;
use super::gomoku::PyGomoku;
use super::record::{RecordOptions, given_rules, sgf_error};
use super::reversi::PyReversi;
use crate::record::sgf::{Collection, Node, Property, Value};
use crate::record::{Recorded, SgfError};

/// Reads a collection from bytes in the character set they name, or from text.
#[pyfunction]
pub(super) fn parse_sgf(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<PyCollection> {
    let read = if let Ok(text) = data.cast::<PyString>() {
        let text = text.to_str()?;
        py.detach(|| Collection::from_text(text))
    } else if let Ok(bytes) = data.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        py.detach(|| Collection::from_bytes(bytes))
    } else {
        let found = convert::type_name(data);
        return Err(PyTypeError::new_err(format!("an SGF text must be bytes or str, not {found}")));
    };
    let collection = read.map_err(|error| sgf_error(py, &error))?;
    Ok(PyCollection { collection: Arc::new(collection) })
}

/// The game trees of an SGF text.
#[pyclass(name = "Collection", module = "sixplane.sgf", frozen)]
pub(super) struct PyCollection {
    collection: Arc<Collection>,
}

#[pymethods]
impl PyCollection {
    #[getter]
    fn encoding(&self) -> &'static str {
        self.collection.encoding()
    }

    #[getter]
    fn games(&self) -> Vec<PyNode> {
        self.collection.games().map(|node| self.node(node)).collect()
    }

    fn to_text(&self, py: Python<'_>) -> String {
        py.detach(|| self.collection.to_text())
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.collection.to_bytes()))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> bool {
        py.detach(|| self.collection == other.collection)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let parse = py.import("sixplane.sgf")?.getattr("parse")?;
        (parse, (self.to_bytes(py),)).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        format!("<sixplane.sgf.Collection of {} games>", self.collection.games().count())
    }
}

impl PyCollection {
    fn node(&self, node: Node<'_>) -> PyNode {
        PyNode { collection: Arc::clone(&self.collection), id: node.id() }
    }
}

/// A node of a game tree.
#[pyclass(name = "Node", module = "sixplane.sgf", frozen)]
pub(super) struct PyNode {
    collection: Arc<Collection>,
    id: usize,
}

impl PyNode {
    fn node(&self) -> Node<'_> {
        self.collection.node(self.id)
    }

    fn like(&self, node: Node<'_>) -> Self {
        Self { collection: Arc::clone(&self.collection), id: node.id() }
    }

    fn game<C>(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>>
    where
        C: GameClass,
        C::Game: RecordOptions,
    {
        let (given, limit) = given_rules::<C::Game>(options)?;
        let read = py.detach(|| C::Game::from_tree(self.node(), &given, limit));
        let game = C::of(read.map_err(|error| sgf_error(py, &error))?);
        Ok(Py::new(py, game)?.into_any())
    }
}

fn raw_values(values: impl Iterator<Item = impl ToString>) -> Vec<String> {
    values.map(|value| value.to_string()).collect()
}

#[pymethods]
impl PyNode {
    #[getter]
    fn properties(&self) -> Vec<(String, Vec<String>)> {
        let properties = self.node().properties();
        properties
            .map(|one| (one.ident().to_owned(), raw_values(one.values().map(Value::raw))))
            .collect()
    }

    #[getter]
    fn children(&self) -> Vec<Self> {
        self.node().children().map(|node| self.like(node)).collect()
    }

    fn get(&self, name: &str) -> Option<Vec<String>> {
        Some(raw_values(self.node().find(name)?.values().map(Value::raw)))
    }

    fn text(&self, name: &str) -> Option<String> {
        Some(self.node().find(name)?.value().text())
    }

    fn main_line(&self) -> MainLine {
        MainLine { node: Some(self.like(self.node())) }
    }

    /// The main line as a game of the class that `GM` names.
    #[pyo3(signature = (**rules))]
    fn to_game(&self, py: Python<'_>, rules: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        let number = self.node().find("GM").map(|property| property.value().raw().trim().parse());
        match number.unwrap_or(Ok(<PyGo as GameClass>::Game::GM)) {
            Ok(<PyGo as GameClass>::Game::GM) => self.game::<PyGo>(py, rules),
            Ok(<PyReversi as GameClass>::Game::GM) => self.game::<PyReversi>(py, rules),
            Ok(<PyGomoku as GameClass>::Game::GM) => self.game::<PyGomoku>(py, rules),
            _ => Err(sgf_error(py, &self.unknown_game())),
        }
    }

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

impl PyNode {
    fn unknown_game(&self) -> SgfError {
        let message = "a record of another game: 1 is Go, 2 is Reversi and 4 is Gomoku (GM)";
        self.node().find("GM").map_or_else(|| self.node().error(message), |gm| gm.error(message))
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
        self.node = node.node().children().next().map(|child| node.like(child));
        Some(node)
    }
}
