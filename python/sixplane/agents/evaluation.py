"""Evaluators called as the search calls them, and choices by what they say."""

from __future__ import annotations

import math
from types import MethodType
from typing import Final, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sixplane._arguments import real, seed_of
from sixplane._core import Game, GameBatch
from sixplane.agents.rules import places_by_rules
from sixplane.search import Evaluator

#: The least temperature by which anything is divided.
COLD: Final = 1e-6

#: How far rounding may bring a value beyond -1 and 1, as in a search.
ROUNDING: Final = 1e-3


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
    `TypeError`. A method of such an evaluator, as `network.margins`, is taken from what `for_game` returns.
    Any other evaluator is the same for all games.

    Args:
        evaluator: as `sixplane.search.Evaluator`.
        reward: what its values are values of, as `sixplane.search.MCTS` has it.
        options: how `evaluate` gives it planes, as `sixplane.search.MCTS` does.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        reward: Literal["outcome", "margin"] = "outcome",
        **options: Unpack[PlaneOptions],
    ) -> None:
        self.given = evaluator
        """The evaluator as it was given."""
        self._reward: Literal["outcome", "margin"] = reward
        self._options = options
        self._bound = evaluator
        self.facts: tuple[object, ...] = ()
        """The class, size and rules of the game that it is bound to; none before the first."""

    def bind(self, game: Game) -> bool:
        """Takes the evaluator for a game, and returns whether that is another one than before."""
        facts = type(game), game.rows, game.cols, *(getattr(game, rule) for rule in game.rule_names)
        if not depends_on_game(self.given) or facts == self.facts:
            return False
        before, self._bound = self._bound, evaluator_for(self.given, game)
        self.facts = facts
        # A method of an object is another one each time that it is asked for.
        is_method = isinstance(before, MethodType)
        return self._bound != before if is_method else self._bound is not before

    def bound_to(self, game: Game) -> GameEvaluator:
        """Returns another one with the same evaluator, bound to a game."""
        other = GameEvaluator(self.given, self._reward, **self._options)
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
            TypeError, ValueError: the evaluator returns what a search refuses.
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
        if not depends_on_game(self.given):
            return [np.arange(len(index))]
        return places_by_rules(batch, index)

    def _evaluate_alike(
        self, batch: GameBatch, index: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Evaluates games of the same rules."""
        self.bind(batch[int(index[0])])
        planes = boards_of(batch, index, **self._options)
        legal = batch.action_masks[index].astype(np.bool_)
        return checked_answer(self(planes), legal, rows=len(planes), reward=self._reward)

    def evaluate_game(self, game: Game) -> tuple[NDArray[np.float64], float]:
        """Evaluates a running game: its logits `(A,)`, minus infinity where illegal, and its value."""
        batch = GameBatch.from_games([game], seed=0, threads=1)
        logits, values = self.evaluate(batch, np.zeros(1, np.int64))
        return logits[0], float(values[0])


def depends_on_game(evaluator: Evaluator) -> bool:
    """Whether there is another evaluator for each game: by `for_game`, its own or that of its object."""
    return hasattr(evaluator, "for_game") or hasattr(_object_of(evaluator), "for_game")


def evaluator_for(evaluator: Evaluator, game: Game) -> Evaluator:
    """Returns the evaluator for games of this class, size and rules, as `GameEvaluator` says.

    Raises:
        TypeError: the evaluator is not for this game.

    Example:
        >>> import sixplane
        >>> from sixplane.nets import Network
        >>> network, game = Network.load("go9", backend="numpy"), sixplane.Go(size=9, komi=5.5)
        >>> evaluator_for(network.margins, game).__self__.komi
        5.5
    """
    for_game = getattr(evaluator, "for_game", None)
    if for_game is not None:
        bound: Evaluator = for_game(game)
        return bound
    for_game = getattr(_object_of(evaluator), "for_game", None)
    if for_game is None:
        return evaluator
    of_game: Evaluator = getattr(for_game(game), evaluator.__name__)
    return of_game


def _object_of(evaluator: Evaluator) -> object:
    """Returns the object that an evaluator is a method of; None if it is no method of an object."""
    owner = evaluator.__self__ if isinstance(evaluator, MethodType) else None
    return None if isinstance(owner, type) else owner


def checked_answer(
    given: object,
    legal: NDArray[np.bool_],
    *,
    rows: int | None = None,
    reward: Literal["outcome", "margin"] = "outcome",
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the logits `(k, A)`, -inf for illegal actions, and the values `(k,)` of an evaluator.

    Numbers are read as float32 and what a search refuses is refused in its words.

    Args:
        given: what the evaluator returned.
        legal: the legal actions of each position, `(k, A)`.
        rows: how many rows it must have returned, if planes of zeros followed the positions.
        reward: what the values are values of.

    Raises:
        TypeError: it is something else than two arrays of real numbers.
        ValueError: an array has another shape, or a search could not use a number.
    """
    count, num_actions = legal.shape
    rows = count if rows is None else rows
    needed = {"logits": (rows, num_actions), "values": (rows,)}
    if not isinstance(given, tuple) or len(given) != len(needed):
        raise TypeError(f"an evaluator must return two arrays (logits, values), not {type(given).__name__}")
    arrays = []
    for (what, shape), one in zip(needed.items(), given, strict=True):
        array = np.asarray(one)
        if array.shape != shape:
            raise ValueError(f"an evaluator's {what} have shape {list(array.shape)}: {list(shape)} is needed")
        if array.dtype.kind not in "fiu":
            raise TypeError(f"an evaluator's {what} must be real numbers, not {array.dtype}")
        with np.errstate(over="ignore"):
            arrays.append(array[:count].astype(np.float32).astype(np.float64))
    logits, values = arrays
    masked = np.where(legal, logits, -np.inf)
    is_value = np.isfinite(values) if reward == "margin" else np.abs(values) <= 1 + ROUNDING
    # NaN is not below infinity.
    is_right = is_value & (masked < np.inf).all(axis=1) & (masked > -np.inf).any(axis=1)
    for row in np.flatnonzero(~is_right).tolist():
        raise ValueError(f"in position {row} {_why_not(values[row], masked[row], reward)}")
    return masked, values


def _why_not(value: float, logits: NDArray[np.float64], reward: Literal["outcome", "margin"]) -> str:
    """Says what is wrong with an evaluation that is refused, where illegal actions have -inf."""
    if reward == "margin" and not math.isfinite(value):
        return f"the value is {_number(value)}: it must be a finite number"
    if reward == "outcome" and not abs(value) <= 1 + ROUNDING:
        return f"the value is {_number(value)}: it must be from -1 to 1"
    for action in np.flatnonzero(np.isnan(logits) | (logits == np.inf)).tolist():
        found = _number(logits[action])
        return (
            f"the logit of action {action} is {found}: it must be a number, or -inf to leave the action out"
        )
    return "the logits of all actions that may be played are -inf"


def _number(value: float) -> str:
    return "NaN" if math.isnan(value) else np.format_float_positional(np.float32(value), trim="-")


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


def resigns_below(value: float | None) -> float | None:
    """Returns the value below which an agent resigns; None: it never does.

    Raises:
        TypeError: it is no number.
        ValueError: it is NaN.
    """
    if value is None:
        return None
    threshold = real("resign_below", value)
    if math.isnan(threshold):
        raise ValueError("resign_below must be a number, or None to never resign, not nan")
    return threshold


class Sampler:
    """Chooses actions by scores: the best ones, or at random by their softmax.

    Args:
        temperature: the scores are divided by this; 0 plays the best action.
        seed: the seed of the choices; None takes one from the system.

    Raises:
        ValueError: the temperature is negative or not finite, or the seed is negative or too large.
        TypeError: one of them is no such number.
    """

    def __init__(self, temperature: float, seed: int | None) -> None:
        self.temperature = real("temperature", temperature)
        if not (self.temperature >= 0 and math.isfinite(self.temperature)):
            raise ValueError(f"temperature must be 0 or a positive number, not {temperature!r}")
        self._begin(None if seed is None else seed_of(seed))

    def reseed(self, seed: int) -> None:
        """Begins the random choices anew, from this seed."""
        self._begin(seed_of(seed))

    def _begin(self, seed: int | None) -> None:
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
