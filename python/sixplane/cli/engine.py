"""An engine of a protocol behind standard input and output."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

from sixplane.protocols.lines import PipeLines

if TYPE_CHECKING:
    from collections.abc import Callable

    from sixplane.protocols.lines import LineSource

__all__ = ["Engine", "serve"]


class Engine(Protocol):
    """A protocol engine, which answers lines."""

    def run(self, lines: LineSource, write: Callable[[str], None]) -> None:
        """Answers lines until the last one; `write` must send each answer at once."""


def serve(engine: Engine) -> int:
    """Answers the lines of standard input, until the engine must quit or the input ends.

    Returns:
        The exit status.
    """

    def write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    engine.run(PipeLines(sys.stdin.fileno()), write)
    return 0
