"""Waiting for a state that must come about, however slow the machine is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

__all__ = ["MINUTE", "until"]

#: Seconds after which a state is not waited for any more.
MINUTE: Final = 60.0


def until(
    is_so: Callable[[], object], process: subprocess.Popen[Any] | None = None, seconds: float = MINUTE
) -> None:
    """Waits until something is so.

    Args:
        is_so: asked again and again.
        process: what must not end before.
        seconds: the deadline.

    Raises:
        AssertionError: it is not so after all that time, or can no longer be.
    """
    end = time.monotonic() + seconds
    while not is_so():
        assert process is None or process.poll() is None or is_so(), "the process has ended"
        assert time.monotonic() < end, f"it is not so after {seconds:g} seconds"
        time.sleep(0.02)
