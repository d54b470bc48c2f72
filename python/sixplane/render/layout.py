"""The style and the layout of a picture of a board, for those who draw it and those who read clicks on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from sixplane import _arguments
from sixplane.games import GAMES
from sixplane.games.style import Style

#: Units of the picture from one point to the next.
CELL: Final = 40.0

#: From one row of hexagons to the next, and from the center of one to its upper corner.
ROW: Final = CELL * 3**0.5 / 2
CORNER: Final = CELL / 3**0.5

#: The styles of sixplane's games, by their names on the command line.
STYLES: Final[dict[str, Style]] = {name: game.style for name, game in GAMES.items()}


def style_of(style: str | Style) -> Style:
    """Returns the style with this name, or the style itself.

    Raises:
        TypeError: the value is neither a name nor a style.
        ValueError: no style has this name.
    """
    if isinstance(style, Style):
        return style
    if not isinstance(style, str):
        raise TypeError(f"style must be the name of a game or a Style, not {type(style).__name__}")
    if style not in STYLES:
        raise ValueError(f"style must be one of {', '.join(sorted(STYLES))} or a Style, not {style!r}")
    return STYLES[style]


@dataclass(frozen=True)
class Layout:
    """The sizes of a picture in its own units; neighboring points are `CELL` apart.

    Attributes:
        rows: number of rows.
        cols: number of columns.
        style: style of the board.
        coordinates: whether letters and numbers stand around the board.
        footer: whether a line of text stands below the board.
    """

    rows: int
    cols: int
    style: Style
    coordinates: bool = True
    footer: bool = False

    @property
    def label_height(self) -> float:
        """The height of the coordinates, which must stay readable on large boards."""
        return 0.1 * CELL + 0.27 * max(self.rows, self.cols + self.shift)

    @property
    def shift(self) -> float:
        """How many cells the last row of a slanted board stands to the right of the first one."""
        return (self.rows - 1) / 2 if self.style.slants else 0

    @property
    def margin(self) -> float:
        """The distance from the edge of the picture to the squares around the outer points."""
        if self.coordinates:
            return 1.7 * self.label_height + self.rim
        return 0.3 * CELL if self.style.squares else 0.2 * CELL

    @property
    def rim(self) -> float:
        """The part of the margin that the sides of hexagons take."""
        return 0.2 * CELL if self.style.slants else 0

    @property
    def width(self) -> float:
        """The width of the picture."""
        return (self.cols + self.shift) * CELL + 2 * self.margin

    @property
    def board_height(self) -> float:
        """The height of the picture without the footer."""
        height = (self.rows - 1) * ROW + 2 * CORNER if self.style.slants else self.rows * CELL
        return height + 2 * self.margin

    @property
    def footer_height(self) -> float:
        """The height of the footer, 0 without one."""
        return 0.95 * CELL if self.footer else 0.0

    @property
    def height(self) -> float:
        """The height of the picture."""
        return self.board_height + self.footer_height

    def x(self, col: float, row: float = 0) -> float:
        """Returns the horizontal middle of a column; on a slanted board, in this row."""
        return self.margin + (col + 0.5 + (row / 2 if self.style.slants else 0)) * CELL

    def y(self, row: float) -> float:
        """Returns the vertical middle of a row."""
        if self.style.slants:
            return self.margin + CORNER + row * ROW
        return self.margin + (row + 0.5) * CELL

    def center(self, point: int) -> tuple[float, float]:
        """Returns the center of a point, as x and y."""
        row, col = divmod(point, self.cols)
        return self.x(col, row), self.y(row)

    def point_at(self, x: float, y: float) -> int | None:
        """Returns the point at these coordinates; None if they are off the board."""
        above = math.floor((y - self.y(0)) / (self.y(1) - self.y(0)))
        # The nearest point, on or off the board: a hexagon reaches between two others of the next row.
        places = [(row, round((x - self.x(0, row)) / CELL)) for row in (above, above + 1)]
        row, col = min(places, key=lambda place: math.dist((x, y), (self.x(*place[::-1]), self.y(place[0]))))
        if 0 <= row < self.rows and 0 <= col < self.cols:
            return row * self.cols + col
        return None


def point_on(layout: Layout, point: object) -> int:
    """Returns the index of a point, which must be on the board.

    Raises:
        TypeError: the value is no integer.
        ValueError: the point is off the board.
    """
    index = _arguments.integer("a point", point)
    if not 0 <= index < layout.rows * layout.cols:
        raise ValueError(
            f"point {index} is off the board: it must be from 0 to {layout.rows * layout.cols - 1}"
        )
    return index


def last_point(layout: Layout, last: object) -> int | None:
    """Returns the point of the last action, which must be on the board; None after a pass and before any."""
    return None if last is None or last == layout.rows * layout.cols else point_on(layout, last)
