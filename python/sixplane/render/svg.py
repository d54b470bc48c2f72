"""Six planes as an SVG picture, without any library. No element has an id."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypedDict, TypeVar

import numpy as np

from sixplane import _arguments
from sixplane.games.style import Style
from sixplane.planes import liberties as chain_liberties
from sixplane.render import overlay
from sixplane.render.board import draw_board, draw_stones
from sixplane.render.description import draw_words, position_text, standing, title_text
from sixplane.render.glyphs import number as n
from sixplane.render.glyphs import text_path
from sixplane.render.layout import CELL, Layout, last_point, point_on, style_of
from sixplane.render.words import write

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Unpack

    from numpy.typing import ArrayLike, NDArray

    from sixplane._arguments import Array

T = TypeVar("T")

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
        heat_text: whether to write the heat, too, in percent if no value is above 1; or on how many points,
            the hottest ones.
        line: points to draw a line through.
        title: title for screen readers; None: the size of the board and whose turn it is. The description
            names the stones in any case.

    Returns:
        The text of an SVG document.

    Raises:
        TypeError: an option has a value of another type.
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
    texts = _texts(layout, numbers) | _liberties(planes, liberties, stones)
    dotted = last_point(layout, last)

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
    if dotted is not None and dotted not in texts:
        parts.append(overlay.draw_last(layout, dotted))
    parts.append(overlay.draw_on_points(layout, texts, stones, dotted, struck))
    if footer:
        parts.append(draw_footer(layout, planes, words))
    described = draw_words(
        title_or(title, title_text(planes, layout.style)),
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
        TypeError: as in `board_svg`, or an option belongs to one board.
        ValueError: as in `board_svg`, the batch is empty, or `lasts` has not one value for each board.

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
    check_shared(options)
    options = {"coordinates": False, **options}
    rows, cols = batch.shape[2:]
    layout = Layout(rows, cols, style_of(style), bool(options["coordinates"]), bool(options.get("footer")))
    gap = 0.4 * CELL
    step_x, step_y = layout.width + gap, layout.height + gap
    boards = []
    ends = [None] * count if lasts is None else list(lasts)
    if len(ends) != count:
        raise ValueError(f"lasts must have one value for each of the {count} boards, not {len(ends)}")
    for index, (planes, last) in enumerate(zip(batch, ends, strict=True)):
        row, col = divmod(index, columns)
        inner = inner_of(board_svg(planes, style, last=last, title=f"Board {index + 1}", **options))
        boards.append(
            f'<g transform="translate({n(gap + col * step_x)} {n(gap + row * step_y)})">{inner}</g>'
        )
    down = -(-count // columns)
    described = "; ".join(f"{i + 1}: {_counts(planes, layout.style)}" for i, planes in enumerate(batch))
    name = title_or(title, f"{count} boards {rows}x{cols}")
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
    value = as_choice(value)
    return value if isinstance(value, bool) else _arguments.integer(name, value, 0)


def as_choice(value: T) -> T | bool:
    """Returns a boolean of NumPy as one of Python, and any other value as it is."""
    return bool(value) if isinstance(value, np.bool_) else value


def title_or(title: str | None, usual: str) -> str:
    """Returns the title of a picture, or the usual one for None.

    Raises:
        TypeError: the title is no text.
    """
    if not isinstance(title, str | None):
        raise TypeError(f"title must be a text or None, not {type(title).__name__}")
    return usual if title is None else title


def check_shared(options: Iterable[str]) -> None:
    """Raises a `TypeError` unless the boards of a picture may share all these options of `board_svg`."""
    shared = BoardOptions.__annotations__
    for name in options:
        if name not in shared:
            raise TypeError(f"a picture of many boards does not take {name}, only {', '.join(shared)}")


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


def _texts(layout: Layout, numbers: Mapping[int, int | str] | None) -> dict[int, str]:
    """Returns the texts on points: point -> text."""
    if not isinstance(numbers, Mapping | None):
        raise TypeError(f"numbers must map points to texts, not be of type {type(numbers).__name__}")
    return {point_on(layout, point): str(text) for point, text in (numbers or {}).items()}


def _liberties(planes: Array, liberties: bool | ArrayLike, stones: dict[int, int]) -> dict[int, str]:
    liberties = as_choice(liberties)
    if liberties is False:
        return {}
    if liberties is True:
        counts: Array = chain_liberties(planes)
    else:
        counts = board_array("liberties", liberties, *planes.shape[1:])
    flat = counts.ravel()
    return {point: str(int(flat[point])) for point in stones}


def board_array(name: str, values: ArrayLike, rows: int, cols: int) -> Array:
    """Returns the values as an array `(rows, cols)`, which is checked.

    Raises:
        TypeError: the values are no real numbers.
        ValueError: the shape is another, or a value is not finite.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be real numbers, not of type {array.dtype}")
    if array.shape != (rows, cols):
        raise ValueError(f"the shape of {name} must be ({rows}, {cols}), not {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return array


def _heat_text(heat: ArrayLike, value: float, most: float) -> str:
    """Returns a value of a map up to `most` as text: fractions in percent if all are, counts in thousands.

    The text is empty for what rounds to 0.
    """
    is_whole = np.asarray(heat).dtype.kind in "iub"
    if not is_whole and most <= 1:
        # A half is rounded up, as the page does it beside the board.
        text = f"{math.floor(100 * value + 0.5)}%"
    elif value >= 1000:  # noqa: PLR2004
        text = f"{value / 1000:.1f}K"
    else:
        text = str(int(value)) if is_whole else f"{value:.1f}"
    return "" if text in {"0", "0.0", "0%"} else text


def _heat(layout: Layout, heat: ArrayLike, written: bool | int) -> tuple[str, str]:
    """Returns the heat of the points as a piece of SVG, and the heat of the pass in words."""
    values, of_pass = overlay.heat_values(heat, layout.rows, layout.cols)
    most = max(float(values.max()), of_pass)
    texts = _heat_texts(layout, heat, values, most) if written else {}
    if written is not True:
        hottest = sorted(texts, key=lambda point: -values.flat[point])
        texts = {point: texts[point] for point in hottest[:written]}
    squares = overlay.draw_heat(layout, values, most, texts) + "".join(texts.values())
    text = _heat_text(heat, of_pass, most)
    return squares, f", {layout.style.passing} {text}" if text else ""


def _heat_texts(layout: Layout, heat: ArrayLike, values: NDArray[np.float64], most: float) -> dict[int, str]:
    """Writes the text of each point as a piece of SVG, dark or light, so that it stands out from its heat."""
    red, green, blue = (int(layout.style.heat[i : i + 2], 16) for i in (1, 3, 5))
    is_dark = 0.3 * red + 0.59 * green + 0.11 * blue < 128  # noqa: PLR2004 - half of full brightness
    texts = {}
    for point, value in enumerate(values.ravel().tolist()):
        strength, text = overlay.heat_strength(value, most), _heat_text(heat, value, most)
        if strength >= overlay.FAINTEST and text:
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
