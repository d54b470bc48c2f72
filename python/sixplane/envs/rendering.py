"""How an environment shows its game: as text, as pixels, in a window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sixplane.render.pixels import can_rasterise, rgb_array
from sixplane.render.window import Window, can_open_windows

if TYPE_CHECKING:
    from sixplane._core import Game

__all__ = ["Renderer", "render_modes"]

#: Pixels; an even number, as video codecs want, for height too.
WIDTH = 480


def render_modes() -> list[str]:
    """The modes whose libraries are installed."""
    modes = ["ansi"]
    if can_rasterise():
        modes.append("rgb_array")
    if can_open_windows():
        modes.append("human")
    return modes


class Renderer:
    """Shows games in one of the modes.

    Args:
        mode: `"ansi"`, `"rgb_array"` or `"human"`.
        frames_per_second: how fast a window goes on.
    """

    def __init__(self, mode: str, frames_per_second: int) -> None:
        self._mode = mode
        self._fps = frames_per_second
        self._window = Window() if mode == "human" else None

    def render(self, game: Game) -> Any:
        """A text, an array `uint8 (height, width, 3)`, or None after showing it in the window."""
        if self._mode == "ansi":
            return str(game)
        svg = game.to_svg(width=WIDTH, footer=True)
        if self._window is None:
            pixels = rgb_array(svg)
            return pixels[: len(pixels) // 2 * 2]
        self._window.show(svg)
        self._window.wait(self._fps)
        return None

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()
