//! Memory of the arrays that are handed out: aligned, and used again once the last array that shows
//! it is gone.
//!
//! Most allocators give memory as large as the planes of a step back to the system, which clears it
//! anew at every step: that costs more than the step. So the base of an array is a [`Block`], which
//! Python frees when neither the array nor any view of it is left. Only then does the memory go back
//! to its [`Pool`].

// To show memory of Rust as a NumPy array of any type takes raw pointers. They stay in this file.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use ndarray::{ArrayViewMut, Dimension, IntoDimension};
use numpy::{Element, PyArray};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// A line of a processor's cache. JAX shares arrays that start on one without a copy.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Memory kept by a pool: planes and masks of two steps, as a loop holds those of the one before.
const KEPT: usize = 4;

/// Numbers that need no more than a line's alignment, and of which all bits at zero are one.
pub(super) trait Number: Element + Copy {}
impl Number for u8 {}
impl Number for i8 {}
impl Number for i64 {}
impl Number for f32 {}
impl Number for bool {}

/// Numbers of which any bits are one.
pub(super) trait Byte: Number {}
impl Byte for u8 {}
impl Byte for i8 {}

type Kept = Mutex<Vec<Vec<Line>>>;

/// Where memory waits for the next array of the same size.
#[derive(Clone, Default)]
pub(super) struct Pool(Arc<Kept>);

impl Pool {
    /// Memory for an array of this shape. It holds what an earlier array left there.
    pub(super) fn take<T: Byte, D: Dimension>(
        &self,
        shape: impl IntoDimension<Dim = D>,
    ) -> PyResult<Cells<T, D>> {
        Cells::new(shape, Arc::downgrade(&self.0), |lines| {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // The one that was used last: the processor may still have it in its cache.
            let found = kept.iter().rposition(|memory| memory.len() == lines)?;
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
pub(super) fn array_of<T: Number, D: Dimension>(
    py: Python<'_>,
    shape: impl IntoDimension<Dim = D>,
    numbers: impl IntoIterator<Item = T>,
) -> PyResult<Bound<'_, PyArray<T, D>>> {
    let mut cells = zeros(shape)?;
    for (cell, number) in cells.as_slice_mut().iter_mut().zip(numbers) {
        *cell = number;
    }
    cells.into_array(py)
}

/// The cells of an array that Python has not seen yet.
pub(super) struct Cells<T, D> {
    block: Block,
    shape: D,
    numbers: PhantomData<T>,
}

impl<T: Number, D: Dimension> Cells<T, D> {
    fn new(
        shape: impl IntoDimension<Dim = D>,
        pool: Weak<Kept>,
        find: impl FnOnce(usize) -> Option<Vec<Line>>,
    ) -> PyResult<Self> {
        let shape = shape.into_dimension();
        let cannot = || PyMemoryError::new_err(format!("no memory for an array of {shape:?}"));
        let bytes = shape.size_checked().and_then(|len| len.checked_mul(size_of::<T>()));
        let lines = bytes.ok_or_else(cannot)?.div_ceil(size_of::<Line>()).max(1);
        let memory = if let Some(memory) = find(lines) {
            memory
        } else {
            let mut memory = Vec::new();
            memory.try_reserve_exact(lines).map_err(|_| cannot())?;
            memory.resize(lines, Line([0; 64]));
            memory
        };
        Ok(Self { block: Block { memory, pool }, shape, numbers: PhantomData })
    }

    /// All cells in order.
    pub(super) fn as_slice_mut(&mut self) -> &mut [T] {
        let start = self.block.memory.as_mut_ptr().cast();
        // SAFETY: `new` made the memory large enough for so many numbers, and nobody else has it. Its
        // bytes are zeros, or for a `Byte` what an earlier array left: both are numbers.
        unsafe { std::slice::from_raw_parts_mut(start, self.shape.size()) }
    }

    /// The array, which owns the memory from now on.
    pub(super) fn into_array(mut self, py: Python<'_>) -> PyResult<Bound<'_, PyArray<T, D>>> {
        let start = self.block.memory.as_mut_ptr().cast();
        let base = Bound::new(py, self.block)?.into_any();
        // SAFETY: as in `as_slice_mut`. The block, which the array keeps alive, neither moves the
        // memory nor touches it until Python frees the block.
        unsafe {
            let cells = ArrayViewMut::from_shape_ptr(self.shape, start);
            Ok(PyArray::borrow_from_array(&cells, base))
        }
    }
}

/// The owner of an array's memory.
#[pyclass(frozen, module = "sixplane._core")]
struct Block {
    memory: Vec<Line>,
    pool: Weak<Kept>,
}

impl Drop for Block {
    fn drop(&mut self) {
        let Some(pool) = self.pool.upgrade() else { return };
        let mut kept = pool.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(std::mem::take(&mut self.memory));
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
