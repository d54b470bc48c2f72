"""Rendering of environments: as text, as pixels, in a window."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import one_of
from sixplane._core import Game
from sixplane.render.pixels import rgb_array
from sixplane.render.window import Window

#: What `render` returns: text, pixels `uint8 (height, width, 3)`, or None for a window.
Frame: TypeAlias = str | NDArray[np.uint8] | None

#: The width in pixels; an even number, as video codecs want, for height too.
WIDTH: Final = 480

#: The libraries that each mode needs, and the extra that installs them.
LIBRARIES: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "ansi": ((), ""),
    "rgb_array": (("resvg_py", "PIL"), "sixplane[render]"),
    "human": (("resvg_py", "PIL", "pygame"), "sixplane[window]"),
}


def render_modes() -> list[str]:
    """Returns the modes whose libraries are installed."""
    return [mode for mode in LIBRARIES if not _missing(mode)]


def _missing(mode: str) -> list[str]:
    return [name for name in LIBRARIES[mode][0] if find_spec(name) is None]


class Renderer:
    """Shows games in one of the render modes, or not at all.

    Args:
        mode: `"ansi"`, `"rgb_array"`, `"human"` or None.
        frames_per_second: the most steps a second that a window shows.

    Raises:
        TypeError, ValueError: there is no such mode.
        ModuleNotFoundError: a library for the mode is missing; the message names the extra.
    """

    def __init__(self, mode: str | None, frames_per_second: int) -> None:
        if mode is not None and (missing := _missing(one_of("render_mode", mode, tuple(LIBRARIES)))):
            libraries, extra = " and ".join(missing), LIBRARIES[mode][1]
            raise ModuleNotFoundError(
                f"render_mode {mode!r} needs {libraries}: pip install '{extra}'", name=missing[0]
            )
        self._mode = mode
        self._fps = frames_per_second
        self._window = Window() if mode == "human" else None

    def render(self, game: Game) -> Frame:
        """Returns a picture of a game, or None after showing it in the window.

        A window that the user has closed stays closed until `close` is called. A warning tells that there is
        no screen for a window.

        Raises:
            RuntimeError: the driver that `SDL_VIDEODRIVER` names does not work.
        """
        if self._mode is None:
            return None
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
