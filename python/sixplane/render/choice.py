"""A window that asks for a point of a board of Go, or for a key."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Final

from sixplane._arguments import Array
from sixplane.render.layout import Layout
from sixplane.render.style import STYLES
from sixplane.render.svg import board_svg
from sixplane.render.window import Window

#: The width of the window in pixels.
WIDTH: Final = 640

#: What `choose` returns when the user closes the window.
CLOSED: Final = "closed"

#: Seconds between two looks at the mouse and the keys.
PAUSE: Final = 0.02


def choose(planes: Array, footer: str, keys: Collection[str]) -> int | str:
    """Shows a board in a window until the user clicks a point or presses a key.

    Args:
        planes: `(6, rows, cols)`.
        footer: text below the board.
        keys: names of the keys that may be pressed, as small letters.

    Returns:
        The point, the key, or `CLOSED` if the user closed the window.

    Raises:
        ModuleNotFoundError: the libraries of `sixplane[window]` are missing.
        RuntimeError: there is no screen.
    """
    window = Window("Go")
    window.find_screen()
    picture = board_svg(planes, width=WIDTH, footer=footer)
    layout = Layout(planes.shape[1], planes.shape[2], STYLES["go"], footer=True)
    try:
        window.show(picture)
        while True:
            for event in window.events():
                if window.is_closing(event):
                    return CLOSED
                if (key := window.key(event)) in keys:
                    return key
                place = window.click(event)
                if place is not None:
                    x, y = (one * layout.width / WIDTH for one in place)
                    point = layout.point_at(x, y)
                    if point is not None:
                        return point
            time.sleep(PAUSE)
    finally:
        window.close()
