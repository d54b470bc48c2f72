//! Rules in another compiled module, which hands out their table in a capsule: `sixplane._core._CrateRules`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use super::lock::locked;
use crate::geometry::BoardSize;
use crate::own::{CAPSULE, Foreign, Judge, Look, RulesError, TableError, Value};

/// Boards of so many sizes are kept; then all are forgotten.
const MOST_SIZES: usize = 64;

/// Rules with a value for each option.
pub(in super::super) struct CrateRules {
    foreign: Foreign,
    values: Vec<Value>,
    /// Those for the boards that games have had.
    judges: Mutex<HashMap<BoardSize, Arc<Judge>>>,
}

impl CrateRules {
    /// The rules on a board of this size.
    pub(super) fn judge(&self, size: BoardSize) -> Result<Arc<Judge>, RulesError> {
        if let Some(judge) = locked(&self.judges).and_then(|judges| judges.get(&size).cloned()) {
            return Ok(judge);
        }
        let judge = Arc::new(self.foreign.on_board(size, &self.values)?);
        if let Some(mut judges) = locked(&self.judges) {
            if judges.len() >= MOST_SIZES {
                judges.clear();
            }
            judges.insert(size, Arc::clone(&judge));
        }
        Ok(judge)
    }
}

/// Rules of a crate, for all options and boards.
#[pyclass(name = "_CrateRules", module = "sixplane._core", frozen)]
pub(in super::super) struct PyCrateRules {
    foreign: Foreign,
    #[pyo3(get)]
    endings: Vec<&'static str>,
    options: Vec<(&'static str, Value)>,
}

impl PyCrateRules {
    /// The rules with these values of their options.
    pub(super) fn with_options(&self, values: &[Bound<'_, PyAny>]) -> PyResult<CrateRules> {
        let usual = self.options.iter().map(|(_, value)| value);
        let values = usual.zip(values).map(|(usual, value)| {
            Ok(match usual {
                Value::Bool(_) => Value::Bool(value.extract()?),
                Value::Int(_) => Value::Int(value.extract()?),
                Value::Float(_) => Value::Float(value.extract()?),
                Value::Text(_) => Value::Text(value.extract::<String>()?.into()),
            })
        });
        let values = values.collect::<PyResult<_>>()?;
        Ok(CrateRules { foreign: self.foreign, values, judges: Mutex::default() })
    }
}

#[pymethods]
impl PyCrateRules {
    #[getter]
    fn name(&self) -> &'static str {
        self.foreign.name
    }

    #[getter]
    fn title(&self) -> &'static str {
        self.foreign.title
    }

    #[getter]
    fn about(&self) -> &'static str {
        self.foreign.about
    }

    #[getter]
    fn forbidden(&self) -> &'static str {
        self.foreign.forbidden
    }

    #[getter]
    fn default_size(&self) -> (usize, usize) {
        (self.foreign.default_size.rows(), self.foreign.default_size.cols())
    }

    #[getter]
    fn num_symmetries(&self) -> usize {
        self.foreign.symmetries
    }

    #[getter]
    fn look(&self) -> &'static str {
        match self.foreign.look {
            Look::Squares => "squares",
            Look::Lines => "lines",
            Look::Drops => "drops",
        }
    }

    #[getter]
    fn has_pass(&self) -> bool {
        self.foreign.has_pass()
    }

    #[getter]
    fn may_repeat(&self) -> bool {
        self.foreign.may_repeat()
    }

    #[getter]
    fn counts_points(&self) -> bool {
        self.foreign.counts_points()
    }

    /// The name and the usual value of each option.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let pair = |(name, value): &(&str, Value)| match value {
            Value::Bool(value) => (name, value).into_pyobject(py),
            Value::Int(value) => (name, value).into_pyobject(py),
            Value::Float(value) => (name, value).into_pyobject(py),
            Value::Text(value) => (name, value.as_ref()).into_pyobject(py),
        };
        self.options.iter().map(pair).collect()
    }
}

/// The rules that the capsule of a module holds.
#[pyfunction(name = "_read_crate")]
pub(in super::super) fn read_crate(capsule: &Bound<'_, PyCapsule>) -> PyResult<Vec<PyCrateRules>> {
    let refused = |error: TableError| PyImportError::new_err(error.to_string());
    let tables = capsule.pointer_checked(Some(CAPSULE))?;
    #[allow(unsafe_code)]
    // SAFETY: what a capsule of this name holds are the tables of a module, which stay as long as the process:
    // Python never takes a compiled module out of it.
    let found = unsafe { Foreign::read(tables.as_ptr().cast_const()) };
    let rules = found.map_err(refused)?.into_iter().map(|foreign| {
        let (endings, options) = (foreign.endings()?, foreign.options()?);
        Ok(PyCrateRules { foreign, endings, options })
    });
    rules.collect::<Result<_, _>>().map_err(refused)
}
