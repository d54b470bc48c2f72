"""Words in a picture: strokes where there are glyphs for them, else text in a font of the viewer.

In pixels, text becomes strokes, too, in capitals, if there are glyphs; else fonts of the machine write it.
"""

from __future__ import annotations

import re
import unicodedata
from html import escape, unescape
from typing import Final

from sixplane.render.glyphs import GLYPHS, number, text_path

#: The height of capitals, and the widths of usual and of wide letters, in sizes of the font.
CAPITALS: Final = 0.72
USUAL, WIDE = 0.62, 1.05
ANCHORS: Final = {0.0: "start", 0.5: "middle", 1.0: "end"}

#: Browsers take the first; resvg looks for one that the machine has.
FONTS: Final = "sans-serif, Arial, DejaVu Sans, Noto Sans, Liberation Sans, Helvetica, Segoe UI"

TEXT: Final = re.compile(
    r'<text x="([-\d.]+)" y="([-\d.]+)" font-family="[^"]*" font-size="([\d.]+)" fill="([^"]*)"'
    r' text-anchor="(\w+)">([^<]*)</text>'
)


def write(
    text: str, x: float, y: float, height: float, *, color: str, anchor: float = 0.5, widest: float = 1e9
) -> str:
    """Writes any text as a piece of SVG, at the place and in the size that `text_path` would give it."""
    if all(char in GLYPHS for char in text):
        return text_path(text, x, y, height, color=color, anchor=anchor, widest=widest)
    text = plain(text)
    width = sum(WIDE if unicodedata.east_asian_width(char) in "WF" else USUAL for char in text)
    size = min(height / CAPITALS, widest / width)
    return (
        f'<text x="{number(x)}" y="{number(y + size * CAPITALS / 2)}" font-family="{FONTS}" '
        f'font-size="{number(size)}" fill="{color}" text-anchor="{ANCHORS[anchor]}">'
        f"{escape(text, quote=False)}</text>"
    )


def plain(text: str) -> str:
    """Returns the text as XML allows it: control characters and halves of surrogate pairs become spaces."""
    return "".join(" " if unicodedata.category(char) in {"Cc", "Cs", "Cn"} else char for char in text)


def as_drawn(svg: str) -> str:
    """Returns the picture with its texts drawn as strokes, where there are glyphs for their capitals."""
    return TEXT.sub(_drawn, svg)


def _drawn(match: re.Match[str]) -> str:
    x, base, size = (float(match[group]) for group in (1, 2, 3))
    text = unescape(match[6]).upper()
    if not all(char in GLYPHS for char in text):
        return match[0]
    anchor = next(part for part, name in ANCHORS.items() if name == match[5])
    widest = size * USUAL * len(text)
    height = size * CAPITALS
    return text_path(text, x, base - height / 2, height, color=match[4], anchor=anchor, widest=widest)
