"""SVG pictures as pixels, which resvg draws without a window (`pip install 'sixplane[render]'`)."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Mapping
from typing import Final
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import integer
from sixplane._library import optional
from sixplane.render.words import as_drawn

#: The most pixels of a picture. Pillow opens no larger file, and resvg ends the process if memory runs out.
MOST_PIXELS: Final = 178_956_970

#: A number of SVG, and the pixels of the units that resvg takes for a length.
NUMBER: Final = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
LENGTH: Final = re.compile(rf"({NUMBER})(px|em|ex|%|)")
UNITS: Final = {"": 1.0, "px": 1.0, "em": 16.0, "ex": 8.0}


def png(svg: str, width: int | None = None) -> bytes:
    """Draws an SVG picture as a PNG file.

    Texts are drawn in capitals where the package has glyphs for them. Fonts of this machine write the others,
    such as accents and Chinese characters.

    Args:
        svg: picture as SVG text.
        width: width in pixels; None: the one that the picture names.

    Raises:
        ValueError: the text is no SVG, the picture names no size and no width is given, or it would have more
            than 178,956,970 pixels.
        ModuleNotFoundError: resvg-py is not installed.

    Example:
        >>> import sixplane
        >>> png(sixplane.Go(size=5).to_svg(width=200))[1:4]
        b'PNG'
    """
    with optional("pixels need resvg-py", "render", "resvg_py"):
        import resvg_py
    width = None if width is None else integer("width", width, 1)
    _check_size(svg, width)
    # Where the picture names no size, one that is higher than this becomes narrower.
    height = None if width is None else MOST_PIXELS // width
    svg = as_drawn(svg)
    # Reading the fonts of the machine takes time, and they differ. Few texts need one.
    needs_font = "<text" in svg
    data = bytes(
        resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height, skip_system_fonts=not needs_font)
    )
    if width is not None and _width_of(data) != width:
        raise _too_large(f"a width of {width}")
    return data


def _too_large(what: str) -> ValueError:
    return ValueError(f"{what} is too large: a picture has at most {MOST_PIXELS:,} pixels in all")


def _width_of(data: bytes) -> int:
    """Returns the width that the head of a PNG file names."""
    (width,) = struct.unpack_from(">I", data, 16)
    return int(width)


def _check_size(svg: str, width: int | None) -> None:
    """Raises a `ValueError` if a picture has too many pixels in this width, or in the size that it names."""
    if width is not None and width > MOST_PIXELS:
        raise _too_large(f"a width of {width}")
    try:
        _, root = next(ET.iterparse(io.StringIO(svg), ["start"]))  # noqa: S314 - the head, no entities
    except ET.ParseError as error:
        raise ValueError(f"the text is no SVG: {error}") from None
    size = _named_size(root.attrib)
    if size is None:
        if width is None:
            raise ValueError("the picture names no size in pixels: pass a width")
        return
    across, down = size
    if width is None:
        if not across * down <= MOST_PIXELS:
            raise _too_large(f"{across:.0f}x{down:.0f}")
    elif across > 0 and not width * width * down / across <= MOST_PIXELS:
        raise _too_large(f"a width of {width}")


def _named_size(head: Mapping[str, str]) -> tuple[float, float] | None:
    """Returns the width and the height in pixels as resvg reads them; None where it would measure shapes."""
    view = [float(one) for one in re.findall(NUMBER, head.get("viewBox", ""))][2:]
    has_view = len(view) == 2 and min(view) > 0  # noqa: PLR2004 - width and height
    width, height = (
        _pixels(head.get(name, ""), view[side] if has_view else None)
        for side, name in enumerate(("width", "height"))
    )
    if width is not None and height is not None:
        return width, height
    if not has_view:
        return None
    if height is not None:
        return height * view[0] / view[1], height
    width = view[0] if width is None else width
    return width, width * view[1] / view[0]


def _pixels(length: str, whole: float | None) -> float | None:
    """Returns a length in pixels; None if there is none, or it is a part of a whole that nothing names."""
    match = LENGTH.fullmatch(length)
    if match is None:
        return None
    value, unit = float(match[1]), match[2]
    if unit == "%":
        return None if whole is None else whole * value / 100
    return value * UNITS[unit]


def rgb_array(svg: str, width: int | None = None, background: str = "#ffffff") -> NDArray[np.uint8]:
    """Draws an SVG picture as an array of pixels, `uint8 (height, width, 3)`.

    Args:
        svg: picture as SVG text.
        width: width in pixels; None: the one that the picture names.
        background: color behind transparent parts.

    Raises:
        ValueError: as in `png`.
        ModuleNotFoundError: resvg-py or Pillow is not installed.

    Example:
        >>> import sixplane
        >>> rgb_array(sixplane.Go(size=5).to_svg(width=200)).shape
        (200, 200, 3)
    """
    with optional("pixels need Pillow", "render", "PIL"):
        from PIL import Image
        from PIL.PngImagePlugin import PngImageFile
    # `Image.open` would warn of a large picture, as an attack; this one is our own.
    picture = PngImageFile(io.BytesIO(png(svg, width))).convert("RGBA")
    ground = Image.new("RGBA", picture.size, background)
    return np.array(Image.alpha_composite(ground, picture).convert("RGB"), dtype=np.uint8)
