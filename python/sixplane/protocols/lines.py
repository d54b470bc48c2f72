"""Reads lines of another program in a thread, so that a search can see that one has come."""

from __future__ import annotations

import os
import queue
import threading
from typing import Final, Protocol

__all__ = ["TOO_LONG", "LineSource", "PipeLines"]

#: The longest line that is read; a longer one is dropped.
MAX_LINE: Final = 1 << 16

#: The text in place of a line that was too long.
TOO_LONG: Final = "\0"


class LineSource(Protocol):
    r"""Gives an engine the lines that it answers.

    Example:
        >>> from collections import deque
        >>> from sixplane.agents import ScoreTableAgent
        >>> from sixplane.protocols.gomocup import GomocupEngine
        >>> class Lines(deque):  # a list of lines as a source
        ...     def get(self):
        ...         return self.popleft() if self else None
        ...     def has_line(self):
        ...         return True
        >>> answers = []
        >>> GomocupEngine(ScoreTableAgent(seed=1)).run(Lines(["START 15", "BEGIN"]), answers.append)
        >>> answers
        ['OK\n', '7,7\n']
    """

    def get(self) -> str | None:
        """Waits for the next line, and returns it; None at the end."""

    def has_line(self) -> bool:
        """Returns whether a line, or the end, has come and was not taken."""


class PipeLines:
    r"""Reads lines from a file descriptor, such as 0 for standard input.

    The lines are UTF-8, after a byte order mark or none; a wrong byte becomes a question mark. A line of
    more than 65,536 bytes is `TOO_LONG`.

    Example:
        >>> reads, writes = os.pipe()
        >>> lines = PipeLines(reads)
        >>> size = os.write(writes, b"one\nanother\n")
        >>> lines.get(), lines.get(seconds=10), lines.has_line()
        ('one', 'another', False)
        >>> os.close(writes)
        >>> lines.get() is None  # the end
        True
    """

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._lines: queue.Queue[str | None] = queue.Queue(maxsize=10_000)
        # A plain read in a thread: buffered readers would block the end of the interpreter.
        threading.Thread(target=self._read, daemon=True).start()

    def get(self, seconds: float | None = None) -> str | None:
        """Waits for the next line, and returns it; None at the end.

        Raises:
            TimeoutError: none has come within so many seconds.
        """
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            self._lines.put(None)
        return line

    def has_line(self) -> bool:
        """Returns whether a line, or the end, has come and was not taken."""
        return not self._lines.empty()

    def _read(self) -> None:
        # A byte order mark may stand before the first line.
        rest, dropping, codec = b"", False, "utf-8-sig"
        while True:
            try:
                data = os.read(self._descriptor, MAX_LINE)
            except OSError:
                data = b""
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._lines.put(TOO_LONG if dropping or len(line) > MAX_LINE else _text(line, codec))
                dropping, codec = False, "utf-8"
            if len(rest) > MAX_LINE:
                rest, dropping = b"", True
        if dropping:
            self._lines.put(TOO_LONG)
        elif rest:
            self._lines.put(_text(rest, codec))
        self._lines.put(None)


def _text(line: bytes, codec: str) -> str:
    return line.decode(codec, errors="replace").replace("\ufffd", "?").rstrip("\r")
