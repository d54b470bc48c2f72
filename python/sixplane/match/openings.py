"""Openings are short random beginnings, by which the games of a series differ."""

from __future__ import annotations

import random
from typing import Final

from sixplane._core import Game
from sixplane.games import has_liberties
from sixplane.planes import symmetries

#: Failed samples in a row before the openings get one move longer.
MOST_FAILURES: Final = 200


class OpeningsError(ValueError):
    """Says that a game has too few different openings."""


def random_openings(game: Game, count: int, moves: int, seed: int) -> list[list[int]]:
    """Makes different sequences of random legal actions from a game's position on.

    No two of them lead to positions that a symmetry of the game maps onto each other. They pass only where
    nothing else is legal, they do not end the game, and in Go they fill no own eyes. They have more moves
    where there are too few different ones of that length; with 0 moves, the only opening is empty. The same
    seed gives the same ones.

    Raises:
        OpeningsError: the game ends before there are so many.
    """
    rng = random.Random(seed)
    openings: list[list[int]] = []
    seen: set[bytes] = set()
    failures, asked = 0, moves
    while len(openings) < count:
        sampled = _sample(game, moves, rng)
        key = None if sampled is None else _key(sampled)
        if sampled is None or key is None or key in seen:
            failures += 1
            if failures == MOST_FAILURES:
                failures, moves = 0, moves + 1
            if moves > game.num_actions:
                raise OpeningsError(
                    f"there are no {count} different openings of {asked} moves or more after which "
                    "the game goes on"
                )
            continue
        failures = 0
        seen.add(key)
        openings.append(sampled.actions[game.move_number :].tolist())
    return openings


def _sample(game: Game, moves: int, rng: random.Random) -> Game | None:
    """Returns the game after so many random actions; None if they end it."""
    after, passing = game.copy(), game.num_actions - 1
    for _ in range(moves):
        points = after.legal_actions.tolist()
        if points == [passing]:
            after.play(passing)
            continue
        if points and points[-1] == passing:
            points.pop()
        point = _point(after, points, rng)
        if point is None:
            return None
        after.play(point)
    return None if after.is_over else after


def _point(game: Game, points: list[int], rng: random.Random) -> int | None:
    """Returns a random one of these points, but in Go no own eye; None if there is none."""
    while points:
        point = rng.choice(points)
        if not (has_liberties(game) and game.is_eye(point)):
            return point
        points.remove(point)
    return None


def _key(game: Game) -> bytes:
    """Returns bytes that are the same for symmetric positions, and for no others."""
    turned, _ = symmetries(game.planes)
    keys: list[bytes] = [turned[index].tobytes() for index in game.symmetries]
    return min(keys)
