"""Asks a person for lines, which are edited as in a shell, with a history and the Tab key."""

from __future__ import annotations

import io
import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sixplane.play.keyboard import BACK, TO_START, Asker, with_clock

#: The words that the name of a file follows.
OF_FILES: Final = ("save", "load")


class LineEditor(Asker):
    """Asks for lines as `Keyboard` does, by readline, with the Tab key. Only the main thread may ask."""

    manual = "The arrow keys edit the line and bring earlier ones back; Tab completes words and files."

    def __init__(self, seconds: float | None, words: Sequence[str], columns: Callable[[], int]) -> None:
        super().__init__(seconds)
        self._words, self._columns, self._prompt = words, columns, ""
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        # Not every system has it.
        import readline

        self._readline = readline
        readline.set_completer(self._complete)
        readline.set_completer_delims(" \t\n")
        is_libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
        if not is_libedit:
            # Several lines that are pasted are several entries.
            readline.parse_and_bind("set enable-bracketed-paste off")

    @staticmethod
    def is_possible() -> bool:
        """Returns whether there is readline, and a clock that interrupts it."""
        in_main = threading.current_thread() is threading.main_thread()
        return find_spec("readline") is not None and hasattr(signal, "setitimer") and in_main

    def ask(self, prompt: str) -> str:
        """Returns the next line, as the person has edited it."""
        if self._seconds is None:
            return input(prompt)
        self._prompt = prompt
        before = signal.signal(signal.SIGALRM, lambda _number, _frame: self._redraw())
        try:
            left = self._set_alarm()
            return input(with_clock(prompt, left, self._seconds))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _set_alarm(self) -> float:
        """Sets the alarm to the next full second, and returns the seconds that are left."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"no move within {self._seconds:.3g} s")
        signal.setitimer(signal.ITIMER_REAL, max(left - (math.ceil(left) - 1), 1e-3))
        return left

    def _redraw(self) -> None:
        """Draws the prompt again with the clock, of which readline knows nothing."""
        assert self._seconds is not None  # noqa: S101 - the alarm is set only with a limit
        try:
            left = self._set_alarm()
        except TimeoutError:
            sys.stdout.write("\n")
            raise
        shown = with_clock(self._prompt, left, self._seconds)
        # On a second line of the terminal the prompt is out of reach.
        if len(shown) + len(self._readline.get_line_buffer()) < self._columns():
            print(f"{TO_START}{shown}{BACK}", end="", flush=True)

    def _complete(self, text: str, state: int) -> str | None:
        """Returns the completion with this number of what stands before the cursor."""
        typed = self._readline.get_line_buffer()[: self._readline.get_begidx()].split()
        if not typed:
            found = [f"{word} " for word in self._words if word.startswith(text.lower())]
        elif typed[0].lower() in OF_FILES and len(typed) == 1:
            found = sorted(_paths(text))
        else:
            found = []
        return found[state] if state < len(found) else None


def _paths(text: str) -> list[str]:
    """Returns the files and folders whose paths begin with a text."""
    head, slash, name = text.rpartition("/")
    folder = Path(f"{head}{slash}" or ".")
    with suppress(OSError, RuntimeError):
        return [
            f"{head}{slash}{path.name}{'/' if path.is_dir() else ''}"
            for path in folder.expanduser().iterdir()
            if path.name.startswith(name)
        ]
    return []
