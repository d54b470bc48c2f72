"""Signals that end a command: a first Ctrl-C that waits, and others that do what Ctrl-C does."""

from __future__ import annotations

import signal
import threading
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


@contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """Lets the signals of `kill` and of a closed terminal do what Ctrl-C does, within the block.

    So the record of a game is written, and other programs end. A signal that is ignored, as SIGHUP is under
    `nohup`, stays ignored. Only the main thread has signals: in another one nothing is done.
    """

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def hang_up(*_: object) -> None:
        # The server of a page has its own way to end at a SIGTERM, and none at a SIGHUP.
        if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGTERM)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers: dict[str, Callable[..., None]] = {"SIGTERM": interrupt, "SIGHUP": hang_up}
    present = {getattr(signal, name): handler for name, handler in handlers.items() if hasattr(signal, name)}
    usual = [number for number in present if signal.getsignal(number) is signal.SIG_DFL]
    for number in usual:
        signal.signal(number, present[number])
    try:
        yield
    finally:
        for number in usual:
            signal.signal(number, signal.SIG_DFL)
