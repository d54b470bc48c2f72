//! Games to SGF and back.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyMemoryView, PyString};

use super::any_game::{AnyGame, Followed, PythonGame, checked};
use super::at_exit::PythonCall;
use super::callbacks::callback;
use super::convert;
use crate::record::SgfError;
use crate::record::sgf::{Collection, Node, SgfWarning, WarningKind};

pub(super) fn sgf_warning<'py>(
    py: Python<'py>,
    warning: &SgfWarning,
) -> PyResult<Bound<'py, PyAny>> {
    let (kind, moves) = match warning.kind {
        WarningKind::Moves { first, moves } => ("moves", (Some(first), moves)),
        WarningKind::Part => ("part", (None, 0)),
        WarningKind::Doubt => ("doubt", (None, 0)),
    };
    let SgfError { message, offset } = &warning.error;
    callback(py, "SGFWarning")?.call1((warning.to_string(), kind, moves, message, offset))
}

pub(super) fn sgf_warnings<'py>(
    py: Python<'py>,
    warnings: &[SgfWarning],
) -> PyResult<Bound<'py, PyList>> {
    let warnings = warnings.iter().map(|warning| sgf_warning(py, warning));
    PyList::new(py, warnings.collect::<PyResult<Vec<_>>>()?)
}

/// A game, with a warning for all that is to be said of its record. `strict` reading refuses what is
/// left out.
pub(super) fn whole_or_warn(
    py: Python<'_>,
    (game, warnings): Followed,
    strict: bool,
) -> PyResult<AnyGame> {
    if let Some(left_out) = warnings.iter().find(|warning| strict && warning.kind.leaves_out()) {
        return Err(left_out.error.clone().into());
    }
    for warning in &warnings {
        let warning = sgf_warning(py, warning)?;
        let _call = PythonCall::begin()?;
        py.import("warnings")?.getattr("warn")?.call1((warning,))?;
    }
    Ok(game)
}

/// Plays the line of a record of this game through a node, with the rules that the options give,
/// and else with those of a game.
pub(super) fn follow<G: PythonGame>(
    py: Python<'_>,
    node: Node<'_>,
    usual: Option<&AnyGame>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Followed> {
    let options = convert::options(py, options, G::GIVEN)?;
    let given = G::given(&options, usual.and_then(AnyGame::downcast_ref))?;
    let max_moves = convert::max_moves_among(&options)?;
    let (game, warnings) = py.detach(|| G::follow(node, &given, max_moves))?;
    Ok((checked(game)?.into(), warnings))
}

/// Reads a collection from bytes in the character set they name, or from text.
pub(super) fn collection(data: &Bound<'_, PyAny>) -> PyResult<Collection> {
    let py = data.py();
    if let Ok(text) = data.cast::<PyString>() {
        let text = text.to_str()?;
        Ok(py.detach(|| Collection::from_text(text))?)
    } else if let Ok(bytes) = data.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        Ok(py.detach(|| Collection::from_bytes(bytes))?)
    } else if data.is_instance_of::<PyByteArray>() || data.is_instance_of::<PyMemoryView>() {
        // Another thread may change them while they are read.
        collection(&py.get_type::<PyBytes>().call1((data,))?)
    } else {
        let needed = "an SGF text must be str, bytes, bytearray or memoryview";
        Err(convert::wrong_type(needed, data))
    }
}
