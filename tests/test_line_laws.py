"""The laws of the fuzz targets of protocols, on random bytes, for as long as `SIXPLANE_LAW_SECONDS` says."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

import pytest

import line_laws

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("law", [line_laws.gtp_answers_every_line, line_laws.gomocup_answers_every_line])
def test_random_lines_keep_the_law(law: Callable[[bytes], None]) -> None:
    rng = random.Random(1)
    end = time.monotonic() + float(os.environ.get("SIXPLANE_LAW_SECONDS", "0"))
    while True:
        for length in range(120):
            law(rng.randbytes(length))
            # Whole words alone: these lines are understood.
            law(bytes(128 | byte for byte in rng.randbytes(length)))
        if time.monotonic() >= end:
            return
