"""Counts of a board: areas, who is ahead, liberties."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sixplane import _core
from sixplane._arguments import Array, real


def areas(state: Array) -> tuple[Any, Any]:  # the type of a number is that of the state, if that is a float
    """Returns the areas of black and of white: stones, and empty regions that touch one color only.

    Returns:
        Two numbers in the dtype of the state if that is a float, else int64 (so that they can be subtracted).

    Example:
        >>> from sixplane import gogame
        >>> gogame.areas(gogame.next_state(gogame.init_state(3), 4))
        (np.float64(9.0), np.float64(0.0))
    """
    black, white = _core.areas(state)
    number = _area_dtype(state).type
    return number(black), number(white)


def batch_areas(batch_state: Array) -> tuple[Array, Array]:
    """Returns the areas of black and of white on each board: two arrays `(B,)` in the dtype that `areas` has.

    Example:
        >>> from sixplane import gogame
        >>> states = gogame.batch_next_states(gogame.batch_init_state(2, 3), [4, 9])
        >>> gogame.batch_areas(states)
        (array([9., 0.]), array([0., 0.]))
    """
    black, white = _core.batch_areas(batch_state)
    dtype = _area_dtype(batch_state)
    return black.astype(dtype, copy=False), white.astype(dtype, copy=False)


def winning(state: Array, komi: float = 0) -> float:
    """Returns the player who is ahead by area, over or not: 1 black, -1 white, 0 neither; `komi` is white's.

    Example:
        >>> from sixplane import gogame
        >>> gogame.winning(gogame.next_state(gogame.init_state(3), 4), komi=7.5)
        1.0
    """
    black, white = _core.areas(state)
    return float(np.sign(black - white - checked_komi(komi)))


def batch_winning(state: Array, komi: float | NDArray[np.floating] = 0) -> NDArray[np.float64]:
    """Returns the players who are ahead by area, `(B,)`: 1 black, -1 white, 0 neither; `komi` is white's.

    The komi is one for all boards, or `(B,)`.

    Example:
        >>> from sixplane import gogame
        >>> states = gogame.batch_next_states(gogame.batch_init_state(2, 3), [4, 9])
        >>> gogame.batch_winning(states, komi=7.5)
        array([ 1., -1.])
    """
    black, white = _core.batch_areas(state)
    if np.ndim(komi) and np.shape(komi) != black.shape:
        boards = len(black)
        raise ValueError(
            f"komi must be one number, or {boards} for {boards} boards, not of shape {np.shape(komi)}"
        )
    given = [checked_komi(one) for one in np.asarray(komi).tolist()] if np.ndim(komi) else checked_komi(komi)
    return np.sign((black - white).astype(np.float64) - given)


def liberties(state: Array) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Returns the empty points next to black stones, and those next to white ones: two maps `(rows, cols)`.

    Example:
        >>> from sixplane import gogame
        >>> gogame.liberties(gogame.next_state(gogame.init_state(2), 0))[0]
        array([[False,  True],
               [ True, False]])
    """
    return _core.liberties(state)


def num_liberties(state: Array) -> tuple[int, int]:
    """Returns the numbers of empty points next to black stones, and next to white ones.

    Example:
        >>> from sixplane import gogame
        >>> gogame.num_liberties(gogame.next_state(gogame.init_state(3), 4))
        (4, 0)
    """
    black, white = _core.liberties(state)
    return int(np.count_nonzero(black)), int(np.count_nonzero(white))


def checked_komi(komi: object) -> float:
    """Returns the komi as a number, if it is finite."""
    if isinstance(komi, bool | np.bool_):
        raise TypeError(f"komi must be a number, not {type(komi).__name__}")
    number = real("komi", komi)
    if not math.isfinite(number):
        raise ValueError(f"komi must be a finite number, not {komi!r}")
    return number


def _area_dtype(state: Array) -> np.dtype[np.generic]:
    return state.dtype.newbyteorder("=") if state.dtype.kind == "f" else np.dtype(np.int64)
