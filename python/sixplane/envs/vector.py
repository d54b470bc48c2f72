"""Many games as one Gymnasium vector environment, stepped together on all cores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from sixplane._arguments import integer
from sixplane._core import GameBatch
from sixplane.batch import BatchStep, Ending
from sixplane.envs import single
from sixplane.envs.autoreset import batch_autoreset, mode_of, refuse_finished
from sixplane.envs.resets import Start, reset_mask_of, seeds_of
from sixplane.envs.settings import reset_options
from sixplane.envs.single import GoEnv, GomokuEnv, ReversiEnv
from sixplane.games import GAMES
from sixplane.planes import Plane

if TYPE_CHECKING:
    from sixplane.envs.resets import Seeds
    from sixplane.envs.single import BoardGameEnv

__all__ = [
    "BoardGameVectorEnv",
    "GoVectorEnv",
    "GomokuVectorEnv",
    "ReversiVectorEnv",
    "paired",
]

Planes: TypeAlias = NDArray[Any]
Flags: TypeAlias = NDArray[np.bool_]
Info: TypeAlias = dict[str, Any]

# Numbers of a class are looked up, and compared with an array, ten times as fast as its members.
_NONE, _CUTOFF, _ILLEGAL = int(Ending.NONE), int(Ending.CUTOFF), int(Ending.ILLEGAL)


class _Rows(NamedTuple):
    """The part of a step's results that describes the positions after it."""

    observations: Planes
    masks: NDArray[np.int8]
    turns: NDArray[np.int64]
    moves: NDArray[np.int64]


class BoardGameVectorEnv(VectorEnv[Planes, Any, NDArray[Any]]):
    """A `GameBatch` behind `reset` and `step`; a subclass names the environment of one game.

    Its results equal those of `gymnasium.vector.SyncVectorEnv` over as many environments of one game, in
    all three autoreset modes: values, dtypes, the keys of `info` and their `_` twins. Three things are
    better: a call that fails changes no game, `options` is not modified, and after a reset of some games
    `info` is correct for all of them.

    Args:
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

    env_class: ClassVar[type[BoardGameEnv]]

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        max_episode_steps: int | None = None,
        **options: Any,
    ) -> None:
        if options.get("render_mode") == "human":
            raise ValueError("render_mode 'human' is for one game: many have no window")
        self.autoreset_mode = mode = mode_of(autoreset_mode)
        # An environment of one game checks the options, and renders.
        self._single = self.env_class(**options)
        self.settings = settings = self._single.settings
        self.num_envs = _positive("num_envs", num_envs)
        self._limit = None if max_episode_steps is None else _positive("max_episode_steps", max_episode_steps)
        self._batch = GameBatch(settings.start, self.num_envs, seed=0, threads=threads)
        # The batch resets games itself, except where it cannot: it has no limit of steps, and it returns
        # the last planes of a game that it resets, but not the boards before.
        has_last_boards = bool(settings.history) and mode is AutoresetMode.SAME_STEP
        self._env_resets = mode is not AutoresetMode.DISABLED and (has_last_boards or self._limit is not None)
        self.render_mode = self._single.render_mode
        self.metadata = {**self._single.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = settings.observation_space
        self.single_action_space = settings.action_space
        self.observation_space = batch_space(settings.observation_space, self.num_envs)
        self.action_space = batch_space(settings.action_space, self.num_envs)
        self._begun = False
        # Steps of each episode, for their limit.
        self._steps = np.zeros(self.num_envs, dtype=np.int64)
        # A generator and its seed, or only its seed until it is first used: the games themselves use none.
        self._randoms: list[tuple[np.random.Generator, int] | int | None] = [None] * self.num_envs

    @property
    def batch(self) -> GameBatch:
        """A copy of the games in play, histories included."""
        return self._batch.copy()

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override] # as SyncVectorEnv's
        """One generator for each environment, by the seed of its reset; the games use none."""
        return tuple(self._random(i)[0] for i in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override] # as SyncVectorEnv's
        """The seed of each environment's generator."""
        return tuple(self._random(i)[1] for i in range(self.num_envs))

    def action_masks(self) -> NDArray[np.bool_]:
        """`(n, A)`, True = legal; all False where a game is over."""
        return self._batch.action_masks.view(np.bool_)

    def reset(self, *, seed: Seeds = None, options: dict[str, Any] | None = None) -> tuple[Planes, Info]:
        """Starts games anew, all of them or those of a mask.

        Args:
            seed: for `np_random`: an integer gives environment i the seed `seed + i`, a list has one
                for each, None leaves them. The games themselves use no random numbers.
            options: None, or a dict with `"game"`, a running game of this class and size to start
                from, rules and history included; or `"reset_mask"`, `(n,)` bool: which environments.

        Returns:
            The observations and the `info` of all environments; the `_` twins of `info` say which were
            reset.
        """
        start = self._read_reset(seed, options)
        self._begin(start)
        mask = start.which
        batch = self._batch
        turns, moves = batch.turns.astype(np.int64), batch.move_numbers
        info = paired(mask, action_mask=batch.action_masks, turn=turns, move_number=moves)
        return self._observed(None), info

    def step(
        self, actions: Any
    ) -> tuple[Planes, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Plays one action in each environment.

        Args:
            actions: `(n,)` integers. In mode `next_step` that of a finished episode is ignored.

        Returns:
            observations, rewards, terminated, truncated, info.

        Raises:
            IllegalActionError: names the environments and the reasons: an action out of range; in
                mode `disabled` any action of a finished episode; with `illegal="raise"` any illegal
                action. Nothing has changed then.
            TypeError, ValueError: no integers, or another number of them.
        """
        self._check_open()
        if not self._begun:
            raise ResetNeeded("reset comes before the first step")
        mode = self.autoreset_mode
        waiting = self._waiting()
        step = self._play(actions, waiting)
        rows = _Rows(
            self._observations(step.planes),
            step.action_masks,
            step.turns.astype(np.int64),
            step.move_numbers,
        )
        truncated, over = step.truncated, step.endings != _NONE
        if self._limit is not None:
            acted = step.actors >= 0
            self._steps += acted
            truncated = truncated | (acted & (self._steps >= self._limit))
        ends: Info = {}
        if over.any():
            cutoff, illegal = step.endings == _CUTOFF, step.endings == _ILLEGAL
            outcome, score = step.outcomes.astype(np.int64), step.scores.astype(np.float64)
            ends = paired(over, outcome=outcome * over, score=score * over, cutoff=cutoff, illegal=illegal)
        ended = step.terminated | truncated
        if mode is AutoresetMode.SAME_STEP and (ends or ended.any()):
            ends = self._last_rows(step, rows, ended, ends)
            self._autoreset(rows, ended)
        elif waiting is not None and self._env_resets:
            self._autoreset(rows, waiting)
        everywhere = np.ones(self.num_envs, dtype=np.bool_)
        info = paired(everywhere, action_mask=rows.masks, turn=rows.turns, move_number=rows.moves)
        return rows.observations, self._rewards(step), step.terminated, truncated, info | ends

    def render(self) -> tuple[Any, ...]:
        """What the environment of one game renders, for each game."""
        self._check_open()
        return tuple(self._single.draw(game) for game in self._batch[:])

    def _repr_html_(self) -> str:
        from sixplane.render.html import batch_html, table

        facts = [("autoreset", self.autoreset_mode.value), *self.settings.facts()]
        return batch_html(self._batch, self._single.game_info.env_id) + table(facts)

    def close_extras(self, **_options: Any) -> None:
        """Closes the renderer."""
        # Gymnasium 1.1 also closes an environment that refused its options.
        if hasattr(self, "_single"):
            self._single.close()

    def _read_reset(self, seed: Seeds, options: dict[str, Any] | None) -> Start:
        """Checks the arguments of a reset; changes nothing."""
        self._check_open()
        which, rest = reset_mask_of(reset_options(options), self.num_envs)
        return Start(which, seeds_of(seed, self.num_envs), self.settings.start_of(rest))

    def _begin(self, start: Start) -> None:
        """Resets games."""
        self._batch.reset(start.which, game=start.game)
        for i, seed in enumerate(start.seeds):
            if seed is not None and start.which[i]:
                self._randoms[i] = seed
        self._begun = True
        self._steps[start.which] = 0

    def _waiting(self) -> Flags | None:
        """The episodes that are over and not yet reset; None if there are none, or the batch resets them."""
        if self.autoreset_mode is not AutoresetMode.DISABLED and not self._env_resets:
            return None
        waiting = self._batch.dones
        if self._limit is not None:
            waiting |= self._steps >= self._limit
        return waiting if waiting.any() else None

    def _play(self, actions: Any, waiting: Flags | None) -> BatchStep:
        """Steps the batch, in the games that do not wait for a reset by this environment."""
        mode, settings = self.autoreset_mode, self.settings
        if waiting is not None and mode is AutoresetMode.DISABLED:
            refuse_finished(waiting)
        return self._batch.step(
            actions,
            "disabled" if self._env_resets else batch_autoreset(mode),
            "raise" if settings.raises else "lose",
            view=settings.view,
            cutoff=settings.cutoff,
            where=None if waiting is None else ~waiting,
        )

    def _rewards(self, step: BatchStep) -> NDArray[np.float64]:
        """The rewards of a step by the settings."""
        rewards = step.rewards.astype(np.float64)
        if not self.settings.scores:
            return rewards
        by_score = (step.endings != _NONE) & ~step.truncated
        scores = np.where(by_score, step.scores, 0.0)
        if self.settings.view == "player":
            scores = np.where(step.actors == 1, 0.0 - scores, scores)
        points = self._batch.rows * self._batch.cols
        return np.where(step.endings == _ILLEGAL, rewards * points, scores)

    def _last_rows(self, step: BatchStep, rows: _Rows, ended: Flags, ends: Info) -> Info:
        """The part of `info` about episodes that ended and were reset in the same step."""
        masks = np.zeros(rows.masks.shape, np.int8)
        turns = np.zeros(self.num_envs, np.int64)
        index: NDArray[np.int64] = step.final_index
        if self._env_resets:
            (index,) = ended.nonzero()
            last = rows.observations[index]
            masks[index], turns[index] = rows.masks[index], rows.turns[index]
        else:
            last = self._observations(step.final_planes)
            turns[index] = step.final_planes[:, Plane.TURN, 0, 0]
        standing = paired(ended, action_mask=masks, turn=turns, move_number=rows.moves * ended)
        observations = np.empty(self.num_envs, dtype=object)
        for i, row in zip(index.tolist(), last, strict=True):
            observations[i] = row
        return paired(ended, final_obs=observations) | {
            "final_info": standing | ends,
            "_final_info": ended.copy(),
        }

    def _autoreset(self, rows: _Rows, which: Flags) -> None:
        """Resets episodes, unless the batch has done it, and puts their starts into the rows."""
        start = self.settings.start
        rows.moves[which] = start.move_number
        if self._env_resets:
            self._batch.reset(which)
            self._steps[which] = 0
            rows.observations[which] = self.settings.observe(start)
            rows.masks[which] = start.action_mask
            rows.turns[which] = start.turn

    def _observations(self, planes: NDArray[np.uint8]) -> Planes:
        """The observations that these planes of all games make, unless they show the boards before, too."""
        dtype = self.settings.dtype
        if self.settings.history:
            return self._observed(None)
        return planes.view(dtype) if dtype == np.bool_ else planes.astype(dtype, copy=False)

    def _observed(self, index: NDArray[np.int64] | None) -> Planes:
        """The observations of these games, or of all, as they stand."""
        batch, settings = self._batch, self.settings
        count = self.num_envs if index is None else len(index)
        observations = np.empty((count, *settings.observation_space.shape), settings.dtype)
        if settings.history:
            batch.history_planes_into(observations, settings.history, index)
            return observations
        batch.planes_into(observations, index)
        if settings.view == "player":
            white = observations[:, Plane.TURN, 0, 0] == 1
            observations[white, :2] = observations[white, 1::-1]
        return observations

    def _random(self, i: int) -> tuple[np.random.Generator, int]:
        """The generator of an environment and its seed."""
        random = self._randoms[i]
        if not isinstance(random, tuple):
            random = self._randoms[i] = seeding.np_random(random)
        return random

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the environment was closed")


class GoVectorEnv(BoardGameVectorEnv):
    """Many games of `sixplane/Go-v0`."""

    env_class = GoEnv


class GomokuVectorEnv(BoardGameVectorEnv):
    """Many games of `sixplane/Gomoku-v0`."""

    env_class = GomokuEnv


class ReversiVectorEnv(BoardGameVectorEnv):
    """Many games of `sixplane/Reversi-v0`."""

    env_class = ReversiEnv


# Any other game gets its class here, where `pickle` finds it by its name.
for _info in GAMES.values():
    _members = {
        "__module__": __name__,
        "__doc__": f"Many games of `{_info.env_id}`.",
        "env_class": getattr(single, f"{_info.title}Env"),
    }
    _name = f"{_info.title}VectorEnv"
    globals().setdefault(_name, type(_name, (BoardGameVectorEnv,), _members))


def paired(which: Flags, **values: NDArray[Any]) -> Info:
    """Each array with its twin `_name`, which marks the games it describes, as in Gymnasium."""
    info: Info = {}
    for name, value in values.items():
        info[name] = value
        info[f"_{name}"] = which.copy()
    return info


def _positive(name: str, value: object) -> int:
    number = integer(name, value)
    if number < 1:
        raise ValueError(f"{name} must be at least 1, not {number}")
    return number
