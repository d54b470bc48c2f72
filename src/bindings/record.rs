//! Games to SGF and back.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyString};

use super::any_game::{AnyGame, Followed, PythonGame};
use super::convert;
use super::provided::provided;
use crate::record::LeftOut;
use crate::record::sgf::{Collection, Node};

pub(super) fn sgf_warning<'py>(py: Python<'py>, left_out: &LeftOut) -> PyResult<Bound<'py, PyAny>> {
    let LeftOut { first, moves, error } = left_out;
    provided(py, "SGFWarning")?.call1((
        left_out.to_string(),
        first,
        moves,
        &error.message,
        error.offset,
    ))
}

/// A game and what was left out of its record, which `strict` reading refuses and else is warned of.
pub(super) fn whole_or_warn(
    py: Python<'_>,
    (game, left_out): Followed,
    strict: bool,
) -> PyResult<AnyGame> {
    match left_out {
        None => Ok(game),
        Some(left_out) if strict => Err(left_out.error.into()),
        Some(left_out) => {
            let warning = sgf_warning(py, &left_out)?;
            py.import("warnings")?.getattr("warn")?.call1((warning,))?;
            Ok(game)
        }
    }
}

/// Plays the main line of a record of this game, with the rules that the options give.
pub(super) fn follow<G: PythonGame>(
    py: Python<'_>,
    root: Node<'_>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Followed> {
    let options = convert::options(py, options, G::GIVEN)?;
    let (given, max_moves) = (G::given(&options)?, convert::max_moves_among(&options)?);
    let read = py.detach(|| G::follow(root, &given, max_moves));
    let (game, left_out) = read?;
    Ok((game.into(), left_out))
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
