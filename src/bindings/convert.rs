//! Python values as values of the core, with errors that name what is allowed.

use ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray1, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray,
    PyReadonlyArray3, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString, PyTuple};

use super::at_exit::PythonCall;
use super::error::off_board;
use crate::color::Color;
use crate::geometry::{Action, BoardSize};
use crate::planes::NUM_PLANES;
use crate::view::View;

/// The name of a value's type, for messages.
pub(super) fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

/// A `TypeError` that says what is needed, "not" a value of this type.
pub(super) fn wrong_type(needed: &str, value: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("{needed}, not {}", type_name(value)))
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
    Err(wrong_type(&format!("{what} must be an integer"), value))
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
    let number = integer(value, "action").map_err(|error| no_action(size, value, error))?;
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

/// The error of what is no integer; that of a name or a point tells how it becomes an action.
#[cold]
fn no_action(size: BoardSize, value: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    let how = if value.is_instance_of::<PyString>() {
        "name_to_action(name) of the game gives it".to_owned()
    } else if value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>() {
        format!("it is row * {} + column, with row 0 at the top", size.cols())
    } else {
        return error;
    };
    PyTypeError::new_err(format!("action must be an integer, not {}: {how}", type_name(value)))
}

/// Items of an iterator between two looks at whether the user has pressed Ctrl-C.
const ITEMS: usize = 1024;

/// Calls with the items of any iterable, which may have no end, until `each` fails or Ctrl-C comes.
pub(super) fn each_item<'py>(
    iterable: &Bound<'py, PyAny>,
    mut each: impl FnMut(usize, Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    let mut items = iterable.try_iter()?;
    for index in 0.. {
        let call = PythonCall::begin()?;
        let Some(item) = items.next() else { break };
        drop(call);
        if index % ITEMS == ITEMS - 1 {
            iterable.py().detach(|| ()); // Lets other threads of Python run.
            iterable.py().check_signals()?;
        }
        each(index, item?)?;
    }
    Ok(())
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

/// Whose side is seen: that of a color or of the "player" to play.
pub(super) fn view(value: &Bound<'_, PyAny>) -> PyResult<View> {
    if value.cast::<PyString>().is_ok_and(|name| name == "player") {
        return Ok(View::Player);
    }
    match color(value) {
        Ok(Color::Black) => Ok(View::Black),
        Ok(Color::White) => Ok(View::White),
        Err(error) => {
            let message = "view must be \"black\", \"white\", \"player\", 0 or 1";
            let is_type = error.is_instance_of::<PyTypeError>(value.py());
            Err(if is_type { wrong_type(message, value) } else { PyValueError::new_err(message) })
        }
    }
}

/// A color, or another one for none.
pub(super) fn color_or(value: Option<&Bound<'_, PyAny>>, default: Color) -> PyResult<Color> {
    value.map_or(Ok(default), color)
}

/// Points of stones from any iterable of integers, never reading more than the board has.
pub(super) fn points(value: &Bound<'_, PyAny>, size: BoardSize) -> PyResult<Vec<usize>> {
    let last = size.points() as i64 - 1;
    let _call = PythonCall::begin()?;
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

/// A board size: one integer for a square, or (rows, columns) as a tuple or list; without one, the
/// board that a game is usually played on.
pub(super) fn size_or(
    (rows, cols): (usize, usize),
    value: Option<&Bound<'_, PyAny>>,
) -> PyResult<BoardSize> {
    let Some(value) = value else { return Ok(BoardSize::new(rows, cols)?) };
    let (low, high) = (BoardSize::MIN as i64, BoardSize::MAX as i64);
    let side = |value: &Bound<'_, PyAny>| match integer(value, "size")? {
        Some(side) if (low..=high).contains(&side) => Ok(side as usize),
        side => {
            let shown = side.map_or("beyond 64 bits".to_owned(), |side| side.to_string());
            Err(PyValueError::new_err(format!(
                "size {shown}: rows and columns must each be from {low} to {high}"
            )))
        }
    };
    if !value.is_instance_of::<PyTuple>() && !value.is_instance_of::<PyList>() {
        return Ok(BoardSize::square(side(value)?)?);
    }
    match value.try_iter()?.collect::<PyResult<Vec<_>>>()?.as_slice() {
        [rows, cols] => Ok(BoardSize::new(side(rows)?, side(cols)?)?),
        other => Err(PyValueError::new_err(format!(
            "size must be an integer or (rows, columns), not {} numbers",
            other.len()
        ))),
    }
}

/// True or False.
pub(super) fn flag(value: &Bound<'_, PyAny>, what: &str) -> PyResult<bool> {
    value.extract().map_err(|_| wrong_type(&format!("{what} must be True or False"), value))
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

/// The value that one of these words stands for; without a word, that of the first.
pub(super) fn word<T: Copy, const N: usize>(
    value: Option<&Bound<'_, PyAny>>,
    what: &str,
    words: [(&'static str, T); N],
) -> PyResult<T> {
    value.map_or(Ok(words[0].1), |value| Ok(named(value, what, words, |(word, _)| word)?.1))
}

/// Rules given as `**rules`, all of them with these names or `max_moves`.
pub(super) fn options<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyDict>>,
    names: &[&str],
) -> PyResult<Bound<'py, PyDict>> {
    let Some(given) = given else { return Ok(PyDict::new(py)) };
    refuse_others(given, &[names, &["max_moves"]].concat())?;
    Ok(given.clone())
}

/// An error for an option that is not among these names.
pub(super) fn refuse_others(given: &Bound<'_, PyDict>, names: &[&str]) -> PyResult<()> {
    let mut given = given.keys().into_iter().map(|key| key.to_string());
    let other = given.find(|name| !names.contains(&name.as_str()));
    other.map_or(Ok(()), |name| {
        let allowed = names.join(", ");
        Err(PyTypeError::new_err(format!("unexpected option {name:?}: allowed are {allowed}")))
    })
}

/// What `read` makes of an option and its name, if it is given.
pub(super) fn option<T>(
    options: &Bound<'_, PyDict>,
    name: &str,
    read: impl FnOnce(&Bound<'_, PyAny>, &str) -> PyResult<T>,
) -> PyResult<Option<T>> {
    options.get_item(name)?.map(|value| read(&value, name)).transpose()
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

/// An array as one of this type of cells: itself, or a copy if the core cannot read it where it is.
pub(super) fn read_as<'py, T: Element, D: Dimension>(
    array: &Bound<'py, PyUntypedArray>,
) -> PyResult<PyReadonlyArray<'py, T, D>> {
    // A view needs aligned cells whole cells apart, which a field of records, say, does not have.
    let cell = array.dtype().itemsize().max(1) as isize;
    let is_regular = array.is_aligned() && array.strides().iter().all(|stride| stride % cell == 0);
    if let (true, Ok(same)) = (is_regular, array.cast::<PyArray<T, D>>()) {
        return Ok(same.try_readonly()?);
    }
    let _call = PythonCall::begin()?;
    let copy = array.call_method1("astype", (T::get_dtype(array.py()),))?;
    Ok(copy.cast_into::<PyArray<T, D>>()?.try_readonly()?)
}

/// The array of planes that a value is.
pub(super) fn planes_array<'a, 'py>(
    value: &'a Bound<'py, PyAny>,
) -> PyResult<&'a Bound<'py, PyUntypedArray>> {
    value.cast().map_err(|_| wrong_type("planes must be a NumPy array", value))
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
    if !matches!(dtype.kind(), b'b' | b'i' | b'u' | b'f') {
        return Err(PyTypeError::new_err(format!(
            "planes of dtype {dtype}: allowed are bool, integers and floats"
        )));
    }
    // Before anything is copied: a broadcast array may be larger than memory.
    if count != NUM_PLANES {
        return Err(PyValueError::new_err(format!(
            "planes of shape ({count}, {rows}, {cols}): the shape must be (6, rows, cols)"
        )));
    }
    BoardSize::new(rows, cols)?;
    read_as(array)
}
