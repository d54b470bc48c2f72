//! Players without search.

use ndarray::{Array3, Array4, ArrayView3, Axis};
use numpy::{PyArray1, PyArray2, PyArray3, PyArray4, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::any_game::game_in;
use super::convert::action_array;
use super::gomoku::PyGomoku;
use crate::color::Color;
use crate::game::Game;
use crate::games::gomoku::{Gomoku, GomokuRules};
use crate::geometry::BoardSize;
use crate::planes::{NUM_PLANES, Plane};
use crate::players::score_table::{best_actions, patterns, score};
use crate::players::table_evaluator::evaluate;

#[doc = stub!(score_table_actions)]
#[pyfunction]
pub(super) fn score_table_actions<'py>(
    game: &Bound<'py, PyGomoku>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    Ok(action_array(game.py(), best_actions(game_in::<Gomoku>(&game.try_borrow()?))))
}

type Sight<'py> = (Bound<'py, PyArray4<u8>>, Bound<'py, PyArray3<i64>>);

#[doc = stub!(score_table_points)]
#[pyfunction]
pub(super) fn score_table_points<'py>(game: &Bound<'py, PyGomoku>) -> PyResult<Sight<'py>> {
    let (py, game) = (game.py(), game.try_borrow()?);
    let game = game_in::<Gomoku>(&game);
    let (rows, cols) = (game.size().rows(), game.size().cols());
    let found = patterns(game);
    let lines = Array4::from_shape_fn((2, 4, rows, cols), |(color, line, row, col)| {
        found[color][row * cols + col][line] as u8
    });
    let scores = Array3::from_shape_fn((2, rows, cols), |(color, row, col)| {
        i64::from(score(found[color][row * cols + col]))
    });
    Ok((PyArray4::from_owned_array(py, lines), PyArray3::from_owned_array(py, scores)))
}

type Evaluations<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>);

#[doc = stub!(score_table_evaluate)]
#[pyfunction]
pub(super) fn score_table_evaluate<'py>(
    py: Python<'py>,
    planes: &Bound<'py, PyArray4<u8>>,
    exact_five: bool,
) -> PyResult<Evaluations<'py>> {
    let planes = planes.try_readonly()?;
    let planes = planes.as_array();
    let (count, layers, rows, cols) = planes.dim();
    if layers != NUM_PLANES {
        return Err(PyValueError::new_err(format!(
            "planes of shape ({count}, {layers}, {rows}, {cols}): it must be (L, 6, rows, cols)"
        )));
    }
    let size = BoardSize::new(rows, cols)?;
    let evaluate_one = |planes: ArrayView3<'_, u8>| {
        // Any number but 0 is a stone.
        let cells = |plane: Plane| -> Vec<u8> {
            let cells = planes.index_axis(Axis(0), plane as usize);
            cells.iter().map(|&cell| (cell != 0).into()).collect()
        };
        let (black, white) = (cells(Plane::Black), cells(Plane::White));
        let is_black = planes[[Plane::Turn as usize, 0, 0]] == 0;
        let turn = if is_black { Color::Black } else { Color::White };
        evaluate(size, GomokuRules { exact_five }, [&black, &white], turn)
    };
    let (logits, values): (Vec<_>, Vec<_>) =
        py.detach(|| planes.outer_iter().map(evaluate_one).unzip());
    let logits = PyArray1::from_vec(py, logits.concat()).reshape([count, size.num_actions()])?;
    Ok((logits, PyArray1::from_vec(py, values)))
}
