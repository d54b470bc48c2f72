"""Six planes as text, in ASCII or with lines and discs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from sixplane import _arguments
from sixplane.render.style import Style, style_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["board_text", "crossing"]

BLACK, WHITE = "●", "○"
STAR: Final = "╋"
#: The crossings of a board: those of the top row from left to right, of a row between, of the bottom row.
Crossings: TypeAlias = tuple[tuple[str, str, str], tuple[str, str, str], tuple[str, str, str]]
CROSSINGS: Final[Crossings] = (("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"))


def board_text(
    planes: NDArray[Any],
    style: str | Style = "go",
    *,
    last: int | None = None,
    ascii_only: bool = False,
    coordinates: bool = True,
) -> str:
    """The board with coordinates; the action played last stands in brackets.

    Args:
        planes: `(6, rows, cols)`.
        style: as in `board_svg`.
        last: the action played last, if it is to be shown.
        ascii_only: `X`, `O` and `.` instead of discs and lines; then it equals `str(game)`.
        coordinates: whether letters and numbers stand around the board.

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
    planes = _arguments.planes(planes)
    style = style_of(style)
    rows, cols = planes.shape[1:]
    stars = set() if style.squares else set(style.stars(rows, cols))
    lined = not (ascii_only or style.squares)

    def mark(row: int, col: int) -> str:
        if planes[0, row, col]:
            return "X" if ascii_only else BLACK
        if planes[1, row, col]:
            return "O" if ascii_only else WHITE
        if not lined:
            return "." if ascii_only else "·"
        return STAR if (row, col) in stars else crossing(row, col, rows, cols)

    letters, numbers = style.coordinates(rows, cols) if coordinates else ([], [""] * rows)
    lines = []
    for row, number in enumerate(numbers):
        marks = [mark(row, col) for col in range(cols)]
        gaps = [" ", *("─" if lined else " " for _ in range(cols - 1)), " "]
        if last is not None and row * cols <= last < (row + 1) * cols:
            gaps[last % cols], gaps[last % cols + 1] = "(", ")"
        text = gaps[0] + "".join(mark + gap for mark, gap in zip(marks, gaps[1:], strict=True))
        lines.append(f"{number:>2}{text}{number}" if coordinates else text.rstrip())
    if coordinates:
        above = "  " + "".join(f" {letter}" for letter in letters)
        lines = [above, *lines, above]
    return "\n".join(lines)


def crossing(row: int, col: int, rows: int, cols: int, crossings: Crossings = CROSSINGS) -> str:
    """What is drawn at an empty point of a board with lines."""
    across = 0 if col == 0 else 2 if col == cols - 1 else 1
    down = 0 if row == 0 else 2 if row == rows - 1 else 1
    return crossings[down][across]
