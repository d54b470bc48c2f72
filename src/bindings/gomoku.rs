//! `sixplane.Gomoku`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::any_game::{PyGame, PythonGame, Records, game_in, object};
use super::convert::{self, flag, option};
use super::record::{RecordOptions, records};
use crate::game::Game;
use crate::games::gomoku::{Gomoku, GomokuRules};
use crate::geometry::Action;
use crate::record::GivenGomokuRules;

impl PythonGame for Gomoku {
    type Class = PyGomoku;

    const DEFAULT_SIDE: usize = 15;

    const RULES: &'static [&'static str] = &["exact_five"];

    const RECORDS: Option<Records<Self>> = Some(records());

    fn read_rules(options: &Bound<'_, PyDict>) -> PyResult<GomokuRules> {
        Ok(GomokuRules { exact_five: Self::given(options)?.exact_five.unwrap_or(false) })
    }

    fn write_options(&self, options: &Bound<'_, PyDict>) -> PyResult<()> {
        options.set_item("exact_five", self.rules().exact_five)
    }
}

impl RecordOptions for Gomoku {
    fn given(options: &Bound<'_, PyDict>) -> PyResult<GivenGomokuRules> {
        Ok(GivenGomokuRules { exact_five: option(options, "exact_five", flag)? })
    }
}

/// A game of Gomoku in play: five in a row win, and nobody passes.
///
/// Points are named by columns A.. with I, and rows with row 1 at the bottom.
///
/// Args:
///     size: rows and columns from 5 to 25: one integer for a square, or (rows, cols).
///     exact_five: whether only runs of exactly five win, and not those of six and more.
///     max_moves: the game is cut off after this many actions.
///
/// Raises:
///     ValueError: a value outside what is allowed.
///     TypeError: a value of another type.
///
/// Example:
///     >>> import sixplane
///     >>> game = sixplane.Gomoku(size=5)
///     >>> for action in (0, 1, 6, 2, 12, 3, 18, 4, 24):
///     ...     game.play(action)
///     >>> game.outcome, game.winning_line()
///     ('black', [0, 6, 12, 18, 24])
///     >>> # With `exact_five`, six in a row are no five.
///     >>> game = sixplane.Gomoku.from_text("XXX.XX\n" + "......\n" * 5, exact_five=True)
///     >>> game.play(3)
///     >>> game.exact_five, game.is_over
///     (True, False)
#[pyclass(name = "Gomoku", module = "sixplane", extends = PyGame)]
#[derive(Default)]
pub(super) struct PyGomoku;

#[pymethods]
impl PyGomoku {
    #[new]
    #[pyo3(
        signature = (size=None, *, exact_five=None, max_moves=None),
        text_signature = "(size=15, *, exact_five=False, max_moves=None)"
    )]
    fn new(
        size: Option<&Bound<'_, PyAny>>,
        exact_five: Option<&Bound<'_, PyAny>>,
        max_moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let size = convert::size_or(Gomoku::DEFAULT_SIDE, size)?;
        let exact_five = exact_five.map_or(Ok(false), |value| flag(value, "exact_five"))?;
        let max_moves = convert::max_moves(max_moves)?;
        let rules = GomokuRules { exact_five };
        Ok(object(Gomoku::with_rules(size, rules, max_moves)?))
    }

    /// Whether only runs of exactly five win.
    #[getter]
    fn exact_five(slf: PyRef<'_, Self>) -> bool {
        game_in::<Gomoku>(&slf).rules().exact_five
    }

    /// The points of the run that won, ascending: five, or more if they win; None without one.
    ///
    /// Of several, one along a row goes first, then a column, a falling and a rising diagonal.
    fn winning_line(slf: PyRef<'_, Self>) -> Option<Vec<usize>> {
        Some(game_in::<Gomoku>(&slf).winning_line()?.into_iter().map(Action::index).collect())
    }
}
