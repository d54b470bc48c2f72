"""Many games as one Gymnasium vector environment, stepped together on all cores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from sixplane._arguments import Array, integer
from sixplane._core import GameBatch
from sixplane.batch import BatchStep, Ending
from sixplane.envs.autoreset import NAMES, mode_of, refuse_finished
from sixplane.envs.resets import Flags, Generators, Start, reset_mask_of, seeds_of
from sixplane.envs.settings import Planes, reset_options
from sixplane.envs.single import BoardGameEnv
from sixplane.planes import Plane

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from sixplane.envs.rendering import Frame
    from sixplane.envs.resets import Seeds
    from sixplane.envs.settings import EnvOptions, Info

    class VectorOptions(EnvOptions, total=False):
        """The options of `gymnasium.make_vec`."""

        autoreset_mode: str | AutoresetMode
        threads: int | None
        max_episode_steps: int | None


#: The most steps of an episode that the core counts.
MOST_STEPS: Final = 2**32 - 1

#: Observations, rewards, which episodes are terminated, which truncated, and `info`.
Step: TypeAlias = "tuple[Planes, NDArray[np.float64], Flags, Flags, Info]"

# Numbers of a class are looked up, and compared with an array, ten times as fast as its members.
NONE, CUTOFF, ILLEGAL = int(Ending.NONE), int(Ending.CUTOFF), int(Ending.ILLEGAL)


class BoardGameVectorEnv(VectorEnv[Planes, ArrayLike, NDArray[np.float64 | np.bool_]]):
    """A `GameBatch` behind `reset` and `step`.

    Its results equal those of `gymnasium.vector.SyncVectorEnv` over as many environments of one game, in
    all three autoreset modes: values, dtypes, the keys of `info` and their `_` twins. Four things are
    better: a call that fails changes no game, `options` is not modified, after a reset of some games `info`
    is correct for all of them, and a closed environment raises `ClosedEnvironmentError`. Scores are rounded
    to float32, as in the batch.

    Args:
        game: its name, such as `"go"`.
        num_envs: how many games.
        autoreset_mode: when a finished game starts again: `"next_step"`, `"same_step"`,
            `"disabled"`, or a member of `gymnasium.vector.AutoresetMode`.
        threads: how many threads; None for as many as there are processors, or as the environment
            variable `SIXPLANE_THREADS` allows.
        max_episode_steps: None, or after how many steps an episode is `truncated`, whatever its game
            says, as by `gymnasium.wrappers.TimeLimit`. Unlike `max_moves` it is no rule of the game.
        options: those of the environment of one game, such as `size=9` and `reward="score"`.

    Raises:
        TypeError, ValueError: an option that does not exist or has no such value.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        max_episode_steps: int | None = None,
        **options: Unpack[EnvOptions],
    ) -> None:
        if options.get("render_mode") == "human":
            raise ValueError("render_mode 'human' is for one game: many have no window")
        self.autoreset_mode = mode_of(autoreset_mode)
        # An environment of one game checks the options, and renders.
        self._single = BoardGameEnv(game, **options)
        self.settings = settings = self._single.settings
        self.num_envs = integer("num_envs", num_envs, 1)
        self.max_episode_steps = _checked_steps(max_episode_steps)
        self.games = GameBatch(settings.start, self.num_envs, seed=0, threads=threads)
        """The games in play, not a copy: for wrappers, such as an opponent that plays in them."""
        self.generators = Generators(self.num_envs)
        self.render_mode = self._single.render_mode
        self.metadata = {**self._single.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = settings.observation_space
        self.single_action_space = settings.action_space
        self.observation_space = batch_space(settings.observation_space, self.num_envs)
        self.action_space = batch_space(settings.action_space, self.num_envs)
        self._begun = False

    @property
    def batch(self) -> GameBatch:
        """A copy of the games in play, histories included."""
        return self.games.copy()

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override] # as SyncVectorEnv's
        """The random generator of each environment, by the seed of its reset; the games use none."""
        return tuple(self.generators[i][0] for i in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override] # as SyncVectorEnv's
        """The seed of each environment's generator."""
        return tuple(self.generators[i][1] for i in range(self.num_envs))

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the legal actions, `(n, A)` of bool; all False where a game is over."""
        return self.games.action_masks.view(np.bool_)

    def reset(
        self, *, seed: Seeds = None, options: Mapping[str, object] | None = None
    ) -> tuple[Planes, Info]:
        """Starts games anew, all of them or those of a mask.

        Args:
            seed: the seeds of `np_random`: an integer gives environment i the seed `seed + i`, a list has one
                for each, None leaves them. The games themselves use no random numbers.
            options: None, or a dict with `"game"`, a running game of this class and size to start
                from, rules and history included; or `"reset_mask"`, `(n,)` bool: which environments.

        Returns:
            The observations and the `info` of all environments; the `_` twins of `info` say which were
            reset.
        """
        start = self.read_reset(seed, options)
        self.begin(start)
        return self.observe(), self.info(start.where)

    def step(self, actions: ArrayLike) -> Step:
        """Plays one action in each environment.

        Args:
            actions: `(n,)` integers. In mode `next_step` that of a finished episode is ignored.

        Returns:
            observations, rewards, terminated, truncated, info.

        Raises:
            IllegalActionError: names the environments and the reasons: an action out of range; in
                mode `disabled` any action of a finished episode; with `illegal="raise"` any illegal
                action. Nothing has changed then.
            TypeError, ValueError: the actions are no integers, or not as many as games.
        """
        self.check_open()
        if not self._begun:
            raise ResetNeeded("reset comes before the first step")
        mode, settings = self.autoreset_mode, self.settings
        if mode is AutoresetMode.DISABLED:
            self._refuse_finished()
        step = self.games.step(
            actions,
            NAMES[mode],
            settings.illegal,
            view=settings.view,
            cutoff=settings.cutoff,
            history=settings.history,
            max_steps=self.max_episode_steps,
        )
        over, ended = step.endings != NONE, step.terminated | step.truncated
        ends: Info = {}
        if over.any():
            cutoff, illegal = step.endings == CUTOFF, step.endings == ILLEGAL
            ends = ends_of(over, step.outcomes, step.scores, cutoff, illegal)
        moves = step.move_numbers
        if mode is AutoresetMode.SAME_STEP and ended.any():
            ends = self._last_rows(step, ended, ends)
            moves[ended] = settings.start.move_number
        everywhere, turns = np.ones(self.num_envs, dtype=np.bool_), step.turns.astype(np.int64)
        info = paired(everywhere, action_mask=step.action_masks, turn=turns, move_number=moves)
        return self._typed(step.planes), self._rewards(step), step.terminated, step.truncated, info | ends

    def render(self) -> tuple[Frame, ...]:  # type: ignore[override] # frames are None without a mode
        """Renders each game as the environment of one game does."""
        self.check_open()
        return tuple(self._single.draw(game) for game in self.games[:])

    def _repr_html_(self) -> str:
        from sixplane.render.html import batch_html, table

        facts = [("autoreset", self.autoreset_mode.value), *self.settings.facts()]
        return batch_html(self.games, self._single.game_info.env_id) + table(facts)

    def close_extras(self, **_options: object) -> None:
        """Closes the renderer."""
        # Gymnasium 1.1 also closes an environment that refused its options.
        if hasattr(self, "_single"):
            self._single.close()

    def read_reset(self, seed: Seeds, options: Mapping[str, object] | None) -> Start:
        """Checks the arguments of a reset; changes nothing."""
        self.check_open()
        where, rest = reset_mask_of(reset_options(options), self.num_envs)
        start = self.settings.start_of(rest, others=("reset_mask",))
        return Start(where, seeds_of(seed, self.num_envs), start)

    def begin(self, start: Start) -> None:
        """Resets games by checked arguments."""
        self.games.reset(start.where, game=start.game)
        for i, seed in enumerate(start.seeds):
            if seed is not None and start.where[i]:
                self.generators.seed(i, seed)
        self._begun = True

    def observe(
        self, index: NDArray[np.int64] | None = None, view: NDArray[np.int64] | None = None
    ) -> Planes:
        """Returns the observations of games as they stand.

        Args:
            index: which games, `(k,)`; None for all.
            view: the color from whose side each is seen, `(k,)`; None: as the options say.
        """
        count = self.num_envs if index is None else len(index)
        observations = np.empty((count, *self.settings.observation_space.shape), self.settings.dtype)
        side = self.settings.shown if view is None else view
        if self.settings.history:
            self.games.history_planes_into(observations, self.settings.history, index, view=side)
        else:
            self.games.planes_into(observations, index, view=side)
        return observations

    def info(self, where: Flags) -> Info:
        """Returns the part of `info` that games always have; `where` becomes its `_` twins."""
        games = self.games
        turns, moves = games.turns.astype(np.int64), games.move_numbers
        return paired(where, action_mask=games.action_masks, turn=turns, move_number=moves)

    def check_open(self) -> None:
        """Raises an error if the environment was closed."""
        if self.closed:
            raise ClosedEnvironmentError("the environment was closed")

    def _refuse_finished(self) -> None:
        ended = self.games.dones
        if self.max_episode_steps is not None:
            ended |= self.games.steps >= self.max_episode_steps
        if ended.any():
            refuse_finished(ended)

    def _rewards(self, step: BatchStep) -> NDArray[np.float64]:
        settings = self.settings
        if settings.reward == "outcome":
            return step.rewards.astype(np.float64)
        white = (step.actors == 1) & (settings.view == "player")
        rewards = settings.final_rewards(step.outcomes, step.scores, step.endings == ILLEGAL, white)
        return np.where(step.terminated, rewards, 0.0)

    def _last_rows(self, step: BatchStep, ended: Flags, ends: Info) -> Info:
        """Returns the part of `info` about episodes that ended and were reset in the same step."""
        masks = np.zeros(step.action_masks.shape, np.int8)
        turns = np.zeros(self.num_envs, np.int64)
        masks[step.final_index] = step.final_masks
        # Planes of history end with that of the turn.
        turns[step.final_index] = step.final_planes[:, -1 if self.settings.history else Plane.TURN, 0, 0]
        standing = paired(ended, action_mask=masks, turn=turns, move_number=step.move_numbers * ended)
        return last_rows(ended, self._typed(step.final_planes), standing | ends)

    def _typed(self, planes: NDArray[np.uint8]) -> Planes:
        """Returns fresh planes as observations, without a copy where they are of the same size."""
        dtype = self.settings.dtype
        return planes.view(dtype) if dtype == np.bool_ else planes.astype(dtype, copy=False)


def _checked_steps(value: object) -> int | None:
    """Returns after how many steps an episode is truncated, or None."""
    if value is None:
        return None
    steps = integer("max_episode_steps", value, 1)
    if steps > MOST_STEPS:
        raise ValueError(f"max_episode_steps must be at most {MOST_STEPS}, not {steps}")
    return steps


def paired(where: Flags, **values: Array) -> Info:
    """Pairs each array with its twin `_name`, which marks the games it describes, as in Gymnasium."""
    info: Info = {}
    for name, value in values.items():
        info[name] = value
        info[f"_{name}"] = where.copy()
    return info


def last_rows(ended: Flags, planes: Planes, final_info: Info) -> Info:
    """Returns the part of `info` about episodes that ended and were reset in the same step.

    Args:
        ended: which episodes, `(n,)`.
        planes: their last observations, `(k, ...)`.
        final_info: the `info` of their last positions.
    """
    rows = np.empty(len(ended), dtype=object)
    for i, row in zip(np.flatnonzero(ended).tolist(), planes, strict=True):
        rows[i] = row
    return paired(ended, final_obs=rows) | {"final_info": final_info, "_final_info": ended.copy()}


def ends_of(over: Flags, outcomes: Array, scores: Array, cutoff: Flags, illegal: Flags) -> Info:
    """Returns the part of `info` that only finished games have; outcomes are +1 black, 0 draw, -1 white."""
    outcome, score = outcomes.astype(np.int64) * over, scores.astype(np.float64) * over
    return paired(over, outcome=outcome, score=score, cutoff=cutoff & over, illegal=illegal & over)
