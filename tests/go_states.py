"""States of GymGo's functions, to start from."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sixplane import gogame

__all__ = ["board", "finished"]

Array: TypeAlias = NDArray[Any]


def finished(size: int = 3) -> Array:
    state = gogame.next_state(gogame.init_state(size), 0)
    for _ in range(2):
        state = gogame.next_state(state, size * size)
    return state


def board(*rows: str, turn: int = 0) -> Array:
    """A state from rows of `X` (black), `O` (white), `.` and `*` (marked in the invalid plane)."""
    cells = np.array([list(row) for row in rows])
    state = np.zeros((6, *cells.shape))
    state[0], state[1], state[2] = cells == "X", cells == "O", turn
    state[3] = cells != "."
    return state
