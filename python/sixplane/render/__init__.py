"""Pictures of six planes: text, SVG, animations and pixels; no game is needed to draw them."""

from sixplane.games.style import Style
from sixplane.render.animation import animated_svg
from sixplane.render.layout import STYLES
from sixplane.render.pixels import png, rgb_array
from sixplane.render.planes import planes_svg
from sixplane.render.svg import board_svg, grid_svg
from sixplane.render.text import board_text

__all__ = [
    "STYLES",
    "Style",
    "animated_svg",
    "board_svg",
    "board_text",
    "grid_svg",
    "planes_svg",
    "png",
    "rgb_array",
]
