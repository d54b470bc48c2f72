"""Facts about the processor of this machine."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

#: Linux's names of the instructions that multiply in bfloat16, of matrix units and of AVX-512.
_INSTRUCTIONS: Final = {"amx_bf16", "avx512_bf16"}


@cache
def has_fast_bfloat16() -> bool:
    """Returns whether bfloat16 is faster than float32: the processor has AMX or AVX-512 for it.

    Only Linux tells. On other systems the answer is no.
    """
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        return any(_INSTRUCTIONS & set(line.split()) for line in lines if line.startswith("flags"))
    return False
