"""A vector environment for one player: an agent plays the other seat, in all games at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorWrapper
from numpy.typing import ArrayLike, NDArray

from sixplane._arguments import Array, one_of
from sixplane._core import Game
from sixplane.agents.agent import Agent, choices_of
from sixplane.batch import BatchStep
from sixplane.envs.autoreset import refuse_finished
from sixplane.envs.climb import ClimbingOpponent
from sixplane.envs.one_call import OneCall
from sixplane.envs.opponent import SEATS, OpponentSeat, answer_of, points_of
from sixplane.envs.resets import Flags, Seeded, Seeds
from sixplane.envs.settings import Info, Planes
from sixplane.envs.vector import CUTOFF, ILLEGAL, BoardGameVectorEnv, Step, ends_of, last_rows, paired

#: What `select_actions` returns for a resignation.
RESIGNS = -1


class VectorVsOpponent(OpponentSeat, VectorWrapper):
    """Many games for one player: the opponent moves within `step`, in all games at once.

    If the opponents make the same choices, its results equal those of `gymnasium.vector.SyncVectorEnv` over
    as many `VsOpponent`, in all three autoreset modes. One opponent plays all games. If it has
    `select_actions`, one call covers all games in which it is to play; else it is called game by game. It
    gets the games themselves, and must not change them.

    With `opponent="ladder:auto"` all environments share the counting. A game is played to its end against the
    rung with which it began, which `rung`, `rung_elo` and `rung_spec` of `info` name. It does not count if
    the opponent has gone up or down since.

    Args:
        env: a native vector environment of sixplane.
        opponent: an agent, or the spec of one, as for `VsOpponent`; so is the property `opponent`.
        seat: the learner's color: `"black"`, `"white"`, or `"random"`, which every reset chooses anew by the
            generator of each environment.

    Raises:
        TypeError, ValueError: the environment is not sixplane's, the opponent is no agent or says that it
            does not play this game, or the seat does not exist.

    Example:
        >>> import gymnasium, sixplane
        >>> from sixplane.agents import RandomAgent
        >>> envs = VectorVsOpponent(gymnasium.make_vec("sixplane/Go-v0", 3, size=5), RandomAgent(), "white")
        >>> planes, info = envs.reset(seed=1)
        >>> info["turn"], info["move_number"]
        (array([1, 1, 1]), array([1, 1, 1]))
    """

    env: BoardGameVectorEnv
    _is_of_many = True

    def __init__(self, env: BoardGameVectorEnv, opponent: Agent | str, seat: str = "black") -> None:
        if not isinstance(env, BoardGameVectorEnv):
            raise TypeError(
                f"VectorVsOpponent is for the native vector environments of sixplane, not {env!r}"
            )
        self._seat_rule = one_of("seat", seat, SEATS)
        self._take_opponent(opponent, env.settings.start)
        # Last, because a wrapper closes its environment when it is deleted, also if its options are refused.
        super().__init__(env)
        self._one_call = OneCall()
        self._state: _State | None = None

    @property
    def seats(self) -> NDArray[np.int64]:
        """The learner's colors, `(n,)`: 0 black, 1 white. Random ones are 0 until the first `reset`."""
        if self._state is None:
            return np.full(self.num_envs, self._seat_rule == "white", np.int64)
        return self._state.seats.copy()

    def _seat_rung(self, number: int) -> None:
        if self._state is not None:
            self._state.rungs[:] = number

    def action_masks(self) -> Flags:
        """Returns the legal actions, `(n, A)` of bool; all False where a game is over."""
        return self.env.action_masks()

    @property
    def autoreset_mode(self) -> AutoresetMode:
        """When a game that ends starts again."""
        return self.env.autoreset_mode

    def _repr_html_(self) -> str:
        from sixplane.render.html import table

        return self.env._repr_html_() + table(
            [("opponent", type(self.opponent).__name__), ("seat", self._seat_rule)]
        )

    def reset(
        self, *, seed: Seeds = None, options: Mapping[str, object] | None = None
    ) -> tuple[Planes, Info]:
        """Starts games anew, all of them or those of a mask; the opponent plays until the learner's turn.

        Args:
            seed: as for the environment; it also decides the seats and reseeds the opponent.
            options: as for the environment.

        Returns:
            The observations and the `info` of all environments; the `_` twins of `info` say which were
            reset.

        Raises:
            ResetNeeded: the first reset is of some environments only.
            RuntimeError: another call is running.
        """
        with self._one_call:
            start = self.env.read_reset(seed, options)
            if self._state is None and not start.where.all():
                raise ResetNeeded("the first reset is of all environments")
            with self._all_or_nothing() as (state, changes):
                changes.keep(start.where)
                self.env.begin(start)
                self._start(start.where, np.array([one is not None for one in start.seeds]))
                self._answer(start.where)
                state.early |= start.where & state.over
            return self.observe(), self._info(start.where, start.where & state.over)

    def step(self, actions: ArrayLike) -> Step:
        """Plays the learner's action in each environment, then the opponent's.

        Args:
            actions: `(n,)` integers. Those of finished episodes in mode `next_step`, and of games that were
                over before the learner's first move, are ignored.

        Returns:
            observations, rewards, terminated, truncated, info; the rewards are the learner's.

        Raises:
            IllegalActionError: the environment refuses an action of the learner's or the opponent's.
            TypeError, ValueError: the actions are no integers, or not as many as games. These, and any
                exception of the opponent, change nothing.
            RuntimeError: another call is running.
        """
        with self._one_call:
            finished = None if self._state is None else self._state.ended
            if self.autoreset_mode is AutoresetMode.DISABLED and finished is not None and finished.any():
                refuse_finished(finished)
            return self._step(actions)

    def step_unfinished(self, actions: ArrayLike) -> Step:
        """Steps like `step`, but in mode `disabled` leaves finished episodes as they are.

        Those have reward 0 and both flags False.
        """
        with self._one_call:
            return self._step(actions)

    def _step(self, actions: ArrayLike) -> Step:
        self.env.check_open()
        if self._state is None:
            raise ResetNeeded("reset comes before the first step")
        mode, waiting = self.env.autoreset_mode, self._state.ended
        acting = ~(waiting | self._state.early)
        with self._all_or_nothing(acting) as (state, changes):
            self._play(actions, acting)
            if mode is AutoresetMode.NEXT_STEP and waiting.any():
                self._restart(waiting, changes)
            self._answer(~state.over)
            state.early = waiting & state.over & (mode is AutoresetMode.NEXT_STEP)
            state.steps += ~waiting
            rewards, terminated, truncated = self._results(~waiting)
            self._note(state.over & ~waiting)
            state.ended = terminated | truncated | (waiting & (mode is AutoresetMode.DISABLED))
            last: Info = {}
            if mode is AutoresetMode.SAME_STEP and state.ended.any():
                ended = state.ended.copy()
                last = self._last_rows(ended)
                self._restart(ended, changes)
                self._answer(ended)
                state.early = ended & state.over
        info = self._info(np.ones_like(waiting), state.over)
        return self.observe(), rewards, terminated, truncated, info | last

    def close(self, **options: object) -> None:
        """Closes the environment, and an opponent that was made from its spec."""
        super().close(**options)
        self._close_opponent()

    @contextmanager
    def _all_or_nothing(self, acting: Flags | None = None) -> Iterator[tuple[_State, _Changes]]:
        """Begins a new state; an exception restores the one before, with the games and generators.

        Args:
            acting: the games in which actions will be played.
        """
        before, changes = self._state, _Changes(self.env, acting)
        climb = self.opponent.climb if isinstance(self.opponent, ClimbingOpponent) else None
        state = self._state = _State.new(self.num_envs) if before is None else before.copy()
        try:
            yield state, changes
        except BaseException:
            self._state = before
            if climb is not None and isinstance(self.opponent, ClimbingOpponent):
                self.opponent.climb = climb
            changes.undo()
            raise

    def _restart(self, where: Flags, changes: _Changes) -> None:
        changes.keep(where)
        self.env.games.reset(where)
        self._start(where, np.zeros_like(where))

    def _start(self, where: Flags, seeded: Flags) -> None:
        """Seats the learner in games that have been reset; `seeded`: the environments with new seeds."""
        state, generators = self._begun, self.env.generators
        state.start(where)
        state.seats[where] = self._seat_rule == "white"
        if isinstance(self.opponent, ClimbingOpponent):
            state.rungs[where] = self.opponent.climb.number
        state.opponents[where] = self._number
        reseeds = seeded & where if hasattr(self.opponent, "reseed") else np.zeros_like(where)
        seed = None
        for i in np.flatnonzero(where if self._seat_rule == "random" else reseeds).tolist():
            generator = generators[i][0]
            if reseeds[i]:
                # Each generator advances as if its game had an opponent of its own.
                number = int(generator.integers(2**31))
                seed = number if seed is None else seed
            if self._seat_rule == "random":
                state.seats[i] = generator.integers(2)
        if seed is not None:
            self.opponent.reseed(seed)  # type: ignore[attr-defined] # it has been looked for

    def _play(self, actions: ArrayLike, where: Flags) -> None:
        self._begun.note(self.env.games.step(actions, "disabled", self.env.settings.illegal, where=where))

    def _answer(self, where: Flags) -> None:
        """Lets the opponent move in those of the games in which it is to play."""
        state, games = self._begun, self.env.games
        index = np.flatnonzero(where & ~state.over & (games.turns != state.seats))
        if not index.size:
            return
        agent: Agent = self.opponent
        if isinstance(agent, ClimbingOpponent):
            agent = agent.of_each(state.rungs)
        choices = choices_of(agent, games, index, lambda answer: answer_of(answer, games.num_actions))
        resigned = choices == RESIGNS
        lost = index[resigned]
        for i in lost.tolist():
            games.resign(i)
        if lost.size:
            # Only now: `scores` counts every game of the batch.
            state.note_resigned(lost, games.outcomes[lost], games.scores[lost])
        actions, playing = np.zeros(self.num_envs, np.int64), np.zeros(self.num_envs, np.bool_)
        actions[index], playing[index] = choices, ~resigned
        if playing.any():
            self._play(actions, playing)

    def _note(self, over: Flags) -> None:
        """Tells an opponent that climbs what the learner has scored in games that are over."""
        if isinstance(self.opponent, ClimbingOpponent):
            state = self._begun
            for i in np.flatnonzero(over & (state.opponents == self._number)).tolist():
                points = points_of(int(state.outcome[i]), int(state.seats[i]))
                self.opponent.note(int(state.rungs[i]), points)

    def _results(self, stepped: Flags) -> tuple[NDArray[np.float64], Flags, Flags]:
        """Rewards and flags of the environments that played a step, not a reset."""
        state, env = self._begun, self.env
        over = state.over & stepped
        cut = over & state.cutoff & (env.settings.cutoff == "truncate")
        terminated, truncated = over & ~cut, cut
        if env.max_episode_steps is not None:
            truncated = truncated | (stepped & (state.steps >= env.max_episode_steps))
        white = state.seats == 1
        rewards = env.settings.final_rewards(state.outcome, state.score, state.void, white)
        return np.where(terminated, rewards, 0.0), terminated, truncated

    def observe(self, index: NDArray[np.int64] | None = None) -> Planes:
        """Returns the observations of games as they stand; with `view="player"` from the learner's side.

        Args:
            index: which games, `(k,)`; None for all n of them.

        Returns:
            A fresh array `(k, ...)` or `(n, ...)`, of the shape and dtype that `step` has.

        Raises:
            ResetNeeded: no `reset` came before.

        Example:
            >>> import gymnasium, numpy as np, sixplane
            >>> envs = gymnasium.make_vec("sixplane/Go-v0", 3, size=5, opponent="random")
            >>> planes, info = envs.reset(seed=1)
            >>> bool((envs.observe() == planes).all()), envs.observe(np.array([0, 2])).shape
            (True, (2, 6, 5, 5))
        """
        if self._state is None:
            raise ResetNeeded("reset comes before the first observation")
        if self.env.settings.view == "black":
            return self.env.observe(index)
        return self.env.observe(index, self._begun.seats[slice(None) if index is None else index])

    def _info(self, where: Flags, over: Flags) -> Info:
        """Returns the `info` about these games, of which those of `over` have ended."""
        state = self._begun
        more = self.opponent.info(state.rungs) if isinstance(self.opponent, ClimbingOpponent) else {}
        info = self.env.info(where) | paired(where, seat=state.seats.copy(), **more)
        if over.any():
            info |= ends_of(over, state.outcome, state.score, state.cutoff, state.illegal)
        return info

    def _last_rows(self, ended: Flags) -> Info:
        """Returns the part of `info` about episodes that ended and were reset in the same step."""
        final = self._info(ended, ended & self._begun.over)
        for value in final.values():
            value[~ended] = None if value.dtype == object else 0
        return last_rows(ended, self.observe(np.flatnonzero(ended)), final)

    @property
    def _begun(self) -> _State:
        assert self._state is not None  # noqa: S101 - the caller has checked
        return self._state


@dataclass
class _State:
    """The state of each environment besides its game; all arrays are `(n,)`."""

    seats: NDArray[np.int64]
    rungs: NDArray[np.int64]
    """The rung that the game is played against, if the opponent climbs."""
    opponents: NDArray[np.int64]
    """The number of the opponent with which the game began."""
    steps: NDArray[np.int64]
    """How many steps the episode has."""
    ended: Flags
    """Whether the episode is over and not yet reset."""
    early: Flags
    """Whether the game was over before the learner's first move, and no step has reported it yet."""
    over: Flags
    """Whether the game is over; the fields below say how it ended."""
    cutoff: Flags
    illegal: Flags
    void: Flags
    """Whether it ended by a resignation or an illegal action, so that the board does not count."""
    outcome: NDArray[np.int64]
    score: NDArray[np.float64]

    @classmethod
    def new(cls, count: int) -> Self:
        zeros, no = np.zeros(count, np.int64), np.zeros(count, np.bool_)
        state = cls(zeros, zeros, zeros, zeros, no, no, no, no, no, no, zeros, np.zeros(count))
        return state.copy()

    def copy(self) -> Self:
        return type(self)(*(getattr(self, field.name).copy() for field in fields(self)))

    def start(self, where: Flags) -> None:
        """Clears the state of games that have been reset."""
        for field in fields(self):
            getattr(self, field.name)[where] = 0

    def note(self, step: BatchStep) -> None:
        """Stores how games ended in a step."""
        over = step.endings.nonzero()
        endings = step.endings[over]
        self.over[over] = True
        self.cutoff[over] = endings == CUTOFF
        self.illegal[over] = self.void[over] = endings == ILLEGAL
        self.outcome[over], self.score[over] = step.outcomes[over], step.scores[over]

    def note_resigned(self, index: NDArray[np.int64], outcomes: Array, scores: Array) -> None:
        """Stores how games ended that were resigned."""
        self.over[index] = self.void[index] = True
        self.outcome[index], self.score[index] = outcomes, scores


class _Changes:
    """Changes to games and generators, which are undone if a call fails."""

    def __init__(self, env: BoardGameVectorEnv, acting: Flags | None = None) -> None:
        self._games, self._generators = env.games, env.generators
        self._acting = [] if acting is None else np.flatnonzero(acting).tolist()
        self._moves = env.games.move_numbers
        self._kept: dict[int, tuple[Game, tuple[Seeded, Mapping[str, object]]]] = {}

    def keep(self, where: Flags) -> None:
        """Stores games that are about to be reset, and their generators."""
        for i in np.flatnonzero(where).tolist():
            self._kept[i] = self._games[i], self._generators.state(i)

    def undo(self) -> None:
        for i, (game, generator) in self._kept.items():
            self._put(i, game)
            self._generators.restore(i, generator)
        for i in self._acting:
            game = self._games[i]
            while game.is_over or game.move_number > self._moves[i]:
                game.undo()
            self._put(i, game)

    def _put(self, i: int, game: Game) -> None:
        """Puts a game back, which may have rules of its own."""
        self._games.reset(np.arange(len(self._games)) == i, game=game)
