"""The strength of a policy of Stable-Baselines3 while it learns: its Elo on the ladder of the board."""

from __future__ import annotations

from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import integer
from sixplane.agents.policy import PolicyAgent
from sixplane.ladder import table_of
from sixplane.match.rate import AgentRating, Rater
from sixplane.sb3.periodic import PeriodicCallback


class LadderCallback(PeriodicCallback):
    """Rates the policy every so many steps, and at the end of `learn`, on the ladder of the board.

    The policy plays its best actions. The model's logger gets `ladder/elo`, the ends of its 95 % interval,
    `ladder/low` and `ladder/high`, and `ladder/games`: the scale is that of `sixplane rate` and of
    `sixplane train`. It is for MaskablePPO: its policies take masks.

    Args:
        every: the steps of all games together between two ratings; several calls of `learn` count on.
        games: how many games a rating takes; after 100 the interval is about 70 to each side.
        verbose: 1 prints each rating.

    Raises:
        LadderError: when learning begins, the board has no ladder.
        TypeError: likewise, the environment is no `VecEnv`, or the policy sees other planes than its own.

    Example:
        >>> from sb3_contrib import MaskablePPO
        >>> from sixplane.sb3 import BoardCNN, VecEnv
        >>> features = {"features_extractor_class": BoardCNN}
        >>> env = VecEnv("reversi", num_envs=8)
        >>> model = MaskablePPO("MlpPolicy", env, n_steps=16, policy_kwargs=features)
        >>> callback = LadderCallback(every=128, games=8)
        >>> learned = model.learn(256, callback=callback)
        >>> [steps for steps, rating in callback.ratings], callback.ratings[0][1].board
        ([128, 256], 'Reversi 8x8')
    """

    def __init__(self, every: int = 100_000, games: int = 100, verbose: int = 0) -> None:
        super().__init__(every, verbose)
        self._games = integer("games", games, 1)
        self.ratings: list[tuple[int, AgentRating]] = []
        """The steps and the rating of each time."""

    def _init_callback(self) -> None:
        settings = self._vec_env().games.env.settings
        self._game = settings.start
        table_of(self._game)
        dtype = cast("Literal['float32', 'uint8', 'bool']", settings.dtype.name)
        self._agent = PolicyAgent(self._choose, view=settings.view, dtype=dtype, history=settings.history)
        self._takes_another_model()

    def _choose(self, planes: NDArray[np.generic], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        actions: NDArray[np.int64]
        actions, _ = self.model.policy.predict(planes, action_masks=masks, deterministic=True)
        return actions

    def _on_training_end(self) -> None:
        if self._since:
            self._act_now()
        self.logger.dump(self.num_timesteps)

    def _act(self) -> None:
        about = self.ratings[-1][1].elo if self.ratings else 0.0
        with Rater(self._agent, self._game, self._games, len(self.ratings), about=about) as rater:
            while rater.step():
                pass
            rating = rater.rating
        self.ratings.append((self.num_timesteps, rating))
        for name in ("elo", "low", "high", "games"):
            self.logger.record(f"ladder/{name}", getattr(rating, name))
        if self.verbose:
            print(f"{self.num_timesteps} steps: {rating}")
