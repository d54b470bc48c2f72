"""Six planes as an SVG picture, without any library. No element has an id."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, TypedDict

import numpy as np

from sixplane import _arguments
from sixplane.games.style import Style
from sixplane.planes import liberties as chain_liberties
from sixplane.render import overlay
from sixplane.render.board import draw_board, draw_stones
from sixplane.render.description import draw_words, position_text, standing, title_text
from sixplane.render.glyphs import number as n
from sixplane.render.glyphs import text_path
from sixplane.render.layout import CELL, Layout, style_of
from sixplane.render.words import write

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Unpack

    from numpy.typing import ArrayLike, NDArray

    from sixplane._arguments import Array

#: The title and the description at the beginning of a document.
WORDS: Final = re.compile(r"^<title>[^<]*</title>(<desc>[^<]*</desc>)?")

#: The default width of a picture in pixels, the least that can be seen, and the most that fits in memory.
WIDTH = 480
NARROWEST: Final = 16
WIDEST: Final = 16384


class BoardOptions(TypedDict, total=False):
    """The options of `board_svg` that several boards of one picture may share."""

    coordinates: bool
    footer: bool | str
    numbers: Mapping[int, int | str] | None
    invalid: bool
    liberties: bool | ArrayLike
    ownership: ArrayLike | None
    heat: ArrayLike | None
    heat_text: bool | int
    line: Sequence[int] | None


def board_svg(
    planes: Array,
    style: str | Style = "go",
    *,
    width: int = WIDTH,
    coordinates: bool = True,
    footer: bool | str = False,
    last: int | None = None,
    numbers: Mapping[int, int | str] | None = None,
    invalid: bool = False,
    liberties: bool | ArrayLike = False,
    ownership: ArrayLike | None = None,
    heat: ArrayLike | None = None,
    heat_text: bool | int = False,
    line: Sequence[int] | None = None,
    title: str | None = None,
) -> str:
    """Draws the board of a position.

    Args:
        planes: `(6, rows, cols)` of 0 and 1.
        style: the name of a game, such as `"go"`, or a style of your own.
        width: width of the picture in pixels.
        coordinates: whether letters and numbers stand around the board.
        footer: whether a line below the board says whose turn it is, or another text for it.
        last: the action played last; a dot marks its stone.
        numbers: point -> text on it, such as the number of the move.
        invalid: whether to mark the empty points of the invalid plane with crosses.
        liberties: whether to write on each stone the liberties of its chain, or the numbers `(rows, cols)`.
        ownership: `(rows, cols)` from -1 (White owns the point) to +1 (Black does), drawn as small squares.
        heat: `(rows, cols)` or `(rows * cols + 1,)`, not negative, such as a policy, visits or a mask; drawn
            as colored squares relative to the largest value, with the value of the pass in the footer.
        heat_text: whether to write the heat, too, with fractions in percent; or on how many points, the
            hottest ones.
        line: points to draw a line through.
        title: title for screen readers; None: the size of the board and whose turn it is. The description
            names the stones in any case.

    Returns:
        The text of an SVG document.

    Raises:
        ValueError: an array has another shape, a point is off the board, or the width is not from 16 to
            16384.

    Example:
        >>> import sixplane
        >>> from sixplane.render import board_svg
        >>> board_svg(sixplane.Go(size=5).planes, width=200)[:40]
        '<svg xmlns="http://www.w3.org/2000/svg" '
    """
    planes = _arguments.planes(planes)
    rows, cols = planes.shape[1:]
    layout = Layout(rows, cols, style_of(style), coordinates, bool(footer))
    stones = stones_of(planes)
    words = footer if isinstance(footer, str) else standing(planes, layout.style)
    texts = {point_on(layout, point): str(text) for point, text in (numbers or {}).items()}
    texts |= _liberties(planes, liberties, stones)
    last_point = None if last is None or last == rows * cols else point_on(layout, last)

    parts, written = [draw_board(layout)], how_many("heat_text", heat_text)
    if heat is not None:
        squares, of_pass = _heat(layout, heat, written)
        parts.append(squares)
        words += of_pass
    for color in (0, 1):
        places = [layout.center(point) for point, found in stones.items() if found == color]
        parts.append(draw_stones(color, places))
    if ownership is not None:
        parts.append(overlay.draw_ownership(layout, board_array("ownership", ownership, rows, cols)))
    struck = [point_on(layout, point) for point in (() if line is None else line)]
    parts.append(overlay.draw_line(layout, struck))
    parts.append(overlay.draw_invalid(layout, _invalid(planes) if invalid else ()))
    if last_point is not None and last_point not in texts:
        parts.append(overlay.draw_last(layout, last_point))
    parts.append(overlay.draw_on_points(layout, texts, stones, last_point, struck))
    if footer:
        parts.append(draw_footer(layout, planes, words))
    described = draw_words(
        title_text(planes, layout.style) if title is None else title,
        position_text(planes, layout.style, last=last, heat=heat),
    )
    return document(described + "".join(parts), layout.width, layout.height, width)


def grid_svg(
    batch: Array,
    style: str | Style = "go",
    *,
    columns: int | None = None,
    width: int = 960,
    lasts: Iterable[int | None] | None = None,
    title: str | None = None,
    **options: Unpack[BoardOptions],
) -> str:
    """Draws many boards of one size side by side.

    Args:
        batch: `(B, 6, rows, cols)`.
        style: as in `board_svg`.
        columns: boards in a row of the picture; None: about as many as there are rows.
        width: width of the whole picture in pixels.
        lasts: the action played last on each board, to be marked.
        title: title for screen readers; None: how many boards of which size there are.
        options: other options of `board_svg`, the same for every board.

    Raises:
        ValueError: as in `board_svg`, or the batch is empty.

    Example:
        >>> import sixplane
        >>> from sixplane.render import grid_svg
        >>> batch = sixplane.GameBatch(sixplane.Go(size=5), 4)
        >>> grid_svg(batch.planes, width=400)[:40]
        '<svg xmlns="http://www.w3.org/2000/svg" '
    """
    batch = _arguments.batch(batch)
    count = len(batch)
    if not count:
        raise ValueError("a grid needs at least one board")
    most = math.ceil(math.sqrt(count)) if columns is None else _arguments.integer("columns", columns, 1)
    columns = min(most, count)
    options = {"coordinates": False, **options}
    rows, cols = batch.shape[2:]
    layout = Layout(rows, cols, style_of(style), bool(options["coordinates"]), bool(options.get("footer")))
    gap = 0.4 * CELL
    step_x, step_y = layout.width + gap, layout.height + gap
    boards = []
    ends = [None] * count if lasts is None else list(lasts)
    for index, (planes, last) in enumerate(zip(batch, ends, strict=True)):
        row, col = divmod(index, columns)
        inner = inner_of(board_svg(planes, style, last=last, title=f"Board {index + 1}", **options))
        boards.append(
            f'<g transform="translate({n(gap + col * step_x)} {n(gap + row * step_y)})">{inner}</g>'
        )
    down = -(-count // columns)
    described = "; ".join(f"{i + 1}: {_counts(planes, layout.style)}" for i, planes in enumerate(batch))
    name = f"{count} boards {rows}x{cols}" if title is None else title
    inner = draw_words(name, described) + "".join(boards)
    return document(inner, gap + columns * step_x, gap + down * step_y, width)


def document(
    inner: str, picture_width: float, picture_height: float, width: int, *, is_animated: bool = False
) -> str:
    """Returns an SVG document around its elements, of which the title and the description go first.

    An animation can have the focus of the keyboard, which stops it.

    Raises:
        ValueError: the width is not from 16 to 16384 pixels.
    """
    width = check_width(width)
    height = max(round(width * picture_height / picture_width), 1)
    focus = ' tabindex="0"' if is_animated else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {n(picture_width)} {n(picture_height)}" role="img"{focus}>{inner}</svg>'
    )


def check_width(width: object, least: int = NARROWEST) -> int:
    """Returns the width of a picture in pixels, which is checked."""
    number = _arguments.integer("width", width)
    if not least <= number <= WIDEST:
        raise ValueError(f"width must be from {least} to {WIDEST} pixels, not {number}")
    return number


def how_many(name: str, value: object) -> bool | int:
    """Returns the choice of all (True), none (False) or so many of something, which is checked.

    Raises:
        TypeError: the value is neither a boolean nor an integer.
        ValueError: the integer is negative.
    """
    return bool(value) if isinstance(value, (bool, np.bool_)) else _arguments.integer(name, value, 0)


def inner_of(svg: str) -> str:
    """Returns the elements of a document without its title and its description."""
    return WORDS.sub("", svg[svg.index(">") + 1 : svg.rindex("</svg>")], count=1)


def _counts(planes: Array, style: Style) -> str:
    black, white = (int(np.count_nonzero(planes[color])) for color in (0, 1))
    return f"{black} black, {white} white, {standing(planes, style)}"


def stones_of(planes: Array) -> dict[int, int]:
    """Returns the stones of a position: point -> color, in the order of the points."""
    colors = [np.flatnonzero(planes[color]).tolist() for color in (0, 1)]
    return dict(sorted((point, color) for color in (0, 1) for point in colors[color]))


def _invalid(planes: Array) -> list[int]:
    empty = (planes[0] == 0) & (planes[1] == 0)
    return np.flatnonzero(empty & (planes[3] != 0)).tolist()


def _liberties(planes: Array, liberties: bool | ArrayLike, stones: dict[int, int]) -> dict[int, str]:
    if liberties is False:
        return {}
    if liberties is True:
        counts: Array = chain_liberties(planes)
    else:
        counts = board_array("liberties", liberties, *planes.shape[1:])
    flat = counts.ravel()
    return {point: str(int(flat[point])) for point in stones}


def point_on(layout: Layout, point: object) -> int:
    """Returns the index of a point, which must be on the board."""
    index = _arguments.integer("a point", point)
    if not 0 <= index < layout.rows * layout.cols:
        raise ValueError(
            f"point {index} is off the board: it must be from 0 to {layout.rows * layout.cols - 1}"
        )
    return index


def board_array(name: str, values: ArrayLike, rows: int, cols: int) -> Array:
    """Returns the values as an array `(rows, cols)`, which is checked.

    Raises:
        ValueError: the shape is another, or a value is not finite.
    """
    array = np.asarray(values)
    if array.shape != (rows, cols):
        raise ValueError(f"the shape of {name} must be ({rows}, {cols}), not {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return array


def _heat_text(heat: ArrayLike | None, value: float) -> str:
    """Returns a value as text: counts in thousands from 1000 on, fractions in percent."""
    if np.asarray(heat).dtype.kind in "iub":
        return f"{value / 1000:.1f}K" if value >= 1000 else str(int(value))  # noqa: PLR2004
    # A half is rounded up, as the page does it beside the board.
    return f"{math.floor(100 * value + 0.5)}%" if value <= 1 else f"{value:.1f}"


def _heat(layout: Layout, heat: ArrayLike, written: bool | int) -> tuple[str, str]:
    """Returns the heat of the points as a piece of SVG, and the heat of the pass in words."""
    values, of_pass = overlay.heat_values(heat, layout.rows, layout.cols)
    most = max(float(values.max()), of_pass)
    texts = _heat_texts(layout, heat, values, most) if written else {}
    if written is not True:
        hottest = sorted(texts, key=lambda point: -values.flat[point])
        texts = {point: texts[point] for point in hottest[:written]}
    squares = overlay.draw_heat(layout, values, most, texts) + "".join(texts.values())
    text = _heat_text(heat, of_pass)
    return squares, f", {layout.style.passing} {text}" if of_pass and text != "0%" else ""


def _heat_texts(layout: Layout, heat: ArrayLike, values: NDArray[np.float64], most: float) -> dict[int, str]:
    """Writes the text of each point as a piece of SVG, dark or light, so that it stands out from its heat."""
    red, green, blue = (int(layout.style.heat[i : i + 2], 16) for i in (1, 3, 5))
    is_dark = 0.3 * red + 0.59 * green + 0.11 * blue < 128  # noqa: PLR2004 - half of full brightness
    texts = {}
    for point, value in enumerate(values.ravel().tolist()):
        strength, text = overlay.heat_strength(value, most), _heat_text(heat, value)
        if strength >= overlay.FAINTEST and text != "0%":
            ink = "#ffffff" if is_dark and strength > overlay.STRONGEST / 2 else "#10131a"
            x, y = layout.center(point)
            texts[point] = text_path(text, x, y, 0.3 * CELL, color=ink, widest=0.74 * CELL)
    return texts


def draw_footer(layout: Layout, planes: Array, words: str) -> str:
    """Returns the footer: a stone of the color to play, and words."""
    y = layout.board_height + 0.4 * CELL
    x = max(layout.margin, 0.5 * CELL)
    stone = ""
    if not planes[5].any():
        color = int(planes[2].any())
        place = f"translate({n(x + 0.3 * CELL)} {n(y)}) scale(.62)"
        stone = f'<g transform="{place}">{draw_stones(color, [(0, 0)])}</g>'
        x += 0.85 * CELL
    # On a board of one column the stone leaves no space.
    widest = max(layout.width - x - 0.4 * CELL, 0.05 * CELL)
    return stone + write(words, x, y, 0.36 * CELL, color=layout.style.label, anchor=0, widest=widest)
