"""Starts a program that signals can interrupt, also where this process ignores them.

A shell starts what runs in the background with SIGINT ignored, and `nohup` ignores SIGHUP. Every process that
is started from there inherits that, and a program that ignores a signal cannot be tested by sending it.

A signal between the last look of Python for signals and a call that waits is seen only when that call ends.
So whoever sends one to a program that waits for a key or an answer waits for that first: `is_waiting`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["INTERRUPTIBLE", "children_of", "interrupts_raise", "is_waiting", "started"]

#: Goes before a command, whose process it becomes; numbers of signals before that are ignored.
INTERRUPTIBLE: Final = (sys.executable, "-I", __file__)


@contextmanager
def started(*arguments: str, ignores: Sequence[int] = (), **options: Any) -> Iterator[subprocess.Popen[str]]:
    """The program `sixplane` with these arguments, which has ended when the block is left."""
    ignored = [str(int(number)) for number in ignores]
    command = [*INTERRUPTIBLE, *ignored, sys.executable, "-m", "sixplane", *arguments]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    with subprocess.Popen(command, text=True, **streams) as process:
        try:
            yield process
        finally:
            process.kill()


def is_waiting(pid: int) -> bool:
    """Whether the main thread of a process sleeps in a call that a signal interrupts.

    It sleeps for moments while another thread has Python's lock: it must not have woken between two looks.
    """
    first = _sleep(pid)
    time.sleep(0.05)
    return first is not None and first == _sleep(pid)


def _sleep(pid: int) -> str | None:
    """How often the main thread of a process has gone to sleep, if it sleeps."""
    status = Path(f"/proc/{pid}/task/{pid}/status").read_text()
    found = re.search(r"^State:\tS.*^voluntary_ctxt_switches:\t(\d+)", status, re.MULTILINE | re.DOTALL)
    return None if found is None else found[1]


def children_of(pid: int) -> set[str]:
    """The processes that the threads of a process have started, and that have not ended."""
    found: set[str] = set()
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # A thread may end in the meantime.
            found |= set(file.read_text().split())
    return found


@contextmanager
def interrupts_raise() -> Iterator[None]:
    """Within the block SIGINT raises `KeyboardInterrupt` in this process."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


if __name__ == "__main__":
    command = sys.argv[1:]
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    while command[0].isdigit():
        signal.signal(int(command.pop(0)), signal.SIG_IGN)
    os.execvp(command[0], command)  # noqa: S606 - no shell is wanted
