//! Errors of the core as Python exceptions. Those that are sixplane's own are Python classes.

use numpy::PyArray1;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use super::callbacks::exception;
use crate::batch::BatchError;
use crate::error::{PlayError, UndoError};
use crate::functional::PlanesError;
use crate::game::Game;
use crate::games::go::RulesError;
use crate::geometry::{Action, BoardSize, SizeError};
use crate::record::SgfError;
use crate::setup::SetupError;
use crate::threads::ThreadsError;

/// `sixplane.IllegalActionError`.
pub(super) fn illegal(py: Python<'_>, error: PlayError, message: &str) -> PyErr {
    exception(py, "IllegalActionError", (error.reason(), message))
}

/// The same for an action of a game, naming its point.
pub(super) fn illegal_action<G: Game>(
    py: Python<'_>,
    game: &G,
    action: Action,
    error: PlayError,
) -> PyErr {
    let (name, who) = (G::NOTATION.name(game.size(), action), game.turn().name());
    illegal(py, error, &format!("{who} may not play {} ({name}): {error}", action.index()))
}

/// The same for an integer that is no action of this board.
pub(super) fn off_board(py: Python<'_>, size: BoardSize, action: &str) -> PyErr {
    let last = size.points();
    let message = format!(
        "action {action} is off the board: on {size} an action is 0 to {last}, the last one the pass"
    );
    illegal(py, PlayError::OffBoard, &message)
}

/// An error with a note of where it arose, which Python shows below it.
pub(super) fn noted(py: Python<'_>, error: PyErr, note: &str) -> PyErr {
    match error.value(py).call_method1("add_note", (note,)) {
        Ok(_) => error,
        Err(other) => other,
    }
}

impl From<BatchError> for PyErr {
    fn from(error: BatchError) -> Self {
        let message = error.to_string();
        Python::attach(|py| match error {
            BatchError::Illegal(refusals) => {
                let indices = refusals.iter().map(|refusal| refusal.index as i64).collect();
                let reasons: Vec<_> = refusals.iter().map(|one| one.error.reason()).collect();
                let arguments = (reasons[0], message, PyArray1::from_vec(py, indices), reasons);
                exception(py, "IllegalActionError", arguments)
            }
            BatchError::GameOver(_) => illegal(py, PlayError::GameOver, &message),
            BatchError::NoSuchGame(_) => PyIndexError::new_err(message),
            _ => PyValueError::new_err(message),
        })
    }
}

impl From<SgfError> for PyErr {
    fn from(error: SgfError) -> Self {
        let message = error.to_string();
        Python::attach(|py| exception(py, "SGFError", (message, error.offset)))
    }
}

macro_rules! value_errors {
    ($($error:ty),*) => {$(
        impl From<$error> for PyErr {
            fn from(error: $error) -> Self {
                PyValueError::new_err(error.to_string())
            }
        }
    )*};
}

value_errors!(PlanesError, SizeError, RulesError, SetupError, UndoError, ThreadsError);
