//! Games to SGF and back.

use std::collections::BTreeMap;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use super::convert;
use super::game::{Options, max_moves, refuse_others};
use crate::color::ByColor;
use crate::record::{Info, Recorded, SgfError};

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
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<G> {
    let (given, limit) = given_rules::<G>(options)?;
    let read = if let Ok(text) = text.cast::<PyString>() {
        G::from_sgf(&text.to_cow()?, &given, limit)
    } else if let Ok(bytes) = text.cast::<PyBytes>() {
        G::from_sgf_bytes(bytes.as_bytes(), &given, limit)
    } else {
        let found = convert::type_name(text);
        return Err(PyTypeError::new_err(format!("an SGF text must be str or bytes, not {found}")));
    };
    read.map_err(|error| sgf_error(text.py(), &error))
}
