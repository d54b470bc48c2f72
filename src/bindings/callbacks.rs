//! The classes and functions of the Python package that the core makes and calls. The package hands them over
//! when it is imported; the core imports nothing of it.

use std::ops::Deref;

use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use super::at_exit::PythonCall;

static CALLBACKS: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

/// Takes the classes and functions by their names.
#[pyfunction]
#[pyo3(signature = (**objects))]
pub(super) fn _set_callbacks(py: Python<'_>, objects: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    let callbacks = CALLBACKS.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
    objects.map_or(Ok(()), |objects| callbacks.update(objects.as_mapping()))
}

/// A class or function of the package, to be called at once.
pub(super) struct Callback<'py> {
    object: Bound<'py, PyAny>,
    /// The call counts until this is dropped.
    _call: PythonCall,
}

impl<'py> Deref for Callback<'py> {
    type Target = Bound<'py, PyAny>;

    fn deref(&self) -> &Self::Target {
        &self.object
    }
}

/// The class or function with this name.
pub(super) fn callback<'py>(py: Python<'py>, name: &str) -> PyResult<Callback<'py>> {
    let call = PythonCall::begin()?;
    let all = CALLBACKS.get(py).map(|all| all.bind(py));
    let found = all.map(|all| all.get_item(name)).transpose()?.flatten();
    let missing = || PyRuntimeError::new_err(format!("sixplane has not set the callback {name}"));
    Ok(Callback { object: found.ok_or_else(missing)?, _call: call })
}

/// An exception of the class with this name, made from these arguments.
pub(super) fn exception<'py>(
    py: Python<'py>,
    class: &str,
    arguments: impl PyCallArgs<'py>,
) -> PyErr {
    let made = callback(py, class).and_then(|class| class.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}
