"""An agent that plays what an evaluator says, such as a trained network."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sixplane.agents.agent import RESIGN, select_one_by_one
from sixplane.agents.evaluation import evaluate, evaluate_games
from sixplane.agents.game_evaluator import GameEvaluator
from sixplane.agents.mcts import MCTSAgent
from sixplane.search import MCTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sixplane._core import Game, GameBatch
    from sixplane.agents.agent import Choice
    from sixplane.search import Evaluator

__all__ = ["NetworkAgent"]


class NetworkAgent:
    """Plays the best action of an evaluator's policy, or samples one, with or without search.

    Without `simulations` and `seconds` the evaluator is called once for a move, and its logits are the
    policy. With one of them, a search with the evaluator's priors and values decides, and its visits
    are the policy.

    Args:
        evaluator: planes `(1, 6, rows, cols)` -> logits `(1, A)` and values `(1,)`, as
            `sixplane.search.Evaluator`; illegal actions are left out here. If it has a method
            `for_game(game)`, as `sixplane.nets.Network` has, that makes the one for each game.
        temperature: 0 plays the best action; else the agent samples an action, by the softmax of the
            logits divided by this, or by the visits to the power of its inverse.
        simulations: of the search of each move; None with `seconds=None`: no search.
        seconds: of the search of each move.
        resign_below: the agent resigns when the position's value to it is less than this; None: never.
        history: 0 for the six planes; `k`: the evaluator gets `history_planes(k)`.
        planes, dtype, pad_to: how the evaluator gets its planes, as `sixplane.search.MCTS` has it.
        seed: of all randomness; None takes one from the system.
        options: of `sixplane.search.MCTS`; the selection is `"puct"` unless given.

    Raises:
        ValueError, TypeError: a wrong value, or options of a search without one.

    Example:
        >>> import numpy as np, sixplane
        >>> def uniform(planes):
        ...     return np.zeros((len(planes), 26)), np.zeros(len(planes))
        >>> NetworkAgent(uniform).select_action(sixplane.Go(size=5))
        0
        >>> agent = NetworkAgent(uniform, simulations=20, seed=1)
        >>> policy, value = agent.evaluate(sixplane.Go(size=5))  # without the search
        >>> policy.shape, value, agent.evaluator is uniform
        ((26,), 0.0, True)
        >>> agent.select_actions(sixplane.GameBatch(sixplane.Go(size=5), 3), np.array([0, 2])).shape
        (2,)
        >>> agent.reseed(2)
        >>> agent.limit_time(0.5)  # seconds for each later move
        >>> agent.searcher.limits
        (20, 0.45)
    """

    def __init__(
        self,
        evaluator: Evaluator,
        *,
        temperature: float = 0.0,
        simulations: int | None = None,
        seconds: float | None = None,
        resign_below: float | None = None,
        history: int = 0,
        planes: Literal["black", "player"] = "black",
        dtype: Literal["uint8", "float32"] = "uint8",
        pad_to: int = 1,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        if not (temperature >= 0 and math.isfinite(temperature)):
            raise ValueError(f"temperature must be 0 or a positive number, not {temperature!r}")
        self._evaluator = GameEvaluator(evaluator)
        self._temperature = float(temperature)
        self._resign_below = None if resign_below is None else float(resign_below)
        # Refuses what is no such option, whether there is a search or not.
        MCTS(evaluator, planes=planes, dtype=dtype, pad_to=pad_to, history=history)
        self._asking: dict[str, Any] = {
            "planes": planes,
            "dtype": dtype,
            "pad_to": pad_to,
            "history": history,
        }
        self._rng = np.random.default_rng(seed)
        self._searcher: MCTSAgent | None = None
        if simulations is not None or seconds is not None:
            options |= {**self._asking, "seed": seed}
            self._searcher = MCTSAgent(evaluator, simulations=simulations, seconds=seconds, **options)
        elif options:
            raise TypeError(f"{min(options)!r} is for a search: give simulations or seconds")

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator as it was given."""
        return self._evaluator.given

    @property
    def searcher(self) -> MCTSAgent | None:
        """The search that decides; None without one."""
        return self._searcher

    def evaluate(self, game: Game) -> tuple[NDArray[np.float64], float]:
        """The probabilities of the actions `(A,)` and the value for the player to play, without a search.

        Raises:
            ValueError: the game is over, or the evaluator returns invalid numbers.
        """
        if game.is_over:
            raise ValueError("the game is over")
        logits, value = self._logits(game)
        weights = np.exp(logits - logits.max())
        return weights / weights.sum(), value

    def reseed(self, seed: int) -> None:
        """Begins the random choices anew, as a new agent with this seed."""
        self._rng = np.random.default_rng(seed)
        if self._searcher is not None:
            self._searcher.reseed(seed)

    def limit_time(self, seconds: float) -> None:
        """Limits the search of every later move to this time, in addition to the agent's own limits."""
        if self._searcher is not None:
            self._searcher.limit_time(seconds)

    def select_action(self, game: Game) -> Choice:
        """An action by the policy, or `RESIGN`.

        Raises:
            ValueError: the game is over, or the evaluator returns invalid numbers.
        """
        if game.is_over:
            raise ValueError("the game is over")
        weights, best, value = self._searched(game) if self._searcher else self._evaluated(game)
        if self._resign_below is not None and value < self._resign_below:
            return RESIGN
        if self._temperature == 0:
            return best
        return int(self._rng.choice(len(weights), p=weights))

    def select_actions(self, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Actions by the policies of many games, which the evaluator sees in one call.

        Args:
            batch: the games; they stay as they are.
            index: `(k,)`: the games to choose in; all of them are running.

        Returns:
            `(k,)`: an action for each; -1 for a resignation.

        Raises:
            ValueError: the evaluator returns invalid numbers.
        """
        if not len(index):
            return np.zeros(0, np.int64)
        if self._searcher is None:
            self._evaluator.bind(batch[int(index[0])])
            scores, values = evaluate_games(self._evaluator, batch, index, **self._asking)
            legal = batch.action_masks[index].astype(np.bool_)
            if not (np.isfinite(scores[legal]).all() and np.isfinite(values).all()):
                raise ValueError("the evaluator gives numbers that are not finite")
            scores = np.where(legal, scores, -np.inf)
            best = scores.argmax(axis=1)
        else:
            result = self._searcher.search_games(batch, index)
            if result is None:
                return select_one_by_one(self, batch, index)
            policy = result.policy[index].astype(np.float64)
            best, values = result.best_action[index], result.value[index].astype(np.float64)
            scores = np.log(policy, out=np.full(policy.shape, -np.inf), where=policy > 0)
        actions = np.asarray(best, np.int64)
        if self._temperature > 0:
            # With Gumbel noise added to the scores, the maximum is a sample of their softmax.
            noise = self._rng.gumbel(size=scores.shape)
            actions = np.argmax(scores / max(self._temperature, 1e-6) + noise, axis=1)
        if self._resign_below is not None:
            actions[values < self._resign_below] = -1
        return actions

    def _searched(self, game: Game) -> tuple[NDArray[np.float64], int, float]:
        """The probabilities of the actions by the search, the best action, and the value."""
        assert self._searcher is not None  # noqa: S101 - the caller has checked
        self._searcher.select_action(game)
        result = self._searcher.result
        assert result is not None  # noqa: S101 - it has just been made
        # The share of the most visited is 1 before it is raised, so that nothing overflows.
        policy = result.policy.astype(np.float64)
        weights = (policy / policy.max()) ** (1 / max(self._temperature, 1e-6))
        return weights / weights.sum(), result.best_action, result.value

    def _evaluated(self, game: Game) -> tuple[NDArray[np.float64], int, float]:
        """The probabilities of the actions by the evaluator, the best action, and the value."""
        masked, value = self._logits(game)
        weights = np.exp((masked - masked.max()) / max(self._temperature, 1e-6))
        return weights / weights.sum(), int(masked.argmax()), value

    def _logits(self, game: Game) -> tuple[NDArray[np.float64], float]:
        """The logits `(A,)`, minus infinity where an action is illegal, and the value."""
        self._evaluator.bind(game)
        logits, value = evaluate(self._evaluator, game, **self._asking)
        legal = game.action_mask.astype(np.bool_)
        if not (np.isfinite(logits[legal]).all() and np.isfinite(value)):
            raise ValueError("the evaluator gives numbers that are not finite")
        return np.where(legal, logits, -np.inf), value
