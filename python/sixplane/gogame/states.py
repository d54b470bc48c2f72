"""States as arrays: the empty board, the next states, and states with colors exchanged."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sixplane import _core
from sixplane._arguments import Array, Size, T, integer, sides
from sixplane._arguments import planes as planes_of
from sixplane.errors import IllegalActionError
from sixplane.govars import INVD_CHNL, NUM_CHNLS


class InvalidMoveError(IllegalActionError, AssertionError):
    """An action that a state does not allow; GymGo's programs catch it as `AssertionError`.

    Attributes:
        reason: the first that holds of `game_over`, `off_board`, `occupied`, `suicide`, `ko`.

    Example:
        >>> from sixplane import gogame
        >>> try:
        ...     gogame.next_state(gogame.next_state(gogame.init_state(3), 4), 4)
        ... except gogame.InvalidMoveError as error:
        ...     print(error.reason)
        occupied
    """


def init_state(size: Size) -> NDArray[np.float64]:
    """Returns the empty board, black to play.

    Args:
        size: rows and columns: one integer for a square, or (rows, cols).

    Returns:
        float64 `(6, rows, cols)` of zeros.

    Raises:
        ValueError: a side is not from 2 to 25.

    Example:
        >>> from sixplane import gogame
        >>> gogame.init_state(9).shape
        (6, 9, 9)
    """
    return np.zeros((NUM_CHNLS, *sides(size)))


def batch_init_state(batch_size: SupportsIndex, board_size: Size) -> NDArray[np.float64]:
    """Returns empty boards, black to play: float64 `(batch_size, 6, rows, cols)` of zeros.

    Example:
        >>> from sixplane import gogame
        >>> gogame.batch_init_state(2, (7, 9)).shape
        (2, 6, 7, 9)
    """
    return np.zeros((integer("batch_size", batch_size), NUM_CHNLS, *sides(board_size)))


def next_state(state: NDArray[T], action1d: SupportsIndex, canonical: bool = False) -> NDArray[T]:
    """Returns the state after an action.

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
        >>> from sixplane import gogame
        >>> gogame.next_state(gogame.init_state(3), 4)[0]
        array([[0., 0., 0.],
               [0., 1., 0.],
               [0., 0., 0.]])
    """
    return _core.next_state(state, action1d, bool(canonical))


def batch_next_states(
    batch_states: NDArray[T], batch_action1d: ArrayLike, canonical: bool = False
) -> NDArray[T]:
    """Returns the states after one action each, as `next_state` gives them board by board.

    Args:
        batch_states: `(B, 6, rows, cols)`.
        batch_action1d: `(B,)` of any integer dtype.
        canonical: whether to exchange colors where white is to play then.

    Returns:
        A new array of the same shape and dtype.

    Raises:
        InvalidMoveError: `next_state` would raise it; the message names the first such board.
        ValueError: there are not as many actions as boards.

    Example:
        >>> from sixplane import gogame
        >>> states = gogame.batch_init_state(3, 5)
        >>> states = gogame.batch_next_states(states, [12, 0, 25])  # the last one passes
        >>> states[:, 0].sum(axis=(1, 2)), gogame.batch_turn(states)
        (array([1., 1., 0.]), array([1, 1, 1]))
    """
    return _core.batch_next_states(batch_states, batch_action1d, bool(canonical))


def children(state: NDArray[T], canonical: bool = False, padded: bool = True) -> NDArray[T | np.float64]:
    """Returns the states after every legal action, which in a finished game are none.

    Args:
        state: `(6, rows, cols)`.
        canonical: whether to exchange colors where white is to play then.
        padded: whether illegal actions have a place, filled with zeros.

    Returns:
        Padded: float64 `(rows * cols + 1, 6, rows, cols)`. Else `(k, 6, rows, cols)` in the dtype of the
        state, in the order of the actions, the pass last.

    Example:
        >>> from sixplane import gogame
        >>> gogame.children(gogame.init_state(3)).shape
        (10, 6, 3, 3)
        >>> gogame.children(gogame.next_state(gogame.init_state(3), 4), padded=False).shape
        (9, 6, 3, 3)
    """
    return _core.children(state, bool(canonical), bool(padded))


def action_size(state: Array | None = None, board_size: Size | None = None) -> int:
    """Returns the number of actions, `rows * cols + 1`, of a state or else of a board size.

    Raises:
        RuntimeError: neither is given.

    Example:
        >>> from sixplane import gogame
        >>> gogame.action_size(board_size=9)
        82
    """
    if state is not None:
        points: int = planes_of(state)[INVD_CHNL].size
        return points + 1
    if board_size is not None:
        rows, cols = sides(board_size)
        return rows * cols + 1
    raise RuntimeError("action_size needs a state or a board size")


def canonical_form(state: NDArray[T]) -> NDArray[T]:
    """Returns a copy in which black is to play: if white was, planes 0 and 1 change places and the turn is 0.

    Example:
        >>> from sixplane import gogame
        >>> gogame.canonical_form(gogame.next_state(gogame.init_state(2), 0))[:3].sum(axis=(1, 2))
        array([0., 1., 0.])
    """
    return _core.canonical_form(state)


def batch_canonical_form(batch_state: NDArray[T]) -> NDArray[T]:
    """Returns a copy in which black is to play on each board; see `canonical_form`.

    Example:
        >>> from sixplane import gogame
        >>> states = gogame.batch_next_states(gogame.batch_init_state(2, 3), [4, 9])
        >>> forms = gogame.batch_canonical_form(states)
        >>> forms[:, :3].sum(axis=(2, 3)).tolist()  # the stone is the opponent's now
        [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    return _core.batch_canonical_form(batch_state)
