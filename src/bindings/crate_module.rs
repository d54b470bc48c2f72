//! A module of Python that hands out the games of a crate. What Python makes of them is done by the package of
//! sixplane (`sixplane.games.crates`), so nothing of Python is compiled in but six functions of its stable interface.

#![allow(unsafe_code, reason = "the C interface of Python has pointers alone")]

use std::ffi::{CStr, c_char, c_void};
use std::panic::catch_unwind;
use std::ptr::{null, null_mut};

use pyo3_ffi::{
    Py_DecRef, PyCapsule_New, PyErr_SetString, PyExc_ImportError, PyImport_ImportModule,
    PyModule_Create2, PyModuleDef, PyModuleDef_HEAD_INIT, PyObject_CallMethodObjArgs,
    PyUnicode_FromString,
};

use crate::own::table::{CAPSULE, Table, Tables};

/// An object of Python.
pub type Object = pyo3_ffi::PyObject;

/// The version of the stable interface.
const INTERFACE: i32 = 3;

/// Makes the module of this name, which ends with a zero, with a class for each table. Python calls it once, by
/// [`python_game!`](crate::python_game), and holds its lock. Null, with an exception set, if it cannot.
#[must_use]
pub fn init(name: &'static str, tables: fn() -> Vec<Table>) -> *mut Object {
    let made = catch_unwind(|| Tables::leak(tables()));
    let Ok(tables) = made else {
        // SAFETY: the lock is held; the text ends with a zero.
        unsafe {
            let text = c"the rules of the module panicked: the number of words W must be 1, 2, 3, 4, 6, 8 or 10";
            PyErr_SetString(PyExc_ImportError, text.as_ptr());
        }
        return null_mut();
    };
    // SAFETY: the lock is held. All objects are checked; each that is made here is let go of, but the module.
    unsafe {
        let module = new_module(name.as_ptr().cast());
        if module.is_null() || fill(module, tables) {
            return module;
        }
        Py_DecRef(module);
        null_mut()
    }
}

/// # Safety
/// The lock is held, and the name ends with a zero and stays.
unsafe fn new_module(name: *const c_char) -> *mut Object {
    // As long as the process lives, as Python asks.
    let definition = Box::leak(Box::new(PyModuleDef {
        m_base: PyModuleDef_HEAD_INIT,
        m_name: name,
        m_doc: null(),
        m_size: -1,
        m_methods: null_mut(),
        m_slots: null_mut(),
        m_traverse: None,
        m_clear: None,
        m_free: None,
    }));
    // SAFETY: as the caller promises.
    unsafe { PyModule_Create2(definition, INTERFACE) }
}

/// Calls `sixplane.games.crates.add_games(module, capsule)`; false if an exception was raised.
///
/// # Safety
/// The lock is held, and the module is one.
unsafe fn fill(module: *mut Object, tables: &'static Tables) -> bool {
    let text = |text: &CStr| text.as_ptr();
    // SAFETY: as the caller promises. A capsule keeps its name, which stays, and a pointer that nobody writes to.
    unsafe {
        let games = PyImport_ImportModule(text(c"sixplane.games.crates"));
        let method = PyUnicode_FromString(text(c"add_games"));
        let pointer = std::ptr::from_ref(tables).cast::<c_void>().cast_mut();
        let capsule = PyCapsule_New(pointer, CAPSULE.as_ptr(), None);
        let mut added = null_mut();
        if !games.is_null() && !method.is_null() && !capsule.is_null() {
            let end = null_mut::<Object>();
            added = PyObject_CallMethodObjArgs(games, method, module, capsule, end);
        }
        let is_done = !added.is_null();
        for object in [games, method, capsule, added] {
            // Does nothing to null.
            Py_DecRef(object);
        }
        is_done
    }
}
