//! One call at a time: the lock of the objects whose calls release the interpreter lock.
//!
//! No call waits for another. A call that finds another one running raises `RuntimeError`. So does a
//! call in a forked child if another thread of the parent was inside a call at the fork: that thread
//! does not exist in the child, and the value that it was changing cannot be used there.

use std::ops::{Deref, DerefMut};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// A value that one call at a time may use.
pub(super) struct Exclusive<T> {
    /// `None` only while it is dropped.
    value: Mutex<Option<T>>,
    /// The process of the last call.
    process: AtomicU32,
    /// The class, for messages.
    name: &'static str,
}

impl<T> Exclusive<T> {
    pub(super) fn new(name: &'static str, value: T) -> Self {
        Self { value: Mutex::new(Some(value)), process: AtomicU32::new(0), name }
    }

    /// The value, for this call alone.
    ///
    /// # Errors
    /// `RuntimeError` if another call has it, or never gave it back.
    pub(super) fn enter(&self) -> PyResult<Entered<'_, T>> {
        let name = self.name;
        match self.value.try_lock() {
            Ok(value) if value.is_some() => {
                self.process.store(process::id(), Ordering::Relaxed);
                Ok(Entered(value))
            }
            Ok(_) | Err(TryLockError::Poisoned(_)) => Err(PyRuntimeError::new_err(format!(
                "an earlier call of this {name} failed inside: it cannot be used any more"
            ))),
            Err(TryLockError::WouldBlock) if self.is_from_parent() => {
                Err(PyRuntimeError::new_err(format!(
                    "this process was forked while another thread was inside a call of this \
                     {name}: it cannot be used here; make it anew, or copy it before the fork"
                )))
            }
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(format!(
                "another call of this {name} is running: it takes one call at a time"
            ))),
        }
    }

    fn is_from_parent(&self) -> bool {
        self.process.load(Ordering::Relaxed) != process::id()
    }
}

impl<T> Drop for Exclusive<T> {
    fn drop(&mut self) {
        // The lock is held by a thread of the parent process: the value may be half changed, so it
        // cannot be freed.
        if matches!(self.value.try_lock(), Err(TryLockError::WouldBlock)) {
            let value = self.value.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
            std::mem::forget(value.take());
        }
    }
}

/// The value while a call has it.
pub(super) struct Entered<'a, T>(MutexGuard<'a, Option<T>>);

impl<T> Deref for Entered<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // `enter` has seen it, and only `drop` takes it.
        self.0.as_ref().expect("the value is there")
    }
}

impl<T> DerefMut for Entered<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("the value is there")
    }
}
