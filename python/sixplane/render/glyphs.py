"""Letters and digits as strokes, so that a picture needs no font and looks the same everywhere.

A glyph is drawn on a grid of height 6, its base line at 6 and y pointing down.
"""

from __future__ import annotations

from typing import Final

HEIGHT: Final = 6.0
SPACE: Final = 1.7
STROKE: Final = 0.9

_ROUND: Final = "M2 0C.8 0 0 .9 0 2.2V3.8C0 5.1 .8 6 2 6C3.2 6 4 5.1 4 3.8V2.2C4 .9 3.2 0 2 0Z"

#: Character -> its width and its strokes, as SVG path data.
GLYPHS: Final[dict[str, tuple[float, str]]] = {
    "A": (4, "M0 6L2 0L4 6M.7 4H3.3"),
    "B": (3.9, "M2.3 2.8A1.6 1.6 0 0 1 2.3 6H0V0H2.1A1.4 1.4 0 0 1 2.1 2.8H0M2.1 2.8H2.3"),
    "C": (4, "M4 1.5C3.7 .5 3 0 2 0C.8 0 0 .9 0 2.2V3.8C0 5.1 .8 6 2 6C3 6 3.7 5.5 4 4.5"),
    "D": (4, "M0 0V6H1.8C3.2 6 4 5 4 3.6V2.4C4 1 3.2 0 1.8 0Z"),
    "E": (3.5, "M3.5 0H0V6H3.5M0 3H2.9"),
    "F": (3.5, "M3.5 0H0V6M0 3H2.9"),
    "G": (4, "M4 1.5C3.7 .5 3 0 2 0C.8 0 0 .9 0 2.2V3.8C0 5.1 .8 6 2 6C3.2 6 4 5.2 4 4V3.2H2.2"),
    "H": (4, "M0 0V6M4 0V6M0 3H4"),
    "I": (0, "M0 0V6"),
    "J": (2.9, "M2.9 0V4.2C2.9 5.4 2.4 6 1.5 6C.6 6 0 5.4 0 4.4"),
    "K": (3.9, "M0 0V6M3.8 0L0 3.7M1.4 2.4L3.9 6"),
    "L": (3.3, "M0 0V6H3.3"),
    "M": (4.8, "M0 6V0L2.4 4L4.8 0V6"),
    "N": (4, "M0 6V0L4 6V0"),
    "O": (4, _ROUND),
    "P": (3.9, "M0 6V0H2.3A1.6 1.6 0 0 1 2.3 3.2H0"),
    "Q": (4, _ROUND + "M2.6 4.4L4.2 6.4"),
    "R": (4, "M0 6V0H2.3A1.6 1.6 0 0 1 2.3 3.2H0M2 3.2L4 6"),
    "S": (
        4,
        (
            "M3.8 1.3C3.5 .5 2.9 0 2 0C.9 0 .2 .6 .2 1.5C.2 2.4 .9 2.7 2 3C3.2 3.3 4 3.6 4 4.5"
            "C4 5.4 3.1 6 2 6C1 6 .3 5.5 0 4.6"
        ),
    ),
    "T": (4, "M0 0H4M2 0V6"),
    "U": (4, "M0 0V3.8C0 5.1 .8 6 2 6C3.2 6 4 5.1 4 3.8V0"),
    "V": (4, "M0 0L2 6L4 0"),
    "W": (5.6, "M0 0L1.3 6L2.8 1.6L4.3 6L5.6 0"),
    "X": (4, "M0 0L4 6M4 0L0 6"),
    "Y": (4, "M0 0L2 3L4 0M2 3V6"),
    "Z": (4, "M0 0H4L0 6H4"),
    "0": (4, _ROUND),
    "1": (1.7, "M0 1.2L1.7 0V6"),
    "2": (3.9, "M.1 1.6C.1 .6 .9 0 1.9 0C3 0 3.7 .7 3.7 1.7C3.7 3.2 0 4.4 0 6H3.9"),
    "3": (
        3.9,
        (
            "M.2 1.2C.5 .4 1.1 0 1.9 0C3 0 3.6 .6 3.6 1.5C3.6 2.4 2.9 2.9 1.6 2.9"
            "C3 2.9 3.9 3.5 3.9 4.4C3.9 5.4 3.1 6 1.9 6C.9 6 .2 5.5 0 4.7"
        ),
    ),
    "4": (4.1, "M3 6V0L0 4.3H4.1"),
    "5": (
        3.9,
        "M3.5 0H.6L.3 2.8C.8 2.4 1.3 2.2 1.9 2.2C3.1 2.2 3.9 3 3.9 4.1C3.9 5.2 3.1 6 1.9 6C.9 6 .2 5.5 0 4.7",
    ),
    "6": (
        3.9,
        (
            "M3.5 .9C3.2 .3 2.7 0 2 0C.8 0 0 1.2 0 3.4C0 5.1 .8 6 2 6C3.2 6 3.9 5.2 3.9 4.1"
            "C3.9 3 3.2 2.3 2.1 2.3C1 2.3 .1 3 0 4"
        ),
    ),
    "7": (3.8, "M0 0H3.8L1.4 6"),
    "8": (
        3.8,
        (
            "M1.9 2.8C.9 2.8 .3 2.2 .3 1.4C.3 .6 .9 0 1.9 0C2.9 0 3.5 .6 3.5 1.4C3.5 2.2 2.9 2.8 1.9 2.8"
            "C.8 2.8 0 3.4 0 4.4C0 5.4 .8 6 1.9 6C3 6 3.8 5.4 3.8 4.4C3.8 3.4 3 2.8 1.9 2.8Z"
        ),
    ),
    "9": (
        3.9,
        (
            "M.4 5.1C.7 5.7 1.2 6 1.9 6C3.1 6 3.9 4.8 3.9 2.6C3.9 .9 3.1 0 1.9 0C.7 0 0 .8 0 1.9"
            "C0 3 .7 3.7 1.8 3.7C2.9 3.7 3.8 3 3.9 2"
        ),
    ),
    "+": (3.2, "M0 3.4H3.2M1.6 1.8V5"),
    "-": (2.6, "M0 3.4H2.6"),
    "%": (4.6, "M4.1 0L.5 6M1 0A1 1 0 0 0 1 2A1 1 0 0 0 1 0M3.6 4A1 1 0 0 0 3.6 6A1 1 0 0 0 3.6 4"),
    ".": (0, "M0 6V5.95"),
    ",": (0.4, "M.4 5.7L0 6.9"),
    ":": (0, "M0 2V1.95M0 5.5V5.45"),
    "/": (3, "M3 0L0 6"),
    "(": (1.2, "M1.2 -.4C-.4 1.6 -.4 4.4 1.2 6.4"),
    ")": (1.2, "M0 -.4C1.6 1.6 1.6 4.4 0 6.4"),
    " ": (1.4, ""),
}


def text_width(text: str) -> float:
    """Returns the width of a text on the grid; characters without a glyph count as spaces."""
    widths = [GLYPHS.get(char, GLYPHS[" "])[0] for char in text.upper()]
    return sum(widths) + SPACE * max(len(widths) - 1, 0)


def text_path(
    text: str, x: float, y: float, height: float, *, color: str, anchor: float = 0.5, widest: float = 1e9
) -> str:
    """Draws a text as an SVG group of strokes.

    Args:
        text: text to draw, in capitals; characters without a glyph become spaces.
        x: horizontal position of the anchor.
        y: vertical middle of the letters.
        height: height of the letters.
        color: color of the strokes.
        anchor: part of the width that is left of `x`: 0, 0.5 or 1.
        widest: largest width; a wider text is made smaller.
    """
    width = text_width(text)
    scale = min(height / HEIGHT, widest / width if width else 1e9)
    strokes, at = [], 0.0
    for char in text.upper():
        advance, path = GLYPHS.get(char, GLYPHS[" "])
        if path:
            place = f' transform="translate({number(at)})"' if at else ""
            strokes.append(f'<path{place} d="{path}"/>')
        at += advance + SPACE
    left, top = x - anchor * width * scale, y - HEIGHT / 2 * scale
    return (
        f'<g transform="translate({number(left)} {number(top)}) scale({number(scale)})" fill="none" '
        f'stroke="{color}" stroke-width="{STROKE}" stroke-linecap="round" stroke-linejoin="round">'
        f"{''.join(strokes)}</g>"
    )


def number(value: float) -> str:
    """Returns a number for SVG with at most three decimals."""
    return f"{round(value, 3) + 0.0:.3f}".rstrip("0").rstrip(".")
