"""Shows a game in the terminal: texts that fit, and boards in color."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Final

from sixplane._core import Game
from sixplane.games import info_of
from sixplane.play.ink import Ink, Tone, is_live
from sixplane.render.text import board_parts

CLEAR: Final = "\x1b[2J\x1b[H"

#: Characters beside the points of a board: two numbers, and a gap at both ends.
AROUND: Final = 6


class Screen:
    """Writes to standard output: colors and lines that fit to a terminal, plain text to anything else."""

    def __init__(self, *, ascii_only: bool = False) -> None:
        self.ascii_only = ascii_only
        self.is_live = is_live(sys.stdout)
        """Whether standard output is a terminal that moves its cursor."""
        self._ink = Ink.of(sys.stdout)

    def columns(self) -> int:
        """Returns the width of the terminal in characters."""
        return shutil.get_terminal_size().columns

    def write(self, text: str) -> None:
        """Writes a text at once."""
        print(text, end="", flush=True)

    def write_line(self, text: str, tone: Tone | None = None) -> None:
        """Writes a line; one that is longer than the terminal is wide is broken between words."""
        if self.is_live and len(text) > self.columns():
            text = "\n".join(textwrap.wrap(text, self.columns(), subsequent_indent="  "))
        self.write((text if tone is None else self._ink.paint(text, tone)) + "\n")

    def table(self, rows: Sequence[tuple[str, str]]) -> None:
        """Writes rows of what can be typed and what it does."""
        left = max(len(name) for name, _ in rows) + 4
        for name, text in rows:
            wide = self.columns() if self.is_live else 1000
            lines = textwrap.wrap(text, max(wide - left, 16)) or [""]
            gap = " " * (left - 2 - len(name))
            self.write(f"  {self._ink.paint(name, 'strong')}{gap}{lines[0]}\n")
            self.write("".join(f"{' ' * left}{line}\n" for line in lines[1:]))

    def clear(self) -> None:
        """Empties the terminal; anything else stays as it is."""
        if self.is_live:
            self.write(CLEAR)

    def board(self, game: Game, marks: Sequence[int] = ()) -> None:
        """Draws a position, with marks on some points."""
        style = info_of(game).style
        width = 2 * game.cols + AROUND + (game.rows - 1 if style.slants else 0)
        lines = board_parts(
            game.planes,
            style,
            last=game.last_action,
            ascii_only=self.ascii_only,
            marks=marks,
            is_narrow=self.is_live and width > self.columns(),
        )
        self.write("".join(f"{self._ink.board(line, style)}\n" for line in lines))
