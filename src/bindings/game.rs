//! What every game class does, for any game.

use numpy::{PyArray1, PyArray3};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::convert::{self, WithPlanes, with_planes};
use super::error::{illegal, illegal_action, illegal_replay};
use crate::color::{ByColor, Color};
use crate::error::{PlayError, ReplayError};
use crate::game::Game;
use crate::geometry::{Action, BoardSize};
use crate::planes::Cell;
use crate::setup::{Setup, SetupError};
use crate::status::{Ending, Status};

/// The rules of a game as Python options, in both directions.
pub(super) trait Options: Game {
    /// The options that every set-up position takes, `max_moves` apart.
    const ALLOWED: &'static [&'static str];

    /// The default rules with these options: all of them are allowed ones.
    fn read_rules(options: &Bound<'_, PyDict>) -> PyResult<Self::Rules>;

    /// Takes from a pickle what is no option of a set-up position.
    fn restore(_rules: &mut Self::Rules, _options: &Bound<'_, PyDict>) -> PyResult<()> {
        Ok(())
    }

    /// The options that make these rules.
    fn options<'py>(py: Python<'py>, rules: &Self::Rules) -> PyResult<Bound<'py, PyDict>>;
}

/// Rules and move limit from `**rules`.
fn rules<G: Options>(options: Option<&Bound<'_, PyDict>>) -> PyResult<(G::Rules, Option<u32>)> {
    let Some(options) = options else { return Ok((G::Rules::default(), None)) };
    refuse_others(options, G::ALLOWED)?;
    Ok((G::read_rules(options)?, max_moves(options)?))
}

/// An error for an option that is neither among these nor `max_moves`.
pub(super) fn refuse_others(options: &Bound<'_, PyDict>, allowed: &[&str]) -> PyResult<()> {
    for key in options.keys() {
        let name = key.to_string();
        if name != "max_moves" && !allowed.contains(&name.as_str()) {
            let allowed = [allowed, &["max_moves"]].concat().join(", ");
            return Err(PyTypeError::new_err(format!(
                "unexpected option {name:?}: allowed are {allowed}"
            )));
        }
    }
    Ok(())
}

pub(super) fn max_moves(options: &Bound<'_, PyDict>) -> PyResult<Option<u32>> {
    let limit = options.get_item("max_moves")?.filter(|limit| !limit.is_none());
    convert::max_moves(limit.as_ref())
}

/// Rules and move limit from a pickle.
pub(super) fn all_rules<G: Options>(
    options: &Bound<'_, PyDict>,
) -> PyResult<(G::Rules, Option<u32>)> {
    let mut rules = G::read_rules(options)?;
    G::restore(&mut rules, options)?;
    Ok((rules, max_moves(options)?))
}

/// True or False.
pub(super) fn flag(value: &Bound<'_, PyAny>, what: &str) -> PyResult<bool> {
    value.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "{what} must be True or False, not {}",
            convert::type_name(value)
        ))
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

/// Points of stones from any iterable of integers, never reading more than the board has.
fn points(value: &Bound<'_, PyAny>, size: BoardSize) -> PyResult<Vec<usize>> {
    let points = value.try_iter()?.take(size.points() + 1);
    points
        .map(|point| {
            let last = size.points() as i64 - 1;
            Ok(convert::integer_in(&point?, "a stone's point", 0, last)? as usize)
        })
        .collect()
}

pub(super) fn from_text<G: Options>(
    text: &str,
    turn: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<G> {
    let (rules, max_moves) = rules::<G>(options)?;
    let setup = Setup::from_text(text, turn_or_black(turn)?)?;
    Ok(G::from_setup(rules, setup, max_moves)?)
}

pub(super) fn from_stones<G: Options>(
    black: &Bound<'_, PyAny>,
    white: &Bound<'_, PyAny>,
    turn: Option<&Bound<'_, PyAny>>,
    size: BoardSize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<G> {
    let (rules, max_moves) = rules::<G>(options)?;
    let stones = ByColor { black: points(black, size)?, white: points(white, size)? };
    let setup = Setup::from_stones(size, &stones, turn_or_black(turn)?)?;
    Ok(G::from_setup(rules, setup, max_moves)?)
}

fn turn_or_black(turn: Option<&Bound<'_, PyAny>>) -> PyResult<Color> {
    turn.map_or(Ok(Color::Black), convert::color)
}

struct FromPlanes<G: Game>(G::Rules, Option<u32>);

impl<G: Game> WithPlanes for FromPlanes<G> {
    type Output = Result<G, SetupError>;

    fn with<T: Cell>(self, planes: &ndarray::ArrayView3<'_, T>) -> Self::Output {
        G::from_planes(self.0, planes, self.1)
    }
}

pub(super) fn from_planes<G: Options>(
    planes: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<G> {
    let (rules, max_moves) = rules::<G>(options)?;
    Ok(with_planes(planes, FromPlanes::<G>(rules, max_moves))??)
}

#[inline]
pub(super) fn play<G: Game>(game: &mut G, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let action = match convert::action(game, value) {
        Err(error) if game.is_over() && error.is_instance_of::<PyValueError>(value.py()) => {
            return Err(illegal(value.py(), PlayError::GameOver, "the game is over"));
        }
        action => action?,
    };
    game.play(action).map_err(|error| illegal_action(value.py(), game, action, error))
}

pub(super) fn resign<G: Game>(
    py: Python<'_>,
    game: &mut G,
    color: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let color = color.map_or_else(|| Ok(game.turn()), convert::color)?;
    game.resign(color).map_err(|error| illegal(py, error, "nobody can resign: the game is over"))
}

pub(super) fn set_turn<G: Game>(game: &mut G, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let color = convert::color(value)?;
    let over = "the turn cannot be set: the game is over";
    game.set_turn(color).map_err(|error| illegal(value.py(), error, over))
}

pub(super) fn is_truncated<G: Game>(game: &G) -> bool {
    matches!(game.status(), Status::Done { ending: Ending::Truncation, .. })
}

pub(super) fn action_mask<'py, G: Game>(py: Python<'py>, game: &G) -> Bound<'py, PyArray1<i8>> {
    let mut mask = [0; BoardSize::MAX_POINTS + 1];
    let mask = &mut mask[..game.size().num_actions()];
    game.write_action_mask(mask);
    PyArray1::from_slice(py, mask)
}

pub(super) fn actions(
    py: Python<'_>,
    actions: impl IntoIterator<Item = Action>,
) -> Bound<'_, PyArray1<i64>> {
    PyArray1::from_vec(py, actions.into_iter().map(|action| action.index() as i64).collect())
}

/// Most actions `history_planes` looks back on: enough for any game, and little enough memory.
pub(super) const MAX_HISTORY: i64 = 10_000;

pub(super) fn history_planes<'py, G: Game>(
    game: &G,
    k: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let length = convert::integer_in(k, "k", 1, MAX_HISTORY)?;
    Ok(PyArray3::from_array(k.py(), &game.history_planes(length as usize)))
}

pub(super) fn replay<G: Game>(game: &G, actions: &Bound<'_, PyAny>) -> PyResult<G> {
    let mut replayed = game.start();
    convert::each_item(actions, |index, action| {
        let action = convert::action(&replayed, &action)?;
        replayed
            .play(action)
            .map_err(|error| illegal_replay(actions.py(), &ReplayError { index, action, error }))
    })?;
    Ok(replayed)
}

pub(super) fn name_to_action<G: Game>(game: &G, name: &str) -> PyResult<usize> {
    let size = game.size();
    G::NOTATION.action(size, name).map(Action::index).ok_or_else(|| {
        let last = G::NOTATION.name(size, Action::new(size.points() - 1));
        let first = G::NOTATION.name(size, Action::new(0));
        PyValueError::new_err(format!(
            "{name:?} names no action on {size}: the points are {first} (top left) to {last} \
             (bottom right), or \"pass\""
        ))
    })
}

/// Size, move number and who is to play or won.
pub(super) fn standing<G: Game>(game: &G) -> String {
    let state = game.state();
    let standing = match game.outcome() {
        Some(outcome) => format!("over: {}", outcome.name()),
        None => format!("{} to play", game.turn().name()),
    };
    format!("{}, move {}, {standing}", state.size(), state.moves())
}
