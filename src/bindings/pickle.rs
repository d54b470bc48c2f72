//! Games as plain Python values, for pickle: a format number, the rules, the starting position,
//! the steps and the resignation. Loading plays the steps again, so what comes back is legal.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};

use super::any_game::{AnyGame, PythonGame, guarded, with_any};
use super::kinds::Kind;
use crate::color::{ByColor, Color};
use crate::game::Game;
use crate::geometry::{Action, BoardSize};
use crate::log::Step;
use crate::setup::Setup;
use crate::status::{Ending, Status};

const FORMAT: u32 = 1;

/// Steps that set the turn, in the numbers of actions: no board has so many.
const SET_BLACK: u16 = 0xfffe;
const SET_WHITE: u16 = 0xffff;

type Dump<'py> = (
    u32,
    Bound<'py, PyDict>,
    (usize, usize),
    [Bound<'py, PyBytes>; 2],
    (usize, bool, bool),
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Option<usize>,
);

fn bytes(py: Python<'_>, numbers: impl Iterator<Item = u16>) -> Bound<'_, PyBytes> {
    PyBytes::new(py, &numbers.flat_map(u16::to_le_bytes).collect::<Vec<_>>())
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
}

pub(super) fn dump<'py>(py: Python<'py>, game: &AnyGame) -> PyResult<Bound<'py, PyAny>> {
    let (state, setup) = (game.state(), game.state().setup());
    let options = PyDict::new(py);
    with_any!(game, |game| game.write_options(&options))?;
    options.set_item("max_moves", state.max_moves())?;
    let stones = Color::ALL.map(|color| bytes(py, setup.stones[color].iter().copied()));
    let steps = state.steps().map(|step| match step {
        Step::Action(action) => action.get(),
        Step::SetTurn(Color::Black) => SET_BLACK,
        Step::SetTurn(Color::White) => SET_WHITE,
    });
    let resigned = match state.status() {
        Status::Done { ending: Ending::Resignation(color), .. } => Some(color.index()),
        _ => None,
    };
    let dump: Dump<'py> = (
        FORMAT,
        options,
        (setup.size().rows(), setup.size().cols()),
        stones,
        (setup.turn.index(), setup.passed, setup.done),
        bytes(py, setup.forbidden.iter().copied()),
        bytes(py, steps),
        resigned,
    );
    Ok(dump.into_pyobject(py)?.into_any())
}

/// What makes a game of this board before its state is loaded: its class, with the options of own rules,
/// which may have no such board without them.
pub(super) fn maker<'py>(
    class: &Bound<'py, PyType>,
    game: &AnyGame,
) -> PyResult<Bound<'py, PyAny>> {
    if !Kind::made_by(class)?.is_own {
        return Ok(class.clone().into_any());
    }
    let options = PyDict::new(class.py());
    with_any!(game, |game| game.write_options(&options))?;
    class.py().import("functools")?.getattr("partial")?.call((class,), Some(&options))
}

pub(super) fn load(class: &Bound<'_, PyType>, state: &Bound<'_, PyAny>) -> PyResult<AnyGame> {
    let kind = Kind::made_by(class)?;
    let broken = || PyValueError::new_err("this is no state of a sixplane game");
    let format: u32 = state.get_item(0).and_then(|n| n.extract()).map_err(|_| broken())?;
    if format != FORMAT {
        return Err(PyValueError::new_err(format!(
            "a game of pickle format {format}: this version of sixplane reads format {FORMAT}"
        )));
    }
    let dump: Dump<'_> = state.extract().map_err(|_| broken())?;
    let (_, options, (rows, cols), stones, (turn, passed, done), forbidden, steps, resigned) = dump;
    let options = if kind.is_own { (kind.options)(class, Some(&options))? } else { options };
    let color = |index: usize| Color::ALL.get(index).copied().ok_or_else(broken);
    let [black, white] =
        stones.map(|stones| numbers(stones.as_bytes()).map(usize::from).collect::<Vec<_>>());
    let size = BoardSize::new(rows, cols)?;
    let mut setup = Setup::from_stones(size, &ByColor { black, white }, color(turn)?)?;
    (setup.passed, setup.done) = (passed, done);
    setup.forbidden = numbers(forbidden.as_bytes()).collect();
    if setup.forbidden.iter().any(|&point| point as usize >= size.points()) {
        return Err(broken());
    }
    let forbidden = setup.forbidden.len();
    let mut game = (kind.from_setup)(setup, &options)?;
    if with_any!(&game, |game| forbidden > game.max_forbidden()) {
        return Err(broken());
    }
    let mut steps = numbers(steps.as_bytes()).map(|step| match step {
        SET_BLACK => Step::SetTurn(Color::Black),
        SET_WHITE => Step::SetTurn(Color::White),
        action => Step::Action(Action::from(action)),
    });
    let resigned = resigned.map(color).transpose()?;
    with_any!(&mut game, |game| guarded(game, |game| {
        let taken = steps.try_for_each(|step| game.take(step));
        let taken = taken.and_then(|()| resigned.map_or(Ok(()), |color| game.resign(color)));
        taken.map_err(|_| broken())
    }))?;
    Ok(game)
}
