//! One call at a time: the lock of the objects whose calls release the interpreter lock.
//!
//! No call waits for another. A call that finds another one running raises `RuntimeError`. So does a
//! call in a forked child if another thread of the parent was inside a call at the fork: that thread
//! does not exist in the child, and the value that it was changing cannot be used there.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// A value that one call at a time may use.
pub(super) struct Exclusive<T> {
    value: Arc<Mutex<T>>,
    /// The process of the last call.
    process: AtomicU32,
    /// The class, for messages.
    name: &'static str,
}

impl<T> Exclusive<T> {
    pub(super) fn new(name: &'static str, value: T) -> Self {
        Self { value: Arc::new(Mutex::new(value)), process: AtomicU32::new(0), name }
    }

    /// The value, for this call alone.
    ///
    /// # Errors
    /// `RuntimeError` if another call has it, or never gave it back.
    pub(super) fn enter(&self) -> PyResult<MutexGuard<'_, T>> {
        let (name, process) = (self.name, self.process.load(Ordering::Relaxed));
        let message = match self.value.try_lock() {
            Ok(value) => {
                self.process.store(process::id(), Ordering::Relaxed);
                return Ok(value);
            }
            Err(TryLockError::Poisoned(_)) => {
                format!("an earlier call of this {name} failed inside: it cannot be used any more")
            }
            Err(TryLockError::WouldBlock) if process != process::id() => format!(
                "this process was forked while another thread was inside a call of this {name}: it \
                 cannot be used here; make it anew, or copy it before the fork"
            ),
            Err(TryLockError::WouldBlock) => {
                format!("another call of this {name} is running: it takes one call at a time")
            }
        };
        Err(PyRuntimeError::new_err(message))
    }
}

impl<T> Drop for Exclusive<T> {
    fn drop(&mut self) {
        // The lock is held by a thread of the parent process: the value may be half changed, so it is
        // never freed.
        if matches!(self.value.try_lock(), Err(TryLockError::WouldBlock)) {
            std::mem::forget(Arc::clone(&self.value));
        }
    }
}
