"""What the rules say of the games of a batch: which have the same, and what an action loses."""

from __future__ import annotations

from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from sixplane._core import Game, GameBatch


def places_by_rules(batch: GameBatch, index: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Groups the games `index`, `(k,)`, of a batch by their rules; they are of one class and size.

    Returns:
        The places in `index` of the games of each group, ascending; usually one group of all.
    """
    everything = np.arange(len(index))
    names = batch[int(index[0])].rule_names if len(index) > 1 else ()
    if not names:
        return [everything]
    rules_of = attrgetter(*names)
    rules = [rules_of(batch[i]) for i in index.tolist()]
    known: list[object] = []
    for one in rules:
        if one not in known:
            known.append(one)
    if len(known) == 1:
        return [everything]
    numbers = np.array([known.index(one) for one in rules])
    return [np.flatnonzero(numbers == number) for number in range(len(known))]


def lost_ends(batch: GameBatch, index: NDArray[np.int64], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Says in which of the games `index`, `(k,)`, the action ends the game and its player loses, `(k,)`."""
    # One by one, since a batch made of these games would have to be of the same rules and `max_moves`.
    asked = zip(index.tolist(), actions.tolist(), strict=True)
    return np.array([_is_lost_by(batch[i], action) for i, action in asked], np.bool_)


def _is_lost_by(game: Game, action: int) -> bool:
    """Whether the player to play loses by this action; plays it."""
    loss = "white" if game.turn == 0 else "black"
    game.play(action)
    return game.outcome == loss
