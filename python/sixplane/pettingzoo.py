"""The games for PettingZoo: two agents, `black_0` and `white_0`, act in turn (AEC).

It needs PettingZoo: `pip install 'sixplane[pettingzoo]'`. Importing this module registers the games with
PettingZoo, as `sixplane/go_v0` and so on.

Example:
    >>> from sixplane import pettingzoo
    >>> env = pettingzoo.env(game="reversi", size=6)
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     over = terminated or truncated
    ...     mask = observation["action_mask"]
    ...     env.step(None if over else env.action_space(agent).sample(mask))
    >>> env.unwrapped.game.is_over
    True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sixplane._library import optional

with optional("sixplane.pettingzoo needs PettingZoo", "pettingzoo", "pettingzoo", "gymnasium"):
    import pettingzoo

from collections.abc import Mapping
from typing import Unpack

from sixplane._core import Game
from sixplane._gymnasium import gymnasium
from sixplane.envs.mask_in_observation import MaskedObservations, Observation
from sixplane.envs.rendering import Frame, Renderer, render_modes
from sixplane.envs.settings import AGENTS, Info, Settings, reset_options
from sixplane.games import GAMES, info_named

if TYPE_CHECKING:
    from sixplane.envs.settings import Options

__all__ = ["AGENTS", "env", "raw_env"]

#: What `infos` have until the game has ended, by the keys of the end.
RUNNING: Info = {"outcome": 0, "score": 0.0, "cutoff": False, "illegal": False}


class raw_env(pettingzoo.AECEnv[str, Observation, int | None]):  # type: ignore[misc] # noqa: N801 - PettingZoo's own name
    """A game of two agents, in which an illegal action loses unless the options say otherwise.

    An observation is a dict: `observation` has the planes, and `action_mask`, int8 `(A,)`, what the agent may
    play; it is all 0 for the agent that is not to play. Both agents get their reward when the game ends, and
    then one last step each with the action None. `infos` of both agents have `turn`, `move_number`, `outcome`
    (+1 black, 0 draw, -1 white; a game has it in words), `score`, `cutoff` and `illegal`; until the game has
    ended the last four are 0, 0.0, False and False, because TorchRL wants the same keys in all steps.

    Args:
        game: its name, such as `"go"` or `"connect4"`.
        render_mode: None, `"ansi"`, `"rgb_array"` or `"human"`.
        options: those of `gymnasium.make("sixplane/Go-v0")`: `size`, `view`, `reward`, `illegal`, `cutoff`,
            `dtype`, `history`, `max_moves` and rules such as `komi=6.5`. With `view="player"` each agent sees
            the planes from its own side; with `cutoff="truncate"` a game cut off by `max_moves` sets
            `truncations`. Rewards are each agent's own: a score has the other sign for White.

    Raises:
        TypeError, ValueError: an option that does not exist or has no such value.
        ModuleNotFoundError: a library for the render mode is missing.

    Example:
        >>> game = raw_env("go", size=5, komi=0.5)
        >>> game.reset()
        >>> game.step(12)
        >>> game.agent_selection, game.observe("white_0")["observation"].shape
        ('white_0', (6, 5, 5))
        >>> [int(game.observe(agent)["action_mask"].sum()) for agent in AGENTS]
        [0, 25]
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo's own type
        "name": "sixplane_v0",
        "render_modes": render_modes(),
        "render_fps": 4,
        "is_parallelizable": False,
    }

    def __init__(
        self, game: str = "go", *, render_mode: str | None = None, **options: Unpack[Options]
    ) -> None:
        super().__init__()
        self.settings = settings = Settings(info_named(game, imports=True), **options)
        self._renderer = Renderer(render_mode, self.metadata["render_fps"])
        self.render_mode = render_mode
        self.metadata = self.metadata | {"name": f"sixplane_{game}_v0"}
        self.possible_agents = list(AGENTS)
        self._masked = MaskedObservations(
            settings.observation_space, settings.action_space, ("observation", "action_mask"), "int8"
        )
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(self._masked.space.spaces) for agent in AGENTS
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(settings.action_space.n) for agent in AGENTS}
        self._begin(settings.start)

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """Returns the space of an agent's observations; the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """Returns the space of an agent's actions; the same object at every call."""
        return self.action_spaces[agent]

    @property
    def game(self) -> Game:
        """A copy of the game in play, history included."""
        return self._game.copy()

    def reset(
        self,
        seed: int | None = None,  # noqa: ARG002 - PettingZoo's own
        options: Mapping[str, object] | None = None,
    ) -> None:
        """Starts a game anew, or from a copy of `options["game"]`, rules and history included.

        Args:
            seed: the game uses no random numbers, so nothing depends on it.
            options: None, or `{"game": game}` with a running game of this class and size. Other options
                are ignored: PettingZoo's own test gives some that no environment knows.
        """
        given = reset_options(options)
        self._begin(self.settings.start_of({"game": given["game"]} if "game" in given else None))
        if self.render_mode == "human":
            self.render()

    def _begin(self, start: Game) -> None:
        self._game = start.copy()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.agent_selection = AGENTS[self._game.turn]
        self._inform({})

    def _inform(self, facts: Info) -> None:
        game = self._game
        self.infos = {
            agent: {"turn": game.turn, "move_number": game.move_number, **RUNNING, **facts}
            for agent in self.agents
        }

    def observe(self, agent: str) -> Observation:
        """Returns what an agent sees, in fresh arrays.

        Raises:
            ValueError: there is no such agent.
        """
        if agent not in AGENTS:
            raise ValueError(f"there is no agent {agent!r}; there are {', '.join(AGENTS)}")
        game, color = self._game, AGENTS.index(agent)
        mask = game.action_mask
        if color != game.turn:
            mask[:] = 0
        return self._masked(self.settings.observe(game, color), mask)

    def step(self, action: int | None) -> None:
        """Plays an action for the agent to act, or None if its game is over.

        Raises:
            IllegalActionError: the action is out of range, or illegal with `illegal="raise"`.
            TypeError: the action is no integer.
            ValueError: the game is over for the agent, and the action is not None; or both agents have taken
                their last steps.
        """
        self._check_agents()
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        game = self._game
        lost = self.settings.play(game, action)  # type: ignore[arg-type] # of None it raises
        self._cumulative_rewards[mover] = 0.0
        self._clear_rewards()
        self.agent_selection = AGENTS[game.turn]
        if game.is_over:
            self._end(game, lost=lost)
        else:
            self._inform({})
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, Info]:
        """Returns the observation, reward, termination, truncation and info of the agent to act.

        Raises:
            ValueError: both agents have taken their last steps.
        """
        self._check_agents()
        result: tuple[Observation | None, float, bool, bool, Info] = super().last(observe)
        return result

    def _check_agents(self) -> None:
        if not self.agents:
            raise ValueError(
                "the game is over, and both agents have had their last step: reset begins the next"
            )

    def _end(self, game: Game, *, lost: bool) -> None:
        rewards, is_truncated, facts = self.settings.end_of(game, lost=lost, illegal=lost)
        self._inform(facts)
        self.truncations = dict.fromkeys(AGENTS, is_truncated)
        self.terminations = dict.fromkeys(AGENTS, not is_truncated)
        self.rewards = dict(zip(AGENTS, rewards, strict=True))

    def render(self) -> Frame:
        """Returns text, pixels `uint8 (height, width, 3)`, or None, as `render_mode` says."""
        return self._renderer.render(self._game)

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._renderer.close()

    def __str__(self) -> str:
        return str(self.metadata["name"])


#: PettingZoo's name for an environment in wrappers that check actions. They take ten times as long as a step,
#: and this one needs none: it looks at each action itself.
env = raw_env


for _name in GAMES:
    pettingzoo.register(
        "aec", f"sixplane/{_name}_v0", entry_point="sixplane.pettingzoo:env", kwargs={"game": _name}
    )
