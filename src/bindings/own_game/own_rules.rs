//! `sixplane._core._OwnRules`: rules with their options, as `sixplane.games.own` holds them.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use ndarray::ArrayView4;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray4};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

use super::of_a_crate::PyCrateRules;
use super::rules::{Class, Rules};
use crate::bits::Bits;
use crate::color::Color;
use crate::geometry::{Action, BoardSize};
use crate::own::Board;
use crate::planes::read_bits;

/// The words of endings and reasons that rules have used: they live as long as the process.
static WORDS: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);

/// Most words of all rules together.
const MOST_WORDS: usize = 10_000;

fn lasting(word: &str) -> PyResult<&'static str> {
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    let words = words.get_or_insert_default();
    if let Some(&word) = words.get(word) {
        return Ok(word);
    }
    if words.len() >= MOST_WORDS || word.len() > 100 {
        return Err(PyValueError::new_err("too many words for endings and reasons, or too long"));
    }
    let word: &'static str = Box::leak(word.to_owned().into_boxed_str());
    words.insert(word);
    Ok(word)
}

/// Rules as `sixplane.games.own` holds them.
#[pyclass(name = "_OwnRules", module = "sixplane._core", frozen)]
pub(in super::super) struct PyOwnRules {
    pub(in super::super) rules: Rules,
}

#[pymethods]
impl PyOwnRules {
    /// Python's collector sees what the rules refer to, once no game has them: a class of games refers to its
    /// rules, and they to it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.rules.0 {
            Some(class) if Arc::strong_count(class) == 1 => {
                visit.call(&class.arbiter)?;
                visit.call(&class.games)
            }
            _ => Ok(()),
        }
    }

    #[new]
    #[pyo3(signature = (
        arbiter, games, name, options, reason, endings, symmetries, may_repeat, of_a_crate=None, values=Vec::new()
    ))]
    #[expect(clippy::too_many_arguments, reason = "one for each thing that is known of rules")]
    fn new(
        arbiter: Py<PyAny>,
        games: Py<PyAny>,
        name: String,
        options: String,
        reason: &str,
        endings: Vec<String>,
        symmetries: usize,
        may_repeat: bool,
        of_a_crate: Option<PyRef<'_, PyCrateRules>>,
        values: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let reason = lasting(reason)?;
        let endings = endings.iter().map(|word| lasting(word)).collect::<PyResult<_>>()?;
        let of_a_crate = of_a_crate.map(|rules| rules.with_options(&values)).transpose()?;
        let class = Class {
            arbiter,
            games,
            name,
            options,
            reason,
            endings,
            symmetries,
            may_repeat,
            memory: Mutex::default(),
            of_a_crate,
            failure: None,
        };
        Ok(Self { rules: Rules(Some(Arc::new(class))) })
    }

    /// What comes of actions in positions, by the rules of a crate, as `Judge.next` of Python has it.
    fn next<'py>(
        &self,
        stones: PyReadonlyArray4<'py, u8>,
        turns: PyReadonlyArray1<'py, i64>,
        passes: PyReadonlyArray1<'py, i64>,
        actions: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Answers<'py>> {
        answers(&self.rules, &stones.as_array(), [&turns, &passes, &actions])
    }
}

/// Stones `(B, 2, rows, cols)` and legal actions `(B, A)`, both in one row; the numbers of endings and the scores.
type Answers<'py> = (
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
);

/// What comes of an action in each position, or of -1: the columns are turns, passes and actions.
fn answers<'py>(
    rules: &Rules,
    stones: &ArrayView4<'_, u8>,
    columns: [&PyReadonlyArray1<'py, i64>; 3],
) -> PyResult<Answers<'py>> {
    let wrong = || {
        PyValueError::new_err(
            "stones (B, 2, rows, cols), and turns, passes and actions (B,) are needed",
        )
    };
    let py = columns[0].py();
    let &[count, colors, rows, cols] = stones.shape() else { return Err(wrong()) };
    let size = BoardSize::new(rows, cols)?;
    let points = size.points();
    let columns: Vec<_> = columns.iter().map(|column| column.as_array()).collect();
    if colors != 2 || columns.iter().any(|column| column.len() != count) {
        return Err(wrong());
    }
    let judge = rules.judge_of(size)?.ok_or_else(wrong)?;
    let (mut boards, mut masks) = (Vec::new(), Vec::new());
    let (mut endings, mut scores) = (Vec::new(), Vec::new());
    for (i, cells) in stones.outer_iter().enumerate() {
        let cells: Vec<u8> = cells.iter().copied().collect();
        let (black, white) = cells.split_at(points);
        let turn = *Color::ALL.get(columns[0][i] as usize).ok_or_else(wrong)?;
        let passes = u8::try_from(columns[1][i]).map_err(|_| wrong())?;
        let mut board = Board { stones: [read_bits(black), read_bits(white)], turn, passes };
        let action = usize::try_from(columns[2][i]).ok();
        if action.is_some_and(|action| action > points) {
            return Err(wrong());
        }
        let action = action.map(Action::new);
        let (mut changes, mut legal) = (Vec::new(), Bits::EMPTY);
        let found = judge.next(&board, action, &mut changes, &mut legal);
        let found = found.map_err(|error| rules.failed(&error.to_string(), None, action))?;
        board.change(&changes);
        let cells = |bits: &Bits<10>| {
            (0..points).map(|point| u8::from(bits.contains(point))).collect::<Vec<_>>()
        };
        boards.extend(board.stones.iter().flat_map(cells));
        masks.extend(cells(&legal));
        masks.push(u8::from(found.may_pass));
        endings.push(found.ending as i64);
        scores.push(found.score);
    }
    Ok((
        PyArray1::from_vec(py, boards),
        PyArray1::from_vec(py, masks),
        PyArray1::from_vec(py, endings),
        PyArray1::from_vec(py, scores),
    ))
}
