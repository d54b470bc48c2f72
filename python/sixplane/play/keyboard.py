"""Asks a person for lines, with a clock in the prompt."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from sixplane.protocols.lines import PipeLines

#: Terminal codes: remember where the cursor is and go to the start of the line; go back there.
TO_START: Final = "\x1b7\r"
BACK: Final = "\x1b8"

#: Seconds below which tenths of what was used are shown.
TENTHS_BELOW: Final = 10.0


class Asker:
    """Asks a person for lines, within the time for one move, if there is a limit."""

    manual = ""
    """How lines are edited, as the help says it."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._deadline = math.inf

    def start_clock(self) -> None:
        """Starts the time for one move."""
        self._deadline = math.inf if self._seconds is None else time.monotonic() + self._seconds

    def ask(self, prompt: str) -> str:
        """Returns the next line that is typed.

        Raises:
            EOFError: there are no more.
            TimeoutError: the time is up.
        """
        raise NotImplementedError


class Keyboard(Asker):
    """Asks for lines, and watches the clock; a terminal redraws it every second."""

    def __init__(
        self,
        lines: PipeLines,
        seconds: float | None,
        *,
        is_live: bool,
        write: Callable[[str], object] | None = None,
    ) -> None:
        super().__init__(seconds)
        self._lines, self._is_live, self._write = lines, is_live, write or partial(print, end="", flush=True)

    def ask(self, prompt: str) -> str:
        """Returns the next line of the source."""
        if self._seconds is None:
            self._write(prompt)
            return self._read(None)
        left = self._deadline - time.monotonic()
        self._write(with_clock(prompt, left, self._seconds))
        while left > 0:
            # Until the next full second, when the clock is redrawn.
            pause = left - (math.ceil(left) - 1) if self._is_live else left
            try:
                return self._read(pause)
            except TimeoutError:
                left = self._deadline - time.monotonic()
                if self._is_live:
                    self._write(f"{TO_START}{with_clock(prompt, left, self._seconds)}{BACK}")
        self._write("\n")
        raise TimeoutError(f"no move within {self._seconds:.3g} s")

    def _read(self, seconds: float | None) -> str:
        line = self._lines.get(seconds)
        if line is None:
            raise EOFError
        return line


def clock_text(seconds: float) -> str:
    """Writes a time as minutes and seconds, such as `1:05`; a second that has begun counts.

    Example:
        >>> clock_text(64.2), clock_text(0)
        ('1:05', '0:00')
    """
    minutes, rest = divmod(max(math.ceil(seconds), 0), 60)
    return f"{minutes}:{rest:02}"


def used_text(seconds: float) -> str:
    """Writes a time that was used, rounded down: tenths below ten seconds, then minutes and seconds.

    Example:
        >>> used_text(0.99), used_text(9.99), used_text(64.9)
        ('0.9 s', '9.9 s', '1:04')
    """
    if seconds < TENTHS_BELOW:
        return f"{math.floor(10 * seconds) / 10:.1f} s"
    return clock_text(math.floor(seconds))


def with_clock(prompt: str, left: float, limit: float) -> str:
    """Returns a prompt with the seconds left of a limit; it is as wide as with all of them.

    Example:
        >>> with_clock("black: ", 9.5, 600)
        'black  0:10: '
    """
    width = len(clock_text(limit))
    return f"{prompt.rstrip().removesuffix(':')} {clock_text(left):>{width}}: "
