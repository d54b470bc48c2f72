//! The records of such games: they hold the options, and not the rules.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::super::at_exit::PythonCall;
use super::super::convert;
use super::rules::refusal;
use super::{OwnGame, PyOwnRules, Rules};
use crate::color::Color;
use crate::record::sgf::{Node, SgfError, SgfWarning, Writer};
use crate::record::{RecordRules, Start};

/// The name of the class in a record.
const NAME: &str = "XGAME";

/// What the reader of a record gives: the class of the games, the options that hold whatever the record says, and
/// rules for where it says none.
#[derive(Debug, Default)]
pub(in super::super) struct Given {
    pub(in super::super) class: Option<Py<PyAny>>,
    pub(in super::super) options: Option<Py<PyDict>>,
    pub(in super::super) usual: Rules,
}

impl Given {
    /// Rules of the class with the options of a record, but for those that are given.
    fn made(&self, class: &Py<PyAny>, recorded: Option<&str>) -> PyResult<Rules> {
        if recorded.is_none() && self.usual.is_some() {
            return Ok(self.usual.clone());
        }
        let _call = PythonCall::begin()?;
        Python::attach(|py| {
            let maker = class.bind(py).getattr("_make_rules")?;
            let made = match recorded {
                Some(options) => maker.call_method1("recorded", (options, &self.options))?,
                None => maker.call1((&self.options,))?,
            };
            Ok(made.cast::<PyOwnRules>()?.get().rules.clone())
        })
    }

    fn size(&self) -> Option<(usize, usize)> {
        let class = self.class.as_ref()?;
        let _call = PythonCall::begin().ok()?;
        Python::attach(|py| {
            let size = class.bind(py).getattr("default_size").ok()?;
            let size = convert::size_or((0, 0), Some(&size)).ok()?;
            Some((size.rows(), size.cols()))
        })
    }
}

fn name_of(class: &Py<PyAny>) -> PyResult<String> {
    let _call = PythonCall::begin()?;
    Python::attach(|py| Ok(class.getattr(py, "__name__")?.to_string()))
}

/// What is refused is wrong in the record. Any other error is left for the reader by the game that is made.
fn refused(
    class: &Py<PyAny>,
    error: PyErr,
    wrong: impl FnOnce(String) -> SgfError,
) -> Result<Rules, SgfError> {
    match refusal(error) {
        Ok(why) => Err(wrong(why)),
        Err(error) => Ok(Rules::failing(class, error)),
    }
}

impl RecordRules for OwnGame {
    type Given = Given;

    const GM: u32 = 1000;

    const DEFAULT_SIZE: (usize, usize) = (8, 8);

    fn default_size(given: &Given) -> (usize, usize) {
        given.size().unwrap_or(Self::DEFAULT_SIZE)
    }

    /// A record holds the name of the class and the options, and not rules that are written in Python: its reader gives those.
    fn write_rules(&self, root: &mut Writer) {
        root.simple_text(NAME, self.rules.name());
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
        let Some(class) = &given.class else {
            return Err(root.error(
                "the record of a game of someone's own: its class reads it, MyGame.from_sgf(text), \
                 or a command with --game FILE.py:CLASS",
            ));
        };
        if let Some(found) = root.find(NAME) {
            let name = match name_of(class) {
                Ok(name) => name,
                Err(error) => return refused(class, error, |why| found.error(why)),
            };
            let recorded = found.value().simple_text();
            if recorded.trim() != name {
                return Err(found.error(format!("a record of the game {recorded}, not of {name}")));
            }
        }
        // A record tells the stones that it starts with, unless there are none.
        start.stones.get_or_insert_default();
        start.turn.get_or_insert(Color::Black);
        let options = root.find("RU");
        let recorded = options.map(|options| options.value().simple_text());
        given.made(class, recorded.as_deref()).or_else(|error| {
            refused(class, error, |why| match options {
                Some(options) => options.error(why),
                None => root.error(why),
            })
        })
    }
}
