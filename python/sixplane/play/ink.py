"""Texts and boards in the colors that a terminal has."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from typing import Final, Literal, TextIO, TypeAlias

from sixplane.games.style import Style
from sixplane.render.text import Part

Tone: TypeAlias = Literal["strong", "soft", "warn"]

RESET: Final = "\x1b[0m"
TONES: Final[dict[Tone, str]] = {"strong": "1", "soft": "2", "warn": "33"}

#: The steps of red, green and blue in the 216 colors of a terminal with 256.
STEPS: Final = (0, 95, 135, 175, 215, 255)
BLACK, WHITE = 16, 231


@dataclass(frozen=True)
class Ink:
    """Writes texts and boards in color.

    Attributes:
        colors: how many colors the terminal has: 0, 8 or 256.
    """

    colors: int = 0

    @classmethod
    def of(cls, stream: TextIO | None) -> Ink:
        """Finds the colors of a terminal; a file or a pipe has none, nor has any with `NO_COLOR` set."""
        if not is_live(stream) or os.environ.get("NO_COLOR"):
            return cls()
        term = os.environ.get("TERM", "")
        many = any(word in term for word in ("256color", "direct", "kitty", "alacritty"))
        many = many or os.environ.get("COLORTERM") in {"truecolor", "24bit"} or "WT_SESSION" in os.environ
        return cls(256 if many else 8)

    def paint(self, text: str, tone: Tone) -> str:
        """Returns a text in a tone; without colors, the text itself."""
        return f"\x1b[{TONES[tone]}m{text}{RESET}" if self.colors else text

    def board(self, line: list[tuple[Part, str]], style: Style) -> str:
        """Returns a line of a board in color; `board_parts` makes such lines."""
        if not self.colors:
            return "".join(text for _, text in line)
        return "".join(self._piece(part, text, style) for part, text in line)

    def _piece(self, part: Part, text: str, style: Style) -> str:
        if part == "label":
            return f"\x1b[2m{text}{RESET}"
        if self.colors < 256:  # noqa: PLR2004 - else there are no others
            ground = "42" if style.squares else "43"
            front = {"white": "1;37", "mark": "1;37", "last": "1;30"}.get(part, "30")
        else:
            usual = Style()
            ground = f"48;5;{_nearest(style.board, usual.board)}"
            number = {"black": BLACK, "white": WHITE, "mark": WHITE, "last": BLACK}.get(part)
            front = f"38;5;{_nearest(style.ink, usual.ink) if number is None else number}"
            front += ";1" if part in {"mark", "last"} else ""
        # The color tells the stones apart, and a filled disc shows it best.
        return f"\x1b[{ground};{front}m{text.replace('○', '●')}{RESET}"


def is_live(stream: TextIO | None) -> bool:
    """Returns whether a stream is a terminal that moves its cursor."""
    if stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
        return False
    return _obeys_codes(stream)


if sys.platform == "win32":
    import ctypes
    import msvcrt

    #: What Microsoft's documentation of `SetConsoleMode` calls `ENABLE_VIRTUAL_TERMINAL_PROCESSING`.
    _OBEYS: Final = 0x4

    def _obeys_codes(stream: TextIO) -> bool:
        """Tells a console to obey codes, which older ones do only then; returns whether it does."""
        console, mode = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno())), ctypes.c_ulong()
        system = ctypes.windll.kernel32
        is_console = system.GetConsoleMode(console, ctypes.byref(mode))
        return bool(is_console and system.SetConsoleMode(console, mode.value | _OBEYS))

else:

    def _obeys_codes(_stream: TextIO) -> bool:
        return True


def _nearest(color: str, usual: str) -> int:
    """Returns the number of the nearest of 216 colors to one such as `#e3b568` or `#333`."""
    if not re.fullmatch("#([0-9a-fA-F]{3}){1,2}", color):
        # Pictures may have any color of SVG, such as `burlywood`; a terminal shows the usual one instead.
        color = usual
    width = len(color) // 3
    parts = [int(color[1 + i * width :][:width] * (3 - width), 16) for i in range(3)]
    red, green, blue = (min(range(6), key=lambda step: abs(STEPS[step] - part)) for part in parts)
    return 16 + 36 * red + 6 * green + blue
