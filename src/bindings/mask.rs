//! Random legal actions from action masks.

use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arrays::true_or_false;
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
    let actions = (0..uniforms.len())
        .map(|i| sample(&cells[i * masks.ncols()..][..masks.ncols()], uniforms[i], &mut words));
    Ok(PyArray1::from_vec(py, actions.collect()))
}

#[doc = stub!(sample_action)]
#[pyfunction]
pub(super) fn sample_action(mask: &Bound<'_, PyAny>, uniform: f64) -> PyResult<i64> {
    // The masks of games are the first.
    let cells = if let Ok(mask) = mask.cast::<PyArray1<i8>>() {
        bytes(mask, |cell| cell as u8)?
    } else if let Ok(mask) = mask.cast::<PyArray1<bool>>() {
        bytes(true_or_false(mask.as_untyped())?.cast::<PyArray1<bool>>()?, u8::from)?
    } else {
        bytes(mask.cast::<PyArray1<u8>>()?, |cell| cell)?
    };
    Ok(sample(&cells, uniform, &mut Vec::new()))
}

fn bytes<T: Copy + Element>(mask: &Bound<'_, PyArray1<T>>, byte: fn(T) -> u8) -> PyResult<Vec<u8>> {
    Ok(mask.try_readonly()?.as_array().iter().map(|&cell| byte(cell)).collect())
}

/// Words that the mask of any board fits.
const WORDS: usize = 10;

/// The action that a uniform number from `0.0..1.0` chooses, each legal one with the same
/// probability; `NO_ACTION` if none is legal. The words are memory for the bits of the mask.
fn sample(mask: &[u8], uniform: f64, words: &mut Vec<u64>) -> i64 {
    words.clear();
    words.extend(mask.chunks(64 * WORDS).flat_map(|part| read_bits::<WORDS, u8>(part).0));
    let count: u32 = words.iter().map(|word| word.count_ones()).sum();
    let Some(last) = count.checked_sub(1) else { return NO_ACTION };
    // A product that rounds up to the count would be one too many.
    let rank = ((uniform * f64::from(count)) as u32).min(last);
    nth_of_words(words, rank) as i64
}
