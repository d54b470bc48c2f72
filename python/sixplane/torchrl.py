"""The games for TorchRL: one environment has many of them, with masks, against an opponent.

It needs TorchRL: `pip install 'sixplane[torchrl]'`.

Example:
    >>> from sixplane.torchrl import BoardGameEnv
    >>> env = BoardGameEnv("reversi", num_envs=256, size=6, opponent="random")
    >>> data = env.rollout(40, break_when_any_done=False)  # random legal actions
    >>> data["observation"].shape
    torch.Size([256, 40, 6, 6, 6])
"""

from __future__ import annotations

import numpy as np

from sixplane._library import optional

with optional("sixplane.torchrl needs TorchRL", "torchrl", "torchrl", "torch"):
    from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase

import torch
from numpy.typing import NDArray
from tensordict import TensorDict, TensorDictBase

from sixplane import _gymnasium  # noqa: F401 - says what is missing
from sixplane._arguments import Array
from sixplane.agents.agent import Agent
from sixplane.envs import making
from sixplane.masks import sample_legal

__all__ = ["BoardGameEnv"]


class BoardGameEnv(EnvBase):  # type: ignore[misc] # the library has no types here
    """Many games of one player, which Rust steps at once; the opponent moves within `step`.

    | key | shape | dtype |
    |---|---|---|
    | `observation` | `(n, 6, rows, cols)` | as `dtype` says |
    | `action_mask` | `(n, A)` | bool, True = legal; all False when a game is over |
    | `action` | `(n,)` | int64 |
    | `next`, `reward` | `(n, 1)` | float32, the learner's |
    | `done`, `terminated`, `truncated` | `(n, 1)` | bool |

    `rand_action`, and so a `rollout` without a policy, takes legal actions. Collectors without a policy do
    not ask for it and take any; an illegal action loses. `MaskedCategorical` wants this mask as it is. If the
    opponent resigns before the learner's first move, the mask allows a pass, which ends the game unplayed.

    Args:
        game: its name, such as `"go"` or `"connect4"`.
        num_envs: how many games; the batch size is `(num_envs,)`.
        opponent: an agent, or its spec such as `"mcts:simulations=50"`. One agent plays all games: it must
            not be shared with another environment.
        seat: the learner's color: `"black"`, `"white"`, or `"random"`, chosen anew for each game.
        dtype: the type of the planes: `"float32"`, `"uint8"` or `"bool"`.
        view: `"player"`: the learner's stones come first; `"black"`: absolute colors.
        device: where the tensors are. The games are played by the processor.
        options: those of `gymnasium.make_vec("sixplane/Go-v0")`, such as `size`, `max_moves`, `reward`,
            `illegal`, `threads` and rules.

    Raises:
        TypeError, ValueError: an option that does not exist or has no such value.

    Example:
        >>> env = BoardGameEnv("go", num_envs=8, size=5, seat="black")
        >>> step = env.step(env.rand_action(env.reset()))
        >>> step["action"].shape, step["next", "reward"].shape, step["next", "action_mask"].shape
        (torch.Size([8]), torch.Size([8, 1]), torch.Size([8, 26]))
    """

    batch_locked = True

    def __init__(
        self,
        game: str = "go",
        num_envs: int = 64,
        *,
        opponent: Agent | str = "random",
        seat: str = "random",
        dtype: str = "float32",
        view: str = "player",
        device: torch.device | str | int | None = None,
        **options: object,
    ) -> None:
        games = making.for_one_player(
            "TorchRL",
            "disabled",
            game,
            num_envs,
            opponent=opponent,
            seat=seat,
            dtype=dtype,
            view=view,
            **options,
        )
        super().__init__(device=device, batch_size=[num_envs])
        self.games = games
        self._next_seed: int | None = None
        self._rng = np.random.default_rng()
        settings = games.env.settings
        planes, actions = settings.observation_space, int(settings.action_space.n)
        kind = getattr(torch, settings.dtype.name)
        shape = (num_envs, *planes.shape)
        self.observation_spec = Composite(
            observation=Bounded(0, 1, shape=shape, dtype=kind, device=device)
            if kind is not torch.bool
            else Binary(shape=shape, dtype=kind, device=device),
            action_mask=Binary(shape=(num_envs, actions), dtype=torch.bool, device=device),
            shape=(num_envs,),
        )
        self.action_spec = Categorical(actions, shape=(num_envs,), dtype=torch.int64, device=device)
        self.reward_spec = Unbounded(shape=(num_envs, 1), dtype=torch.float32, device=device)
        flag = Binary(shape=(num_envs, 1), dtype=torch.bool, device=device)
        flags = {name: flag.clone() for name in ("done", "terminated", "truncated")}
        self.full_done_spec = Composite(flags, shape=(num_envs,))
        # Of the games as they stand: those that are over stay so until they are reset.
        self._terminated = np.zeros(num_envs, np.bool_)
        self._truncated = np.zeros(num_envs, np.bool_)

    def _set_seed(self, seed: int | None) -> None:
        self._next_seed = seed
        self._rng = np.random.default_rng(seed)

    def _tensors(self, planes: Array, masks: NDArray[np.int8 | np.bool_], **more: Array) -> TensorDict:
        """Makes a tensordict of fresh arrays, without copies where they stay on the processor."""
        arrays = {"observation": planes, "action_mask": self._allowed(masks), **more}
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        return TensorDict(tensors, batch_size=self.batch_size).to(self.device)

    def _allowed(self, masks: NDArray[np.int8 | np.bool_]) -> NDArray[np.bool_]:
        """Returns fresh masks; a game that is over but not done yet allows a pass, which it ignores."""
        allowed = masks.astype(np.bool_)
        allowed[:, -1] |= ~(allowed.any(axis=1) | self._terminated | self._truncated)
        return allowed

    def _reset(self, tensordict: TensorDictBase | None = None, **_options: object) -> TensorDictBase:
        given = None if tensordict is None else tensordict.get("_reset", None)
        where = np.ones(len(self._terminated), np.bool_)
        if given is not None:
            where = given.cpu().numpy().reshape(-1)
        if not where.any():
            return self._tensors(self.games.observe(), self.games.action_masks())
        seed, self._next_seed = self._next_seed, None
        planes, info = self.games.reset(seed=seed, options=None if where.all() else {"reset_mask": where})
        self._terminated[where] = self._truncated[where] = False
        return self._tensors(planes, info["action_mask"])

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        actions = tensordict.get("action").cpu().numpy()
        running = ~(self._terminated | self._truncated)
        given = tensordict.get("_step", None)
        if given is not None and (running & ~given.cpu().numpy().reshape(-1)).any():
            raise NotImplementedError("only games that are over can be left out of a step")
        planes, rewards, terminated, truncated, info = self.games.step_unfinished(actions)
        self._terminated, self._truncated = self._terminated | terminated, self._truncated | truncated
        return self._tensors(
            planes,
            info["action_mask"],
            reward=rewards.astype(np.float32)[:, np.newaxis],
            terminated=self._terminated[:, np.newaxis].copy(),
            truncated=self._truncated[:, np.newaxis].copy(),
            done=(self._terminated | self._truncated)[:, np.newaxis],
        )

    def rand_action(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        """Samples a random legal action in each game; 0 where it is over."""
        if tensordict is None:
            tensordict = TensorDict({}, batch_size=self.batch_size, device=self.device)
        actions = sample_legal(self._allowed(self.games.action_masks()).astype(np.int8), self._rng)
        # Where the game is over, -1 would be outside the space of actions.
        actions = np.maximum(actions, 0)
        tensordict.set("action", torch.from_numpy(actions).to(self.device or "cpu"))
        return tensordict

    def close(self, **_options: object) -> None:
        """Closes the games, and an opponent that was made from its spec."""
        super().close()
        self.games.close()
