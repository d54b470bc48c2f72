"""The empty board and the stones, as pieces of SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sixplane.games import COLORS
from sixplane.render.glyphs import number as n
from sixplane.render.glyphs import text_path
from sixplane.render.layout import CELL, CORNER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sixplane.render.layout import Layout

RADIUS: Final = 0.47 * CELL

#: A stone from below: offset, diameter, color and opacity of round spots. Gradients would need ids, and a
#: page may show several pictures, or hide the one whose ids count.
SPOTS: Final = (
    (
        (1.3, 1.9, 2 * RADIUS, "#000", 0.28),
        (0, 0, 2 * RADIUS, "#17191c", 1),
        (-1.4, -1.8, 0.78 * CELL, "#fff", 0.03),
        (-2.4, -3.1, 0.62 * CELL, "#fff", 0.03),
        (-3.4, -4.4, 0.46 * CELL, "#fff", 0.035),
        (-4.3, -5.6, 0.3 * CELL, "#fff", 0.04),
    ),
    (
        (1.3, 1.9, 2 * RADIUS, "#000", 0.28),
        (0, 0, 2 * RADIUS, "#97927f", 1),
        (0, 0, 2 * RADIUS - 1.6, "#dedbd2", 1),
        (-1.1, -1.5, 0.82 * CELL, "#f0eee8", 1),
        (-2.9, -4, 0.58 * CELL, "#fff", 0.7),
    ),
)


def draw_stones(color: int, places: Iterable[tuple[float, float]]) -> str:
    """Returns stones of color 0 (black) or 1 (white), as a piece of SVG; `places` are their centers."""
    path = "".join(f"M{n(x)} {n(y)}h0" for x, y in places)
    if not path:
        return ""
    # A line without length has round ends and nothing between: a spot, in few characters.
    return f'<g class="{COLORS[color]}" stroke-linecap="round">{"".join(_spots(color, path))}</g>'


def _spots(color: int, path: str) -> Iterator[str]:
    for right, down, diameter, fill, opacity in SPOTS[color]:
        moved = f' transform="translate({n(right)} {n(down)})"' if right or down else ""
        faint = f' stroke-opacity="{n(opacity)}"' if opacity < 1 else ""
        yield f'<path d="{path}"{moved} stroke="{fill}" stroke-width="{n(diameter)}"{faint}/>'


def draw_board(layout: Layout) -> str:
    """Returns the empty board with its lines and stars, and its coordinates if the layout has them."""
    style = layout.style
    background = (
        f'<rect width="{n(layout.width)}" height="{n(layout.height)}" rx="{n(0.15 * CELL)}" '
        f'fill="{style.edge}"/>'
    )
    parts = [background]
    if style.drops:
        parts.append(_holes(layout))
    elif style.slants:
        parts.append(_hexagons(layout))
    else:
        parts.extend(_squares(layout) if style.squares else _lines(layout))
    if layout.coordinates:
        parts.append(draw_labels(layout))
    return "".join(parts)


def _lines(layout: Layout) -> list[str]:
    """Returns a wooden board with lines through the points."""
    style, rows, cols = layout.style, layout.rows, layout.cols
    left, right = layout.x(0), layout.x(cols - 1)
    top, bottom = layout.y(0), layout.y(rows - 1)
    inset = 0.08 * CELL
    wood = (
        f'<rect x="{n(inset)}" y="{n(inset)}" width="{n(layout.width - 2 * inset)}" '
        f'height="{n(layout.height - 2 * inset)}" rx="{n(0.1 * CELL)}" fill="{style.board}"/>'
    )
    grain = _grain(layout, inset)
    path = "".join(f"M{n(left)} {n(layout.y(row))}H{n(right)}" for row in range(rows))
    path += "".join(f"M{n(layout.x(col))} {n(top)}V{n(bottom)}" for col in range(cols))
    # Thin boards lose their lines in small pictures; the more points, the thicker in proportion.
    thickness = 1.2 + 0.03 * max(rows, cols)
    lines = f'<path d="{path}" stroke="{style.ink}" stroke-width="{n(thickness)}" stroke-linecap="square"/>'
    border = (
        f'<rect x="{n(left)}" y="{n(top)}" width="{n(right - left)}" height="{n(bottom - top)}" fill="none" '
        f'stroke="{style.ink}" stroke-width="{n(1.6 * thickness)}"/>'
    )
    stars = "".join(
        f'<circle cx="{n(layout.x(col))}" cy="{n(layout.y(row))}" r="{n(0.11 * CELL)}" fill="{style.ink}"/>'
        for row, col in style.stars(rows, cols)
    )
    return [wood, grain, lines, border, stars]


def _grain(layout: Layout, inset: float) -> str:
    """Returns the grain of the wood: faint waves along the rows, the same in every picture."""
    left, right = inset, layout.width - inset
    count = max(4, int(layout.height / 22))
    waves = []
    for i in range(count):
        y = inset + (i + 0.5 + 0.33 * ((i * 7) % 5 - 2) / 2) * (layout.height - 2 * inset) / count
        bend = ((i * 5) % 7 - 3) * 1.6
        third = (right - left) / 3
        waves.append(
            f"M{n(left)} {n(y)}C{n(left + third)} {n(y + bend)} {n(right - third)} {n(y - bend)} "
            f"{n(right)} {n(y)}"
        )
    return (
        f'<path d="{"".join(waves)}" fill="none" stroke="{layout.style.grain}" stroke-opacity=".07" '
        'stroke-width="2.2"/>'
    )


def _squares(layout: Layout) -> list[str]:
    """Returns a board of cloth with squares around the points."""
    style, rows, cols = layout.style, layout.rows, layout.cols
    left, top = layout.margin, layout.margin
    width, height = cols * CELL, rows * CELL
    cloth = (
        f'<rect x="{n(left)}" y="{n(top)}" width="{n(width)}" height="{n(height)}" fill="{style.board}" '
        f'stroke="{style.ink}" stroke-width="3"/>'
    )
    path = "".join(f"M{n(left)} {n(top + row * CELL)}H{n(left + width)}" for row in range(1, rows))
    path += "".join(f"M{n(left + col * CELL)} {n(top)}V{n(top + height)}" for col in range(1, cols))
    lines = f'<path d="{path}" stroke="{style.ink}" stroke-width="1.8"/>'
    stars = "".join(
        f'<circle cx="{n(left + (col + 1) * CELL)}" cy="{n(top + (row + 1) * CELL)}" r="{n(0.09 * CELL)}" '
        f'fill="{style.ink}"/>'
        for row, col in style.stars(rows, cols)
    )
    return [cloth, lines, stars]


def _holes(layout: Layout) -> str:
    """Returns a plate with a hole for each disc, behind which it is dark."""
    style, rows, cols = layout.style, layout.rows, layout.cols
    plate = (
        f'<rect x="{n(layout.margin)}" y="{n(layout.margin)}" width="{n(cols * CELL)}" '
        f'height="{n(rows * CELL)}" rx="{n(0.2 * CELL)}" fill="{style.board}"/>'
    )
    path = "".join(f"M{n(x)} {n(y)}h0" for x, y in map(layout.center, range(rows * cols)))
    hole = f'<path d="{path}" stroke="{style.ink}" stroke-width="{n(2 * RADIUS)}" stroke-linecap="round"/>'
    return plate + hole


def _hexagons(layout: Layout) -> str:
    """Returns a hexagon around each point, and behind the outer ones the sides of Black and White."""
    style, rows, cols = layout.style, layout.rows, layout.cols

    def corners(row: int, col: int, *numbers: int) -> str:
        """Returns some corners of a hexagon, counted from its top clockwise."""
        x, y = layout.x(col, row), layout.y(row)
        around = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
        places = (around[number] for number in numbers)
        return "L".join(f"{n(x + right * CELL / 2)} {n(y + down * CORNER / 2)}" for right, down in places)

    sides = (
        ("#17191c", [corners(0, col, 5, 0, 1) for col in range(cols)]),
        ("#17191c", [corners(rows - 1, col, 4, 3, 2) for col in range(cols)]),
        ("#fff", [corners(row, 0, 5, 4, 3) for row in range(rows)]),
        ("#fff", [corners(row, cols - 1, 0, 1, 2) for row in range(rows)]),
    )
    edges = "".join(
        f'<path d="M{"L".join(places)}" fill="none" stroke="{color}" stroke-width="{n(0.24 * CELL)}" '
        'stroke-linejoin="round"/>'
        for color, places in sides
    )
    path = "".join(f"M{corners(row, col, 0, 1, 2, 3, 4, 5)}Z" for row in range(rows) for col in range(cols))
    return edges + f'<path d="{path}" fill="{style.board}" stroke="{style.ink}" stroke-width="1.6"/>'


def draw_labels(layout: Layout) -> str:
    """Returns the coordinates: letters above and below, numbers left and right."""
    style, rows, cols = layout.style, layout.rows, layout.cols
    # In the middle of the rim; where lines end at the outer points, a little nearer to these.
    share = 0.46 if style.squares or style.drops else 0.6
    height, gap = layout.label_height, share * (layout.margin - layout.rim)
    below, beside = layout.board_height - gap, 0.5 * CELL + layout.margin - gap
    labels: list[str] = []
    letters, numbers = style.coordinates(rows, cols)
    for col, letter in enumerate(letters):
        places = ((layout.x(col), gap), (layout.x(col, rows - 1), below))
        labels.extend(text_path(letter, x, y, height, color=style.label) for x, y in places)
    for row, number in enumerate(numbers):
        widest = 0.7 * (layout.margin - layout.rim)
        labels.extend(
            text_path(number, x, layout.y(row), height, color=style.label, widest=widest)
            for x in (layout.x(0, row) - beside, layout.x(cols - 1, row) + beside)
        )
    return "".join(labels)
