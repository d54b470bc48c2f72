"""What a picture shows in words, for screen readers and for viewers that cannot draw it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from sixplane._arguments import Array
from sixplane.games.style import Style
from sixplane.render import overlay
from sixplane.render.words import plain

#: How many of the hottest actions are named.
NAMED: Final = 5

#: Sides of boards whose points have names.
SIDES: Final = range(2, 26)


def draw_words(title: str, description: str) -> str:
    """Returns the title and the description of a picture as SVG elements, which go first in the document."""
    described = f"<desc>{escape(plain(description), quote=False)}</desc>" if description else ""
    return f"<title>{escape(plain(title), quote=False)}</title>{described}"


def title_text(planes: Array, style: Style) -> str:
    """Returns the title of a position: the size of its board, and whose turn it is."""
    rows, cols = planes.shape[1:]
    return f"Board {rows}x{cols}, {standing(planes, style)}"


def standing(planes: Array, style: Style) -> str:
    """Says whose turn it is by the planes, and whether the last action was a pass or the game is over."""
    if planes[5].any():
        return "game over"
    to_play = "white to play" if planes[2].any() else "black to play"
    return f"{style.passing}, {to_play}" if planes[4].any() else to_play


def position_text(
    planes: Array, style: Style, *, last: int | None = None, heat: ArrayLike | None = None
) -> str:
    """Describes a position: the stones, the last action, and the hottest actions.

    Args:
        planes: `(6, rows, cols)`.
        style: style of the board, which names the points.
        last: the action played last, if the picture shows it.
        heat: `(rows, cols)` or `(rows * cols + 1,)`, if the picture shows it.
    """
    names = _names(style, *planes.shape[1:])
    if not names:
        black, white = (int(np.count_nonzero(planes[color])) for color in (0, 1))
        return f"Stones: {black} black, {white} white."
    parts = []
    for color, name in enumerate(("Black", "White")):
        points = np.flatnonzero(planes[color]).tolist()
        parts.append(f"{name}: {' '.join(names[point] for point in points) or 'none'}.")
    if last is not None:
        parts.append(f"Last move: {names[last]}.")
    if heat is not None and (hottest := _hottest(heat, names, planes.shape[1], planes.shape[2])):
        parts.append(f"Hottest: {hottest}.")
    return " ".join(parts)


def _names(style: Style, rows: int, cols: int) -> list[str]:
    """Returns the names of the actions; an empty list if the board is too large for names."""
    if rows not in SIDES or cols not in SIDES:
        return []
    letters, numbers = style.coordinates(rows, cols)
    return [*(letter + number for number in numbers for letter in letters), style.passing]


def _hottest(heat: ArrayLike, names: Sequence[str], rows: int, cols: int) -> str:
    values, of_pass = overlay.heat_values(heat, rows, cols)
    flat = np.append(values.ravel(), of_pass)
    order = np.argsort(-flat, kind="stable")[:NAMED].tolist()
    return ", ".join(names[action] for action in order if flat[action] > 0)
