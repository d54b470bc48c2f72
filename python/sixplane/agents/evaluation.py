"""Evaluators called as the search calls them, and choices by what they say."""

from __future__ import annotations

import math
from typing import Final, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sixplane._arguments import real
from sixplane._core import Game, GameBatch
from sixplane.agents.rules import places_by_rules
from sixplane.search import Evaluator

#: The least temperature by which anything is divided.
COLD: Final = 1e-6


class PlaneOptions(TypedDict, total=False):
    """How planes are made for an evaluator, by the names of `sixplane.search.MCTS`."""

    history: int
    view: Literal["black", "player"]
    dtype: Literal["uint8", "float32"]
    pad_to: int


class GameEvaluator:
    """Calls an evaluator in the form that it has for one game.

    Planes say neither which game they are of nor its rules. An evaluator to which that matters has a method
    `for_game(game)`, which returns the evaluator for games of this class, size and rules, or raises
    `TypeError`. Without that method the evaluator is the same for all games.

    Args:
        evaluator: as `sixplane.search.Evaluator`.
        options: how `evaluate` gives it planes, as `sixplane.search.MCTS` does.
    """

    def __init__(self, evaluator: Evaluator, **options: Unpack[PlaneOptions]) -> None:
        self.given = evaluator
        """The evaluator as it was given."""
        self._options = options
        self._bound = evaluator
        self.facts: tuple[object, ...] = ()
        """The class, size and rules of the game that it is bound to; none before the first."""

    def bind(self, game: Game) -> bool:
        """Takes the evaluator for a game, and returns whether that is another one than before."""
        for_game = getattr(self.given, "for_game", None)
        facts = type(game), game.rows, game.cols, *(getattr(game, rule) for rule in game.rule_names)
        if for_game is None or facts == self.facts:
            return False
        before, self._bound = self._bound, for_game(game)
        self.facts = facts
        return self._bound is not before

    def bound_to(self, game: Game) -> GameEvaluator:
        """Returns another one with the same evaluator, bound to a game."""
        other = GameEvaluator(self.given, **self._options)
        other.bind(game)
        return other

    def __call__(self, planes: NDArray[np.generic]) -> tuple[ArrayLike, ArrayLike]:
        """Evaluates planes by the evaluator for the game: logits and values."""
        return self._bound(planes)

    def evaluate(
        self, batch: GameBatch, index: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Evaluates the games `index`, `(k,)`, of a batch: those of the same rules by one call.

        Returns:
            The logits `(k, A)`, minus infinity where an action is illegal or the evaluator leaves it out, and
            the values `(k,)`.

        Raises:
            ValueError: the evaluator gives arrays of another shape, or what is no number.
        """
        groups = self.groups(batch, index)
        if len(groups) == 1:
            return self._evaluate_alike(batch, index)
        logits, values = np.empty((len(index), batch.num_actions)), np.empty(len(index))
        for places in groups:
            logits[places], values[places] = self._evaluate_alike(batch, index[places])
        return logits, values

    def groups(self, batch: GameBatch, index: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Groups the games `index` by the evaluator for them: the places in `index` of each group."""
        if not hasattr(self.given, "for_game"):
            return [np.arange(len(index))]
        return places_by_rules(batch, index)

    def _evaluate_alike(
        self, batch: GameBatch, index: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Evaluates games of the same rules."""
        self.bind(batch[int(index[0])])
        planes = boards_of(batch, index, **self._options)
        rows, count = len(planes), len(index)
        logits, values = (np.asarray(given, np.float64) for given in self(planes))
        if logits.shape != (rows, batch.num_actions):
            raise ValueError(f"the logits must be ({rows}, {batch.num_actions}), not {logits.shape}")
        if values.shape != (rows,):
            raise ValueError(f"the values must be ({rows},), not {values.shape}")
        logits, values = logits[:count], values[:count]
        legal = batch.action_masks[index].astype(np.bool_)
        logits = np.where(legal, logits, -np.inf)
        if not (logits < np.inf).all() or not np.isfinite(logits.max(axis=1)).all():
            raise ValueError("the logits must be finite, or -inf for an action that is left out, not for all")
        if not np.isfinite(values).all():
            raise ValueError("the values of the evaluator must be finite")
        return logits, values

    def evaluate_game(self, game: Game) -> tuple[NDArray[np.float64], float]:
        """Evaluates a running game: its logits `(A,)`, minus infinity where illegal, and its value."""
        batch = GameBatch.from_games([game], seed=0, threads=1)
        logits, values = self.evaluate(batch, np.zeros(1, np.int64))
        return logits[0], float(values[0])


def boards_of(
    batch: GameBatch,
    index: NDArray[np.int64],
    *,
    history: int = 0,
    view: Literal["black", "player"] = "black",
    dtype: str = "uint8",
    pad_to: int = 1,
) -> NDArray[np.generic]:
    """Makes planes of the games `index`, `(k,)`, of a batch: `(k, 6 or 2 * history + 1, rows, cols)`.

    Planes of zeros follow, up to a multiple of `pad_to` games.
    """
    count, layers = len(index), 2 * history + 1 if history else 6
    boards = np.zeros((-(-count // pad_to) * pad_to, layers, batch.rows, batch.cols), dtype)
    if history:
        batch.history_planes_into(boards[:count], history, index)
    else:
        batch.planes_into(boards[:count], index, view=view)
    return boards


def softmax(scores: NDArray[np.float64], temperature: float = 1.0) -> NDArray[np.float64]:
    """Makes probabilities `(A,)` of scores, some of which may be minus infinity, by a temperature."""
    weights = np.exp((scores - scores.max()) / max(temperature, COLD))
    return np.asarray(weights / weights.sum(), np.float64)


class Sampler:
    """Chooses actions by scores: the best ones, or at random by their softmax.

    Args:
        temperature: the scores are divided by this; 0 plays the best action.
        seed: the seed of the choices; None takes one from the system.

    Raises:
        ValueError: the temperature is negative or not finite.
    """

    def __init__(self, temperature: float, seed: int | None) -> None:
        self.temperature = real("temperature", temperature)
        if not (self.temperature >= 0 and math.isfinite(self.temperature)):
            raise ValueError(f"temperature must be 0 or a positive number, not {temperature!r}")
        self.reseed(seed)

    def reseed(self, seed: int | None) -> None:
        """Begins the random choices anew, from this seed."""
        self._rng = np.random.default_rng(seed) if self.temperature > 0 else None

    def one(self, scores: NDArray[np.float64], best: int) -> int:
        """Chooses an action by scores `(A,)`, minus infinity where illegal; `best` without temperature."""
        if self._rng is None:
            return best
        return int(self._rng.choice(len(scores), p=softmax(scores, self.temperature)))

    def many(self, scores: NDArray[np.float64], best: NDArray[np.int64]) -> NDArray[np.int64]:
        """Chooses actions `(k,)` by scores `(k, A)`; `best` without temperature."""
        if self._rng is None:
            return best
        # With Gumbel noise added to the scores, the maximum is a sample of their softmax.
        noise = self._rng.gumbel(size=scores.shape)
        return np.asarray(np.argmax(scores / max(self.temperature, COLD) + noise, axis=1), np.int64)
