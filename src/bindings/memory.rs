//! Memory of the arrays that are handed out: aligned, and taken again once the last array that
//! shows it is gone.
//!
//! An array of a step is too large for most allocators to keep, so the system would clear it anew
//! at every step: that costs more than the step. The array's base is a [`Block`], which Python
//! frees when neither the array nor any view of it is left, and only then does the memory go back.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use ndarray::{ArrayViewMut, Dimension, IntoDimension};
use numpy::{Element, PyArray};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// A line of a processor's cache. JAX shares arrays that start on one without a copy.
const ALIGNMENT: usize = 64;

/// Memory kept: the arrays of two steps, as a loop holds those of the one before.
const KEPT: usize = 26;

mod sealed {
    /// Numbers of which all bits at zero are one.
    pub trait Number: Copy {
        /// Whether any bits are one.
        const IS_ANY_BITS: bool = true;
    }
    impl Number for u8 {}
    impl Number for i8 {}
    impl Number for i64 {}
    impl Number for f32 {}
    impl Number for bool {
        const IS_ANY_BITS: bool = false;
    }
}

/// About how many bytes a process may still take before the system ends it; `None` if it does not say.
///
/// Linux promises more memory than there is: asking for it succeeds, and writing to it is the end.
pub(super) fn available() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let meminfo = read("/proc/meminfo")?;
    let kibibytes = |name: &str| {
        let line = meminfo.lines().find_map(|line| line.strip_prefix(name))?;
        number(line.trim_end_matches("kB"))
    };
    let system = (kibibytes("MemAvailable:")? + kibibytes("SwapFree:").unwrap_or(0)) * 1024;
    // The limit of a container.
    let limit = read("/sys/fs/cgroup/memory.max").as_deref().and_then(number);
    let used = read("/sys/fs/cgroup/memory.current").as_deref().and_then(number);
    let container = limit.zip(used).map(|(limit, used)| limit.saturating_sub(used));
    Some(container.map_or(system, |container| container.min(system)))
}

/// What arrays are handed out of.
pub(super) trait Number: sealed::Number + Element {}
impl<T: sealed::Number + Element> Number for T {}

/// Bytes of any content.
struct Memory {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: it owns its bytes and nothing else, like a `Vec<u8>`.
#[allow(unsafe_code)]
unsafe impl Send for Memory {}
// SAFETY: nothing is read or written through a shared reference.
#[allow(unsafe_code)]
unsafe impl Sync for Memory {}

impl Memory {
    /// So many bytes, all 0; `None` if they cannot be had.
    fn zeroed(bytes: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes.max(1), ALIGNMENT).ok()?;
        // SAFETY: the layout has at least one byte.
        #[allow(unsafe_code)]
        let start = unsafe { alloc_zeroed(layout) };
        Some(Self { start: NonNull::new(start)?, layout })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and this is its only owner.
        #[allow(unsafe_code)]
        unsafe {
            dealloc(self.start.as_ptr(), self.layout);
        }
    }
}

type Kept = Mutex<Vec<Memory>>;

/// Where memory waits for the next array of the same size.
#[derive(Clone, Default)]
pub(super) struct Pool(Arc<Kept>);

impl Pool {
    /// Memory for an array of this shape. What it holds is left from before.
    pub(super) fn take<T: Number, D: Dimension>(
        &self,
        shape: impl IntoDimension<Dim = D>,
    ) -> PyResult<Cells<T, D>> {
        Cells::new(shape, Arc::downgrade(&self.0), |bytes| {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // The one that was used last: the processor may still have it in its cache.
            let found = kept.iter().rposition(|memory| memory.layout.size() == bytes)?;
            Some(kept.remove(found))
        })
    }
}

/// Zeros for an array of this shape, in memory that is freed with it.
pub(super) fn zeros<T: Number, D: Dimension>(
    shape: impl IntoDimension<Dim = D>,
) -> PyResult<Cells<T, D>> {
    Cells::new(shape, Weak::new(), |_| None)
}

/// An array of these numbers in aligned memory.
pub(super) fn array_of<'py, T: Number, D: Dimension>(
    py: Python<'py>,
    shape: impl IntoDimension<Dim = D>,
    numbers: &[T],
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let mut cells = zeros(shape)?;
    cells.as_slice_mut().copy_from_slice(numbers);
    cells.into_array(py)
}

/// The cells of an array that Python has not seen yet.
pub(super) struct Cells<T, D> {
    block: Block,
    shape: D,
    len: usize,
    number: std::marker::PhantomData<T>,
}

impl<T: Number, D: Dimension> Cells<T, D> {
    fn new(
        shape: impl IntoDimension<Dim = D>,
        pool: Weak<Kept>,
        find: impl FnOnce(usize) -> Option<Memory>,
    ) -> PyResult<Self> {
        let shape = shape.into_dimension();
        let cannot = || PyMemoryError::new_err(format!("no memory for an array of {shape:?}"));
        let len = shape.size_checked().ok_or_else(cannot)?;
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(cannot)?.max(1);
        let memory = find(bytes).or_else(|| Memory::zeroed(bytes)).ok_or_else(cannot)?;
        let block = Block { memory: Some(memory), pool };
        Ok(Self { block, shape, len, number: std::marker::PhantomData })
    }

    fn start(&self) -> *mut T {
        self.block
            .memory
            .as_ref()
            .map_or(std::ptr::null_mut(), |memory| memory.start.as_ptr().cast())
    }

    /// All cells in order.
    pub(super) fn as_slice_mut(&mut self) -> &mut [T] {
        let start = self.start();
        // SAFETY: the memory has room for `len` numbers, is aligned for any of them, is initialised
        // (zeros, or an array before), and nobody else has it. What an array before held are
        // numbers whatever its bits; a type of which that is not true is cleared first.
        #[allow(unsafe_code)]
        unsafe {
            if !<T as sealed::Number>::IS_ANY_BITS {
                start.write_bytes(0, self.len);
            }
            std::slice::from_raw_parts_mut(start, self.len)
        }
    }

    /// The array, which owns the memory from now on.
    pub(super) fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyArray<T, D>>> {
        let start = self.start();
        let base = Bound::new(py, self.block)?.into_any();
        // SAFETY: as in `as_slice_mut`; the block frees the memory only when Python frees the
        // block, which the array keeps alive, and touches it no more until then.
        #[allow(unsafe_code)]
        Ok(unsafe {
            let cells = ArrayViewMut::from_shape_ptr(self.shape, start);
            PyArray::borrow_from_array(&cells, base)
        })
    }
}

/// The owner of an array's memory.
#[pyclass(frozen, module = "sixplane._core")]
struct Block {
    /// `None` only while it is dropped.
    memory: Option<Memory>,
    pool: Weak<Kept>,
}

impl Drop for Block {
    fn drop(&mut self) {
        let Some(pool) = self.pool.upgrade() else { return };
        let mut kept = pool.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.extend(self.memory.take());
    }
}
