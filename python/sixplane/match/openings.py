"""Openings: short random beginnings, so that the games of a series differ."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from sixplane.planes import symmetries

if TYPE_CHECKING:
    from sixplane._core import Game

__all__ = ["random_openings"]

#: Draws in vain, one after the other, before openings get a move longer.
PATIENCE: Final = 200


def random_openings(game: Game, count: int, moves: int, seed: int) -> list[list[int]]:
    """Distinct sequences of random legal actions from a game's position on.

    No two lead to positions that are the same but for a symmetry of the board. Points only are
    played, and none that ends the game.

    Args:
        game: where they begin.
        count: how many.
        moves: how many actions each has; more where there are too few different ones of that length.
            With 0 and a count of 1, the only opening is empty.
        seed: the same seed gives the same openings.

    Raises:
        ValueError: the game ends before there are so many.
    """
    rng = random.Random(seed)
    openings: list[list[int]] = []
    seen: set[bytes] = set()
    failures = 0
    while len(openings) < count:
        drawn = _draw(game, moves, rng)
        key = None if drawn is None else _key(drawn)
        if drawn is None or key is None or key in seen:
            failures += 1
            if failures == PATIENCE:
                failures, moves = 0, moves + 1
            if moves > game.num_actions:
                raise ValueError(f"there are no {count} different openings of this game")
            continue
        failures = 0
        seen.add(key)
        openings.append(drawn.actions[game.move_number :].tolist())
    return openings


def _draw(game: Game, moves: int, rng: random.Random) -> Game | None:
    """The game after so many random plays; None if they end it."""
    course = game.copy()
    for _ in range(moves):
        points = course.legal_actions.tolist()
        if points and points[-1] == game.num_actions - 1:
            points.pop()
        if not points:
            return None
        course.play(rng.choice(points))
    return None if course.is_over else course


def _key(game: Game) -> bytes:
    """The same for positions that are symmetric to each other, and for no others."""
    turned, _ = symmetries(game.planes)
    keys: list[bytes] = [planes.tobytes() for planes in turned]
    return min(keys)
