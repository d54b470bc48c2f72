"""Ctrl-C as a question to ask between two pieces of work."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["interrupt_flag"]


@contextmanager
def interrupt_flag() -> Iterator[Callable[[], bool]]:
    """Within the block the first Ctrl-C only sets a flag, so that no finished work is lost.

    A second one ends the process at once. Where Ctrl-C is ignored, as in what a script has started in
    the background, it is ignored on. Yields the question whether the flag is set. Only in the main thread.
    """
    pressed = False
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield lambda: False
        return

    def on_interrupt(_signal: int, _frame: object) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
