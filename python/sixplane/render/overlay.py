"""Layers over a board, as pieces of SVG: texts, crosses, owners, heat."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sixplane._arguments import Array
from sixplane.render.glyphs import number as n
from sixplane.render.layout import CELL, Layout
from sixplane.render.words import write

ACCENT: Final = "#e03131"
#: The color of a text on an empty point, on a black and on a white stone.
ON: Final[dict[int | None, str]] = {None: "#1b1b1b", 0: "#f8f9fa", 1: "#15171a"}

#: The color of a disc on a black and on a white stone, under a text that a line would strike through.
UNDER: Final = ("#24272b", "#f0eee8")

#: The opacity of the greatest heat, and the least that is drawn.
STRONGEST: Final = 0.6
FAINTEST: Final = 0.02


def draw_on_points(
    layout: Layout,
    texts: Mapping[int, str],
    stones: Mapping[int, int],
    last: int | None = None,
    struck: Container[int] = (),
) -> str:
    """Writes a short text on each of these points, on the one played last in another color.

    A disc under the text hides the lines of the board, and a line through the points in `struck`.
    """
    parts = []
    for point, text in texts.items():
        x, y = layout.center(point)
        color = stones.get(point)
        if color is None:
            parts.append(_disc(x, y, layout.style.board))
        elif point in struck:
            parts.append(_disc(x, y, UNDER[color]))
        ink = ACCENT if point == last else ON[color]
        parts.append(write(text, x, y, 0.36 * CELL, color=ink, widest=0.66 * CELL))
    return "".join(parts)


def _disc(x: float, y: float, color: str) -> str:
    return f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(0.36 * CELL)}" fill="{color}"/>'


def draw_last(layout: Layout, last: int) -> str:
    """Marks the stone played last with a dot."""
    x, y = layout.center(last)
    return f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(0.15 * CELL)}" fill="{ACCENT}"/>'


def draw_invalid(layout: Layout, points: Iterable[int]) -> str:
    """Draws a cross on each of these points."""
    reach = 0.16 * CELL
    path = ""
    for point in points:
        x, y = layout.center(point)
        path += f"M{n(x - reach)} {n(y - reach)}l{n(2 * reach)} {n(2 * reach)}m0 {n(-2 * reach)}"
        path += f"l{n(-2 * reach)} {n(2 * reach)}"
    return _stroke(path, 0.09 * CELL) if path else ""


def _stroke(path: str, thickness: float, opacity: float = 1.0) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{ACCENT}" stroke-opacity="{n(opacity)}" '
        f'stroke-width="{n(thickness)}" stroke-linecap="round"/>'
    )


def draw_line(layout: Layout, points: Iterable[int]) -> str:
    """Draws a line through these points, such as five in a row."""
    places = [layout.center(point) for point in points]
    path = "L".join(f"{n(x)} {n(y)}" for x, y in places)
    return _stroke(f"M{path}", 0.14 * CELL, 0.75) if path else ""


def draw_ownership(layout: Layout, ownership: Array) -> str:
    """Draws a square on each owned point: black for +1, white for -1, fainter in between."""
    return "".join(
        f'<rect {owner_square(layout, point, int(value < 0))} opacity="{n(owner_strength(value))}"/>'
        for point, value in enumerate(ownership.ravel().tolist())
        if value
    )


def owner_square(layout: Layout, point: int, color: int) -> str:
    """Returns the attributes of a rectangle that marks a point as owned, without its opacity."""
    side = 0.34 * CELL
    x, y = layout.center(point)
    fill, line = (("#0d0e10", "#f8f9fa"), ("#fff", "#343a40"))[color]
    return (
        f'x="{n(x - side / 2)}" y="{n(y - side / 2)}" width="{n(side)}" height="{n(side)}" '
        f'fill="{fill}" stroke="{line}" stroke-opacity=".55" stroke-width="1"'
    )


def owner_strength(value: float) -> float:
    """Returns the opacity of the square of an owner; 0 if nobody owns the point."""
    return 0.15 + 0.85 * min(abs(value), 1.0) if value else 0.0


def heat_values(heat: ArrayLike, rows: int, cols: int) -> tuple[NDArray[np.float64], float]:
    """Returns the heat of the points `(rows, cols)` and of the pass.

    NaN, such as the value of an action that was never visited, is no heat.

    Raises:
        ValueError: the shape is another, or a value is negative or infinite.
    """
    values = np.asarray(heat, dtype=np.float64)
    values = np.where(np.isnan(values), 0.0, values)
    if values.shape not in {(rows, cols), (rows * cols + 1,)}:
        allowed = f"({rows}, {cols}) or ({rows * cols + 1},)"
        raise ValueError(f"the shape of a heat map must be {allowed}, not {values.shape}")
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise ValueError("a heat map must be finite and not negative")
    if values.ndim == 1:
        return values[:-1].reshape(rows, cols), float(values[-1])
    return values, 0.0


def heat_strength(value: float, most: float) -> float:
    """Returns the opacity of a value; small values get more than their proportion, so that they are seen."""
    return STRONGEST * float((value / most) ** 0.75) if most else 0.0


def draw_heat(layout: Layout, values: NDArray[np.float64], most: float, written: Container[int] = ()) -> str:
    """Draws a colored square on each point, which is strongest where the value is `most`.

    On the points in `written` the lines of the board are hidden, because a text will stand there.
    """
    parts = []
    field = (0.8 * CELL, 0.44 * CELL)
    for point, value in enumerate(values.ravel().tolist()):
        strength = heat_strength(value, most)
        if strength < FAINTEST:
            continue
        if point in written and not layout.style.squares:
            x, y = layout.center(point)
            parts.append(
                f'<rect x="{n(x - field[0] / 2)}" y="{n(y - field[1] / 2)}" width="{n(field[0])}" '
                f'height="{n(field[1])}" rx="{n(0.12 * CELL)}" fill="{layout.style.board}"/>'
            )
        parts.append(f'<rect {heat_square(layout, point)} fill-opacity="{n(strength)}"/>')
    return "".join(parts)


def heat_square(layout: Layout, point: int) -> str:
    """Returns the attributes of a rectangle that shows heat, without its opacity."""
    side = (0.7 if layout.style.slants else 0.94) * CELL
    x, y = layout.center(point)
    return (
        f'x="{n(x - side / 2)}" y="{n(y - side / 2)}" width="{n(side)}" height="{n(side)}" '
        f'rx="{n(0.12 * CELL)}" fill="{layout.style.heat}"'
    )
