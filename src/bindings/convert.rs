//! Python values as values of the core, with errors that name what is allowed.

use numpy::{
    PyArray1, PyArray3, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray3, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString, PyTuple};

use super::error::off_board;
use crate::color::Color;
use crate::geometry::{Action, BoardSize};
use crate::planes::NUM_PLANES;

/// The name of a value's type, for messages.
pub(super) fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

/// An integer: anything with `__index__` except bool. `Ok(None)` if it does not fit 64 bits.
pub(super) fn integer(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Option<i64>> {
    if value.is_exact_instance_of::<PyInt>() || !value.is_instance_of::<PyBool>() {
        match value.extract::<i64>() {
            Ok(number) => return Ok(Some(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => return Ok(None),
            Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {}
            Err(error) => return Err(error),
        }
    }
    Err(PyTypeError::new_err(format!("{what} must be an integer, not {}", type_name(value))))
}

/// An integer from `low` to `high`.
pub(super) fn integer_in(
    value: &Bound<'_, PyAny>,
    what: &str,
    low: i64,
    high: i64,
) -> PyResult<i64> {
    match integer(value, what)? {
        Some(number) if (low..=high).contains(&number) => Ok(number),
        _ => {
            let shown = value.str().map_or_else(|_| "a huge integer".to_owned(), |s| s.to_string());
            Err(PyValueError::new_err(format!("{what} must be from {low} to {high}, not {shown}")))
        }
    }
}

/// An action of this board; which of them are legal is for the game to say.
#[inline]
pub(super) fn action(size: BoardSize, value: &Bound<'_, PyAny>) -> PyResult<Action> {
    let number = integer(value, "action")?;
    match number.map(usize::try_from) {
        Some(Ok(index)) if index <= size.points() => Ok(Action::new(index)),
        // The message cannot show an integer too long for Python to print.
        _ => Err(off_board(
            value.py(),
            size,
            &number.map_or("beyond 64 bits".to_owned(), |n| n.to_string()),
        )),
    }
}

/// Items of an iterator between two looks at whether the user has pressed Ctrl-C.
const ITEMS: usize = 1024;

/// Lets other threads of Python run, and signal handlers.
fn yield_to_others(py: Python<'_>) -> PyResult<()> {
    py.detach(|| ());
    py.check_signals()
}

/// Calls with the items of any iterable, which may have no end, until `each` fails or Ctrl-C comes.
pub(super) fn each_item<'py>(
    iterable: &Bound<'py, PyAny>,
    mut each: impl FnMut(usize, Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    for (index, item) in iterable.try_iter()?.enumerate() {
        if index % ITEMS == ITEMS - 1 {
            yield_to_others(iterable.py())?;
        }
        each(index, item?)?;
    }
    Ok(())
}

/// The items of any iterable, `most` of them at most.
pub(super) fn collected<'py>(
    iterable: &Bound<'py, PyAny>,
    most: usize,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut items = Vec::new();
    for item in iterable.try_iter()?.take(most) {
        items.push(item?);
        if items.len() % ITEMS == 0 {
            yield_to_others(iterable.py())?;
        }
    }
    Ok(items)
}

/// A color: 0, 1, "black" or "white".
pub(super) fn color(value: &Bound<'_, PyAny>) -> PyResult<Color> {
    let wrong = || PyValueError::new_err("a color must be 0, 1, \"black\" or \"white\"");
    if let Ok(name) = value.cast::<PyString>() {
        let name = name.to_cow()?;
        return Color::ALL.into_iter().find(|color| color.name() == name).ok_or_else(wrong);
    }
    match integer(value, "a color (0, 1, \"black\" or \"white\")")? {
        Some(0) => Ok(Color::Black),
        Some(1) => Ok(Color::White),
        _ => Err(wrong()),
    }
}

/// The same; Black for none.
pub(super) fn color_or_black(value: Option<&Bound<'_, PyAny>>) -> PyResult<Color> {
    value.map_or(Ok(Color::Black), color)
}

/// Points of stones from any iterable of integers, never reading more than the board has.
pub(super) fn points(value: &Bound<'_, PyAny>, size: BoardSize) -> PyResult<Vec<usize>> {
    let last = size.points() as i64 - 1;
    let points = value.try_iter()?.take(size.points() + 1);
    points.map(|point| Ok(integer_in(&point?, "a stone's point", 0, last)? as usize)).collect()
}

/// Actions as an array of their numbers.
pub(super) fn action_array(
    py: Python<'_>,
    actions: impl IntoIterator<Item = Action>,
) -> Bound<'_, PyArray1<i64>> {
    PyArray1::from_vec(py, actions.into_iter().map(|action| action.index() as i64).collect())
}

/// A board size: one integer for a square, or (rows, columns) as a tuple or list.
pub(super) fn size(value: &Bound<'_, PyAny>) -> PyResult<BoardSize> {
    let (low, high) = (BoardSize::MIN as i64, BoardSize::MAX as i64);
    let side = |value: &Bound<'_, PyAny>| -> PyResult<usize> {
        match integer(value, "size")? {
            Some(side) if (low..=high).contains(&side) => Ok(side as usize),
            side => {
                let shown =
                    side.map_or_else(|| "beyond 64 bits".to_owned(), |side| side.to_string());
                Err(PyValueError::new_err(format!(
                    "size {shown}: rows and columns must each be from {low} to {high}"
                )))
            }
        }
    };
    let pair = if let Ok(pair) = value.cast::<PyTuple>() {
        Some(pair.iter().collect::<Vec<_>>())
    } else {
        value.cast::<PyList>().ok().map(|pair| pair.iter().collect())
    };
    match pair.as_deref() {
        Some([rows, cols]) => Ok(BoardSize::new(side(rows)?, side(cols)?)?),
        Some(other) => Err(PyValueError::new_err(format!(
            "size must be an integer or (rows, columns), not {} numbers",
            other.len()
        ))),
        None => Ok(BoardSize::square(side(value)?)?),
    }
}

/// A board size, or the square of the side that a game is usually played on.
pub(super) fn size_or(side: usize, value: Option<&Bound<'_, PyAny>>) -> PyResult<BoardSize> {
    value.map_or_else(|| Ok(BoardSize::square(side)?), size)
}

/// True or False.
pub(super) fn flag(value: &Bound<'_, PyAny>, what: &str) -> PyResult<bool> {
    value.extract().map_err(|_| {
        PyTypeError::new_err(format!("{what} must be True or False, not {}", type_name(value)))
    })
}

/// The one of `all` with the name given.
pub(super) fn named<T: Copy>(
    value: &Bound<'_, PyAny>,
    what: &str,
    all: impl IntoIterator<Item = T> + Clone,
    name: impl Fn(T) -> &'static str,
) -> PyResult<T> {
    let found: Option<String> = value.extract().ok();
    let matching = all.clone().into_iter().find(|&one| found.as_deref() == Some(name(one)));
    matching.ok_or_else(|| {
        let allowed: Vec<_> = all.into_iter().map(|one| format!("{:?}", name(one))).collect();
        let message = format!("{what} must be one of {}, not {value:?}", allowed.join(", "));
        if found.is_some() { PyValueError::new_err(message) } else { PyTypeError::new_err(message) }
    })
}

/// Rules given as `**rules`, all of them with these names or `max_moves`.
pub(super) fn options<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyDict>>,
    names: &[&str],
) -> PyResult<Bound<'py, PyDict>> {
    let Some(given) = given else { return Ok(PyDict::new(py)) };
    for key in given.keys() {
        let name = key.to_string();
        if name != "max_moves" && !names.contains(&name.as_str()) {
            let allowed = [names, &["max_moves"]].concat().join(", ");
            return Err(PyTypeError::new_err(format!(
                "unexpected option {name:?}: allowed are {allowed}"
            )));
        }
    }
    Ok(given.clone())
}

/// The move limit among rules given as options.
pub(super) fn max_moves_among(options: &Bound<'_, PyDict>) -> PyResult<Option<u32>> {
    max_moves(options.get_item("max_moves")?.filter(|limit| !limit.is_none()).as_ref())
}

/// The largest number of actions: None, or 1 and more.
pub(super) fn max_moves(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u32>> {
    let limit =
        value.map(|value| integer_in(value, "max_moves", 1, i64::from(u32::MAX))).transpose()?;
    Ok(limit.map(|limit| limit as u32))
}

/// Whether the core can read an array where it is: a view needs aligned cells whole cells apart,
/// which a field of records, say, does not have.
pub(super) fn is_regular(array: &Bound<'_, PyUntypedArray>) -> bool {
    let cell = array.dtype().itemsize().max(1) as isize;
    array.is_aligned() && array.strides().iter().all(|stride| stride % cell == 0)
}

/// The array of planes that a value is.
pub(super) fn planes_array<'a, 'py>(
    value: &'a Bound<'py, PyAny>,
) -> PyResult<&'a Bound<'py, PyUntypedArray>> {
    value.cast().map_err(|_| {
        PyTypeError::new_err(format!("planes must be a NumPy array, not {}", type_name(value)))
    })
}

/// Planes `(6, rows, cols)` of any boolean, integer or float type, as floats.
pub(super) fn planes_from_python<'py>(
    value: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArray3<'py, f64>> {
    let array = planes_array(value)?;
    let &[count, rows, cols] = array.shape() else {
        return Err(PyValueError::new_err(format!(
            "planes of {} dimensions: the shape must be (6, rows, cols)",
            array.ndim()
        )));
    };
    let dtype = array.dtype();
    let is_known =
        matches!((dtype.kind(), dtype.itemsize()), (b'b' | b'i' | b'u', _) | (b'f', 4 | 8));
    if !is_known || dtype.is_native_byteorder() == Some(false) {
        return Err(PyTypeError::new_err(format!(
            "planes of dtype {dtype}: allowed are bool, integers of 8 to 64 bits, float32 and float64"
        )));
    }
    // Before anything is copied: a broadcast array may be larger than memory.
    if count != NUM_PLANES {
        return Err(PyValueError::new_err(format!(
            "planes of shape ({count}, {rows}, {cols}): the shape must be (6, rows, cols)"
        )));
    }
    BoardSize::new(rows, cols)?;
    let floats = array.call_method1("astype", ("float64",))?;
    Ok(floats.cast_into::<PyArray3<f64>>()?.try_readonly()?)
}
