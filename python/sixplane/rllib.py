"""The games for RLlib, for one player or for two, with masks, and a model of a board for PPO.

It needs RLlib: `pip install 'sixplane[rllib]'`. Everything is for its new API stack. Importing this module
registers the environment of one player with RLlib as `"sixplane"`.

| name | what it is |
|---|---|
| `make_env` | makes the environment of one player, of one game or of many at once; it is `"sixplane"` |
| `register` | makes that name known again after `ray.shutdown` |
| `TwoPlayerEnv` | both players, as a `MultiAgentEnv` |
| `BoardRLModule` | convolutions, a policy that takes no illegal action, and a value |

Example:
    >>> from ray.rllib.algorithms.ppo import PPOConfig
    >>> from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    >>> from sixplane.rllib import BoardRLModule
    >>> many = {"num_envs_per_env_runner": 32, "gym_env_vectorize_mode": "vector_entry_point"}
    >>> config = (
    ...     PPOConfig()
    ...     .environment("sixplane", env_config={"game": "reversi", "size": 6, "opponent": "random"})
    ...     .env_runners(num_env_runners=2, **many)
    ...     .rl_module(rl_module_spec=RLModuleSpec(module_class=BoardRLModule))
    ... )
    >>> config.validate()  # `config.build_algo()` starts Ray
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sixplane._library import optional

with optional("sixplane.rllib needs RLlib", "rllib", "ray", "gymnasium", "torch"):
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
    from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
    from ray.tune.registry import register_env

import torch
from torch import nn

from sixplane._arguments import integer
from sixplane._gymnasium import gymnasium
from sixplane.envs import making
from sixplane.envs.autoreset import mode_of
from sixplane.envs.mask_in_observation import MaskedObservations, MaskInObservation, VectorMaskInObservation
from sixplane.envs.settings import AGENTS, Settings
from sixplane.games import info_named

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import SupportsIndex

    from torch import Tensor

    from sixplane.envs.mask_in_observation import Observation
    from sixplane.envs.settings import Info

    Step = tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]
    ]  # fmt: skip

__all__ = ["BoardRLModule", "TwoPlayerEnv", "make_env", "register"]

#: The names that RLlib's own module for action masks looks for, too.
KEYS = ("observations", "action_mask")


def make_env(config: Mapping[str, Any]) -> MaskInObservation | VectorMaskInObservation:
    """Makes the environment of one player: `AlgorithmConfig.environment("sixplane", env_config=...)`.

    With `gym_env_vectorize_mode="vector_entry_point"` RLlib asks for many games at once, which are stepped in
    Rust. Observations are dicts of `observations`, planes as float32 from the player's side, and
    `action_mask`. A finished game starts again in the next step: RLlib silently loses a step of each game in
    any other mode.

    Args:
        config: `game`, `"go"` by default; `opponent`, the spec of an agent, `"random"` by default; `seat`,
            `"random"` by default; `flatten=True` for planes as one row, as RLlib's own models want small
            boards; and the other options of `gymnasium.make("sixplane/Go-v0")`, and `max_episode_steps`.
            `threads` is for many games only.

    Raises:
        TypeError, ValueError: an option that does not exist or has no such value.

    Example:
        >>> env = make_env({"game": "go", "size": 7, "opponent": "random", "seat": "black"})
        >>> observation, info = env.reset(seed=0)
        >>> observation["observations"].shape, observation["action_mask"].shape
        ((6, 7, 7), (50,))
        >>> make_env({"game": "go", "size": 7, "num_envs": 32}).reset()[0]["observations"].shape
        (32, 6, 7, 7)
    """
    options: dict[str, Any] = {"opponent": "random", "seat": "random", "dtype": "float32", "view": "player"}
    options |= config
    game, count = options.pop("game", "go"), options.pop("num_envs", None)
    flatten = options.pop("flatten", False)
    info_named(game, imports=True)
    if options["opponent"] is None:
        raise TypeError("an opponent is needed: both players at once are TwoPlayerEnv")
    needed = gymnasium.vector.AutoresetMode.NEXT_STEP
    if mode_of(options.pop("autoreset_mode", needed)) is not needed:
        raise ValueError("RLlib needs autoreset_mode 'next_step': in others it loses a step of each game")
    if count is None:
        if (steps := options.pop("max_episode_steps", None)) is not None:
            steps = integer("max_episode_steps", steps, 1)
        options.pop("threads", None)
        env: gymnasium.Env[Any, Any] = making.make(game, **options)
        if steps is not None:
            env = gymnasium.wrappers.TimeLimit(env, steps)
        return MaskInObservation(env, KEYS, "float32", flatten=flatten)
    vector = making.make_vec(game, count, autoreset_mode=needed, **options)
    return VectorMaskInObservation(vector, KEYS, "float32", flatten=flatten)


class TwoPlayerEnv(MultiAgentEnv):  # type: ignore[misc] # the library has no types here
    """A game of two agents: only the one to play observes, and both do when the game ends.

    Agents are `black_0` and `white_0`. An illegal action loses the game. RLlib tries each environment with an
    action that no mask has seen, so `illegal="raise"` needs `.environment(..., disable_env_checking=True)`.

    Args:
        config: `game`, `"go"` by default, and the other options of `gymnasium.make("sixplane/Go-v0")` but
            `render_mode`. Unless they are given, `dtype` is `"float32"` and `view` is `"player"`: the stones
            of the agent that observes come first.

    Raises:
        TypeError, ValueError: an option that does not exist or has no such value.

    Example:
        >>> env = TwoPlayerEnv({"game": "gomoku", "size": 9})
        >>> observations, infos = env.reset()
        >>> observations, rewards, terminated, truncated, infos = env.step({"black_0": 40})
        >>> list(observations), observations["white_0"]["observations"].shape, rewards["black_0"]
        (['white_0'], (6, 9, 9), 0.0)
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        options: dict[str, Any] = {"game": "go", "view": "player", "dtype": "float32"}
        options |= config or {}
        self.settings = settings = Settings(info_named(options.pop("game"), imports=True), **options)
        planes, actions = settings.observation_space, settings.action_space
        self._masked = MaskedObservations(planes, actions, KEYS, "float32")
        self.possible_agents = list(AGENTS)
        # They stay after the end: both observe it, and RLlib's check knows only agents that are named here.
        self.agents = list(AGENTS)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(self._masked.space.spaces) for agent in AGENTS
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions.n) for agent in AGENTS}
        self.game = settings.start.copy()

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Starts a game anew, and returns what the first player observes.

        Args:
            seed: the game uses no random numbers, so nothing depends on it.
            options: None, or `{"game": game}` with a running game of this class and size.
        """
        super().reset(seed=seed, options=None)
        self.game = self.settings.start_of(options).copy()
        return self._observed(self.game.turn), {}

    def step(self, action_dict: Mapping[str, SupportsIndex]) -> Step:
        """Plays the action of the agent to play.

        Where `cutoff="truncate"` cuts a game off, only `"__all__"` is truncated, and no agent by its name.

        Raises:
            ValueError: there is not exactly one action, that of the agent to play.
            IllegalActionError: the action is out of range, or illegal with `illegal="raise"`.
        """
        game = self.game
        mover = AGENTS[game.turn]
        if list(action_dict) != [mover]:
            raise ValueError(f"{mover} is to play, and not {', '.join(map(str, action_dict)) or 'nobody'}")
        lost = self.settings.play(game, action_dict[mover])
        if not game.is_over:
            flags = {"__all__": False}
            return self._observed(game.turn), dict.fromkeys(AGENTS, 0.0), flags, flags.copy(), {}
        rewards, cut, facts = self.settings.end_of(game, lost=lost, illegal=lost)
        return (
            self._observed(0) | self._observed(1),
            dict(zip(AGENTS, rewards, strict=True)),
            dict.fromkeys((*AGENTS, "__all__"), not cut),
            # RLlib counts a game as terminated once each agent is named as done, even if only as truncated.
            {"__all__": cut},
            {agent: facts.copy() for agent in AGENTS},
        )

    def render(self) -> str:
        """Returns the board as text."""
        return str(self.game)

    def _observed(self, color: int) -> dict[str, Observation]:
        return {AGENTS[color]: self._masked(self.settings.observe(self.game, color), self.game.action_mask)}


class BoardRLModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc] # the library has no types here
    """A model of a board: 3x3 convolutions, a policy that takes no illegal action, and a value.

    `model_config` may have `channels` (64), `layers` (3) and `hidden` (256).

    Raises:
        TypeError: the planes are one row, as `flatten=True` gives them.

    Example:
        >>> import torch
        >>> env = make_env({"game": "reversi", "size": 6, "seat": "black"})
        >>> module = BoardRLModule(
        ...     observation_space=env.observation_space,
        ...     action_space=env.action_space,
        ...     model_config={"channels": 16, "layers": 2},
        ... )
        >>> seen = {key: torch.from_numpy(array)[None] for key, array in env.reset(seed=0)[0].items()}
        >>> logits = module.forward_inference({"obs": seen})["action_dist_inputs"]
        >>> logits.shape, int((logits > -1e9).sum())  # four actions are legal
        (torch.Size([1, 37]), 4)
    """

    def setup(self) -> None:
        """Makes the layers."""
        match self.observation_space[KEYS[0]].shape:
            case (planes, rows, cols):
                pass
            case shape:
                raise TypeError(f"BoardRLModule is for planes (C, rows, cols) without flatten, not {shape}")
        config = self.model_config if isinstance(self.model_config, dict) else {}
        channels, hidden = config.get("channels", 64), config.get("hidden", 256)
        layers: list[nn.Module] = []
        for i in range(config.get("layers", 3)):
            layers += [nn.Conv2d(planes if i == 0 else channels, channels, 3, padding=1), nn.ReLU()]
        last = channels if layers else planes
        self._body = nn.Sequential(*layers, nn.Flatten(), nn.Linear(last * rows * cols, hidden), nn.ReLU())
        self._policy = nn.Linear(hidden, self.action_space.n)
        self._value = nn.Linear(hidden, 1)

    def _forward(self, batch: Mapping[str, Mapping[str, Tensor]], **_options: object) -> dict[str, Tensor]:
        features = self._features(batch)
        # Not minus infinity: when a game is over, no action is legal.
        illegal = batch[Columns.OBS][KEYS[1]] == 0
        return {
            Columns.EMBEDDINGS: features,
            Columns.ACTION_DIST_INPUTS: self._policy(features).masked_fill(illegal, -1e9),
        }

    def compute_values(
        self, batch: Mapping[str, Mapping[str, Tensor]], embeddings: Tensor | None = None
    ) -> Tensor:
        """Returns the values of the positions, `(n,)`."""
        features = self._features(batch) if embeddings is None else embeddings
        values: Tensor = self._value(features).squeeze(-1)
        return values

    def _features(self, batch: Mapping[str, Mapping[str, Tensor]]) -> Tensor:
        features: Tensor = self._body(batch[Columns.OBS][KEYS[0]].to(torch.float32))
        return features


def register() -> None:
    """Registers `make_env` with RLlib as `"sixplane"`, as the import of this module does.

    `ray.shutdown` forgets every name; after it, this makes ours known again.

    Example:
        >>> import ray
        >>> ray.shutdown()
        >>> register()
    """
    register_env("sixplane", make_env)


register()
