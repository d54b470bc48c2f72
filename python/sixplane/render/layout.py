"""The layout of a picture of a board, for those who draw it and those who read clicks on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sixplane.render.style import Style

__all__ = ["CELL", "Layout"]

#: Units of the picture from one point to the next.
CELL: Final = 40.0


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
        return 0.1 * CELL + 0.27 * max(self.rows, self.cols)

    @property
    def margin(self) -> float:
        """The distance from the edge of the picture to the squares around the outer points."""
        if self.coordinates:
            return 1.7 * self.label_height
        return 0.3 * CELL if self.style.squares else 0.2 * CELL

    @property
    def width(self) -> float:
        """The width of the picture."""
        return self.cols * CELL + 2 * self.margin

    @property
    def board_height(self) -> float:
        """The height of the picture without the footer."""
        return self.rows * CELL + 2 * self.margin

    @property
    def footer_height(self) -> float:
        """The height of the footer, 0 without one."""
        return 0.95 * CELL if self.footer else 0.0

    @property
    def height(self) -> float:
        """The height of the picture."""
        return self.board_height + self.footer_height

    def x(self, col: float) -> float:
        """The horizontal middle of a column."""
        return self.margin + (col + 0.5) * CELL

    def y(self, row: float) -> float:
        """The vertical middle of a row."""
        return self.margin + (row + 0.5) * CELL

    def center(self, point: int) -> tuple[float, float]:
        """The center of a point, as x and y."""
        row, col = divmod(point, self.cols)
        return self.x(col), self.y(row)

    def point_at(self, x: float, y: float) -> int | None:
        """The point at these coordinates; None if they are off the board."""
        col, row = int((x - self.margin) // CELL), int((y - self.margin) // CELL)
        if 0 <= row < self.rows and 0 <= col < self.cols:
            return row * self.cols + col
        return None
