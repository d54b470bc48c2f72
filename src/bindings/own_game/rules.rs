//! Rules with their options, and what Python says of positions, remembered: rules look at nothing but the position.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard};

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::super::at_exit::PythonCall;
use super::super::memory::array_of;
use super::lock::locked;
use super::of_a_crate::CrateRules;
use crate::bits::Bits;
use crate::color::{ByColor, Color};
use crate::geometry::{Action, BoardSize};
use crate::log::Change;
use crate::own;
use crate::planes::{Plane, read_bits};
use crate::setup::Setup;
use crate::state::{LegalPoints, State};

/// So many answers are remembered, of some 400 bytes each; then all are forgotten.
const REMEMBERED: usize = 1 << 15;

/// How no options are written.
const NO_OPTIONS: &str = "{}";

/// What the rules say of a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Judged {
    /// A whole word: one byte, which a batch reads with those beside it, a processor has to wait for.
    may_pass: usize,
    pub(super) ending: Option<&'static str>,
    pub(super) score: f64,
}

impl Judged {
    /// Of a game that its rules cannot judge.
    pub(super) const FAILED: Self = Self { may_pass: 0, ending: Some("error"), score: 0.0 };

    #[inline]
    pub(super) fn new(may_pass: bool, ending: Option<&'static str>, score: f64) -> Self {
        Self { may_pass: usize::from(may_pass), ending, score }
    }

    #[inline]
    pub(super) fn may_pass(&self) -> bool {
        self.may_pass != 0
    }
}

/// What comes of an action.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    pub(super) changes: Vec<Change>,
    /// Where the other player may play then.
    pub(super) legal: LegalPoints,
    pub(super) judged: Judged,
}

impl Turn {
    pub(super) const FAILED: Self =
        Self { changes: Vec::new(), legal: Bits::EMPTY, judged: Judged::FAILED };
}

/// A position and an action in it, all that an answer depends on.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Question {
    stones: [Bits<10>; 2],
    /// Rows, columns, the player to play with the passes before, and the action or -1.
    rest: [i16; 4],
}

impl Question {
    fn new(state: &State, action: Option<Action>) -> Self {
        let stones =
            [Plane::Black, Plane::White].map(|plane| read_bits(state.planes().plane_cells(plane)));
        let size = state.size();
        let turn = 3 * state.turn().index() as i16 + passes(state) as i16;
        let action = action.map_or(-1, |action| action.index() as i16);
        Self { stones, rest: [size.rows() as i16, size.cols() as i16, turn, action] }
    }
}

pub(super) type Memory = HashMap<Question, Turn>;

/// How many of the last two actions were passes with none after them.
#[inline]
pub(super) fn passes(state: &State) -> i64 {
    i64::from(state.passed()) + i64::from(state.passed_twice())
}

/// Rules with their options; the default has none, and no game can be made of it.
#[derive(Clone, Default)]
pub(in super::super) struct Rules(pub(super) Option<Arc<Class>>);

/// Rules, and what is known of them without asking.
pub(super) struct Class {
    /// Answers for many positions: `Arbiter` of `sixplane.games.arbiter`.
    pub(super) arbiter: Py<PyAny>,
    /// The class of the games.
    pub(super) games: Py<PyAny>,
    pub(super) name: String,
    /// The options as JSON, written so that equal ones look equal.
    pub(super) options: String,
    pub(super) reason: &'static str,
    pub(super) endings: Vec<&'static str>,
    pub(super) symmetries: usize,
    pub(super) may_repeat: bool,
    pub(super) memory: Mutex<Memory>,
    pub(super) of_a_crate: Option<CrateRules>,
    /// Why there are no such rules: what they answer then.
    pub(super) failure: Option<PyErr>,
}

impl Rules {
    /// Rules of this class of games that answer everything with an error. A game of them is over at once, and
    /// leaves the error for its caller.
    pub(super) fn failing(games: &Py<PyAny>, error: PyErr) -> Self {
        let (games, arbiter) = Python::attach(|py| (games.clone_ref(py), py.None()));
        Self(Some(Arc::new(Class {
            arbiter,
            games,
            name: String::new(),
            options: NO_OPTIONS.to_owned(),
            reason: "",
            endings: Vec::new(),
            symmetries: 1,
            may_repeat: false,
            memory: Mutex::default(),
            of_a_crate: None,
            failure: Some(error),
        })))
    }

    fn check(&self) -> PyResult<()> {
        let failure = self.class().failure.as_ref();
        failure.map_or(Ok(()), |error| Err(Python::attach(|py| error.clone_ref(py))))
    }

    pub(super) fn class(&self) -> &Class {
        self.0.as_deref().expect("a game has rules")
    }

    pub(in super::super) fn is_some(&self) -> bool {
        self.0.is_some()
    }

    pub(in super::super) fn name(&self) -> &str {
        &self.class().name
    }

    pub(super) fn reason(&self) -> &'static str {
        self.class().reason
    }

    /// The options as JSON; `None` if there are none.
    pub(super) fn options(&self) -> Option<&str> {
        Some(self.class().options.as_str()).filter(|options| *options != NO_OPTIONS)
    }

    pub(super) fn num_symmetries(&self) -> usize {
        self.class().symmetries
    }

    pub(super) fn may_repeat(&self) -> bool {
        self.class().may_repeat
    }

    pub(in super::super) fn arbiter<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.class().arbiter.bind(py).clone()
    }

    pub(in super::super) fn games<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.class().games.bind(py).clone()
    }

    /// Whether both are rules of games of one Python class.
    pub(in super::super) fn are_of_the_class_of(&self, other: &Self) -> bool {
        self.class().games.is(&other.class().games)
    }

    /// Whether both are one object.
    #[inline]
    pub(super) fn is_that_of(&self, other: &Self) -> bool {
        matches!((&self.0, &other.0), (Some(one), Some(other)) if Arc::ptr_eq(one, other))
    }

    /// The rules of a crate on a board of this size; `None` of a Python class.
    pub(super) fn judge_of(&self, size: BoardSize) -> PyResult<Option<Arc<own::Judge>>> {
        let Some(rules) = &self.class().of_a_crate else { return Ok(None) };
        rules.judge(size).map(Some).map_err(|error| self.not_made(error))
    }

    /// The error of rules that are for no such board.
    fn not_made(&self, error: own::RulesError) -> PyErr {
        match error {
            own::RulesError::Refused(text) => PyValueError::new_err(text),
            own::RulesError::Failed(text) => self.failed(&text, None, None),
        }
    }

    /// What the rules of a crate say of a position.
    #[inline]
    pub(super) fn judged(&self, found: own::Judged) -> Judged {
        let own::Judged { may_pass, ending, score } = found;
        let ending =
            ending.checked_sub(1).and_then(|number| self.class().endings.get(number).copied());
        Judged::new(may_pass, ending, score)
    }

    /// The error of rules that failed in a position, with an action, which may stand in the log already.
    #[cold]
    pub(super) fn failed(
        &self,
        what: &str,
        state: Option<(&State, bool)>,
        action: Option<Action>,
    ) -> PyErr {
        let shown = state.map(|(state, is_played)| {
            let turn = if is_played { state.turn().opponent() } else { state.turn() };
            let (size, sign) = (state.size(), |point| match state.planes().stone(point) {
                Some(Color::Black) => "X",
                Some(Color::White) => "O",
                None => ".",
            });
            let row = |row| (row * size.cols()..).take(size.cols()).map(sign).collect::<Vec<_>>();
            let rows: Vec<_> = (0..size.rows()).map(|index| row(index).join(" ")).collect();
            format!("{} to play:\n{}", turn.name(), rows.join("\n"))
        });
        let made = PythonCall::begin().and_then(|_call| {
            Python::attach(|py| {
                let action = action.map(Action::index);
                let error = self.arbiter(py).call_method1("error", (what, shown, action));
                error.map(PyErr::from_value)
            })
        });
        made.unwrap_or_else(|error| error)
    }

    /// The position that a game on this board starts from.
    pub(in super::super) fn setup(&self, size: BoardSize) -> PyResult<Setup> {
        self.check()?;
        if let Some(judge) = self.judge_of(size)? {
            return judge.setup().map_err(|error| self.not_made(error));
        }
        let _call = PythonCall::begin()?;
        Python::attach(|py| {
            let stones = self.arbiter(py).call_method1("setup", (size.rows(), size.cols()))?;
            let (black, white) = stones.extract()?;
            Ok(Setup::from_stones(size, &ByColor { black, white }, Color::Black)?)
        })
    }

    /// The error of a game that should have ended.
    pub(super) fn endless(&self, state: &State) -> PyErr {
        let made = PythonCall::begin().and_then(|_call| {
            Python::attach(|py| {
                self.arbiter(py).call_method1("endless", (state.moves(),)).map(PyErr::from_value)
            })
        });
        made.unwrap_or_else(|error| error)
    }

    /// What comes of an action, or without one, what the rules say of the position.
    pub(super) fn ask_one(&self, state: &State, action: Option<Action>) -> PyResult<Turn> {
        let answers = self.ask(&[(state, action)])?;
        answers.into_iter().next().ok_or_else(broken)
    }

    /// The same for many positions of one size, in one call of Python for all that are not remembered.
    pub(super) fn ask(&self, positions: &[(&State, Option<Action>)]) -> PyResult<Vec<Turn>> {
        self.check()?;
        let class = self.class();
        let questions: Vec<_> =
            positions.iter().map(|&(state, action)| Question::new(state, action)).collect();
        let mut answers: Vec<Option<Turn>> = class.memory().map_or_else(
            || vec![None; questions.len()],
            |memory| questions.iter().map(|question| memory.get(question).cloned()).collect(),
        );
        let new: Vec<_> = (0..answers.len()).filter(|&i| answers[i].is_none()).collect();
        if !new.is_empty() {
            let asked: Vec<_> = new.iter().map(|&i| positions[i]).collect();
            for (&i, turn) in new.iter().zip(class.ask_python(&asked)?) {
                answers[i] = Some(turn);
            }
            if let Some(memory) = class.memory() {
                let found = questions.into_iter().zip(&answers).enumerate();
                remember(
                    memory,
                    found.filter(|(i, _)| new.binary_search(i).is_ok()).map(|(_, one)| one),
                );
            }
        }
        answers.into_iter().collect::<Option<_>>().ok_or_else(broken)
    }
}

/// Adds answers to those that are remembered.
fn remember<'a>(
    mut memory: MutexGuard<'_, Memory>,
    found: impl Iterator<Item = (Question, &'a Option<Turn>)>,
) {
    for (question, turn) in found {
        if memory.len() >= REMEMBERED {
            memory.clear();
        }
        if let Some(turn) = turn {
            memory.insert(question, turn.clone());
        }
    }
}

/// Stones `(B, 2, rows, cols)`, legal actions `(B, A)`, the numbers of endings and the scores `(B,)`.
type Answer<'py> = (
    PyReadonlyArray1<'py, u8>,
    PyReadonlyArray1<'py, u8>,
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, f64>,
);

impl Class {
    /// The answers that are remembered; `None` if the lock is not to be had.
    fn memory(&self) -> Option<MutexGuard<'_, Memory>> {
        locked(&self.memory)
    }

    fn ask_python(&self, positions: &[(&State, Option<Action>)]) -> PyResult<Vec<Turn>> {
        let _call = PythonCall::begin()?;
        Python::attach(|py| {
            let (count, size) = (positions.len(), positions[0].0.size());
            let points = size.points();
            let cells =
                positions.iter().flat_map(|(state, _)| &state.planes().cells()[..2 * points]);
            let stones = array_of(py, [count, 2, size.rows(), size.cols()], cells.copied())?;
            let numbers = |number: &dyn Fn(&State, Option<Action>) -> i64| {
                let numbers = positions.iter().map(|&(state, action)| number(state, action));
                PyArray1::from_iter(py, numbers)
            };
            let turns = numbers(&|state, _| state.turn().index() as i64);
            let passed = numbers(&|state, _| passes(state));
            let actions = numbers(&|_, action| action.map_or(-1, |action| action.index() as i64));
            let arbiter = self.arbiter.bind(py);
            let answer = arbiter.call_method1("next", (stones, turns, passed, actions))?;
            let (stones, legal, endings, scores): Answer<'_> = answer.extract()?;
            let (stones, legal) = (stones.as_slice()?, legal.as_slice()?);
            let (endings, scores) = (endings.as_slice()?, scores.as_slice()?);
            let lengths = [stones.len(), legal.len(), endings.len(), scores.len()];
            if lengths != [2 * points * count, (points + 1) * count, count, count] {
                return Err(broken());
            }
            let boards = stones.chunks_exact(2 * points).zip(legal.chunks_exact(points + 1));
            let judged = endings.iter().zip(scores);
            let turns = boards.zip(judged).zip(positions);
            turns
                .map(|(((stones, legal), (&ending, &score)), (state, _))| {
                    let ending = match usize::try_from(ending).map_err(|_| broken())? {
                        0 => None,
                        number => Some(*self.endings.get(number - 1).ok_or_else(broken)?),
                    };
                    let judged = Judged::new(legal[points] != 0, ending, score);
                    let changes = changes(&state.planes().cells()[..2 * points], stones);
                    Ok(Turn { changes, legal: read_bits(&legal[..points]), judged })
                })
                .collect()
        })
    }
}

/// What has changed from one board to another, each the stones of Black and those of White.
fn changes(before: &[u8], after: &[u8]) -> Vec<Change> {
    let points = before.len() / 2;
    let differs = |point: usize| before[point] != after[point];
    let of = |point: usize| match (differs(point), differs(points + point)) {
        (true, true) => Some(Change::flip(point)),
        (true, false) => Some(Change::new(Color::Black, point)),
        (false, true) => Some(Change::new(Color::White, point)),
        (false, false) => None,
    };
    (0..points).filter_map(of).collect()
}

/// Why rules refuse a board or an option.
///
/// # Errors
/// Any error that is no refusal, such as a `KeyboardInterrupt`: the caller must get it as it is.
pub(super) fn refusal(error: PyErr) -> PyResult<String> {
    Python::attach(|py| {
        if error.is_instance_of::<PyValueError>(py) || error.is_instance_of::<PyTypeError>(py) {
            Ok(error.value(py).to_string())
        } else {
            Err(error)
        }
    })
}

fn broken() -> PyErr {
    PyRuntimeError::new_err(
        "sixplane.games.arbiter has answered in another form than the core asks for",
    )
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = self.0.as_deref();
        write!(f, "Rules({:?})", class.map(|class| (&class.name, &class.options)))
    }
}

impl PartialEq for Rules {
    /// Whether both are of the same class with the same options.
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => {
                Arc::ptr_eq(one, other)
                    || one.games.is(&other.games) && one.options == other.options
            }
            (one, other) => one.is_none() == other.is_none(),
        }
    }
}

impl Eq for Rules {}

impl Hash for Rules {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let class = self.0.as_deref();
        class.map(|class| (class.games.as_ptr() as usize, &class.options)).hash(hasher);
    }
}
