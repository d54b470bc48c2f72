"""The laws of the fuzz targets of protocols, on random bytes."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import line_laws

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("law", [line_laws.gtp_answers_every_line, line_laws.gomocup_answers_every_line])
def test_random_lines_keep_the_law(law: Callable[[bytes], None]) -> None:
    rng = random.Random(1)
    for length in range(120):
        law(rng.randbytes(length))
        # Whole words alone: these lines are understood.
        law(bytes(128 | byte for byte in rng.randbytes(length)))
