"""The random player."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Literal, get_args

from sixplane._arguments import integer
from sixplane._core import Go
from sixplane.agents.agent import RESIGN

if TYPE_CHECKING:
    from sixplane._core import Game
    from sixplane.agents.agent import Choice

__all__ = ["RandomAgent"]

EyeRule = Literal["diagonal", "chain", "playout"]


class RandomAgent:
    """Plays uniformly random legal points; in Go it fills no own eye, and passes when nothing else is left.

    Args:
        avoid_eyes: the rule of `Go.is_eye` by which it knows its eyes; None fills them as any
            other point. Other games have no eyes.
        resign_probability: of giving up before each move.
        tries: None considers every point. A number draws that many points of the whole board, with
            repetition, and passes if none of them will do; where passing is not legal, it plays any
            legal action instead.
        seed: an agent of the same seed makes the same choices; None draws one from the system.

    Example:
        >>> import sixplane
        >>> game = sixplane.Reversi()
        >>> RandomAgent(seed=1).select_action(game) in game.legal_actions
        True
    """

    def __init__(
        self,
        avoid_eyes: EyeRule | None = "diagonal",
        resign_probability: float = 0.0,
        tries: int | None = None,
        seed: int | None = None,
    ) -> None:
        rules = get_args(EyeRule)
        if avoid_eyes is not None and avoid_eyes not in rules:
            raise ValueError(f"avoid_eyes must be one of {rules} or None, not {avoid_eyes!r}")
        if not 0 <= resign_probability <= 1:
            raise ValueError(f"resign_probability must be from 0 to 1, not {resign_probability!r}")
        if tries is not None and integer("tries", tries) < 1:
            raise ValueError(f"tries must be at least 1, or None for every point, not {tries}")
        self._rule = avoid_eyes
        self._resigns = resign_probability
        self._tries = tries
        self._rng = random.Random(None if seed is None else integer("seed", seed))

    def reseed(self, seed: int) -> None:
        """Begins the random choices anew, as a new agent with this seed."""
        self._rng.seed(seed)

    def select_action(self, game: Game) -> Choice:
        """A random action, or with `resign_probability` the resignation."""
        if self._resigns and self._rng.random() < self._resigns:
            return RESIGN
        legal: list[int] = game.legal_actions.tolist()
        last = game.num_actions - 1
        point = self._point_of(game, [action for action in legal if action != last])
        if point is not None:
            return point
        return last if last in legal else self._rng.choice(legal)

    def _point_of(self, game: Game, points: list[int]) -> int | None:
        """A point to play; None if there is none, or no try found one."""
        if self._tries is None:
            # Those that are avoided are left out one by one, so that each choice is uniform.
            while points:
                index = self._rng.randrange(len(points))
                if not self._avoids(game, points[index]):
                    return points[index]
                points[index] = points[-1]
                points.pop()
            return None
        allowed = set(points)
        for _ in range(self._tries):
            point = self._rng.randrange(game.num_actions - 1)
            if point in allowed and not self._avoids(game, point):
                return point
        return None

    def _avoids(self, game: Game, point: int) -> bool:
        return self._rule is not None and isinstance(game, Go) and game.is_eye(point, rule=self._rule)
