"""What the processor of this machine is fast at."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path

__all__ = ["has_fast_bfloat16"]


@cache
def has_fast_bfloat16() -> bool:
    """Whether the processor has matrix units for bfloat16 (AMX); without them it is slower than float32.

    Linux says so. On other systems the answer is no.
    """
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        return any("amx_bf16" in line.split() for line in lines if line.startswith("flags"))
    return False
