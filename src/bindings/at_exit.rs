//! The end of the interpreter, which must not find Python code that the core has called.
//!
//! Before 3.14, CPython ends a thread that asks for the lock of an ending interpreter where it stands, by
//! unwinding its stack. If the thread is in Python code that the core has called, such as an evaluator, there
//! are frames of Rust below: they cannot be unwound in this way, and the whole process aborts. So every call
//! of Python code that may let go of the lock is counted. When the interpreter ends, no other thread begins
//! such a call any more, and those that run are waited for. The thread that ends the interpreter goes on as
//! before.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst, fence};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;

/// The longest time that running calls are waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time between two looks at whether they have returned.
const PAUSE: Duration = Duration::from_millis(1);

/// Number of calls that run.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// The thread that ends the interpreter, once it does.
static LAST_THREAD: OnceLock<ThreadId> = OnceLock::new();

/// A call of Python code, until it is dropped.
pub(super) struct PythonCall(());

impl PythonCall {
    /// Counts a call that begins.
    ///
    /// # Errors
    /// `SystemExit`, which ends a thread without a word, if the interpreter ends in another thread.
    pub(super) fn begin() -> PyResult<Self> {
        // Counted before the look: of this one and `stop_calls`, at least one sees the other.
        RUNNING.fetch_add(1, SeqCst);
        let call = Self(());
        if is_ended_by_another() { Err(PySystemExit::new_err(())) } else { Ok(call) }
    }
}

impl Drop for PythonCall {
    fn drop(&mut self) {
        // In a forked child the count has begun anew, maybe within this call.
        let _ = RUNNING.fetch_update(SeqCst, SeqCst, |running| running.checked_sub(1));
    }
}

fn is_ended_by_another() -> bool {
    fence(SeqCst);
    LAST_THREAD.get().is_some_and(|&last| last != thread::current().id())
}

/// Lets no other thread begin a call, and waits for those that run.
#[pyfunction]
fn stop_calls(py: Python<'_>) -> PyResult<()> {
    LAST_THREAD.get_or_init(|| thread::current().id());
    fence(SeqCst);
    let begun = Instant::now();
    while RUNNING.load(SeqCst) > 0 && begun.elapsed() < PATIENCE {
        py.detach(|| thread::sleep(PAUSE));
        py.check_signals()?;
    }
    Ok(())
}

/// Forgets the calls of threads that a forked child does not have.
#[pyfunction]
fn forget_calls() {
    RUNNING.store(0, SeqCst);
}

/// Has the interpreter call these two when it ends, and in a forked child.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    py.import("atexit")?.call_method1("register", (wrap_pyfunction!(stop_calls, module)?,))?;
    let os = py.import("os")?;
    if os.hasattr("register_at_fork")? {
        let options = [("after_in_child", wrap_pyfunction!(forget_calls, module)?)];
        os.call_method("register_at_fork", (), Some(&options.into_py_dict(py)?))?;
    }
    Ok(())
}
