"""Whether a board of Go is settled: no stones are left on it that would be taken by more play."""

from __future__ import annotations

import math
import time

import numpy as np

from sixplane._core import Go, selfplay

__all__ = ["attacks_on_the_dead"]

#: Random games that say whose each point becomes.
GAMES = 64

#: A stone is dead if its point becomes the other's in three of four games.
DEAD = 0.5


#: The games of one look at the clock, and how many are enough if time ends them.
SLICE = 4
ENOUGH = 16


def attacks_on_the_dead(game: Go, seed: int, deadline: float = math.inf) -> list[int]:
    """The legal liberties of stones that the player to play can expect to take, ascending.

    Random games are played on from the position; a stone of the other color is dead if its point
    becomes the player's in most of them. Nothing here reads ahead: what it says is likely.

    Args:
        game: the position.
        seed: of the random games.
        deadline: when they end, by `time.monotonic()`; if too few were played until then, there are none.
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
    is_dead = np.pad(np.isin(chains, list(dead)), 1)
    beside = is_dead[:-2, 1:-1] | is_dead[2:, 1:-1] | is_dead[1:-1, :-2] | is_dead[1:-1, 2:]
    return [int(action) for action in game.legal_actions if action < points and beside.flat[action]]
