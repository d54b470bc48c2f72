"""SVG pictures as pixels, which resvg draws without a window (`pip install 'sixplane[render]'`)."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from sixplane._library import optional
from sixplane.render.words import as_drawn


def png(svg: str, width: int | None = None) -> bytes:
    """Draws an SVG picture as a PNG file.

    Texts are drawn in capitals where the package has glyphs for them. Fonts of this machine write the others,
    such as accents and Chinese characters.

    Args:
        svg: picture as SVG text.
        width: width in pixels; None: the one that the picture names.

    Raises:
        ModuleNotFoundError: resvg-py is not installed.

    Example:
        >>> import sixplane
        >>> png(sixplane.Go(size=5).to_svg(width=200))[1:4]
        b'PNG'
    """
    with optional("pixels need resvg-py", "render", "resvg_py"):
        import resvg_py
    svg = as_drawn(svg)
    # Reading the fonts of the machine takes time, and they differ. Few texts need one.
    needs_font = "<text" in svg
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=not needs_font))


def rgb_array(svg: str, width: int | None = None, background: str = "#ffffff") -> NDArray[np.uint8]:
    """Draws an SVG picture as an array of pixels, `uint8 (height, width, 3)`.

    Args:
        svg: picture as SVG text.
        width: width in pixels; None: the one that the picture names.
        background: color behind transparent parts.

    Raises:
        ModuleNotFoundError: resvg-py or Pillow is not installed.

    Example:
        >>> import sixplane
        >>> rgb_array(sixplane.Go(size=5).to_svg(width=200)).shape
        (200, 200, 3)
    """
    with optional("pixels need Pillow", "render", "PIL"):
        from PIL import Image
    picture = Image.open(io.BytesIO(png(svg, width))).convert("RGBA")
    ground = Image.new("RGBA", picture.size, background)
    return np.array(Image.alpha_composite(ground, picture).convert("RGB"), dtype=np.uint8)
