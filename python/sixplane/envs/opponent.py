"""An environment for one player: an agent plays the other seat."""

from __future__ import annotations

import copy
import secrets
from typing import TYPE_CHECKING, Final, SupportsFloat, SupportsIndex

import gymnasium
import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from sixplane._arguments import integer, one_of
from sixplane._core import Game
from sixplane.agents.agent import Agent, Resignation, checked_agent
from sixplane.agents.human import HumanAgent
from sixplane.agents.score_table import ScoreTableAgent
from sixplane.agents.spec import AgentSpec
from sixplane.envs.climb import ClimbingOpponent
from sixplane.envs.one_call import OneCall
from sixplane.envs.settings import Info, Planes
from sixplane.envs.single import BoardGameEnv
from sixplane.errors import IllegalActionError
from sixplane.games import can_only_pass

if TYPE_CHECKING:
    from gymnasium.envs.registration import EnvSpec

    from sixplane.envs.single import Step

SEATS: Final = ("black", "white", "random")
#: The spec of an opponent that climbs.
CLIMBING: Final = "ladder:auto"


class OpponentSeat:
    """Holds the agent of the other seat; one that was made from its spec is closed when it goes."""

    _opponent: Agent
    _closes: bool
    _is_closed: bool
    _game: Game
    _is_of_many = False
    """Whether the seat is that of many games at once."""
    _number = 0
    """How many opponents there were before; a game counts for the opponent with which it began."""

    @property
    def opponent(self) -> Agent:
        """The agent that plays the other seat; a new one, or its spec, plays from the next move on."""
        return self._opponent

    @opponent.setter
    def opponent(self, opponent: Agent | str) -> None:
        if opponent is not self._opponent:
            before, closes = self._opponent, self._closes
            self._take_opponent(opponent, self._game)
            self._number += 1
            if isinstance(self._opponent, ClimbingOpponent):
                self._seat_rung(self._opponent.climb.number)
            _close(before, closes)

    def _seat_rung(self, number: int) -> None:
        """Lets this rung play on in every game, because its opponent was set in the middle of them."""
        raise NotImplementedError

    def _take_opponent(self, opponent: Agent | str, game: Game) -> None:
        self._opponent, self._game = opponent_of(opponent, game, self._is_of_many), game
        self._closes, self._is_closed = isinstance(opponent, str), False

    def _close_opponent(self) -> None:
        self._is_closed = self._closes
        _close(self._opponent, self._closes)


def _close(agent: Agent, closes: bool) -> None:
    if closes and hasattr(agent, "close"):
        agent.close()


class VsOpponent(
    OpponentSeat, gymnasium.Wrapper[Planes, SupportsIndex, Planes, SupportsIndex], RecordConstructorArgs
):
    """An environment of two players for one of them: the opponent moves within `step`.

    In every observation but the last it is the learner's turn. Planes are absolute, or with
    `view="player"` from the learner's side, the last ones too. Rewards are the learner's: +1 is its win.
    `info` is that of the environment, with `outcome` and `score` still from Black's view, and has `seat`
    (0 black, 1 white). With `opponent="ladder:auto"` it also has `rung`, `rung_elo` and `rung_spec` of the
    opponent in this episode.

    If the learner's only legal action is a pass, as often in Reversi, it plays the pass itself: the mask
    allows nothing else. An opponent whose only legal action is a pass is not asked to move. An opponent
    that resigns loses; so does one that plays an illegal action, unless the environment was made with
    `illegal="raise"`. If a game is over before the learner's first move, by a resignation or because a
    given game was near its end, the first `step` ends it and ignores the action.

    Args:
        env: an environment of sixplane, or a wrapper of one.
        opponent: an agent, or the spec of one as on the command line, such as
            `"mcts:simulations=100"`: with a spec, `env.spec` survives `to_json`. An agent with `reseed`
            is reseeded by `reset(seed=...)`. `"ladder:auto"` is a `ClimbingOpponent`. The property
            `opponent` is the agent; another one, or a spec, set there plays from the next move on, through
            other wrappers by `env.set_wrapper_attr("opponent", ...)`. `env.spec` keeps the first.
        seat: the learner's color: `"black"`, `"white"`, or `"random"`, which every reset chooses anew, after
            the wrappers within have seen the start from the side of the player to play.

    Raises:
        TypeError, ValueError: the environment is not sixplane's, already has an opponent, or begins games
            anew by itself; the opponent is no agent or says that it does not play this game; the seat does
            not exist. An agent of your own says so by an error in `prepare`.

    Example:
        >>> import gymnasium, sixplane
        >>> from sixplane.agents import RandomAgent
        >>> env = VsOpponent(gymnasium.make("sixplane/Go-v0", size=5), RandomAgent(), seat="white")
        >>> planes, info = env.reset(seed=1)
        >>> info["turn"], info["move_number"]
        (1, 1)
    """

    def __init__(
        self, env: gymnasium.Env[Planes, SupportsIndex], opponent: Agent | str, seat: str = "black"
    ) -> None:
        # The opponent may not be copyable, such as one that runs a program.
        RecordConstructorArgs.__init__(self, _disable_deepcopy=True, opponent=opponent, seat=seat)
        super().__init__(env)
        board = env.unwrapped
        if not isinstance(board, BoardGameEnv):
            raise TypeError(f"VsOpponent is for the environments of sixplane, not {board!r}")
        if env.has_wrapper_attr("opponent"):
            raise ValueError(f"{env!r} has an opponent already")
        inner: object = env
        while isinstance(inner, gymnasium.Wrapper):
            if isinstance(inner, gymnasium.wrappers.Autoreset):
                raise ValueError(f"{env!r} begins games by itself: put Autoreset around VsOpponent")
            inner = inner.env
        self._seat_rule = one_of("seat", seat, SEATS)
        self._take_opponent(opponent, board.settings.start)
        self._one_call = OneCall()
        self._over_early: Step | None = None
        self._rung = self._began_with = 0

    @property
    def spec(self) -> EnvSpec | None:  # type: ignore[override] # as that of every wrapper
        """The spec that makes this environment again."""
        inner = self.env.spec
        # An environment made by its id with an opponent is made whole by its id.
        return inner if inner is not None and inner.kwargs.get("opponent") is not None else super().spec

    def _seat_rung(self, number: int) -> None:
        self._rung = number

    @property
    def seat(self) -> int:
        """The learner's color: 0 black, 1 white. A random one is 0 until the first `reset`."""
        seat = self._board.seat
        return int(self._seat_rule == "white") if seat is None else seat

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the legal actions, `(A,)` of bool; all False when the game is over."""
        return self._board.action_masks()

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Planes, Info]:
        """Starts a game anew; the opponent plays until it is the learner's turn.

        Args:
            seed: a seed for `np_random`, which also decides the seat and reseeds the opponent.
            options: those of the environment.

        Returns:
            The observation and the `info` that `step` would give.

        Raises:
            ClosedEnvironmentError: the opponent was made from its spec, and closed.
            RuntimeError: another call is running.
        """
        with self._one_call:
            self._check_open()
            return self._reset(seed, options)

    def _reset(self, seed: int | None, options: dict[str, object] | None) -> tuple[Planes, Info]:
        board = self._board
        before = board.checkpoint(), self._rung, self._began_with
        # A random seat is not known yet: with no seat, the view is that of the player to play.
        board.seat = SEATS.index(self._seat_rule) if self._seat_rule != "random" else None
        try:
            observation, info = self.env.reset(seed=seed, options=options)
            if seed is not None and hasattr(self.opponent, "reseed"):
                self.opponent.reseed(int(self.np_random.integers(2**31)))
            if self._seat_rule == "random":
                board.seat = int(self.np_random.integers(2))
            self._began_with = self._number
            if isinstance(self.opponent, ClimbingOpponent):
                self._rung = self.opponent.climb.number
            step = self._answered((observation, 0.0, False, False, info))
        except BaseException:
            board.restore(before[0])
            _, self._rung, self._began_with = before
            raise
        # A copy, since what a reset returns may be changed by the caller.
        self._over_early = copy.deepcopy(step) if step[2] or step[3] else None
        return step[0], step[4]

    def step(self, action: SupportsIndex) -> Step:
        """Plays the learner's action, then the opponent's, until it is the learner's turn again.

        Returns:
            observation, reward, terminated, truncated, info; the reward is the learner's.

        Raises:
            IllegalActionError: the environment refuses the learner's action or the opponent's. This, and
                any exception of the opponent, leaves the game as before the learner's action.
            TypeError: the action is no integer.
            ResetNeeded: no `reset` came before.
            ClosedEnvironmentError: the opponent was made from its spec, and closed.
            RuntimeError: another call is running.
        """
        with self._one_call:
            self._check_open()
            return self._step(action)

    def _step(self, action: SupportsIndex) -> Step:
        if self._over_early is not None:
            early, self._over_early = self._over_early, None
            return self._noted(early)
        before = self._board.checkpoint()
        if self._board.seat is None:
            raise ResetNeeded("reset comes before the first step")
        try:
            return self._noted(self._answered(_with_float(self.env.step(action))))
        except BaseException:
            self._board.restore(before)
            raise

    def close(self) -> None:
        """Closes the environment, and an opponent that was made from its spec."""
        super().close()
        self._close_opponent()

    def _repr_html_(self) -> str:
        seat = self._board.seat
        seated = self._seat_rule if seat is None else SEATS[seat]
        return self._board.to_html(("opponent", type(self.opponent).__name__), ("seat", seated))

    @property
    def _board(self) -> BoardGameEnv:
        board = self.env.unwrapped
        assert isinstance(board, BoardGameEnv)  # noqa: S101 - as `__init__` has seen
        return board

    def _check_open(self) -> None:
        """Raises an error if the opponent was closed: its program would start again, and nobody end it."""
        if self._is_closed:
            raise ClosedEnvironmentError("the environment was closed")

    def _answered(self, step: Step) -> Step:
        """Lets the opponent play, if it is its turn, and returns the step after that."""
        while not (step[2] or step[3]):
            game = self._board.game
            if game.turn == self.seat:
                break
            choice = game.num_actions - 1 if can_only_pass(game) else self._agent.select_action(game)
            if isinstance(choice, Resignation):
                step = self._resigned()
            else:
                step = _with_float(self.env.step(answer_of(choice, game.num_actions)))
        step[4]["seat"] = self.seat
        if isinstance(self.opponent, ClimbingOpponent):
            step[4].update(self.opponent.info(self._rung))
        return step

    def _resigned(self) -> Step:
        """Lets the opponent resign by a step through the wrappers in between, which see a legal action."""
        board = self._board
        board.resigns_next = True
        try:
            # The last one is the pass, where that is legal.
            return _with_float(self.env.step(int(board.game.legal_actions[-1])))
        finally:
            board.resigns_next = False

    @property
    def _agent(self) -> Agent:
        """The agent that plays this episode."""
        if isinstance(self.opponent, ClimbingOpponent):
            return self.opponent.agent_of(self._rung)
        return self.opponent

    def _noted(self, step: Step) -> Step:
        """Returns a step; if its game is over, an opponent that climbs has counted it."""
        began_with_it = self._began_with == self._number
        if isinstance(self.opponent, ClimbingOpponent) and began_with_it and "outcome" in step[4]:
            self.opponent.note(self._rung, points_of(step[4]["outcome"], self.seat))
        return step


def answer_of(choice: object, num_actions: int) -> int:
    """Returns the action that an opponent chose: a number of an action, legal or not.

    Raises:
        TypeError, IllegalActionError: it is no integer, or no action.
    """
    action = integer("the opponent's action", choice)
    if not 0 <= action < num_actions:
        allowed = f"an action is 0 to {num_actions - 1}"
        raise IllegalActionError("off_board", f"the opponent's action {action} is off the board: {allowed}")
    return action


def opponent_of(opponent: object, game: Game, is_of_many: bool = False) -> Agent:
    """Returns the agent itself, or makes a new one by its spec, when it has prepared for the game.

    Raises:
        TypeError, ValueError: no agent, no such spec, no agent for this game, or a person for many games.
    """
    if isinstance(opponent, str):
        if opponent.strip() == CLIMBING:
            return ClimbingOpponent(game, secrets.randbits(63))
        spec = AgentSpec.parse(opponent)
        spec.check_game(game)
        agent = spec.make(secrets.randbits(63))
    else:
        agent = checked_agent("the opponent", opponent)
    if is_of_many and isinstance(agent, HumanAgent):
        raise ValueError("the opponent must be an agent, not a person, who cannot play many games at once")
    if hasattr(agent, "prepare"):
        agent.prepare(game.copy())
    # After that, because some agents have another evaluator for each game.
    for_game = getattr(getattr(agent, "evaluator", None), "for_game", None)
    if for_game is not None:
        for_game(game)
    if isinstance(agent, ScoreTableAgent):
        agent.scores(game)
    return agent


def points_of(outcome: int, seat: int) -> float:
    """Returns the learner's points, 1, 0.5 or 0, by the outcome from Black's view and the learner's color."""
    return (1 + (-outcome if seat else outcome)) / 2


def _with_float(step: tuple[Planes, SupportsFloat, bool, bool, Info]) -> Step:
    """Returns the step that a wrapper returned, with its reward as a `float`."""
    observation, reward, terminated, truncated, info = step
    return observation, float(reward), terminated, truncated, info
