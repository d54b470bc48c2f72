"""Estimates of strength, from the results of a series."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

#: Standard deviations on either side of the mean that hold 95 % of a normal distribution.
Z: Final = NormalDist().inv_cdf(0.975)


def wilson_interval(points: float, games: int) -> tuple[float, float]:
    """Returns the 95 % interval of the chance to win, from `points` (wins and half the draws) of `games`.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of
    the American Statistical Association 22 (1927), formula for a proportion. With draws it is wider
    than need be, since they vary less than wins and losses.

    Example:
        >>> low, high = wilson_interval(7, 10)
        >>> round(low, 4), round(high, 4)
        (0.3968, 0.8922)
    """
    if games == 0:
        return 0.0, 1.0
    rate, z2 = points / games, Z * Z / games
    center = (rate + z2 / 2) / (1 + z2)
    half = Z * math.sqrt(rate * (1 - rate) / games + z2 / (4 * games)) / (1 + z2)
    # Rounding must not bring an end of the interval inside 0 or 1 where it is one of them.
    low = 0.0 if points == 0 else max(0.0, center - half)
    return low, 1.0 if points == games else min(1.0, center + half)


def elo_difference(rate: float) -> float:
    """Returns the difference of ratings at which `rate` points a game are expected; infinite at 0 and 1.

    A. Elo, The Rating of Chessplayers (1978): the expected score is `1 / (1 + 10 ** (-d / 400))`.

    Example:
        >>> round(elo_difference(0.75), 1)
        190.8
    """
    if rate <= 0:
        return -math.inf
    if rate >= 1:
        return math.inf
    return 400 * math.log10(rate / (1 - rate))
