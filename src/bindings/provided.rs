//! What the Python package hands over when it is imported. The core asks it for nothing else.

use std::ops::Deref;

use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use super::at_exit::PythonCall;

static PROVIDED: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

/// Takes the classes and functions of the package that the core makes and calls, by their names.
#[pyfunction]
#[pyo3(signature = (**objects))]
pub(super) fn _provide(py: Python<'_>, objects: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    let provided = PROVIDED.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
    objects.map_or(Ok(()), |objects| provided.update(objects.as_mapping()))
}

/// A class or function of the package, to be called at once.
pub(super) struct Provided<'py> {
    object: Bound<'py, PyAny>,
    /// The call counts until this is dropped.
    _call: PythonCall,
}

impl<'py> Deref for Provided<'py> {
    type Target = Bound<'py, PyAny>;

    fn deref(&self) -> &Self::Target {
        &self.object
    }
}

/// The class or function with this name.
pub(super) fn provided<'py>(py: Python<'py>, name: &str) -> PyResult<Provided<'py>> {
    let call = PythonCall::begin()?;
    let all = PROVIDED.get(py).map(|all| all.bind(py));
    let found = all.map(|all| all.get_item(name)).transpose()?.flatten();
    let missing = || PyRuntimeError::new_err(format!("sixplane has not provided {name}"));
    Ok(Provided { object: found.ok_or_else(missing)?, _call: call })
}

/// An exception of the class with this name, made from these arguments.
pub(super) fn exception<'py>(
    py: Python<'py>,
    class: &str,
    arguments: impl PyCallArgs<'py>,
) -> PyErr {
    let made = provided(py, class).and_then(|class| class.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}
