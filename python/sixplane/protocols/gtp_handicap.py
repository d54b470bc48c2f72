"""Where handicap stones go: the fixed points of the Go Text Protocol, or as near as a board allows."""

from __future__ import annotations

from sixplane._core import Go

__all__ = ["FEWEST", "fixed_points", "free_points"]

#: Stones of the smallest handicap.
FEWEST = 2


def fixed_points(rows: int, cols: int, count: int) -> list[int] | None:
    """The points of `fixed_handicap`; None where the protocol has none."""
    if count < FEWEST:
        return None
    try:
        game = Go((rows, cols), handicap=count)
    except ValueError:
        return None
    return [int(point) for point in game.planes[0].ravel().nonzero()[0]]


def free_points(rows: int, cols: int, count: int) -> list[int] | None:
    """Points of this program's own choice, which may be fewer; None if there cannot be so many.

    The fixed points, as many as there are of those asked for; else two around the middle.
    """
    if not FEWEST <= count < rows * cols:
        return None
    for fewer in range(min(count, 9), FEWEST - 1, -1):
        points = fixed_points(rows, cols, fewer)
        if points is not None:
            return points
    middle = ((rows - 1) / 2, (cols - 1) / 2)

    def distance(point: int) -> float:
        row, col = divmod(point, cols)
        return (row - middle[0]) ** 2 + (col - middle[1]) ** 2

    return sorted(range(rows * cols), key=distance)[:FEWEST]
