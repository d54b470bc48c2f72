"""Dead stones of Go: stones that the other player can expect to capture if play goes on."""

from __future__ import annotations

import math
import time

import numpy as np

from sixplane._core import Go, selfplay
from sixplane.planes import dilate

__all__ = ["attacks_on_the_dead"]

#: Random games played to estimate who will own each point.
GAMES = 64

#: A stone is dead if the other player owns its point at the end of three games in four.
DEAD = 0.5

#: The clock is read after this many games; so many games are enough when the time is up.
SLICE = 4
ENOUGH = 16


def attacks_on_the_dead(game: Go, seed: int, deadline: float = math.inf) -> list[int]:
    """The legal liberties of stones that the player to play can expect to take, ascending.

    Random games are played from the position. A stone of the other color is dead if the player owns
    its point at the end of most of them. This is an estimate: no sequence is read out.

    Args:
        game: the position.
        seed: of the random games.
        deadline: when the random games stop, by `time.monotonic()`. If too few were played until then,
            the answer is empty.
    """
    points = game.rows * game.cols
    start = Go.from_planes(game.planes, suicide=game.suicide, max_moves=3 * points)
    owned = []
    for first in range(0, GAMES, SLICE):
        if time.monotonic() >= deadline:
            break
        owned += [final.ownership() for final in selfplay(start, first, SLICE, seed, 1)]
    if len(owned) < ENOUGH:
        return []
    owners = np.mean(owned, axis=0)
    becomes_own = owners if game.turn == 0 else -owners
    chains = game.chains()
    dead = set(chains[(game.planes[1 - game.turn] == 1) & (becomes_own > DEAD)].tolist())
    if not dead:
        return []
    liberties = dilate(np.isin(chains, list(dead))).ravel()
    return [int(action) for action in game.legal_actions if action < points and liberties[action]]
