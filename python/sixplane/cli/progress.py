"""A bar or a line that says how far a long command is."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol

#: Seconds between two lines: in a terminal, and elsewhere.
LIVE_SECONDS: Final = 0.5
QUIET_SECONDS: Final = 10.0

#: The width of a terminal that does not know it.
USUAL_COLUMNS: Final = 80


class Advance(Protocol):
    """Moves a bar on."""

    def __call__(self, done: int, note: str = "", /) -> object:
        """Counts what was done since the last time; a note stands beside the bar."""


@contextmanager
def progress_bar(total: int, unit: str, done: int = 0) -> Iterator[Advance]:
    """Shows a bar until the block ends; yields what moves it on. Where there is none, notes stand in a line.

    Args:
        total: how much there is to do.
        unit: what is counted, in the singular.
        done: how much was done before, which says nothing about the speed.
    """
    if (tqdm := _tqdm()) is None:
        line, counted = ProgressLine(), done

        def tell(more: int, note: str = "", /) -> None:
            nonlocal counted
            counted += more
            if note:
                line.show(f"{counted} of {total} {unit}s, {note}")

        try:
            yield tell
        finally:
            line.close()
        return
    with tqdm(total=total, initial=done, unit=unit, mininterval=0.1) as bar:

        def advance(more: int, note: str = "", /) -> None:
            if note:
                bar.set_postfix_str(note, refresh=False)
            bar.update(more)

        yield advance


def _tqdm() -> Any:
    """Returns what makes a bar; None where nobody sees it, or, with a note, where tqdm is not installed."""
    if not sys.stderr.isatty():
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        print("sixplane: no progress bar; pip install 'sixplane[cli]' brings it", file=sys.stderr)
        return None
    return tqdm


class ProgressLine:
    """Shows one line: a terminal rewrites it within its width, else it is written now and then."""

    def __init__(self) -> None:
        self._is_live = sys.stderr.isatty()
        self._written = -QUIET_SECONDS
        self._shown = ""

    def show(self, line: str) -> None:
        """Shows a line, unless one was shown just before."""
        now = time.monotonic()
        if now - self._written < (LIVE_SECONDS if self._is_live else QUIET_SECONDS):
            return
        self._written = now
        if not self._is_live:
            print(line, file=sys.stderr, flush=True)
            return
        # In the last column the cursor of some terminals goes on to the next line.
        columns = _columns()
        line = fitted(line, columns - 1)
        print("\r" + line.ljust(min(len(self._shown), columns - 1)), end="", file=sys.stderr, flush=True)
        self._shown = line

    def close(self) -> None:
        """Ends the line, if one is shown in a terminal."""
        if self._shown:
            print(file=sys.stderr)


def _columns() -> int:
    """Returns the width of the terminal; Windows calls also what is no terminal one, such as `NUL`."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or USUAL_COLUMNS
    except OSError:
        return USUAL_COLUMNS


def fitted(line: str, most: int) -> str:
    """Returns what of a line fits into so many characters: whole parts between commas if one fits."""
    if len(line) <= most:
        return line
    whole = line[: most + 1].rpartition(", ")[0]
    return whole or line[:most]
