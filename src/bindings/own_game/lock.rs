//! A lock that is not waited for without end.

use std::sync::{Mutex, MutexGuard, TryLockError};

/// Tries to get a lock that nobody holds for long.
const MOST_TRIES: usize = 10_000;

/// What a lock guards; `None` if it is not to be had: in a forked child it may be held by a thread that does not
/// exist there.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    for _ in 0..MOST_TRIES {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(guard)) => return Some(guard.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::yield_now(),
        }
    }
    None
}
