"""Calling an evaluator as the search does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sixplane._core import Game, GameBatch
    from sixplane.search import Evaluator

__all__ = ["boards_of", "evaluate", "evaluate_games"]


def evaluate(
    evaluator: Evaluator,
    game: Game,
    *,
    history: int = 0,
    planes: Literal["black", "player"] = "black",
    dtype: str = "uint8",
    pad_to: int = 1,
) -> tuple[NDArray[np.float64], float]:
    """The logits `(A,)` and the value of a position; the options are those of `sixplane.search.MCTS`.

    Raises:
        ValueError: the evaluator gives arrays of another shape.
    """
    # The planes of a history begin with the player to play in any case.
    board = game.planes_for("player" if history else planes, history=history)
    logits, values = _call(evaluator, board[np.newaxis], game.num_actions, dtype, pad_to)
    return logits[0], float(values[0])


def evaluate_games(
    evaluator: Evaluator,
    batch: GameBatch,
    index: NDArray[np.int64],
    *,
    history: int = 0,
    planes: str = "black",
    dtype: str = "uint8",
    pad_to: int = 1,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The logits `(k, A)` and the values `(k,)` of the games `index`, `(k,)`, of a batch, by one call.

    Raises:
        ValueError: the evaluator gives arrays of another shape.
    """
    boards = boards_of(batch, index, history=history, planes=planes)
    return _call(evaluator, boards, batch.num_actions, dtype, pad_to)


def boards_of(
    batch: GameBatch,
    index: NDArray[np.int64],
    *,
    history: int = 0,
    planes: str = "black",
    dtype: str = "uint8",
) -> NDArray[Any]:
    """Fresh planes of the games `index`, `(k,)`, of a batch, `(k, 6 or 2 * history + 1, rows, cols)`."""
    layers = 2 * history + 1 if history else 6
    boards = np.empty((len(index), layers, batch.rows, batch.cols), dtype)
    if history:
        batch.history_planes_into(boards, history, index)
        return boards
    batch.planes_into(boards, index, view=planes)
    return boards


def _call(
    evaluator: Evaluator, boards: NDArray[Any], num_actions: int, dtype: str, pad_to: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Logits and values of these boards, `(k, planes, rows, cols)`."""
    count = len(boards)
    leaves = np.zeros((-(-count // pad_to) * pad_to, *boards.shape[1:]), dtype)
    leaves[:count] = boards
    given_logits, given_values = evaluator(leaves)
    logits, values = np.asarray(given_logits, np.float64), np.asarray(given_values, np.float64)
    if logits.shape != (len(leaves), num_actions):
        raise ValueError(f"the logits must be ({len(leaves)}, {num_actions}), not {logits.shape}")
    if values.shape != (len(leaves),):
        raise ValueError(f"the values must be ({len(leaves)},), not {values.shape}")
    return logits[:count], values[:count]
