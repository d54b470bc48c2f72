"""The opponent `ladder:auto`: a rung of the ladder that goes up and down with the learner's results."""

from __future__ import annotations

import copy
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sixplane import ladder
from sixplane._arguments import integer, seed_of
from sixplane._core import Game, GameBatch
from sixplane.agents.agent import Agent, Choice
from sixplane.agents.spec import AgentSpec
from sixplane.envs.settings import Info

#: Of so many last episodes the learner's share of the points counts.
EPISODES: Final = 100
#: With this share the opponent goes up a rung, and with that one down.
UP: Final = 0.6
DOWN: Final = 0.3


class Climb(NamedTuple):
    """A climb says where a learner stands on the ladder, and is what a checkpoint keeps of it.

    Example:
        >>> climb = Climb()
        >>> for points in [1.0, 0.0, 0.5, 1.0] * 25:
        ...     climb = climb.after(points, top=17)
        >>> climb
        Climb(number=1, points=())
        >>> climb.after(0.5, top=17).points
        (0.5,)
    """

    number: int = 0
    """The rung that the next game is played against; 0 is random play."""
    points: tuple[float, ...] = ()
    """The learner's points in its last episodes against this rung, at most a hundred: 1, 0.5 or 0."""

    def after(self, points: float, top: int) -> Climb:
        """Returns the climb after one more episode of the learner.

        Args:
            points: what the learner has scored: 1, 0.5 or 0.
            top: the number of the highest rung.
        """
        last = (*self.points, points)[-EPISODES:]
        if len(last) == EPISODES:
            scored = sum(last)
            if scored >= UP * EPISODES and self.number < top:
                return Climb(self.number + 1)
            if scored <= DOWN * EPISODES and self.number > 0:
                return Climb(self.number - 1)
        return Climb(self.number, last)


class ClimbingOpponent:
    """An agent that begins as the lowest rung of a board, and goes up and down with a learner's results.

    It goes up a rung when the learner has scored 60 % of its last hundred episodes, a draw being a half, and
    down at 30 %. After a change it counts anew. Environments make it from the spec `ladder:auto`, and tell it
    the results; a game is played to its end against the rung with which it began.

    Args:
        game: a game of the board.
        seed: the seed of all randomness; None takes one from the system.

    Raises:
        LadderError: the board has no ladder.
        TypeError, ValueError: the game is none, or the seed is no integer, negative or too large.

    Example:
        >>> import sixplane
        >>> opponent = ClimbingOpponent(sixplane.Gomoku(), seed=1)
        >>> for _ in range(100):
        ...     opponent.note(opponent.climb.number, points=1.0)
        >>> opponent.climb, opponent.rung.spec
        (Climb(number=1, points=()), 'score-table:random=0.988')
        >>> opponent.climb = Climb(3, (1.0, 0.5))  # as a checkpoint has kept it
        >>> opponent.rung == opponent.rungs[3]
        True
        >>> opponent.info(3)
        {'rung': 3, 'rung_elo': 298.8, 'rung_spec': 'score-table:random=0.944'}
        >>> opponent.prepare(sixplane.Gomoku(exact_five=True))  # other rules on the same board
        >>> opponent.reseed(2)
        >>> action = opponent.select_action(sixplane.Gomoku())
        >>> opponent.agent_of(3) is opponent.agent_of(3)
        True
        >>> batch = sixplane.GameBatch(sixplane.Gomoku(), 5)
        >>> opponent.select_actions(batch, np.arange(3)).shape
        (3,)
        >>> opponent.of_each(np.array([0, 0, 1, 1, 2])).select_actions(batch, np.arange(5)).shape
        (5,)
    """

    def __init__(self, game: Game, seed: int | None = None) -> None:
        table = ladder.table_of(game)
        self._board = table.board
        self.rungs = table.rungs
        """The rungs of the board, the weakest first."""
        self._seed = None if seed is None else seed_of(seed)
        self._agents: dict[int, Agent] = {}
        self._climb = Climb()
        self._numbers: NDArray[np.int64] | None = None

    def prepare(self, game: Game) -> None:
        """Checks that a game is of the board of this ladder.

        Raises:
            LadderError: its board has no ladder.
            ValueError: its board has another ladder.
        """
        board = ladder.table_of(game).board
        if board != self._board:
            raise ValueError(f"the opponent climbs the ladder of {self._board}, not that of {board}")

    @property
    def climb(self) -> Climb:
        """Where the learner stands; what is set here counts from the next game on.

        Raises:
            TypeError, ValueError: what is set is no climb on this ladder.
        """
        return self._climb

    @climb.setter
    def climb(self, climb: Climb) -> None:
        try:
            value, points = climb
        except (TypeError, ValueError):
            raise TypeError(f"climb must be the number of a rung and points, not {climb!r}") from None
        number = self._number_of(value)
        if len(points) > EPISODES or not {*points} <= {0.0, 0.5, 1.0}:
            raise ValueError(f"points must be at most {EPISODES} of 0, 0.5 and 1, not {points!r}")
        self._climb = Climb(number, tuple(map(float, points)))

    def _number_of(self, value: object) -> int:
        """Returns the number of a rung that a value is, if the ladder has it."""
        number = integer("the number of a rung", value)
        if not 0 <= number < len(self.rungs):
            raise ValueError(f"the ladder has rungs from 0 to {len(self.rungs) - 1}, and none {number}")
        return number

    @property
    def rung(self) -> ladder.Rung:
        """The rung that the next game is played against."""
        return self.rungs[self._climb.number]

    def note(self, number: int, points: float) -> None:
        """Counts an episode that the learner has played.

        Args:
            number: the rung that it was played against. If it is not the present one, the episode is not
                counted.
            points: what the learner has scored: 1, 0.5 or 0.

        Raises:
            ValueError: other points.
        """
        if points not in {0, 0.5, 1}:
            raise ValueError(f"points must be 1, 0.5 or 0, not {points!r}")
        if number == self._climb.number:
            self._climb = self._climb.after(points, len(self.rungs) - 1)

    def agent_of(self, number: int) -> Agent:
        """Returns the agent of a rung, always the same one.

        Raises:
            TypeError, ValueError: the ladder has no rung of this number.
        """
        if number not in self._agents:
            self._number_of(number)
            self._agents[number] = AgentSpec.parse(f"ladder:+{number}").make(self._seed)
        return self._agents[number]

    def reseed(self, seed: int) -> None:
        """Begins the random choices of all rungs anew; where the learner stands stays.

        Raises:
            TypeError, ValueError: the seed is no integer, negative or too large.
        """
        self._seed = seed_of(seed)
        for agent in self._agents.values():
            agent.reseed(seed)  # type: ignore[attr-defined] # agents of rungs have it

    def select_action(self, game: Game) -> Choice:
        """Chooses as the present rung does."""
        return self.agent_of(self._climb.number).select_action(game)

    def select_actions(self, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Chooses in the games `index` as the present rung does, or each by the rung of `of_each`."""
        numbers = np.full(len(index), self._climb.number) if self._numbers is None else self._numbers[index]
        actions = np.zeros(len(index), np.int64)
        for number in np.unique(numbers).tolist():
            here = numbers == number
            actions[here] = self.agent_of(number).select_actions(batch, index[here])  # type: ignore[attr-defined] # agents of rungs have it
        return actions

    def of_each(self, numbers: NDArray[np.int64]) -> ClimbingOpponent:
        """Returns the same opponent, which plays each game of a batch as the rung of this number, `(B,)`."""
        other = copy.copy(self)
        other._numbers = numbers
        return other

    def info(self, numbers: int | NDArray[np.int64]) -> Info:
        """Describes rungs by their numbers, for `info`: `rung`, `rung_elo` and `rung_spec`.

        Raises:
            TypeError, ValueError: the ladder has no rung of such a number.
        """
        if not isinstance(numbers, np.ndarray):
            rung = self.rungs[self._number_of(numbers)]
            return {"rung": rung.number, "rung_elo": rung.elo, "rung_spec": rung.spec}
        for number in np.unique(numbers).tolist():
            self._number_of(number)
        elo, specs = (np.array([getattr(rung, name) for rung in self.rungs]) for name in ("elo", "spec"))
        return {"rung": numbers.copy(), "rung_elo": elo[numbers], "rung_spec": specs[numbers].astype(object)}
