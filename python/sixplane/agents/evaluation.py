"""One position, evaluated as a search would have it evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sixplane._core import Game
    from sixplane.search import Evaluator

__all__ = ["evaluate"]


def evaluate(
    evaluator: Evaluator,
    game: Game,
    *,
    history: int = 0,
    planes: str = "black",
    dtype: str = "uint8",
    pad_to: int = 1,
) -> tuple[NDArray[np.float64], float]:
    """The logits `(A,)` and the value of a position; the options are those of `sixplane.search.MCTS`.

    Raises:
        ValueError: the evaluator gives arrays of another shape.
    """
    board: NDArray[Any] = game.history_planes(history) if history else game.planes
    if planes == "player" and not history and game.turn == 1:
        board = board[[1, 0, 2, 3, 4, 5]]
    leaves = np.zeros((pad_to, *board.shape), dtype)
    leaves[0] = board
    given_logits, given_values = evaluator(leaves)
    logits, values = np.asarray(given_logits, np.float64), np.asarray(given_values, np.float64)
    if logits.shape != (pad_to, game.num_actions):
        raise ValueError(f"the logits must be ({pad_to}, {game.num_actions}), not {logits.shape}")
    if values.shape != (pad_to,):
        raise ValueError(f"the values must be ({pad_to},), not {values.shape}")
    return logits[0], float(values[0])
