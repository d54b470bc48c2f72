"""The laws of the fuzz targets in Python, on random bytes, for as long as `SIXPLANE_LAW_SECONDS` says."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

import pytest

import file_laws
import line_laws

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    "law", [getattr(module, name) for module in (line_laws, file_laws) for name in module.__all__]
)
def test_random_bytes_keep_the_law(law: Callable[[bytes], None]) -> None:
    rng = random.Random(1)
    end = time.monotonic() + float(os.environ.get("SIXPLANE_LAW_SECONDS", "0"))
    while True:
        for length in range(120):
            law(rng.randbytes(length))
            # Whole words alone: these lines are understood, and these changes are of values.
            law(bytes(128 | byte for byte in rng.randbytes(length)))
        if time.monotonic() >= end:
            return
