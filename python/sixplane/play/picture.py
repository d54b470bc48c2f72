"""The picture of a table: the board, a line of words, and buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from sixplane.games import info_of
from sixplane.render.description import draw_words
from sixplane.render.glyphs import number as n
from sixplane.render.glyphs import text_path
from sixplane.render.layout import CELL, Layout
from sixplane.render.svg import document, inner_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from sixplane._core import Game

__all__ = ["BUTTONS", "TablePicture"]

#: What the buttons say, from the left; a game without passes has no first button.
BUTTONS: Final = ("pass", "undo", "hint", "resign", "new game")

GAP: Final = 0.15 * CELL
HEIGHT: Final = 0.9 * CELL
#: The buttons are at least this wide, also below boards with few columns.
LEAST_WIDTH: Final = 9 * CELL


class TablePicture:
    """Draws a table, and finds what is at a pixel of the picture.

    Args:
        game: whose size and kind the board has.
        width: of the picture in pixels.
    """

    def __init__(self, game: Game, width: int) -> None:
        info = info_of(game)
        self.layout = Layout(game.rows, game.cols, info.style, footer=True)
        self._board_width = max(self.layout.width, LEAST_WIDTH)
        self._indent = (self._board_width - self.layout.width) / 2
        self._height = self.layout.height + HEIGHT + 2 * GAP
        self._width = width
        self._buttons = BUTTONS if info.has_pass else BUTTONS[1:]

    def svg(self, game: Game, words: str, enabled: Collection[str], hint: int | None = None) -> str:
        """The table as SVG.

        Args:
            game: the position.
            words: what stands below the board.
            enabled: the buttons that do something now.
            hint: a point to mark.
        """
        heat = None
        if hint is not None:
            heat = np.zeros(game.num_actions)
            heat[hint] = 1.0
        inner = inner_of(game.to_svg(footer=words, heat=heat))
        told = draw_words(f"{info_of(game).title}: {words}", "")
        parts = [told, f'<g transform="translate({n(self._indent)} 0)">{inner}</g>']
        for index, name in enumerate(self._buttons):
            left, top, width, height = self._button(index)
            fill, ink = ("#f1f3f5", "#212529") if name in enabled else ("#f8f9fa", "#ced4da")
            parts.append(
                f'<rect x="{n(left)}" y="{n(top)}" width="{n(width)}" height="{n(height)}" rx="6" '
                f'fill="{fill}" stroke="{ink}" stroke-width="1.5"/>'
            )
            middle = (left + width / 2, top + height / 2)
            parts.append(text_path(name, *middle, 0.3 * CELL, color=ink, widest=0.8 * width))
        return document("".join(parts), self._board_width, self._height, self._width)

    def point_at(self, x: float, y: float) -> int | None:
        """The point of the board at a pixel."""
        scale = self._board_width / self._width
        return self.layout.point_at(x * scale - self._indent, y * scale)

    def button_at(self, x: float, y: float) -> str | None:
        """The button at a pixel."""
        scale = self._board_width / self._width
        for index, name in enumerate(self._buttons):
            left, top, width, height = self._button(index)
            if left <= x * scale <= left + width and top <= y * scale <= top + height:
                return name
        return None

    def center_of(self, what: int | str) -> tuple[int, int]:
        """The pixel in the middle of a point or a button."""
        if isinstance(what, str):
            left, top, width, height = self._button(self._buttons.index(what))
            x, y = left + width / 2, top + height / 2
        else:
            x, y = self.layout.center(what)
            x += self._indent
        scale = self._width / self._board_width
        return round(x * scale), round(y * scale)

    def _button(self, index: int) -> tuple[float, float, float, float]:
        """Left, top, width and height."""
        width = (self._board_width - GAP) / len(self._buttons) - GAP
        return GAP + index * (width + GAP), self.layout.height + GAP, width, HEIGHT
