"""Many games as one Gymnasium vector environment, stepped together on all cores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Literal, SupportsIndex, TypeAlias

import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from sixplane._arguments import integer
from sixplane._core import GameBatch
from sixplane.envs.single import GoEnv, GomokuEnv, ReversiEnv
from sixplane.errors import IllegalActionError
from sixplane.planes import Plane

if TYPE_CHECKING:
    from sixplane.envs.single import BoardGameEnv

__all__ = ["BoardGameVectorEnv", "GoVectorEnv", "GomokuVectorEnv", "ReversiVectorEnv"]

Planes: TypeAlias = NDArray[Any]
Flags: TypeAlias = NDArray[np.bool_]
Info: TypeAlias = dict[str, Any]
Seeds: TypeAlias = SupportsIndex | Iterable[SupportsIndex | None] | None


class BoardGameVectorEnv(VectorEnv[Planes, Any, NDArray[Any]]):
    """A `GameBatch` behind `reset` and `step`; a subclass names the environment of one game.

    What it gives equals what `gymnasium.vector.SyncVectorEnv` gives over so many environments of
    one game, in all three modes: values, dtypes, the keys of `info` and their `_` twins. Two things
    are better: a call that fails has changed no game at all, and `options` stays as the caller gave
    it.

    Args:
        num_envs: how many games.
        autoreset_mode: when a game that ends starts again: `"next_step"`, `"same_step"`,
            `"disabled"`, or a member of `gymnasium.vector.AutoresetMode`.
        threads: how many threads; None for as many as there are processors.
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
        **options: Any,
    ) -> None:
        if options.get("render_mode") == "human":
            raise ValueError("render_mode 'human' is for one game: many have no window")
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        # An environment of one game checks the options, and draws.
        self._single = self.env_class(**options)
        self.settings = settings = self._single.settings
        self.num_envs = _count(num_envs)
        self._batch = GameBatch(settings.start, self.num_envs, seed=0, threads=threads)
        self._autoreset = _batch_autoreset(self.autoreset_mode, settings.history)
        self.render_mode = self._single.render_mode
        self.metadata = {**self._single.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = settings.observation_space
        self.single_action_space = settings.action_space
        self.observation_space = batch_space(settings.observation_space, self.num_envs)
        self.action_space = batch_space(settings.action_space, self.num_envs)
        self._begun = False
        # Of each game after the last call: whether it is over, who is to play, and the actions so far.
        self._over = np.zeros(self.num_envs, dtype=np.bool_)
        self._turns = self._batch.turns
        self._moves = self._batch.move_numbers
        # The seed of a generator, until somebody asks for it: nothing here draws from any.
        self._randoms: list[tuple[np.random.Generator, int] | int | None] = [None] * self.num_envs

    @property
    def batch(self) -> GameBatch:
        """A copy of the games in play, histories included."""
        return self._batch.copy()

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override] # as SyncVectorEnv's
        """One generator an environment, from the seed it was reset with; the games draw nothing."""
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
                for each, None leaves them. The games themselves draw nothing.
            options: None, or a dict with `"game"`, a running game of this class and size to start
                from, rules and history included; or `"reset_mask"`, `(n,)` bool: which environments.

        Returns:
            The observations of all environments, and the `info` of those that were reset.
        """
        self._check_open()
        seeds = _seeds(seed, self.num_envs)
        mask = np.ones(self.num_envs, dtype=np.bool_)
        if options and "reset_mask" in options:
            mask = _reset_mask(options["reset_mask"], self.num_envs)
            options = {name: value for name, value in options.items() if name != "reset_mask"}
        game = self.settings.start_of(options)
        self._batch.reset(mask, game=game)

        for i in np.flatnonzero(mask).tolist() if seed is not None else ():
            if seeds[i] is not None:
                self._randoms[i] = seeds[i]
        self._begun = True
        self._over[mask] = False
        self._turns[mask] = game.turn
        self._moves[mask] = game.move_number
        some = np.flatnonzero(mask)
        masks = np.zeros((self.num_envs, game.num_actions), dtype=np.int8)
        masks[some] = game.action_mask
        info = _paired(
            mask,
            action_mask=masks,
            turn=self._at(some, self._turns, np.int64),
            move_number=self._at(some, self._moves, np.int64),
        )
        return self._observations(None), info

    def step(
        self, actions: Any
    ) -> tuple[Planes, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Plays one action in each environment.

        Args:
            actions: `(n,)` integers. In mode `next_step` that of a finished game is ignored.

        Returns:
            observations, rewards, terminated, truncated, info.

        Raises:
            IllegalActionError: names the environments and the reasons: an action out of range; in
                mode `disabled` any action of a finished game; with `illegal="raise"` any illegal
                action. Nothing has changed then.
            TypeError, ValueError: no integers, or another number of them.
        """
        self._check_open()
        if not self._begun:
            raise ResetNeeded("reset comes before the first step")
        mode, history = self.autoreset_mode, self.settings.history
        if mode is AutoresetMode.DISABLED and self._over.any():
            listed = ", ".join(map(str, np.flatnonzero(self._over)[:5]))
            raise IllegalActionError("game_over", f"over and not yet reset: environment {listed}")
        illegal: Literal["raise", "lose"] = "raise" if self.settings.raises else "lose"
        step = self._batch.step(actions, autoreset=self._autoreset, illegal=illegal)
        cutoff, over, turns = step.truncated, step.terminated | step.truncated, step.turns
        if step.final_index.size:
            turns = turns.copy()
            turns[step.final_index] = step.final_planes[:, Plane.TURN, 0, 0]
        # Every action passes the turn; a lost illegal move is no action.
        lost = step.terminated & (turns == self._turns)
        self._moves += ~lost
        if mode is AutoresetMode.NEXT_STEP:
            self._moves[self._over] = self.settings.start.move_number
        self._over, self._turns = over, turns

        observations = self._observations(step.planes)
        rewards = step.rewards.astype(np.float64)
        if self.settings.scores:
            points = self._batch.rows * self._batch.cols
            rewards = np.where(lost, rewards * points, np.where(over, step.scores, 0.0))
        terminated, truncated = over, np.zeros_like(over)
        if self.settings.cutoff == "truncate":
            rewards, terminated, truncated = np.where(cutoff, 0.0, rewards), step.terminated, cutoff
        ends: Info = {}
        (ended,) = over.nonzero()
        if ended.size:
            outcome, score = (
                self._at(ended, step.outcomes, np.int64),
                self._at(ended, step.scores, np.float64),
            )
            ends = _paired(over, outcome=outcome, score=score, cutoff=cutoff.copy())
            if mode is AutoresetMode.SAME_STEP:
                last = observations[ended] if history else self._observations(step.final_planes)
                if history:
                    self._batch.reset(over)
                    observations[ended] = self.settings.observe(self.settings.start)
                    step.action_masks[ended] = self.settings.start.action_mask
                ends = self._start_again(ended, last, ends)
        turns, moves = self._turns.astype(np.int64), self._moves.copy()
        everywhere = np.ones(self.num_envs, dtype=np.bool_)
        info = _paired(everywhere, action_mask=step.action_masks, turn=turns, move_number=moves)
        return observations, rewards, terminated.copy(), truncated, info | ends

    def render(self) -> tuple[Any, ...]:
        """What the environment of one game renders, for each game."""
        self._check_open()
        return tuple(self._single.draw(game) for game in self._batch[:])

    def close_extras(self, **_options: Any) -> None:
        """Closes what draws."""
        # Gymnasium 1.1 closes what options kept from being made, too.
        if hasattr(self, "_single"):
            self._single.close()

    def _start_again(self, ended: NDArray[np.intp], last: Planes, ends: Info) -> Info:
        """Notes that games start again; the part of `info` that shows how they ended."""
        over, start = self._over, self.settings.start
        standing = _paired(
            over,
            action_mask=np.zeros((self.num_envs, start.num_actions), dtype=np.int8),
            turn=self._at(ended, self._turns, np.int64),
            move_number=self._at(ended, self._moves, np.int64),
        )
        final_obs = np.empty(self.num_envs, dtype=object)
        for i, row in zip(ended.tolist(), last, strict=True):
            final_obs[i] = row
        self._turns[ended] = start.turn
        self._moves[ended] = start.move_number
        self._over = np.zeros(self.num_envs, dtype=np.bool_)
        return {
            "final_obs": final_obs,
            "_final_obs": over.copy(),
            "final_info": standing | ends,
            "_final_info": over.copy(),
        }

    def _at(self, index: NDArray[np.intp], values: NDArray[Any], dtype: type[np.generic]) -> NDArray[Any]:
        """These of the values, and 0 elsewhere."""
        some = np.zeros(self.num_envs, dtype)
        some[index] = values[index]
        return some

    def _observations(self, planes: NDArray[np.uint8] | None) -> Planes:
        """Of all games, from their planes if those are at hand."""
        history, dtype = self.settings.history, self.settings.dtype
        if history:
            shape = (self.num_envs, *self.settings.observation_space.shape)
            observations = np.empty(shape, dtype)
            self._batch.history_planes_into(observations, history)
            return observations
        planes = self._batch.planes if planes is None else planes
        return planes.view(dtype) if dtype == np.bool_ else planes.astype(dtype, copy=False)

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


def _paired(which: Flags, **values: NDArray[Any]) -> Info:
    """Every array with its twin that says of which games it speaks, as Gymnasium batches `info`."""
    info: Info = {}
    for name, value in values.items():
        info[name] = value
        info[f"_{name}"] = which.copy()
    return info


def _autoreset_mode(value: object) -> AutoresetMode:
    if isinstance(value, AutoresetMode):
        return value
    modes = {mode.name.lower(): mode for mode in AutoresetMode}
    # Gymnasium's own spelling, "NextStep", is understood too.
    spelled = modes | {mode.value: mode for mode in AutoresetMode}
    if isinstance(value, str) and value in spelled:
        return spelled[value]
    listed = " or ".join(repr(name) for name in modes)
    kind = ValueError if isinstance(value, str) else TypeError
    raise kind(f"autoreset_mode must be {listed}, not {value!r}")


def _batch_autoreset(mode: AutoresetMode, history: int) -> Literal["same_step", "next_step", "disabled"]:
    """Which resets are the batch's own."""
    # It hands out the last planes of a game, but not the boards before: where those are observed,
    # the environment reads them and resets the game after.
    if mode is AutoresetMode.NEXT_STEP:
        return "next_step"
    return "same_step" if mode is AutoresetMode.SAME_STEP and not history else "disabled"


def _count(value: object) -> int:
    count = integer("num_envs", value)
    if count < 1:
        raise ValueError(f"num_envs must be at least 1, not {count}")
    return count


def _seeds(seed: Seeds, count: int) -> list[int | None]:
    """A seed for each environment, or None where its generator goes on."""
    if seed is None:
        return [None] * count
    if isinstance(seed, SupportsIndex):
        first = _seed(seed)
        return [first + i for i in range(count)]
    if not isinstance(seed, Iterable):
        raise TypeError(f"seed must be an integer, a list of them or None, not {type(seed).__name__}")
    seeds = [None if one is None else _seed(one) for one in seed]
    if len(seeds) != count:
        raise ValueError(f"{len(seeds)} seeds for {count} environments: one for each is needed")
    return seeds


def _seed(value: object) -> int:
    seed = integer("seed", value)
    if seed < 0:
        raise ValueError(f"seed must be at least 0, not {seed}")
    return seed


def _reset_mask(value: object, count: int) -> Flags:
    name = "options['reset_mask']"
    if not isinstance(value, np.ndarray) or value.dtype != np.bool_:
        found = value.dtype if isinstance(value, np.ndarray) else type(value).__name__
        raise TypeError(f"{name} must be a NumPy array of bool, not {found}")
    if value.shape != (count,):
        raise ValueError(f"{name} must have the shape ({count},), not {value.shape}")
    if not value.any():
        raise ValueError(f"{name} must be True somewhere")
    return value.copy()
