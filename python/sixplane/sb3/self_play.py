"""Self-play in Stable-Baselines3: earlier copies of the policy are its opponents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import integer
from sixplane._core import Game, GameBatch
from sixplane.agents.agent import RESIGN, Choice
from sixplane.agents.evaluation import boards_of
from sixplane.sb3.periodic import PeriodicCallback

if TYPE_CHECKING:
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy


class PolicyPool:
    """An agent that plays each game by one of a few frozen policies.

    Which policy plays a game is chosen anew when the game begins: when at most one action has been played, or
    no more than when the pool was asked last.

    Args:
        most: how many policies are kept. When there is one more, the second goes: the first, often a
            player of random actions, stays, so that the learner does not forget how to beat it.
        view: whose stones come first, as in `VecEnv`.
        dtype: the type of the planes that the policies see.
        history: how many boards they see; 0 for the six planes.
        seed: a seed for the choices; None takes one from the system.

    Example:
        >>> from sb3_contrib import MaskablePPO
        >>> from sixplane.sb3 import VecEnv
        >>> env = VecEnv("reversi", num_envs=4, size=6)
        >>> pool = PolicyPool(most=2, seed=0)
        >>> for seed in range(3):
        ...     pool.add(MaskablePPO("MlpPolicy", env, seed=seed).policy)
        >>> len(pool)
        2
        >>> env.opponent = pool
        >>> env.reset().shape
        (4, 6, 6, 6)
        >>> from sixplane import GameBatch, Reversi
        >>> batch = GameBatch(Reversi(size=6), 3)
        >>> pool.reseed(1)  # which policy plays which game follows from this
        >>> actions = pool.select_actions(batch, np.arange(3))
        >>> bool((batch.action_masks[np.arange(3), actions] == 1).all())
        True
        >>> pool.select_action(Reversi(size=6)) in Reversi(size=6).legal_actions
        True
    """

    def __init__(
        self,
        most: int = 10,
        *,
        view: Literal["black", "player"] = "player",
        dtype: str = "float32",
        history: int = 0,
        seed: int | None = None,
    ) -> None:
        self._most = integer("most", most, 1)
        self._view, self._dtype, self._history = view, dtype, history
        self._rng = np.random.default_rng(seed)
        self._policies: list[MaskableActorCriticPolicy] = []
        #: Which policy plays each game, and the number of the move for which it was asked last.
        self._chosen, self._asked = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._policies)

    def reseed(self, seed: int) -> None:
        """Restarts the choice of policies, though not of their actions, from this seed."""
        self._rng = np.random.default_rng(seed)

    def add(self, policy: MaskableActorCriticPolicy) -> None:
        """Adds a policy of Stable-Baselines3 that is no longer trained."""
        self._policies.append(policy)
        if len(self._policies) > self._most:
            gone = min(1, self._most - 1)
            del self._policies[gone]
            # Games go on with a policy that is there: those of the one that went, with its successor.
            self._chosen -= self._chosen > gone

    def select_actions(self, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Chooses an action in each of these games, by one call of each policy."""
        if not self._policies:
            raise RuntimeError("the pool has no policy yet")
        if len(self._chosen) != len(batch):
            self._chosen = self._rng.integers(0, len(self._policies), len(batch))
            self._asked = np.full(len(batch), -1, np.int64)
        moves = batch.move_numbers[index]
        new = index[(moves <= 1) | (moves <= self._asked[index])]
        self._chosen[new] = self._rng.integers(0, len(self._policies), len(new))
        self._asked[index] = moves
        planes = boards_of(batch, index, view=self._view, dtype=self._dtype, history=self._history)
        masks = batch.action_masks[index].astype(np.bool_)
        actions = np.zeros(len(index), np.int64)
        for number, policy in enumerate(self._policies):
            rows = np.flatnonzero(self._chosen[index] == number)
            if len(rows):
                actions[rows] = policy.predict(planes[rows], action_masks=masks[rows])[0]
        return actions

    def select_action(self, game: Game) -> Choice:
        """Chooses an action for the player to play."""
        action = int(self.select_actions(GameBatch.from_games([game]), np.zeros(1, np.int64))[0])
        return RESIGN if action == -1 else action


class SelfPlayCallback(PeriodicCallback):
    """Puts a frozen copy of the policy among the opponents every so many steps.

    The first opponents are copies of the policy as it begins. Several calls of `learn` for one model count on
    and keep the copies; for another model, or an environment with other planes, they begin anew. The seed of
    the model decides which copy plays a game. It is for MaskablePPO: its policies take masks.

    Args:
        every: the steps of all games together between two copies.
        most: how many copies are kept, as of `PolicyPool`.
        verbose: 1 prints when a copy is made.

    Example:
        >>> from sb3_contrib import MaskablePPO
        >>> from sixplane.sb3 import VecEnv
        >>> model = MaskablePPO("MlpPolicy", VecEnv("reversi", num_envs=8, size=6), n_steps=16)
        >>> callback = SelfPlayCallback(every=128, verbose=1)
        >>> learned = model.learn(256, callback=callback)
        128 steps: 2 opponents
        256 steps: 3 opponents
    """

    def __init__(self, every: int = 50_000, most: int = 10, verbose: int = 0) -> None:
        super().__init__(every, verbose)
        self._most = most
        self.pool: PolicyPool | None = None
        """The opponents; None before the first `learn`."""
        #: What its copies have learned from: the view, the dtype and the history.
        self._planes: dict[str, Any] | None = None

    def _init_callback(self) -> None:
        env = self._vec_env()
        settings = env.games.env.settings
        planes: dict[str, Any] = {
            "view": settings.view,
            "dtype": settings.dtype.name,
            "history": settings.history,
        }
        if self._takes_another_model() or self.pool is None or planes != self._planes:
            self._planes = planes
            self.pool = PolicyPool(self._most, seed=self.model.seed, **planes)
            self.pool.add(self._frozen())
        # The environment may be a new one.
        env.opponent = self.pool

    def _act(self) -> None:
        if self.pool is not None:
            self.pool.add(self._frozen())
            if self.verbose:
                print(f"{self.num_timesteps} steps: {len(self.pool)} opponents")

    def _frozen(self) -> MaskableActorCriticPolicy:
        """Copies the policy. `deepcopy` cannot, once the policy has been used."""
        model = self.model
        policy = model.policy
        # As the model makes it: what a policy says of its constructor lacks options, and those of subclasses.
        copy = model.policy_class(
            model.observation_space, model.action_space, model.lr_schedule, **model.policy_kwargs
        )
        copy.load_state_dict(policy.state_dict())
        copy.to(policy.device)
        copy.set_training_mode(False)
        return copy
