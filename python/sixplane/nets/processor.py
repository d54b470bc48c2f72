"""What the processor of this machine is fast at."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["has_fast_bfloat16"]

#: How Linux names the instructions that multiply in bfloat16: those of matrix units, and those of AVX-512.
_INSTRUCTIONS: Final = {"amx_bf16", "avx512_bf16"}


@cache
def has_fast_bfloat16() -> bool:
    """Whether the processor multiplies in bfloat16 (AMX or AVX-512); without that it is slower than float32.

    Linux says so. On other systems the answer is no.
    """
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        return any(_INSTRUCTIONS & set(line.split()) for line in lines if line.startswith("flags"))
    return False
