"""Pictures of a position with its six planes beside it."""

from __future__ import annotations

from typing import Final, Unpack

import numpy as np

from sixplane import _arguments
from sixplane._arguments import Array
from sixplane.games.style import Style
from sixplane.planes import Plane
from sixplane.render.description import draw_words, position_text, title_text
from sixplane.render.glyphs import number as n
from sixplane.render.layout import CELL, Layout, style_of
from sixplane.render.svg import BoardOptions, board_svg, document, inner_of, title_or
from sixplane.render.words import write

#: Planes in a row of the picture.
COLUMNS: Final = 3
#: The space between two planes, and around all of them.
GAP: Final = 0.5 * CELL
#: The height of the line above a plane, which has its number and name.
TITLE: Final = 0.62 * CELL
#: The side of the smallest cell.
LEAST: Final = 0.15 * CELL
#: The colors; the paper makes the letters readable on a dark page, too.
PAPER, INK, ZERO, GRID = "#f8f9fa", "#212529", "#ffffff", "#ced4da"


def planes_svg(
    planes: Array,
    style: str | Style = "go",
    *,
    width: int = 960,
    last: int | None = None,
    title: str | None = None,
    **options: Unpack[BoardOptions],
) -> str:
    """Draws a board with its six planes beside it; a cell is filled where the plane is 1.

    Args:
        planes: `(6, rows, cols)` of 0 and 1.
        style: as in `board_svg`; its color of heat fills the cells.
        width: width of the whole picture in pixels.
        last: the action played last, to be marked.
        title: title for screen readers; None: the size of the board and whose turn it is.
        options: other options of `board_svg`.

    Returns:
        The text of an SVG document.

    Raises:
        ValueError: as in `board_svg`.

    Example:
        >>> import sixplane
        >>> from sixplane.render import planes_svg
        >>> planes_svg(sixplane.Go(size=5).planes, width=600)[:40]
        '<svg xmlns="http://www.w3.org/2000/svg" '
    """
    planes = _arguments.planes(planes)
    style = style_of(style)
    rows, cols = planes.shape[1:]
    board = board_svg(planes, style, last=last, **options)
    title = title_or(title, f"{title_text(planes, style)}, and its six planes")
    description = position_text(planes, style, last=last, heat=options.get("heat"))
    coordinates, footer = bool(options.get("coordinates", True)), bool(options.get("footer"))
    layout = Layout(rows, cols, style, coordinates, footer)
    # The two rows of planes are as high as the board, unless it has one row only.
    cell = max((layout.height - GAP - 2 * TITLE) / (2 * rows), LEAST)
    parts = [_place(inner_of(board), GAP, GAP)]
    left = 2 * GAP + layout.width
    for plane in Plane:
        row, col = divmod(int(plane), COLUMNS)
        picture = _plane(planes[plane], f"{int(plane)} {plane.name}", style, cell)
        parts.append(
            _place(picture, left + col * (cols * cell + GAP), GAP + row * (rows * cell + TITLE + GAP))
        )
    all_width = left + COLUMNS * (cols * cell + GAP)
    all_height = max(layout.height, 2 * (rows * cell + TITLE) + GAP) + 2 * GAP
    paper = f'<rect width="{n(all_width)}" height="{n(all_height)}" rx="{n(0.2 * CELL)}" fill="{PAPER}"/>'
    return document(draw_words(title, description) + paper + "".join(parts), all_width, all_height, width)


def _place(picture: str, x: float, y: float) -> str:
    return f'<g transform="translate({n(x)} {n(y)})">{picture}</g>'


def _plane(plane: Array, title: str, style: Style, cell: float) -> str:
    """Returns a picture of one plane: its title, and below it its cells."""
    rows, cols = plane.shape
    width, bottom = cols * cell, TITLE + rows * cell
    ones = "".join(
        f"M{n(col * cell)} {n(TITLE + row * cell)}h{n(cell)}v{n(cell)}h{n(-cell)}Z"
        for row, col in np.argwhere(plane != 0).tolist()
    )
    grid = "".join(f"M0 {n(TITLE + row * cell)}H{n(width)}" for row in range(1, rows))
    grid += "".join(f"M{n(col * cell)} {n(TITLE)}V{n(bottom)}" for col in range(1, cols))
    frame = f'x="0" y="{n(TITLE)}" width="{n(width)}" height="{n(rows * cell)}"'
    return (
        write(title, 0, 0.26 * CELL, 0.34 * CELL, color=INK, anchor=0, widest=width)
        + f'<rect {frame} fill="{ZERO}"/><path d="{ones}" fill="{style.heat}"/>'
        + f'<path d="{grid}" stroke="{GRID}" stroke-width="1"/>'
        + f'<rect {frame} fill="none" stroke="{INK}" stroke-width="1.5"/>'
    )
