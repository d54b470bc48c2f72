"""Eyes on the boards of many games at once, as `Go.is_eye` finds them on one."""

from __future__ import annotations

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
    stones, white = planes[:, :2], planes[:, 2:3]
    own, enemy = (np.where(white, stones[:, [1, 0]], stones)[:, color] for color in (0, 1))
    on_board = np.ones(planes.shape[-2:], np.uint8)

    def counted(cells: NDArray[np.uint8], steps: tuple[tuple[int, int], ...]) -> NDArray[np.uint8]:
        """How many of the neighbors at these steps are 1."""
        rows, cols = cells.shape[-2:]
        padded = np.pad(cells, [(0, 0)] * (cells.ndim - 2) + [(1, 1), (1, 1)])
        shifted = [padded[..., down : down + rows, right : right + cols] for down, right in steps]
        return np.asarray(np.sum(shifted, axis=0, dtype=np.uint8))

    enclosed = (own | enemy == 0) & (counted(own, ALONG) == counted(on_board, ALONG))
    corners = counted(on_board, DIAGONALLY)
    inside = corners == len(DIAGONALLY)
    if rule == "playout":
        is_safe = counted(enemy, DIAGONALLY) + ~inside <= 1
    else:
        is_safe = counted(own, DIAGONALLY) >= np.where(inside, corners - 1, corners)
    return np.asarray(enclosed & is_safe)
