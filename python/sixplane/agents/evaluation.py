"""Evaluators called as the search calls them, and choices by what they say."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sixplane._core import Game, GameBatch
    from sixplane.search import Evaluator

__all__ = ["GameEvaluator", "Sampler", "boards_of", "evaluate_games"]

#: The least temperature by which anything is divided.
COLD: Final = 1e-6


class GameEvaluator:
    """Calls an evaluator in the form that it has for one game.

    Planes say neither which game they are of nor the komi. An evaluator to which that matters has a method
    `for_game(game)`, which returns the evaluator for games of this class, size and komi, or raises
    `TypeError`. Without that method the evaluator is the same for all games.

    Args:
        evaluator: as `sixplane.search.Evaluator`.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self.given = evaluator
        """The evaluator as it was given."""
        self._bound = evaluator
        self._facts: tuple[Any, ...] | None = None

    def bind(self, game: Game) -> bool:
        """Takes the form for a game; whether that is another one than before.

        Raises:
            TypeError: the evaluator is not for this game.
        """
        for_game = getattr(self.given, "for_game", None)
        facts = type(game), game.rows, game.cols, getattr(game, "komi", None)
        if for_game is None or facts == self._facts:
            return False
        before, self._bound = self._bound, for_game(game)
        self._facts = facts
        return self._bound is not before

    def __call__(self, planes: NDArray[Any]) -> tuple[ArrayLike, ArrayLike]:
        """Logits and values, by the evaluator for the game."""
        return self._bound(planes)


def evaluate_games(
    evaluator: Evaluator,
    batch: GameBatch,
    index: NDArray[np.int64],
    *,
    history: int = 0,
    view: str = "black",
    dtype: str = "uint8",
    pad_to: int = 1,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The logits `(k, A)` and the values `(k,)` of the games `index`, `(k,)`, of a batch, by one call.

    The options are those of `sixplane.search.MCTS`.

    Raises:
        ValueError: the evaluator gives arrays of another shape.
    """
    boards = boards_of(batch, index, history=history, view=view)
    return _call(evaluator, boards, batch.num_actions, dtype, pad_to)


def boards_of(
    batch: GameBatch,
    index: NDArray[np.int64],
    *,
    history: int = 0,
    view: str = "black",
    dtype: str = "uint8",
) -> NDArray[Any]:
    """Fresh planes of the games `index`, `(k,)`, of a batch, `(k, 6 or 2 * history + 1, rows, cols)`."""
    layers = 2 * history + 1 if history else 6
    boards = np.empty((len(index), layers, batch.rows, batch.cols), dtype)
    if history:
        batch.history_planes_into(boards, history, index)
        return boards
    batch.planes_into(boards, index, view=view)
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


class Sampler:
    """Chooses actions by scores: the best ones, or at random by their softmax.

    Args:
        temperature: the scores are divided by this; 0 plays the best action.
        seed: of the choices; None takes one from the system.

    Raises:
        ValueError: the temperature is negative or not finite.
    """

    def __init__(self, temperature: float, seed: int | None) -> None:
        if not (temperature >= 0 and math.isfinite(temperature)):
            raise ValueError(f"temperature must be 0 or a positive number, not {temperature!r}")
        self.temperature = float(temperature)
        self.reseed(seed)

    def reseed(self, seed: int | None) -> None:
        """Begins the random choices anew."""
        self._rng = np.random.default_rng(seed) if self.temperature > 0 else None

    def one(self, scores: NDArray[np.float64], best: int) -> int:
        """An action by scores `(A,)`, minus infinity where it is not allowed; `best` without temperature."""
        if self._rng is None:
            return best
        weights = np.exp((scores - scores.max()) / max(self.temperature, COLD))
        return int(self._rng.choice(len(weights), p=weights / weights.sum()))

    def many(self, scores: NDArray[np.float64], best: NDArray[np.int64]) -> NDArray[np.int64]:
        """Actions `(k,)` by scores `(k, A)`; `best` without temperature."""
        if self._rng is None:
            return best
        # With Gumbel noise added to the scores, the maximum is a sample of their softmax.
        noise = self._rng.gumbel(size=scores.shape)
        return np.asarray(np.argmax(scores / max(self.temperature, COLD) + noise, axis=1), np.int64)
