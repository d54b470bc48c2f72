"""Ratings of several players, from the results of their pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import integer, real
from sixplane.match.statistics import Z

#: Elo for each unit of a logit: a difference of 400 is odds of ten to one.
ELO: Final = 400 / math.log(10)

STEPS: Final = 100
TOLERANCE: Final = 1e-9


class Rating(NamedTuple):
    """A rating is the strength of one player.

    Example:
        >>> rating = ratings([("1 min", "start", 75, 100)], anchor="start")["1 min"]
        >>> f"{rating.elo:+.0f} Elo ({rating.low:+.0f} to {rating.high:+.0f}) after {rating.games} games"
        '+189 Elo (+111 to +267) after 100 games'
    """

    elo: float
    """The strength in Elo, above the anchor's."""
    low: float
    """The lower end of the 95 % interval of the difference to the anchor."""
    high: float
    """The upper end of the 95 % interval of the difference to the anchor."""
    games: int
    """The number of games that the player has played."""


def ratings(
    results: Iterable[tuple[str, str, float, int]], anchor: str | None = None, prior: float = 1.0
) -> dict[str, Rating]:
    """Finds the Elo of all players that makes the results of the pairs most likely.

    R. Bradley and M. Terry, Rank analysis of incomplete block designs, Biometrika 39 (1952): a player wins
    with the chance `1 / (1 + 10 ** (-d / 400))`, where `d` is how far it is ahead. A draw is half a win. The
    intervals are those of the normal distribution with the curvature of the likelihood.

    Args:
        results: tuples `(first, second, points, games)`: the points of the first player, wins and half the
            draws, in its games against the second. A pair may come several times.
        anchor: the player whose rating is 0; None: the first player named.
        prior: so many drawn games are added to each pair that has played. So ratings are finite, also of a
            player that has won every game.

    Returns:
        The rating of each player, in the order in which they are first named.

    Raises:
        ValueError: a player against itself, points that are not from 0 to the number of games, an anchor
            without games, a prior that is not above 0, or too small for a player that has won every game,
            or players whom no chain of games connects with it.

    Example:
        >>> table = ratings([("1 min", "start", 75, 100), ("2 min", "1 min", 60, 100)], anchor="start")
        >>> {name: round(rating.elo) for name, rating in table.items()}
        {'1 min': 189, 'start': 0, '2 min': 258}
    """
    prior = real("prior", prior)
    if not (prior > 0 and math.isfinite(prior)):
        raise ValueError(f"prior must be above 0, not {prior!r}")
    pairs = list(results)
    names = list(dict.fromkeys(name for first, second, _, _ in pairs for name in (first, second)))
    if anchor is not None and anchor not in names:
        raise ValueError(f"the anchor {anchor!r} has no games")
    number = {name: i for i, name in enumerate(names)}
    points, games = np.zeros((2, len(names), len(names)))
    for first, second, scored, played in pairs:
        if first == second:
            raise ValueError(f"{first!r} cannot play against itself")
        if not 0 <= scored <= integer("games", played):
            raise ValueError(f"{first!r} against {second!r}: {scored} points of {played} games")
        i, j = number[first], number[second]
        points[i, j] += scored
        points[j, i] += played - scored
        games[i, j] += played
        games[j, i] += played
    if not names:
        return {}
    counts = [round(count) for count in games.sum(axis=1).tolist()]
    played_at_all = games > 0
    games += prior * played_at_all
    points += prior / 2 * played_at_all
    base = 0 if anchor is None else number[anchor]
    unconnected = ~_connected(played_at_all, base)
    if unconnected.any():
        raise ValueError(f"no games connect {names[int(unconnected.argmax())]!r} with {names[base]!r}")
    try:
        strengths, variances = _most_likely(points, games, base)
    except np.linalg.LinAlgError:
        raise ValueError(f"prior={prior!r} is too small where a player has won every game") from None
    elos, halves = strengths * ELO, Z * np.sqrt(variances) * ELO
    return {
        name: Rating(elo, elo - half, elo + half, count)
        for name, elo, half, count in zip(names, elos.tolist(), halves.tolist(), counts, strict=True)
    }


def _connected(played: NDArray[np.bool_], base: int) -> NDArray[np.bool_]:
    """Finds who is connected with a player by games, `(n,)`."""
    found: NDArray[np.bool_] = np.arange(len(played)) == base
    while (grown := found | played[found].any(axis=0)).sum() > found.sum():
        found = grown
    return found


def _most_likely(
    points: NDArray[np.float64], games: NDArray[np.float64], base: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Finds by Newton's method how far each player is above `base`, `(n,)` in logits, and the variances.

    The likelihood is concave, and the prior gives it one maximum.
    """
    strengths, step, variances = np.zeros((3, len(points)))
    free = np.arange(len(points)) != base
    for _ in range(STEPS):
        # The chance to win of a player who is so many logits ahead.
        expected = 0.5 * (1 + np.tanh((strengths[:, None] - strengths) / 2))
        slope = points.sum(axis=1) - (games * expected).sum(axis=1)
        weights = games * expected * (1 - expected)
        curvature = (np.diag(weights.sum(axis=1)) - weights)[np.ix_(free, free)]
        step[free] = np.linalg.solve(curvature, slope[free])
        # Newton's method may go too far where the curve is flat: no pair moves by more than one logit.
        longest = float(np.abs((step[:, None] - step) * (games > 0)).max())
        strengths += step / max(1.0, longest)
        if longest < TOLERANCE:
            break
    variances[free] = np.diag(np.linalg.inv(curvature))
    return strengths, variances
