"""Numbers for the curves of a page, as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Numbers", "Score", "numbers", "spread"]

#: The most points of a curve.
MOST_POINTS: Final = 400

Numbers: TypeAlias = "list[float | None]"

#: A time, the score until then, and the ends of its interval.
Score: TypeAlias = Numbers


def spread(count: int, most: int = MOST_POINTS) -> NDArray[np.int64]:
    """Chooses at most so many of the numbers below `count`, evenly and with the last one."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.int64))


def numbers(values: Iterable[float]) -> Numbers:
    """Rounds to six digits, as `metrics.csv` has them; None stands for what is not finite."""
    return [float(f"{value:.6g}") if math.isfinite(value) else None for value in values]
