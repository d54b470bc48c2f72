//! Errors of the core as Python exceptions. Those that are sixplane's own are Python classes.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::BatchError;
use crate::error::{PlayError, ReplayError, UndoError};
use crate::game::Game;
use crate::games::go::RulesError;
use crate::geometry::{Action, SizeError};
use crate::setup::SetupError;

/// `sixplane.IllegalActionError`.
pub(super) fn illegal(py: Python<'_>, error: PlayError, message: &str) -> PyErr {
    let make = || {
        py.import("sixplane.errors")?
            .getattr("IllegalActionError")?
            .call1((error.reason(), message))
    };
    make().map_or_else(|error| error, PyErr::from_value)
}

/// The same for an action of a game, naming its point.
pub(super) fn illegal_action<G: Game>(
    py: Python<'_>,
    game: &G,
    action: Action,
    error: PlayError,
) -> PyErr {
    let name = G::NOTATION.name(game.size(), action);
    let who = game.turn().name();
    illegal(py, error, &format!("{who} may not play {} ({name}): {error}", action.index()))
}

/// The same for an integer that is no action of this board.
pub(super) fn off_board<G: Game>(py: Python<'_>, game: &G, action: &str) -> PyErr {
    let (size, last) = (game.size(), game.size().points());
    illegal(
        py,
        PlayError::OffBoard,
        &format!(
            "action {action} is off the board: on {size} an action is 0 to {last}, the last one the pass"
        ),
    )
}

/// The same for an action of a sequence.
pub(super) fn illegal_replay(py: Python<'_>, error: &ReplayError) -> PyErr {
    illegal(py, error.error, &error.to_string())
}

/// The same for entries of a batch.
pub(super) fn illegal_batch(py: Python<'_>, error: &BatchError) -> PyErr {
    match error {
        BatchError::Illegal(refusals) if !refusals.is_empty() => {
            illegal(py, refusals[0].error, &error.to_string())
        }
        _ => PyValueError::new_err(error.to_string()),
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

value_errors!(SizeError, RulesError, SetupError, UndoError);
