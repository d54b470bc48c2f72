"""Lets a command ask between two pieces of work whether Ctrl-C was pressed."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interrupt_flag() -> Iterator[Callable[[], bool]]:
    """Sets a flag at the first Ctrl-C within the block, so that no finished work is lost.

    A second Ctrl-C ends the process at once. Where Ctrl-C is ignored, as in what a script has started in the
    background, it stays ignored. Yields a function that says whether the flag is set. Only the main thread
    may enter the block.
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
