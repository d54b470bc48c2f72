//! `sixplane.Reversi`.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use numpy::{PyArray1, PyArray3};
use pyo3::PyClassInitializer;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::base::PyGame;
use super::class::{GameClass, game_class};
use super::game::{self, Options};
use super::record::{self, Details, RecordOptions};
use super::{convert, pickle, picture};
use crate::game::Game;
use crate::games::reversi::{Reversi, ReversiRules};
use crate::geometry::Action;
use crate::status::Outcome;

impl Options for Reversi {
    const ALLOWED: &'static [&'static str] = &[];

    fn read_rules(_options: &Bound<'_, PyDict>) -> PyResult<ReversiRules> {
        Ok(ReversiRules)
    }

    fn options<'py>(py: Python<'py>, _rules: &ReversiRules) -> PyResult<Bound<'py, PyDict>> {
        Ok(PyDict::new(py))
    }
}

impl RecordOptions for Reversi {
    const GIVEN: &'static [&'static str] = &[];

    fn given(_options: &Bound<'_, PyDict>) -> PyResult<()> {
        Ok(())
    }
}

game_class!(
    /// A game of Reversi in play. Who has no play must pass, and may pass only then.
    ///
    /// Points are named by columns A.. and rows with row 1 at the top; Black starts with discs on the
    /// rising diagonal of the center, E4 and D5 on 8x8.
    ///
    /// Args:
    ///     size: rows and columns, even and from 4 to 24: one integer for a square, or (rows, cols).
    ///     max_moves: the game is cut off after this many actions, passes included.
    ///
    /// Raises:
    ///     ValueError: a value outside what is allowed.
    ///     TypeError: a value of another type.
    ///
    /// Example:
    ///     >>> import sixplane
    ///     >>> game = sixplane.Reversi(size=4)
    ///     >>> game.play(game.name_to_action("B1"))
    ///     >>> print(game)
    ///        A B C D
    ///      1 .(X). . 1
    ///      2 . X X . 2
    ///      3 . X O . 3
    ///      4 . . . . 4
    ///        A B C D
    PyReversi, Reversi, "Reversi", 8, {
    #[new]
    #[pyo3(
        signature = (size=None, *, max_moves=None),
        text_signature = "(size=8, *, max_moves=None)"
    )]
    fn new(
        size: Option<&Bound<'_, PyAny>>,
        max_moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let size = convert::size_or(8, size)?;
        Ok(Reversi::with_size(size, convert::max_moves(max_moves)?)?.into())
    }
});
