"""How the board of a game looks: its lines or squares, colors, coordinates and stars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["STYLES", "Style", "style_of"]

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS_WITHOUT_I: Final = LETTERS.replace("I", "")


@dataclass(frozen=True)
class Style:
    """The looks of a board.

    Attributes:
        squares: whether stones stand in squares, as in Reversi, or on crossings of lines.
        skips_i: whether columns are named without the letter I.
        row_one_at_top: whether row 1 is the top row.
        stars: which points are marked: `"go"`, `"gomoku"`, `"reversi"` or none (`""`).
        board: color of the board.
        edge: color around the squares, or the board's own where stones stand on lines.
        ink: color of the lines.
        label: color of coordinates and words.
        heat: color of heat maps.
    """

    squares: bool = False
    skips_i: bool = False
    row_one_at_top: bool = False
    stars: str = ""
    board: str = "#e3b568"
    edge: str = "#d9a555"
    ink: str = "#4a3312"
    label: str = "#5b4017"
    heat: str = "#1f3fc4"

    def column_name(self, col: int) -> str:
        """The letter of a column from the left."""
        return (LETTERS_WITHOUT_I if self.skips_i else LETTERS)[col]

    def row_name(self, row: int, rows: int) -> str:
        """The number of a row from the top."""
        return str(row + 1 if self.row_one_at_top else rows - row)

    def star_points(self, rows: int, cols: int) -> Iterator[tuple[int, int]]:
        """Rows and columns of the marked points; for squares, of their lower right corners."""
        if self.stars == "reversi":
            if rows >= 6 and cols >= 6:  # noqa: PLR2004 - where two lines from the edge are apart
                yield from ((row, col) for row in (1, rows - 3) for col in (1, cols - 3))
            return
        if self.stars not in {"go", "gomoku"}:
            return
        row_stars, col_stars = _stars_of_side(rows), _stars_of_side(cols)
        middle = (rows // 2, cols // 2)
        for row in row_stars:
            for col in col_stars:
                is_side = (row in middle[:1] and rows % 2 == 1) != (col in middle[1:] and cols % 2 == 1)
                # The middles of the sides are marked on large boards, and not in Gomoku.
                if is_side and (self.stars == "gomoku" or min(rows, cols) < 15):  # noqa: PLR2004
                    continue
                yield row, col


def _stars_of_side(side: int) -> tuple[int, ...]:
    """Lines with stars: the third or fourth from both edges, and the middle of odd sides."""
    if side < 5:  # noqa: PLR2004 - where nothing is between edge and middle
        return ()
    if side < 7:  # noqa: PLR2004
        return (side // 2,) if side % 2 else ()
    edge = 2 if side < 12 else 3  # noqa: PLR2004 - Go's custom
    middle = (side // 2,) if side % 2 else ()
    return (edge, *middle, side - 1 - edge)


#: The styles of sixplane's games, by their names in lower case.
STYLES: Final[dict[str, Style]] = {
    "go": Style(skips_i=True, stars="go"),
    "gomoku": Style(stars="gomoku"),
    "reversi": Style(
        squares=True,
        row_one_at_top=True,
        stars="reversi",
        board="#2f8a57",
        edge="#234b38",
        ink="#1b5636",
        label="#e4efe8",
        heat="#ffd43b",
    ),
}


def style_of(style: str | Style) -> Style:
    """The style of this name, or the one given.

    Raises:
        ValueError: no style has this name.
    """
    if isinstance(style, Style):
        return style
    if style not in STYLES:
        raise ValueError(f"style must be one of {', '.join(sorted(STYLES))} or a Style, not {style!r}")
    return STYLES[style]
