"""The environment of many games for Stable-Baselines3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from gymnasium import Env, Wrapper
from gymnasium.spaces import Box
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv as BaseVecEnv

from sixplane.agents.agent import Agent
from sixplane.envs import making
from sixplane.envs.settings import Info, Planes, reset_options

if TYPE_CHECKING:
    from gymnasium.core import RenderFrame
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

#: What `info` says of an opponent that climbs.
RUNG: Final = ("rung", "rung_elo", "rung_spec")


class _Planes(Box):
    """A space of planes. It says so where Stable-Baselines3 refuses it because it is no picture."""

    def __repr__(self) -> str:
        return f"{super().__repr__()}, the planes of a board: use 'MlpPolicy' with sixplane.sb3.BoardCNN"


class VecEnv(BaseVecEnv):  # type: ignore[misc] # the library has no types here
    """Many games of one player for Stable-Baselines3; the opponent moves within `step`.

    In every observation it is the learner's turn, and rewards are the learner's. A finished game starts again
    in the same step; its entry of `infos` has `terminal_observation`, `TimeLimit.truncated`, `outcome` (+1
    black, 0 draw, -1 white; a game has it in words), `score`, `illegal` and `seat`, and with the opponent
    `ladder:auto` also `rung`, `rung_elo` and `rung_spec`. In an episode that `max_episode_steps` has cut
    short the game has not ended: `outcome` and `score` are None. MaskablePPO finds the masks by itself.

    Args:
        game: its name, such as `"go"` or `"connect4"`.
        num_envs: how many games.
        opponent: an agent, or its spec such as `"mcts:simulations=50"`. One agent plays all games: it must
            not be shared with another environment. With `"ladder:auto"`, `env.opponent.climb` says where the
            learner stands, and may be set to what a checkpoint has kept.
        seat: the learner's color: `"black"`, `"white"`, or `"random"`, chosen anew for each game.
        dtype: the type of the planes; policies need `"float32"`.
        view: `"player"`: the learner's stones come first; `"black"`: absolute colors.
        options: those of `gymnasium.make_vec("sixplane/Go-v0")`, such as `size`, `max_moves`, `reward`,
            `illegal`, `threads`, `render_mode` and rules.

    Raises:
        TypeError, ValueError: an option that does not exist or has no such value.

    Example:
        >>> from sixplane import sample_legal
        >>> env = VecEnv("go", num_envs=256, size=7, komi=9.5, opponent="random")
        >>> env.reset().shape, env.action_masks().shape
        ((256, 6, 7, 7), (256, 50))
        >>> planes, rewards, dones, infos = env.step(sample_legal(env.action_masks()))
        >>> rewards.shape, rewards.dtype, len(infos)
        ((256,), dtype('float32'), 256)
    """

    def __init__(
        self,
        game: str = "go",
        num_envs: int = 64,
        *,
        opponent: Agent | str = "random",
        seat: str = "random",
        dtype: str = "float32",
        view: str = "player",
        **options: object,
    ) -> None:
        if isinstance(game, Env | VectorEnv):
            raise TypeError(
                "VecEnv makes its games itself: give the name of the game, such as 'go', and the options of "
                "the environment"
            )
        self.games = making.for_one_player(
            "Stable-Baselines3",
            "same_step",
            game,
            num_envs,
            opponent=opponent,
            seat=seat,
            dtype=dtype,
            view=view,
            **options,
        )
        self._actions = np.zeros(num_envs, np.int64)
        planes = self.games.env.settings.observation_space
        space = _Planes(0, 1, planes.shape, planes.dtype)
        super().__init__(num_envs, space, self.games.single_action_space)

    @property
    def opponent(self) -> Agent:
        """The agent that plays the other seat; a new one, or its spec, plays from the next move on."""
        return self.games.opponent

    @opponent.setter
    def opponent(self, opponent: Agent | str) -> None:
        self.games.opponent = opponent

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the legal actions, `(num_envs, A)` of bool."""
        return self.games.action_masks()

    def set_options(
        self, options: Sequence[Mapping[str, object]] | Mapping[str, object] | None = None
    ) -> None:
        """Keeps options for the next reset, which are the same for all games.

        Some of the games start by `env.games.reset(options={"game": game, "reset_mask": mask})`, after the
        first reset: it returns the observations and the `info` of all games.

        Args:
            options: None, a dict such as `{"game": game}` with the game to start from, or a list that has
                equal dicts, one for each game.

        Raises:
            TypeError: the options are none of these.
            ValueError: the list has another length, or its dicts differ. Nothing has changed then.

        Example:
            >>> from sixplane import Reversi
            >>> env, start = VecEnv("reversi", num_envs=3, size=6, seat="black"), Reversi(size=6)
            >>> for _ in range(2):
            ...     start.play(start.legal_actions[0])
            >>> env.set_options({"game": start})
            >>> planes = env.reset()
            >>> env.games.env.batch.move_numbers
            array([2, 2, 2])
            >>> mask = np.array([False, True, False])
            >>> planes, info = env.games.reset(options={"game": Reversi(size=6), "reset_mask": mask})
            >>> info["move_number"], planes.shape
            (array([2, 0, 2]), (3, 6, 6, 6))
        """
        each = options if isinstance(options, list | tuple) else [options] * self.num_envs
        given = [reset_options(one) for one in each]
        if len(given) != self.num_envs:
            raise ValueError(
                f"{len(given)} dicts of options for {self.num_envs} games: one for each is needed"
            )
        if not all(_are_equal(given[0], other) for other in given):
            raise ValueError(
                "all games take the same options: give one dict for all games; "
                'env.games.reset(options={"game": game, "reset_mask": mask}) starts some of them'
            )
        super().set_options(dict(given[0]))

    def reset(self) -> Planes:
        """Starts all games anew, with the seeds of the last call of `seed`."""
        seeds = None if all(seed is None for seed in self._seeds) else list(self._seeds)
        observations, info = self.games.reset(seed=seeds, options=self._options[0])
        self.reset_infos = [{"seat": int(seat)} for seat in info["seat"]]
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keeps the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Planes, NDArray[np.float32], NDArray[np.bool_], list[Info]]:
        """Plays the actions of `step_async`, then the opponent's."""
        observations, rewards, terminated, truncated, info = self.games.step(self._actions)
        dones = terminated | truncated
        infos: list[Info] = [{} for _ in range(self.num_envs)]
        if "final_obs" in info:
            last = info["final_info"]
            over = last.get("_outcome", np.zeros_like(dones))
            for i in np.flatnonzero(dones).tolist():
                infos[i] = {
                    "terminal_observation": info["final_obs"][i],
                    "TimeLimit.truncated": bool(truncated[i] and not terminated[i]),
                    "seat": int(last["seat"][i]),
                    "outcome": int(last["outcome"][i]) if over[i] else None,
                    "score": float(last["score"][i]) if over[i] else None,
                    "illegal": bool(over[i] and last["illegal"][i]),
                }
                infos[i] |= {name: last[name].item(i) for name in RUNG if name in last}
        return observations, rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        """Closes the games, and an opponent that was made from its spec."""
        self.games.close()

    def get_images(self) -> Sequence[RenderFrame]:
        """Returns pictures of the games, with `render_mode="rgb_array"`."""
        return self.games.render() or ()

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[object]:
        """Returns an attribute once for each of these games, because all games share it.

        Raises:
            AttributeError: there is none.
        """
        return [getattr(self.games, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Agent | str, indices: VecEnvIndices = None) -> None:
        """Sets the opponent of all games.

        Raises:
            AttributeError: it is another attribute, or the games are not all of them.
        """
        if attr_name != "opponent":
            raise AttributeError(f"only the opponent of all games can be set, not {attr_name!r}")
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise AttributeError("only the opponent of all games can be set, not that of some")
        self.opponent = value

    def env_method(
        self, method_name: str, *method_args: object, indices: VecEnvIndices = None, **method_kwargs: object
    ) -> list[object]:
        """Returns the action masks of these games, or with `"render"` their pictures or texts.

        Raises:
            AttributeError: it is another method.
            TypeError: there are arguments.
        """
        if method_name not in {"action_masks", "render"}:
            raise AttributeError(f"the games have the methods action_masks and render, not {method_name!r}")
        if method_args or method_kwargs:
            raise TypeError(f"{method_name} takes no arguments")
        found = self.action_masks() if method_name == "action_masks" else self.games.render()
        return [None if found is None else found[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Wrapper], indices: VecEnvIndices = None) -> list[bool]:  # noqa: ARG002 - its own
        """Returns False for each of these games: none is wrapped."""
        return [False] * len(list(self._get_indices(indices)))


def _are_equal(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Returns whether options are the same by name and value, arrays included."""
    return one.keys() == other.keys() and all(
        value is other[name] or np.array_equal(value, other[name])  # type: ignore[arg-type]
        for name, value in one.items()
    )
