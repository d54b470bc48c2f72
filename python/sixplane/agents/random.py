"""The random player."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import integer
from sixplane._core import Game, GameBatch, own_eyes
from sixplane.agents.agent import RESIGN, Choice
from sixplane.games import has_liberties
from sixplane.masks import sample_legal

#: The most points that are tried for a move. The largest board has 625.
MOST_TRIES: Final = 10_000

EyeRule = Literal["diagonal", "chain", "playout"]


class RandomAgent:
    """Plays uniformly random legal points; in Go none of its own eyes, so that it may have to pass.

    Args:
        avoid_eyes: the rule of `Go.is_eye` that says what an eye is; None fills eyes like any other
            point. Other games have no eyes.
        resign_probability: the chance to resign before each move.
        tries: None considers every point. A number, at most 10,000, samples that many points of the whole
            board, with repetition, and passes if none of them is allowed; where a pass is illegal, the
            agent plays any legal action instead.
        seed: agents with the same seed make the same choices; None takes one from the system.

    Example:
        >>> import sixplane
        >>> game = sixplane.Reversi()
        >>> RandomAgent(seed=1).select_action(game) in game.legal_actions
        True
        >>> import numpy as np
        >>> agent = RandomAgent(seed=5)
        >>> batch = sixplane.GameBatch(sixplane.Reversi(), 100)
        >>> actions = agent.select_actions(batch, np.arange(100))
        >>> actions.shape, np.unique(actions)
        ((100,), array([19, 26, 37, 44]))
        >>> agent.reseed(5)  # the same choices again
        >>> bool((agent.select_actions(batch, np.arange(100)) == actions).all())
        True
    """

    def __init__(
        self,
        avoid_eyes: EyeRule | None = "diagonal",
        resign_probability: float = 0.0,
        tries: int | None = None,
        seed: int | None = None,
    ) -> None:
        if avoid_eyes is not None and avoid_eyes not in (rules := get_args(EyeRule)):
            raise ValueError(f"avoid_eyes must be one of {', '.join(rules)} or None, not {avoid_eyes!r}")
        if not 0 <= resign_probability <= 1:
            raise ValueError(f"resign_probability must be from 0 to 1, not {resign_probability!r}")
        if tries is not None and not 1 <= integer("tries", tries) <= MOST_TRIES:
            raise ValueError(f"tries must be from 1 to {MOST_TRIES}, or None for every point, not {tries}")
        self._rule = avoid_eyes
        self._resigns = resign_probability
        self._tries = tries
        self._rng = random.Random(None if seed is None else integer("seed", seed, 0))
        self._batch_rng = np.random.default_rng(self._rng.getrandbits(64) if seed is None else seed)

    def reseed(self, seed: int) -> None:
        """Begins the random choices anew, as a new agent with this seed."""
        self._rng.seed(integer("seed", seed, 0))
        self._batch_rng = np.random.default_rng(seed)

    def select_action(self, game: Game) -> Choice:
        """Chooses a random action, or resigns with `resign_probability`.

        Raises:
            ValueError: the game is over.
        """
        if game.is_over:
            raise ValueError("the game is over")
        if self._resigns and self._rng.random() < self._resigns:
            return RESIGN
        legal: list[int] = game.legal_actions.tolist()
        last = game.num_actions - 1
        point = self._point_of(game, [action for action in legal if action != last])
        if point is not None:
            return point
        return last if last in legal else self._rng.choice(legal)

    def select_actions(self, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Chooses in the games `index`, with the same probabilities as `select_action`."""
        legal = batch.action_masks[index]
        allowed = legal.copy()
        allowed[:, -1] = 0
        if self._rule is not None and len(index) and has_liberties(batch[int(index[0])]):
            allowed[:, :-1][own_eyes(batch, index, self._rule)] = 0
        if self._tries is None:
            actions = sample_legal(allowed, self._batch_rng)
        else:
            tried = self._batch_rng.integers(legal.shape[1] - 1, size=(len(index), self._tries))
            will_do = np.take_along_axis(allowed, tried, axis=1)
            first = tried[np.arange(len(index)), will_do.argmax(axis=1)]
            actions = np.where(will_do.any(axis=1), first, -1)
        if (forced := actions < 0).any():
            left = legal[forced]
            actions[forced] = np.where(left[:, -1], legal.shape[1] - 1, sample_legal(left, self._batch_rng))
        if self._resigns:
            actions[self._batch_rng.random(len(index)) < self._resigns] = -1
        return np.asarray(actions, np.int64)

    def _point_of(self, game: Game, points: list[int]) -> int | None:
        """Chooses a point to play; None if there is none, or if no try found one."""
        is_eye: Callable[[int], bool] = lambda _point: False  # noqa: E731
        if self._rule is not None and has_liberties(game):
            is_eye = partial(game.is_eye, rule=self._rule)
        if self._tries is None:
            # Points to avoid are removed one by one, so that the choice among the others is uniform.
            while points:
                index = self._rng.randrange(len(points))
                if not is_eye(points[index]):
                    return points[index]
                points[index] = points[-1]
                points.pop()
            return None
        allowed = set(points)
        for _ in range(self._tries):
            point = self._rng.randrange(game.num_actions - 1)
            if point in allowed and not is_eye(point):
                return point
        return None
