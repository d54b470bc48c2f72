"""How the board of a game looks: its lines or squares, colors, coordinates and stars."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from sixplane._core import coordinates

#: Rows and columns -> rows and columns of the marked points.
Stars: TypeAlias = Callable[[int, int], Iterable[tuple[int, int]]]


def _no_stars(_rows: int, _cols: int) -> tuple[()]:
    return ()


@dataclass(frozen=True)
class Style:
    """How a board looks.

    Attributes:
        squares: whether stones stand in squares, as in Reversi, or on crossings of lines.
        drops: whether discs fall into columns, as in Connect Four: the board has holes, and any point of a
            column stands for the one where a disc comes to rest.
        slants: whether points are hexagons and each row lies half a point to the right of the row above, as
            in Hex; Black's sides are above and below, White's left and right.
        skips_i: whether columns are named without the letter I. In the style of a game this and the next are
            what its class says.
        row_one_at_top: whether row 1 is the top row.
        stars: `(rows, cols)` -> (row, col) of each marked point; in squares, of the square whose lower
            right corner is marked.
        board: the color of the board.
        edge: the color around the squares, or the board's own where stones stand on lines.
        ink: the color of the lines.
        label: the color of coordinates and words.
        heat: the color of heat maps as `#` and six digits, because what is written on it is dark or light.
        grain: the color of the faint waves of wood.
        passing: what the pass is called; in the style of a game it is what the game says.

    Raises:
        ValueError: `heat` is no such color.

    Example:
        >>> import sixplane
        >>> from sixplane.render import board_svg
        >>> paper = Style(board="#ffffff", ink="#000000")
        >>> "#ffffff" in board_svg(sixplane.Go(size=5).planes, paper)
        True
        >>> paper.coordinates(3, 3)
        (['A', 'B', 'C'], ['3', '2', '1'])
    """

    squares: bool = False
    drops: bool = False
    slants: bool = False
    skips_i: bool = False
    row_one_at_top: bool = False
    stars: Stars = _no_stars
    board: str = "#e3b568"
    edge: str = "#d9a555"
    ink: str = "#4a3312"
    label: str = "#5b4017"
    heat: str = "#1f3fc4"
    grain: str = "#a86f22"
    passing: str = "pass"

    def __post_init__(self) -> None:
        if not re.fullmatch("#[0-9a-fA-F]{6}", str(self.heat)):
            raise ValueError(f"heat must be a color like '#1f3fc4', not {self.heat!r}")

    def coordinates(self, rows: int, cols: int) -> tuple[list[str], list[str]]:
        """Names the columns from the left and the rows from the top.

        Raises:
            ValueError: rows or columns are not from 2 to 25.
        """
        return coordinates(rows, cols, self.skips_i, self.row_one_at_top)


def star_lines(side: int) -> tuple[int, ...]:
    """Lists the lines whose crossings are marked: the third or fourth from both edges, and odd middles."""
    middle = (side // 2,) if side % 2 else ()
    if side < 5:  # noqa: PLR2004 - nothing is between edge and middle
        return ()
    if side < 7:  # noqa: PLR2004 - the third lines are too close to the middle
        return middle
    edge = 2 if side < 12 else 3  # noqa: PLR2004 - Go's custom
    return (edge, *middle, side - 1 - edge)


def star_points(rows: int, cols: int, *, middles_of_sides: bool) -> Iterator[tuple[int, int]]:
    """Goes through the crossings of the star lines, with or without the middles of the sides."""
    for row, col in product(star_lines(rows), star_lines(cols)):
        if middles_of_sides or (row == rows - 1 - row) == (col == cols - 1 - col):
            yield row, col
