"""An agent that follows the policy of an evaluator, such as a trained network."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sixplane._core import Game, GameBatch
from sixplane.agents.agent import RESIGN, Choice
from sixplane.agents.evaluation import GameEvaluator, PlaneOptions, Sampler, resigns_below, softmax
from sixplane.agents.rules import lost_ends
from sixplane.search import MCTS, Evaluator


class NetworkAgent:
    """Plays the best action of an evaluator's policy, or samples one; it does not search.

    The evaluator is called once for a move, and its logits are the policy. `MCTSAgent` searches with one.
    An action that ends the game and loses it is played only if every one that the evaluator does not leave
    out does that: in Go, a second pass waits until the board is won.

    Args:
        evaluator: planes `(1, 6, rows, cols)` -> logits `(1, A)` and values `(1,)`, as
            `sixplane.search.Evaluator`; illegal actions are left out here. If it has a method
            `for_game(game)`, as `sixplane.nets.Network` has, that makes the one for each game.
        temperature: 0 plays the best action; else the agent samples an action, by the softmax of the
            logits divided by this.
        resign_below: the agent resigns when the position's value to it is less than this; None: never.
        history: 0 for the six planes; `k`: the evaluator gets `history_planes(k)`.
        view, dtype, pad_to: how the evaluator gets its planes, as `sixplane.search.MCTS` has it.
        seed: the seed of all randomness; None takes one from the system.

    Raises:
        ValueError, TypeError: a wrong value.

    Example:
        >>> import numpy as np, sixplane
        >>> def uniform(planes):
        ...     return np.zeros((len(planes), 26)), np.zeros(len(planes))
        >>> agent = NetworkAgent(uniform)
        >>> agent.select_action(sixplane.Go(size=5))
        0
        >>> policy, value = agent.evaluate(sixplane.Go(size=5))
        >>> policy.shape, value, agent.evaluator is uniform
        ((26,), 0.0, True)
        >>> agent.select_actions(sixplane.GameBatch(sixplane.Go(size=5), 3), np.array([0, 2])).shape
        (2,)
        >>> agent.reseed(2)
    """

    def __init__(
        self,
        evaluator: Evaluator,
        *,
        temperature: float = 0.0,
        resign_below: float | None = None,
        history: int = 0,
        view: Literal["black", "player"] = "black",
        dtype: Literal["uint8", "float32"] = "uint8",
        pad_to: int = 1,
        seed: int | None = None,
    ) -> None:
        options: PlaneOptions = {"view": view, "dtype": dtype, "pad_to": pad_to, "history": history}
        MCTS(evaluator, **options)  # refuses what is no such option
        self._evaluator = GameEvaluator(evaluator, **options)
        self._sampler = Sampler(temperature, seed)
        self._resign_below = resigns_below(resign_below)

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator as it was given."""
        return self._evaluator.given

    def evaluate(self, game: Game) -> tuple[NDArray[np.float64], float]:
        """Returns the probabilities of the actions `(A,)` and the value for the player to play.

        Raises:
            ValueError: the game is over, or the evaluator returns invalid numbers.
        """
        if game.is_over:
            raise ValueError("the game is over")
        logits, value = self._evaluator.evaluate_game(game)
        return softmax(logits), value

    def reseed(self, seed: int) -> None:
        """Begins the random choices anew, as a new agent with this seed."""
        self._sampler.reseed(seed)

    def select_action(self, game: Game) -> Choice:
        """Chooses an action by the policy, or `RESIGN`.

        Raises:
            ValueError: the game is over, or the evaluator returns invalid numbers.
        """
        if game.is_over:
            raise ValueError("the game is over")
        batch = GameBatch.from_games([game], seed=0, threads=1)
        action = int(self.select_actions(batch, np.zeros(1, np.int64))[0])
        return RESIGN if action == -1 else action

    def select_actions(self, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Chooses in the games `index` by their policies; the evaluator sees all of them in one call.

        Raises:
            ValueError: the evaluator returns invalid numbers.
        """
        if not len(index):
            return np.zeros(0, np.int64)
        logits, values = self._evaluator.evaluate(batch, index)
        actions = self._choose(batch, index, logits)
        if self._resign_below is not None:
            actions[values < self._resign_below] = -1
        return actions

    def _choose(
        self, batch: GameBatch, index: NDArray[np.int64], logits: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """Chooses by logits `(k, A)`, among the actions that do not lose at once where there are any."""
        actions = chosen = self._sampler.many(logits, logits.argmax(axis=1))
        rows, scores = np.arange(len(index)), logits
        while True:
            lost = lost_ends(batch, index[rows], chosen)
            actions[rows[~lost]] = chosen[~lost]
            scores = scores[lost]
            scores[np.arange(len(scores)), chosen[lost]] = -np.inf
            has_others = np.isfinite(scores).any(axis=1)
            rows, scores = rows[lost][has_others], scores[has_others]
            if not len(rows):
                return actions
            chosen = self._sampler.many(scores, scores.argmax(axis=1))
