"""Shows in the terminal that an agent thinks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from sixplane.play.keyboard import clock_text

#: Seconds before the line is shown, and between two pictures of it.
DELAY: Final = 0.3
INTERVAL: Final = 0.25

PICTURES: Final = (".  ", ".. ", "...")

#: Terminal code: empties the line.
EMPTY: Final = "\r\x1b[K"


class ThinkingSign:
    """Shows a line that moves while an agent thinks, in a live terminal, and leaves nothing behind."""

    def __init__(self, write: Callable[[str], object], *, is_live: bool) -> None:
        self._write, self._is_live = write, is_live
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, words: str, limit: float | None = None) -> None:
        """Begins to show the line, a little later: with the seconds that have passed, or are left."""
        self.stop()
        if self._is_live:
            self._over.clear()
            self._thread = threading.Thread(target=self._turn, args=(words, limit), daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Takes the line away."""
        if self._thread is not None:
            self._over.set()
            self._thread.join()
            self._thread = None

    @contextmanager
    def shown(self, words: str) -> Iterator[None]:
        """Shows the line until the block ends."""
        self.start(words)
        try:
            yield
        finally:
            self.stop()

    def _turn(self, words: str, limit: float | None) -> None:
        begun, turn = time.monotonic(), 0
        if self._over.wait(DELAY):
            return
        while True:
            spent = time.monotonic() - begun
            clock = clock_text(int(spent) if limit is None else limit - spent)
            self._write(f"{EMPTY}{words} {PICTURES[turn % len(PICTURES)]} {clock}")
            turn += 1
            if self._over.wait(INTERVAL):
                break
        self._write(EMPTY)
