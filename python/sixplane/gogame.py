"""GymGo's functional interface: Go as pure functions on six planes.

A state is a NumPy array `(6, rows, cols)` of zeros and ones (the table is in `sixplane`), a batch is
`(B, 6, rows, cols)`; rows and columns are from 2 to 25. An action is `row * cols + col`, and
`rows * cols` is a pass. Functions keep no history, so the only ko here is the simple one, which the
invalid plane holds; `sixplane.Go` knows superko. No input is ever changed.

Any boolean, integer or float dtype is read. A cell that is not 0 counts as 1; turn, pass and done are read
at the first cell of their planes. Every function raises `TypeError` for what is no such array and
`ValueError` for another shape; those that look at stones also raise `ValueError` if a point holds two.

Unlike GymGo: a batch with passes equals its boards one by one, actions out of range raise, and a finished
game has no next state, no children and no random action. (`invalid_moves` of a finished game is all 0 here
too.)

    >>> from sixplane import gogame
    >>> state = gogame.init_state(3)
    >>> for action in (4, 0, 1, 9):
    ...     state = gogame.next_state(state, action)
    >>> gogame.areas(state)
    (np.float64(2.0), np.float64(1.0))

The `batch_` functions do the same for many boards. On the first, black plays; on the second, it passes:

    >>> states = gogame.batch_next_states(gogame.batch_init_state(2, 3), [4, 9])
    >>> gogame.batch_turn(states), gogame.batch_prev_player_passed(states)
    (array([1, 1]), array([False,  True]))
    >>> gogame.batch_winning(states, komi=0.5)
    array([ 1., -1.])
"""

from __future__ import annotations

import builtins
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sixplane import _core
from sixplane._arguments import Array, Size, check_array, integer, sides
from sixplane._arguments import batch as batch_of
from sixplane._arguments import planes as planes_of
from sixplane.errors import IllegalActionError
from sixplane.govars import BLACK, DONE_CHNL, INVD_CHNL, NUM_CHNLS, PASS_CHNL, TURN_CHNL, WHITE
from sixplane.planes import seen_through

__all__ = [
    "InvalidMoveError",
    "action_size",
    "all_symmetries",
    "areas",
    "batch_areas",
    "batch_canonical_form",
    "batch_game_ended",
    "batch_init_state",
    "batch_invalid_moves",
    "batch_next_states",
    "batch_prev_player_passed",
    "batch_turn",
    "batch_valid_moves",
    "batch_winning",
    "canonical_form",
    "children",
    "game_ended",
    "init_state",
    "invalid_moves",
    "liberties",
    "next_state",
    "num_liberties",
    "prev_player_passed",
    "random_action",
    "random_symmetry",
    "random_weighted_action",
    "str",
    "turn",
    "valid_moves",
    "winning",
]

Floats: TypeAlias = NDArray[np.float64]

#: The crossings of GymGo's board; `sixplane.render.text` says which is where.
LINES = (("╔", "╤", "╗"), ("╟", "┼", "╢"), ("╚", "╧", "╝"))


class InvalidMoveError(IllegalActionError, AssertionError):
    """An action that a state does not allow; GymGo's programs catch it as `AssertionError`.

    Attributes:
        reason: the first that holds of `game_over`, `off_board`, `occupied`, `suicide`, `ko`.
    """


def init_state(size: Size) -> Floats:
    """The empty board, black to play.

    Args:
        size: rows and columns: one integer for a square, or (rows, cols).

    Returns:
        float64 `(6, rows, cols)` of zeros.

    Raises:
        ValueError: a side is not from 2 to 25.

    Example:
        >>> init_state(9).shape
        (6, 9, 9)
    """
    return np.zeros((NUM_CHNLS, *sides(size)))


def batch_init_state(batch_size: SupportsIndex, board_size: Size) -> Floats:
    """Empty boards, black to play: float64 `(batch_size, 6, rows, cols)` of zeros."""
    return np.zeros((integer("batch_size", batch_size), NUM_CHNLS, *sides(board_size)))


def next_state(state: Array, action1d: SupportsIndex, canonical: bool = False) -> Array:
    """The state after an action.

    Args:
        state: `(6, rows, cols)`.
        action1d: `row * cols + col`, or `rows * cols` to pass.
        canonical: whether to exchange colors if white is to play then, as `canonical_form` does.

    Returns:
        A new array of the same shape and dtype.

    Raises:
        InvalidMoveError: the game is over, the board has no such action, or the point is occupied or marked
            in the invalid plane.
        TypeError: the action is no integer.

    Example:
        >>> next_state(init_state(3), 4)[0]
        array([[0., 0., 0.],
               [0., 1., 0.],
               [0., 0., 0.]])
    """
    return _core.next_state(state, action1d, canonical)


def batch_next_states(batch_states: Array, batch_action1d: ArrayLike, canonical: bool = False) -> Array:
    """The states after one action each: what `next_state` gives, board by board.

    Args:
        batch_states: `(B, 6, rows, cols)`.
        batch_action1d: `(B,)` of any integer dtype.
        canonical: as for `next_state`.

    Returns:
        A new array of the same shape and dtype.

    Raises:
        InvalidMoveError: as `next_state` does, for the first such board; the message names its index.
        ValueError: there are not as many actions as boards.
    """
    return _core.batch_next_states(batch_states, batch_action1d, canonical)


def valid_moves(state: Array) -> Floats:
    """1 for each action that may be taken, else 0, `(rows * cols + 1,)`; 1 minus `invalid_moves`.

    Example:
        >>> valid_moves(next_state(init_state(2), 0))
        array([0., 1., 1., 1., 1.])
    """
    return 1 - invalid_moves(state)


def batch_valid_moves(batch_state: Array) -> Floats:
    """1 for each action that may be taken, else 0, `(B, rows * cols + 1)`; 1 minus `batch_invalid_moves`."""
    return 1 - batch_invalid_moves(batch_state)


def invalid_moves(state: Array) -> Floats:
    """The invalid plane as a row, with 0 for the pass, `(rows * cols + 1,)`; all 0 when the game is over.

    Example:
        >>> invalid_moves(next_state(init_state(2), 0))
        array([1., 0., 0., 0., 0.])
    """
    planes = planes_of(state)
    moves = np.zeros(planes[INVD_CHNL].size + 1)
    if not planes[DONE_CHNL, 0, 0]:
        moves[:-1] = planes[INVD_CHNL].ravel() != 0
    return moves


def batch_invalid_moves(batch_state: Array) -> Floats:
    """The invalid planes as rows, with 0 for the pass, `(B, rows * cols + 1)`.

    Finished games are no exception here, as in GymGo.
    """
    invalid = batch_of(batch_state)[:, INVD_CHNL]
    boards, rows, cols = invalid.shape
    moves = np.zeros((boards, rows * cols + 1))
    moves[:, :-1] = invalid.reshape(boards, rows * cols) != 0
    return moves


def children(state: Array, canonical: bool = False, padded: bool = True) -> Array:
    """The states after every legal action, which in a finished game are none.

    Args:
        state: `(6, rows, cols)`.
        canonical: as for `next_state`.
        padded: whether illegal actions have a place, filled with zeros.

    Returns:
        Padded: float64 `(rows * cols + 1, 6, rows, cols)`. Else `(k, 6, rows, cols)` in the dtype of the
        state, in the order of the actions, the pass last.

    Example:
        >>> children(init_state(3)).shape
        (10, 6, 3, 3)
        >>> children(next_state(init_state(3), 4), padded=False).shape
        (9, 6, 3, 3)
    """
    return _core.children(state, canonical, padded)


def action_size(state: Array | None = None, board_size: Size | None = None) -> int:
    """The number of actions, `rows * cols + 1`, of a state or else of a board size.

    Raises:
        RuntimeError: neither is given.

    Example:
        >>> action_size(board_size=9)
        82
    """
    if state is not None:
        points: int = planes_of(state)[INVD_CHNL].size
        return points + 1
    if board_size is not None:
        rows, cols = sides(board_size)
        return rows * cols + 1
    raise RuntimeError("action_size needs a state or a board size")


def turn(state: Array) -> int:
    """Who is to play: 0 black, 1 white.

    Example:
        >>> turn(next_state(init_state(3), 4))
        1
    """
    return int(planes_of(state)[TURN_CHNL, 0, 0] != 0)


def batch_turn(batch_state: Array) -> NDArray[np.int64]:
    """Who is to play on each board, `(B,)`: 0 black, 1 white."""
    return _first_cells(batch_state, TURN_CHNL).astype(np.int64)


def prev_player_passed(state: Array) -> np.bool_:
    """Whether the previous action was a pass."""
    return np.bool_(planes_of(state)[PASS_CHNL, 0, 0])


def batch_prev_player_passed(batch_state: Array) -> NDArray[np.bool_]:
    """Whether the previous action was a pass, on each board, `(B,)`."""
    return _first_cells(batch_state, PASS_CHNL)


def game_ended(state: Array) -> int:
    """Whether the game is over: 1 or 0.

    Example:
        >>> game_ended(next_state(next_state(init_state(3), 9), 9))
        1
    """
    return int(planes_of(state)[DONE_CHNL, 0, 0] != 0)


def batch_game_ended(batch_state: Array) -> Floats:
    """Whether each game is over, `(B,)`: 1 or 0."""
    return _first_cells(batch_state, DONE_CHNL).astype(np.float64)


def areas(state: Array) -> tuple[Any, Any]:
    """The areas of black and of white: stones, and empty regions that touch one color only.

    Returns:
        Two numbers in the dtype of the state if that is a float, else int64 (so that they can be subtracted).

    Example:
        >>> areas(next_state(init_state(3), 4))
        (np.float64(9.0), np.float64(0.0))
    """
    black, white = _core.areas(state)
    number = _area_dtype(state).type
    return number(black), number(white)


def batch_areas(batch_state: Array) -> tuple[Array, Array]:
    """The areas of black and of white on each board: two arrays `(B,)` in the dtype that `areas` has."""
    black, white = _core.batch_areas(batch_state)
    dtype = _area_dtype(batch_state)
    return black.astype(dtype, copy=False), white.astype(dtype, copy=False)


def winning(state: Array, komi: float = 0) -> float:
    """Who is ahead by area, over or not: 1 black, -1 white, 0 neither; `komi` counts for white.

    Example:
        >>> winning(next_state(init_state(3), 4), komi=7.5)
        1.0
    """
    black, white = _core.areas(state)
    return float(np.sign(black - white - komi))


def batch_winning(state: Array, komi: float = 0) -> Floats:
    """Who is ahead by area on each board, `(B,)`: 1 black, -1 white, 0 neither; `komi` counts for white."""
    black, white = _core.batch_areas(state)
    return np.sign((black - white).astype(np.float64) - komi)


def liberties(state: Array) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The empty points next to black stones, and those next to white ones: two maps `(rows, cols)`.

    Example:
        >>> liberties(next_state(init_state(2), 0))[0]
        array([[False,  True],
               [ True, False]])
    """
    return _core.liberties(state)


def num_liberties(state: Array) -> tuple[int, int]:
    """How many empty points are next to black stones, and how many next to white ones."""
    black, white = _core.liberties(state)
    return int(np.count_nonzero(black)), int(np.count_nonzero(white))


def canonical_form(state: Array) -> Array:
    """A copy in which black is to play: if white was, planes 0 and 1 change places and the turn is 0.

    Example:
        >>> canonical_form(next_state(init_state(2), 0))[:3].sum(axis=(1, 2))
        array([0., 1., 0.])
    """
    return _core.canonical_form(state)


def batch_canonical_form(batch_state: Array) -> Array:
    """A copy in which black is to play on each board; see `canonical_form`."""
    return _core.batch_canonical_form(batch_state)


def all_symmetries(image: Array) -> list[Array]:
    """An image seen through each symmetry of the board.

    Args:
        image: `(n, rows, cols)`, a state or any planes.

    Returns:
        Eight views, or four if rows and columns differ. The bits of the index: 1 flips left-right, 2 flips
        up-down, 4 then turns a quarter counter-clockwise. The first is `image` itself.

    Example:
        >>> [int(view[0, 1, 0]) for view in all_symmetries(next_state(init_state(2), 0))]
        [0, 0, 1, 0, 1, 0, 0, 0]
    """
    check_array("an image", image)
    match image.shape:
        case (_, rows, cols):
            return [seen_through(image, index) for index in range(8 if rows == cols else 4)]
    raise ValueError(f"the shape must be (n, rows, cols), not {image.shape}")


def random_symmetry(image: Array) -> Array:
    """One of `all_symmetries`, chosen by NumPy's global generator."""
    views = all_symmetries(image)
    return views[np.random.randint(len(views))]  # noqa: NPY002 - GymGo's generator


def random_action(state: Array) -> int:
    """A uniformly random valid action, the pass among them, by NumPy's global generator.

    Raises:
        InvalidMoveError: the game is over.

    Example:
        >>> 0 <= random_action(init_state(3)) <= 9
        True
    """
    if game_ended(state):
        raise InvalidMoveError("game_over", "the game is over")
    return random_weighted_action(valid_moves(state))


def random_weighted_action(weights: ArrayLike) -> int:
    """A random index, in proportion to its weight, by NumPy's global generator.

    Raises:
        ValueError: the weights are not a row of numbers from 0 up with a positive sum.

    Example:
        >>> random_weighted_action([0, 0, 2, 0])
        2
    """
    given = np.asarray(weights, dtype=np.float64)
    total = given.sum()
    if given.ndim != 1 or not (given >= 0).all() or not 0 < total < np.inf:
        raise ValueError("weights must be a row of finite numbers, none negative, not all 0")
    return int(np.random.choice(len(given), p=given / total))  # noqa: NPY002 - GymGo's generator


def str(state: Array) -> builtins.str:  # noqa: A001 - GymGo's name
    r"""The board, who is to play, and the areas, as text.

    Example:
        >>> print(str(next_state(init_state(3), 4)).expandtabs(4).replace("2 \n", "2\n"))
            0 1 2
        0   ╔═╤═╗
        1   ╟─○─╢
        2   ╚═╧═╝
            Turn: WHITE, Game State (ONGOING|PASSED|END): ONGOING
            Black Area: 9, White Area: 0
        <BLANKLINE>
    """
    from sixplane.render.text import crossing

    black, white = _core.areas(state)
    _, rows, cols = state.shape
    lines = ["\t" + "".join(f"{col}".ljust(2) for col in range(cols))]
    for row in range(rows):
        cells = [crossing(row, col, rows, cols, LINES) for col in range(cols)]
        for color, disc in ((WHITE, "●"), (BLACK, "○")):
            for col in np.flatnonzero(state[color, row]):
                cells[col] = disc
        lines.append(f"{row}\t" + ("═" if row in {0, rows - 1} else "─").join(cells))
    progress = "END" if game_ended(state) else "PASSED" if prev_player_passed(state) else "ONGOING"
    player = "WHITE" if turn(state) else "BLACK"
    lines.append(f"\tTurn: {player}, Game State (ONGOING|PASSED|END): {progress}")
    lines.append(f"\tBlack Area: {black}, White Area: {white}")
    return "\n".join(lines) + "\n"


def _first_cells(batch_state: Array, plane: int) -> NDArray[np.bool_]:
    cells: NDArray[np.bool_] = batch_of(batch_state)[:, plane, 0, 0] != 0
    return cells


def _area_dtype(state: Array) -> np.dtype[Any]:
    return state.dtype.newbyteorder("=") if state.dtype.kind == "f" else np.dtype(np.int64)
