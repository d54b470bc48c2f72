//! Games to SGF and back.

use std::collections::BTreeMap;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyString};

use super::convert;
use super::game::{Options, max_moves, refuse_others};
use crate::color::ByColor;
use crate::record::sgf::Collection;
use crate::record::{Info, LeftOut, Recorded, SgfError};

/// The rules of a record that Python options replace.
pub(super) trait RecordOptions: Options + Recorded {
    /// The options, `max_moves` apart.
    const GIVEN: &'static [&'static str];

    fn given(options: &Bound<'_, PyDict>) -> PyResult<Self::Given>;
}

pub(super) fn sgf_error(py: Python<'_>, error: &SgfError) -> PyErr {
    let make = || {
        let class = py.import("sixplane.errors")?.getattr("SGFError")?;
        class.call1((error.to_string(), error.offset))
    };
    make().map_or_else(|error| error, PyErr::from_value)
}

pub(super) fn sgf_warning<'py>(py: Python<'py>, left_out: &LeftOut) -> PyResult<Bound<'py, PyAny>> {
    let LeftOut { first, moves, error } = left_out;
    let class = py.import("sixplane.errors")?.getattr("SGFWarning")?;
    class.call1((left_out.to_string(), first, moves, &error.message, error.offset))
}

/// A game and what was left out of its record, which `strict` reading refuses and else is warned of.
pub(super) fn whole_or_warn<G>(
    py: Python<'_>,
    (game, left_out): (G, Option<LeftOut>),
    strict: bool,
) -> PyResult<G> {
    match left_out {
        None => Ok(game),
        Some(left_out) if strict => Err(sgf_error(py, &left_out.error)),
        Some(left_out) => {
            let warning = sgf_warning(py, &left_out)?;
            py.import("warnings")?.getattr("warn")?.call1((warning,))?;
            Ok(game)
        }
    }
}

/// What `to_sgf` is told beside the game.
pub(super) struct Details {
    pub(super) black_name: Option<String>,
    pub(super) white_name: Option<String>,
    pub(super) result: Option<String>,
    pub(super) date: Option<String>,
    pub(super) event: Option<String>,
    pub(super) comments: Option<BTreeMap<usize, String>>,
}

pub(super) fn to_sgf<G: Recorded>(game: &G, details: Details) -> String {
    game.to_sgf(&Info {
        players: ByColor { black: details.black_name, white: details.white_name },
        result: details.result,
        date: details.date,
        event: details.event,
        application: None,
        comments: details.comments.unwrap_or_default(),
    })
}

/// The rules that options give for the reading of a record, and the move limit.
pub(super) fn given_rules<G: RecordOptions>(
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<(G::Given, Option<u32>)> {
    let Some(options) = options else { return Ok((G::Given::default(), None)) };
    refuse_others(options, G::GIVEN)?;
    Ok((G::given(options)?, max_moves(options)?))
}

pub(super) fn from_sgf<G: RecordOptions>(
    text: &Bound<'_, PyAny>,
    strict: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<G> {
    let py = text.py();
    let (given, limit) = given_rules::<G>(options)?;
    let collection = collection(text)?;
    let read = py.detach(|| G::follow_first_game(&collection, &given, limit));
    whole_or_warn(py, read.map_err(|error| sgf_error(py, &error))?, strict)
}

/// Reads a collection from bytes in the character set they name, or from text.
pub(super) fn collection(data: &Bound<'_, PyAny>) -> PyResult<Collection> {
    let py = data.py();
    let read = if let Ok(text) = data.cast::<PyString>() {
        let text = text.to_str()?;
        py.detach(|| Collection::from_text(text))
    } else if let Ok(bytes) = data.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        py.detach(|| Collection::from_bytes(bytes))
    } else if data.is_instance_of::<PyByteArray>() || data.is_instance_of::<PyMemoryView>() {
        // Another thread may change them while they are read.
        let copy = py.get_type::<PyBytes>().call1((data,))?;
        return self::collection(&copy);
    } else {
        let found = convert::type_name(data);
        let message =
            format!("an SGF text must be str, bytes, bytearray or memoryview, not {found}");
        return Err(PyTypeError::new_err(message));
    };
    read.map_err(|error| sgf_error(py, &error))
}
