"""Serves an engine of a protocol on standard input and output."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from sixplane.protocols.lines import PipeLines

if TYPE_CHECKING:
    from sixplane.protocols.gomocup import GomocupEngine
    from sixplane.protocols.gtp import GTPEngine

__all__ = ["serve"]


def serve(engine: GTPEngine | GomocupEngine) -> int:
    """Answers the lines of standard input, until the engine must quit or the input ends.

    Returns:
        The exit status.
    """
    engine.run(PipeLines(sys.stdin.fileno()), partial(print, end="", flush=True))
    return 0
