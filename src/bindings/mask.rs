//! Random legal actions from action masks.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::NO_ACTION;
use crate::bits::nth_of_words;
use crate::planes::read_bits;

#[doc = stub!(sample_legal)]
#[pyfunction]
pub(super) fn sample_legal<'py>(
    masks: &Bound<'py, PyArray2<u8>>,
    uniforms: &Bound<'py, PyArray1<f64>>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (py, masks, uniforms) = (masks.py(), masks.try_readonly()?, uniforms.try_readonly()?);
    let (masks, uniforms) = (masks.as_array(), uniforms.as_array());
    let contiguous = || PyValueError::new_err("masks must be C-contiguous");
    let cells = masks.as_slice().ok_or_else(contiguous)?;
    if masks.nrows() != uniforms.len() {
        return Err(PyValueError::new_err("one number a mask is needed"));
    }
    let mut words = Vec::new();
    let actions = (0..uniforms.len()).map(|i| {
        let mask = &cells[i * masks.ncols()..][..masks.ncols()];
        words.clear();
        words.extend(mask.chunks(64 * WORDS).flat_map(|part| read_bits::<WORDS, u8>(part).0));
        sample(&words, uniforms[i]).map_or(NO_ACTION, |action| action as i64)
    });
    Ok(PyArray1::from_vec(py, actions.collect()))
}

/// Words that the mask of any board fits.
const WORDS: usize = 10;

/// The action that a uniform number from `0.0..1.0` chooses, each legal one with the same
/// probability; `None` if none is legal.
fn sample(mask: &[u64], uniform: f64) -> Option<usize> {
    let count: u32 = mask.iter().map(|word| word.count_ones()).sum();
    // A product that rounds up to the count would be one too many.
    let rank = ((uniform * f64::from(count)) as u32).min(count.checked_sub(1)?);
    Some(nth_of_words(mask, rank))
}
