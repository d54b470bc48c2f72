"""Eyes on the boards of many games at once, as `Go.is_eye` finds them on one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from sixplane.planes import Plane

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["own_eyes"]

ALONG: tuple[tuple[int, int], ...] = ((0, 1), (1, 0), (1, 2), (2, 1))
DIAGONALLY: tuple[tuple[int, int], ...] = ((0, 0), (0, 2), (2, 0), (2, 2))


def own_eyes(
    planes: NDArray[np.uint8], rule: Literal["diagonal", "playout"] = "diagonal"
) -> NDArray[np.bool_]:
    """Where the player to play has an eye.

    Args:
        planes: `(k, 6, rows, cols)`, in absolute colors.
        rule: as of `Go.is_eye`; `"chain"` needs more than the neighbors of a point.

    Returns:
        `(k, rows, cols)`.
    """
    count, _, rows, cols = planes.shape
    boards = planes.reshape(count, 6, rows * cols)
    games, turns = np.arange(count), boards[:, Plane.TURN, 0]
    own = boards[games, turns].reshape(-1, rows, cols)
    along, diagonally = _neighbors(rows, cols)
    is_inside = diagonally == len(DIAGONALLY)
    eyes = _counted(own, ALONG) == along
    if rule == "playout":
        enemy = boards[games, 1 - turns].reshape(-1, rows, cols)
        eyes &= _counted(enemy, DIAGONALLY) <= is_inside
    else:
        eyes &= _counted(own, DIAGONALLY) >= diagonally - is_inside
    # Without the margin.
    found = eyes[:, 1:-1, 1:-1].reshape(count, rows * cols)
    found &= (boards[:, Plane.BLACK] | boards[:, Plane.WHITE]) == 0
    return np.asarray(found.reshape(-1, rows, cols))


def _counted(cells: NDArray[np.uint8], steps: tuple[tuple[int, int], ...]) -> NDArray[np.uint8]:
    """How many of the neighbors at these steps are 1, `(k, rows + 2, cols + 2)`: there is a margin around."""
    rows, cols = cells.shape[-2:]
    padded = np.zeros((len(cells), rows + 2, cols + 2), np.uint8)
    padded[:, 1:-1, 1:-1] = cells
    # A step is the same distance everywhere in memory, and long rows are added faster than boards.
    line, width = padded.reshape(-1), cols + 2
    total = np.zeros_like(line)
    inner = slice(width + 1, len(line) - width - 1)
    for down, right in steps:
        distance = (down - 1) * width + right - 1
        total[inner] += line[inner.start + distance : inner.stop + distance]
    return total.reshape(padded.shape)


@cache
def _neighbors(rows: int, cols: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """How many neighbors each point has, along the lines and diagonally; with the margin of `_counted`."""
    board = np.ones((1, rows, cols), np.uint8)
    return _counted(board, ALONG)[0], _counted(board, DIAGONALLY)[0]
