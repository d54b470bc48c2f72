"""What a network thought of each position of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sixplane._core import GameBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sixplane._core import Game
    from sixplane.search import Evaluator

__all__ = ["SampleGame", "examine"]


@dataclass(frozen=True)
class SampleGame:
    """A game with what a network says of each of its positions; all in Black's view.

    Example:
        >>> import numpy as np, sixplane
        >>> game = sixplane.Go(size=5).replay([12, 6, 8])
        >>> sample = examine(game, lambda planes: (np.zeros((len(planes), 26)), np.full(len(planes), 0.5)))
        >>> sample.values.tolist()
        [0.5, -0.5, 0.5]
    """

    record: Game
    """The game, of n actions."""
    policies: NDArray[np.float64]
    """`(n, A)`: the probability of each legal action before each action."""
    values: NDArray[np.float64]
    """`(n,)`: the expected outcome, from -1 to 1."""
    ownership: NDArray[np.float64] | None
    """`(n + 1, rows, cols)`: who will own each point, from -1 to 1; the last is who owns it. None if the
    network does not say."""


def examine(record: Game, evaluator: Evaluator) -> SampleGame:
    """Asks an evaluator about every position of a game, by one call.

    Args:
        record: the game.
        evaluator: a `Network`, or any function of planes that returns logits and values; then nothing is
            known of the ownership.

    Raises:
        ValueError: the game has no actions.

    Example:
        >>> import numpy as np, sixplane
        >>> game = sixplane.Go(size=5).replay([12, 6, 8])
        >>> sample = examine(game, lambda planes: (np.zeros((len(planes), 26)), np.zeros(len(planes))))
        >>> sample.policies.shape, float(sample.policies[1].max().round(3))
        ((3, 26), 0.04)
    """
    if not record.move_number:
        raise ValueError("a game without actions has nothing to examine")
    planes, legal = _before_each_action(record)
    if hasattr(evaluator, "for_game"):
        evaluator = evaluator.for_game(record)
    is_white = planes[:, 2, 0, 0].astype(np.bool_)
    sign = np.where(is_white, -1.0, 1.0)
    given: Any
    given = evaluator.evaluate(planes) if hasattr(evaluator, "evaluate") else evaluator(planes)
    logits, values = (np.asarray(numbers, np.float64) for numbers in given[:2])
    masked = np.where(legal, logits, -np.inf)
    weights = np.exp(masked - masked.max(axis=1, keepdims=True))
    ownership = None
    if hasattr(evaluator, "evaluate"):
        final = GameBatch.from_games([record]).ownership()
        said = np.asarray(given.ownership, np.float64) * sign[:, None, None]
        ownership = np.concatenate([said, final.astype(np.float64)])
    return SampleGame(record, weights / weights.sum(axis=1, keepdims=True), values * sign, ownership)


def _before_each_action(record: Game) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """The planes `(n, 6, rows, cols)` and the legal actions `(n, A)` before each action."""
    past = record.copy()
    planes, masks = [], []
    moves = past.move_number
    while moves:
        past.undo()
        # What is taken back may be a resignation or a change of turn instead of an action.
        if past.move_number < moves:
            moves = past.move_number
            planes.append(past.planes)
            masks.append(past.action_mask.astype(np.bool_))
    return np.stack(planes[::-1]), np.stack(masks[::-1])
