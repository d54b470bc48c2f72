"""Eyes on the boards of many games at once, as `Go.is_eye` finds them on one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal

import numpy as np

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
    stones, is_white = planes[:, :2], planes[:, 2:3, :1, :1] == 1
    own, enemy = (np.where(is_white, stones[:, [1, 0]], stones)[:, color] for color in (0, 1))
    along, diagonally = _neighbors(*planes.shape[-2:])
    enclosed = (own | enemy == 0) & (_counted(own, ALONG) == along)
    is_inside = diagonally == len(DIAGONALLY)
    if rule == "playout":
        is_safe = _counted(enemy, DIAGONALLY) <= is_inside
    else:
        is_safe = _counted(own, DIAGONALLY) >= diagonally - is_inside
    return np.asarray(enclosed & is_safe)


def _counted(cells: NDArray[np.uint8], steps: tuple[tuple[int, int], ...]) -> NDArray[np.uint8]:
    """How many of the neighbors at these steps are 1."""
    rows, cols = cells.shape[-2:]
    padded = np.zeros((*cells.shape[:-2], rows + 2, cols + 2), np.uint8)
    padded[..., 1:-1, 1:-1] = cells
    total = np.zeros_like(cells)
    for down, right in steps:
        total += padded[..., down : down + rows, right : right + cols]
    return total


@cache
def _neighbors(rows: int, cols: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """How many neighbors each point has, along the lines and diagonally."""
    board = np.ones((rows, cols), np.uint8)
    return _counted(board, ALONG), _counted(board, DIAGONALLY)
