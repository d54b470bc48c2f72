"""Six planes as text, in ASCII or with lines and discs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from sixplane import _arguments
from sixplane._arguments import Array
from sixplane.games.style import Style
from sixplane.render.layout import Layout, last_point, style_of

#: The kind of a piece of a line: a coordinate, empty board, a stone, a mark, or a bracket of the last action.
Part: TypeAlias = Literal["label", "ground", "black", "white", "mark", "last"]

BLACK, WHITE = "●", "○"
STAR: Final = "╋"
MARK: Final = "+"
#: The crossings of the top row from left to right, of a row between, and of the bottom row.
Crossings: TypeAlias = tuple[tuple[str, str, str], tuple[str, str, str], tuple[str, str, str]]
CROSSINGS: Final[Crossings] = (("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"))


def board_text(
    planes: Array,
    style: str | Style = "go",
    *,
    last: int | None = None,
    ascii_only: bool = False,
    coordinates: bool = True,
) -> str:
    """Writes a board as text; the action played last stands in brackets.

    Args:
        planes: `(6, rows, cols)`.
        style: as in `board_svg`.
        last: the action played last, to be marked.
        ascii_only: whether to write `X`, `O` and `.` instead of discs and lines, as `str(game)` does.
        coordinates: whether letters and numbers stand around the board.

    Raises:
        TypeError, ValueError: `last` is no action of the board, or there is no such style.

    Example:
        >>> import sixplane
        >>> from sixplane.render import board_text
        >>> game = sixplane.Go(size=3)
        >>> game.play(4)
        >>> print(board_text(game.planes, last=4))
           A B C
         3 ┌─┬─┐ 3
         2 ├(●)┤ 2
         1 └─┴─┘ 1
           A B C
    """
    lines = board_parts(planes, style, last=last, ascii_only=ascii_only, coordinates=coordinates)
    return "\n".join("".join(text for _, text in line).rstrip() for line in lines)


def board_parts(
    planes: Array,
    style: str | Style = "go",
    *,
    last: int | None = None,
    ascii_only: bool = False,
    coordinates: bool = True,
    marks: Sequence[int] = (),
    is_narrow: bool = False,
) -> list[list[tuple[Part, str]]]:
    """Returns the lines of `board_text` in pieces, each with its kind.

    The points `marks` are marked with `+`. On a narrow board a point is one character wide, and the last
    action is not shown.
    """
    planes = _arguments.planes(planes)
    style = style_of(style)
    rows, cols = planes.shape[1:]
    played = last_point(Layout(rows, cols, style), last)
    stars = set() if style.squares else set(style.stars(rows, cols))
    lined = not (ascii_only or style.squares)
    marked = set(marks)

    def point(row: int, col: int) -> tuple[Part, str]:
        if planes[0, row, col]:
            return "black", "X" if ascii_only else BLACK
        if planes[1, row, col]:
            return "white", "O" if ascii_only else WHITE
        if row * cols + col in marked:
            return "mark", MARK
        if not lined:
            return "ground", "." if ascii_only else "·"
        return "ground", STAR if (row, col) in stars else crossing(row, col, rows, cols)

    letters, numbers = style.coordinates(rows, cols) if coordinates else ([], [""] * rows)
    lines: list[list[tuple[Part, str]]] = []
    for row, number in enumerate(numbers):
        line = [point(row, col) for col in range(cols)]
        if not is_narrow:
            gaps: list[tuple[Part, str]] = [("ground", "─" if lined else " ")] * (cols - 1)
            gaps = [("ground", " "), *gaps, ("ground", " ")]
            if played is not None and played // cols == row:
                gaps[played % cols : played % cols + 2] = ("last", "("), ("last", ")")
            line = [gaps[0], *(part for pair in zip(line, gaps[1:], strict=True) for part in pair)]
        lines.append([("label", f"{number:>2}"), *line, ("label", number)] if coordinates else line)
    if coordinates:
        above = "".join(letters) if is_narrow else "".join(f" {letter}" for letter in letters)
        lines = [[("label", "  " + above)], *lines, [("label", "  " + above)]]
    return _slanted(lines, first=int(coordinates)) if style.slants and not is_narrow else lines


def _slanted(lines: list[list[tuple[Part, str]]], first: int) -> list[list[tuple[Part, str]]]:
    """Returns the lines with each row half a point to the right of the row above."""
    return [[("label", " " * max(i - first, 0)), *line] for i, line in enumerate(lines)]


def crossing(row: int, col: int, rows: int, cols: int, crossings: Crossings = CROSSINGS) -> str:
    """Returns the character for an empty point of a board with lines."""
    across = 0 if col == 0 else 2 if col == cols - 1 else 1
    down = 0 if row == 0 else 2 if row == rows - 1 else 1
    return crossings[down][across]
