//! The records of such games: they hold the options, and not the rules.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::super::at_exit::PythonCall;
use super::rules::said;
use super::{OwnGame, PyOwnRules, Rules};
use crate::color::Color;
use crate::record::sgf::{Node, SgfError, SgfWarning, Writer};
use crate::record::{RecordRules, Start};

/// What the reader of a record gives: rules, and the options that hold whatever the record says.
#[derive(Debug, Default)]
pub(in super::super) struct Given {
    pub(in super::super) rules: Rules,
    pub(in super::super) options: Option<Py<PyDict>>,
}

impl Given {
    /// Rules of the same class with the options of a record, but for those that are given.
    fn recorded(&self, options: &str) -> PyResult<Rules> {
        let _call = PythonCall::begin()?;
        Python::attach(|py| {
            let maker = self.rules.games(py).getattr("_make_rules")?;
            let made = maker.call_method1("recorded", (options, &self.options))?;
            Ok(made.cast::<PyOwnRules>()?.get().rules.clone())
        })
    }
}

impl RecordRules for OwnGame {
    type Given = Given;

    const GM: u32 = 1000;

    const DEFAULT_SIZE: (usize, usize) = (8, 8);

    fn default_size(given: &Given) -> (usize, usize) {
        given.rules.default_size().unwrap_or(Self::DEFAULT_SIZE)
    }

    /// A record holds the options, and not rules that are written in Python: its reader gives those.
    fn write_rules(&self, root: &mut Writer) {
        if let Some(options) = self.rules.options() {
            root.simple_text("RU", options);
        }
    }

    fn read_rules(
        root: Node<'_>,
        start: &mut Start,
        given: &Given,
        _warnings: &mut Vec<SgfWarning>,
    ) -> Result<Rules, SgfError> {
        if !given.rules.is_some() {
            return Err(root.error(
                "the record of a game of someone's own: its class reads it, MyGame.from_sgf(text)",
            ));
        }
        // A record tells the stones that it starts with, unless there are none.
        start.stones.get_or_insert_default();
        start.turn.get_or_insert(Color::Black);
        let Some(options) = root.find("RU") else { return Ok(given.rules.clone()) };
        let rules = given.recorded(&options.value().simple_text());
        rules.map_err(|error| options.error(said(&error)))
    }
}
