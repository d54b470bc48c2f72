//! `sixplane.Game`, the base class of the game classes: what they all have, and what it means.
//!
//! Each of them has members of its own, and no other class can be made from this one. So a member
//! asked of this class, as in `map(Game.copy, games)`, is that of the class of the object.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What every game in play has: the base class of `Go`, `Reversi` and `Gomoku`.
///
/// An action is `row * cols + col`, row 0 at the top; `rows * cols` is the pass. The class itself
/// makes no games: it is there for `isinstance` and for annotations.
#[pyclass(name = "Game", module = "sixplane", subclass, frozen)]
pub(super) struct PyGame;

#[pymethods]
impl PyGame {
    /// Plays an action for the player to play.
    ///
    /// Raises:
    ///     IllegalActionError: the rules forbid it; nothing has changed.
    ///     TypeError: it is no integer.
    fn play<'py>(
        slf: &Bound<'py, Self>,
        action: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method1("play", (action,))
    }

    /// Withdraws a resignation or a `set_turn`, else takes back the last action.
    ///
    /// Raises:
    ///     ValueError: the game is at its start.
    fn undo<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method0("undo")
    }

    /// Ends the game by the resignation of `color` (None: the player to play).
    ///
    /// Raises:
    ///     IllegalActionError: the game is over.
    #[pyo3(signature = (color=None))]
    fn resign<'py>(
        slf: &Bound<'py, Self>,
        color: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method1("resign", (color,))
    }

    /// Black, white, turn, invalid, pass, done: `(6, rows, cols)` of 0 and 1.
    #[getter]
    fn planes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("planes")
    }

    /// `(rows * cols + 1,)`: 1 where an action is legal; all 0 when the game is over.
    #[getter]
    fn action_mask<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("action_mask")
    }

    /// The legal actions in ascending order; empty when the game is over.
    #[getter]
    fn legal_actions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("legal_actions")
    }

    /// The last `k` boards, `(2k + 1, rows, cols)`, and the turn plane.
    ///
    /// Stones of the player to play now and of the opponent: now, one action ago, up to `k - 1`
    /// actions ago; zeros before the start.
    fn history_planes<'py>(
        slf: &Bound<'py, Self>,
        k: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method1("history_planes", (k,))
    }

    /// The player to play: 0 black, 1 white.
    #[getter]
    fn turn<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("turn")
    }

    /// Sets the player to play: one step of `undo`, but no action.
    ///
    /// Clears the pass, and what holds for the next play only, such as simple ko.
    ///
    /// Raises:
    ///     IllegalActionError: the game is over.
    fn set_turn<'py>(
        slf: &Bound<'py, Self>,
        color: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method1("set_turn", (color,))
    }

    /// Whether the game is over.
    #[getter]
    fn is_over<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("is_over")
    }

    /// Whether it was cut off, by `max_moves` or before the position it started from.
    ///
    /// Without `max_moves` it is cut off after 2^32 - 1 actions, or when 2^30 stones were put, taken
    /// or turned.
    #[getter]
    fn is_truncated<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("is_truncated")
    }

    /// Who won; None while the game goes on.
    #[getter]
    fn outcome<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("outcome")
    }

    /// How the game ended; None while it goes on.
    ///
    /// `"passes"`: two passes in a row (Go); `"line"`: a winning line (Gomoku); `"full"`: no empty
    /// point is left (Gomoku, Reversi); `"no_moves"`: neither player can play (Reversi);
    /// `"resignation"`, also of the player who lost by an illegal action in a batch; `"cutoff"`:
    /// where `is_truncated` is true.
    #[getter]
    fn reason<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("reason")
    }

    /// The score of the board from Black's view, whatever the outcome.
    ///
    /// Go: area of Black minus area of White minus komi. Reversi: black discs minus white discs.
    /// Gomoku: +1 if Black has the winning line, -1 if White has, else 0.
    fn score<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method0("score")
    }

    /// Number of actions played, passes included.
    #[getter]
    fn move_number<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("move_number")
    }

    /// The last action; None at the start.
    #[getter]
    fn last_action<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("last_action")
    }

    /// All actions played.
    #[getter]
    fn actions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("actions")
    }

    /// Number of rows.
    #[getter]
    fn rows<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("rows")
    }

    /// Number of columns.
    #[getter]
    fn cols<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("cols")
    }

    /// `rows * cols + 1`.
    #[getter]
    fn num_actions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("num_actions")
    }

    /// The number of actions after which the game is cut off.
    #[getter]
    fn max_moves<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("max_moves")
    }

    /// 64-bit Zobrist key of board and player to play, the same in every process.
    #[getter]
    fn hash<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("hash")
    }

    /// A copy with its whole history.
    fn copy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method0("copy")
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method0("__copy__")
    }

    fn __deepcopy__<'py>(
        slf: &Bound<'py, Self>,
        memo: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method1("__deepcopy__", (memo,))
    }

    /// A new game from this one's starting position with these actions played.
    ///
    /// Raises:
    ///     IllegalActionError: one of them is illegal there.
    fn replay<'py>(
        slf: &Bound<'py, Self>,
        actions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method1("replay", (actions,))
    }

    /// The name of an action in the coordinates of the game, such as `"D4"` or `"pass"`.
    fn action_to_name<'py>(
        slf: &Bound<'py, Self>,
        action: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method1("action_to_name", (action,))
    }

    /// The action with this name, in either case; `"pass"` is the pass.
    ///
    /// Raises:
    ///     ValueError: no action of this board has it.
    fn name_to_action<'py>(
        slf: &Bound<'py, Self>,
        text: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method1("name_to_action", (text,))
    }

    /// The game as SGF, `FF[4]`.
    ///
    /// Args:
    ///     black_name: name of the black player.
    ///     white_name: name of the white player.
    ///     result: the result instead of the game's own.
    ///     date: when it was played, such as `"2016-03-09"`.
    ///     event: where or in which tournament.
    ///     comments: texts by the number of actions played before them; 0 is the start.
    #[pyo3(
        signature = (**details),
        text_signature = "($self, *, black_name=None, white_name=None, result=None, date=None, \
                          event=None, comments=None)"
    )]
    fn to_sgf<'py>(
        slf: &Bound<'py, Self>,
        details: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("to_sgf")?.call((), details)
    }

    /// The board as an SVG picture; it needs no library.
    ///
    /// Args:
    ///     width: of the picture in pixels; its height follows.
    ///     coordinates: whether letters and numbers stand around the board.
    ///     footer: whether words below the board say who is to play or has won, or other words.
    ///     invalid: whether crosses mark the empty points of plane 3.
    ///     liberties: whether stones carry the liberties of their chain, or numbers `(rows, cols)`.
    ///     heat: policy, visits or a mask, `(rows, cols)` or `(rows * cols + 1,)`, as colors.
    ///     heat_text: whether the heat is written as well.
    ///     last: whether a dot marks the last action.
    ///     numbers: True for the number of every move, or of how many of the last.
    ///     ownership: True for Go's own, or `(rows, cols)` from -1 to +1.
    ///     line: points to draw a line through; None is the line that won in Gomoku.
    ///     animate: whether the whole game is shown, position after position.
    ///     seconds: how long an animation shows each position.
    ///     hold: how long it shows the last one.
    ///
    /// Raises:
    ///     ValueError: an array of another shape, or a value outside what is allowed.
    ///     TypeError: an option that does not exist.
    ///
    /// Example:
    ///     >>> import sixplane
    ///     >>> sixplane.Go(size=5).to_svg(width=200).startswith('<svg xmlns=')
    ///     True
    #[pyo3(
        signature = (**options),
        text_signature = "($self, *, width=480, coordinates=True, footer=False, invalid=False, \
                          liberties=False, heat=None, heat_text=False, last=True, numbers=False, \
                          ownership=None, line=None, animate=False, seconds=0.5, hold=3.0)"
    )]
    fn to_svg<'py>(
        slf: &Bound<'py, Self>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().getattr("to_svg")?.call((), options)
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.as_any().call_method0("_repr_svg_")
    }
}
