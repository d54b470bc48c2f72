"""The score table of Gomoku: as a player, and as an evaluator for a search."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import IntEnum
from typing import cast

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import integer
from sixplane._core import (
    Game,
    GameBatch,
    Gomoku,
    score_table_actions,
    score_table_evaluate,
    score_table_points,
)
from sixplane.agents.agent import select_one_by_one
from sixplane.games import info_of


class Pattern(IntEnum):
    """A pattern is what a stone makes on one line of Gomoku with others of its color; the larger the better.

    Each is defined by what one more stone would make of it, so gaps count as they do in play.

    Example:
        >>> Pattern(7).name
        'OPEN_FOUR'
    """

    DEAD = 0
    """A pattern that cannot become a five."""
    ONE = 1
    """A lone stone with enough empty points around it for five."""
    SLEEPING_TWO = 2
    """One stone makes a sleeping three of it."""
    OPEN_TWO = 3
    """One stone makes an open three of it."""
    SLEEPING_THREE = 4
    """One stone makes a four of it, but no open one."""
    OPEN_THREE = 5
    """One stone makes an open four of it."""
    FOUR = 6
    """One stone makes five, on one point only."""
    OPEN_FOUR = 7
    """One stone makes five, on either of two points."""
    FIVE = 8
    """Five in a row, which wins."""


class ScoreTableAgent:
    """Plays Gomoku without search: wins and blocks first, then by a table of line patterns.

    The agent makes five, or blocks it; it makes a pattern that cannot be stopped (an open four, two
    fours, a four with an open three), or prevents it; it makes a double open three, or prevents it. Else
    it scores every empty point for both colors. A line counts 10 for each stone on it, 1 for an open end
    and -2 for a closed one; the four lines in descending order have the weights 1000, 100, 10
    and 1. The agent plays the point with the highest score of either color. While neither color can make
    five, an unstoppable pattern or a double open three, its first two replies are random neighbors of
    the other's last stone.

    Args:
        seed: the seed of the choice among equally good points, and of the first replies; None takes one from
            the system.

    Example:
        >>> import sixplane
        >>> game = sixplane.Gomoku()
        >>> game.action_to_name(ScoreTableAgent(seed=1).select_action(game))
        'H8'
        >>> agent, other = ScoreTableAgent(), ScoreTableAgent(seed=7)
        >>> agent.reseed(7)  # as `other` from now on
        >>> game.play(112)
        >>> [agent.select_action(game) for _ in range(5)] == [other.select_action(game) for _ in range(5)]
        True
        >>> agent.select_actions(sixplane.GameBatch(sixplane.Gomoku(), 3), np.arange(3))
        array([112, 112, 112])
    """

    def __init__(self, seed: int | None = None) -> None:
        self._rng = random.Random(None if seed is None else integer("seed", seed, 0))

    def reseed(self, seed: int) -> None:
        """Begins the random choices anew, as a new agent with this seed."""
        self._rng.seed(integer("seed", seed, 0))

    def select_action(self, game: Game) -> int:
        """Chooses one of the best points.

        Raises:
            TypeError: the game is not Gomoku.
            ValueError: the game is over.
        """
        best = score_table_actions(_gomoku(game)).tolist()
        if not best:
            raise ValueError("the game is over")
        return cast("int", self._rng.choice(best))

    def select_actions(self, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Chooses in the games `index`, one after the other, as in each alone: nothing is kept between moves.

        Raises:
            TypeError: the games are not Gomoku.
            ValueError: a game is over.
        """
        return select_one_by_one(self, batch, index)

    @staticmethod
    def scores(game: Game) -> NDArray[np.int64]:
        """Scores every point by the table, `(2, rows, cols)`.

        First for the player to play, then for the other; 0 where a stone is.

        Raises:
            TypeError: the game is not Gomoku.

        Example:
            >>> import sixplane
            >>> game = sixplane.Gomoku.from_text('''
            ...     . . . . . .
            ...     . . . . . .
            ...     . X X X . .
            ...     . . . . . .
            ...     . . . . . .''', "white")
            >>> own, other = ScoreTableAgent.scores(game)
            >>> other[2]
            array([29200,     0,     0,     0, 32200, 29200])
        """
        return score_table_points(_gomoku(game))[1]

    @staticmethod
    def patterns(game: Game) -> NDArray[np.uint8]:
        """Finds the pattern that a stone would make on each line through every point, `(2, 4, rows, cols)`.

        First stones of the player to play, then of the other; the lines are those along the row, the
        column, the falling and the rising diagonal. 0, `Pattern.DEAD`, where a stone is.

        Raises:
            TypeError: the game is not Gomoku.

        Example:
            >>> import sixplane
            >>> game = sixplane.Gomoku(size=5).replay([6, 2, 12])
            >>> own, other = ScoreTableAgent.patterns(game)
            >>> Pattern(other[2, 3, 3]).name
            'SLEEPING_THREE'
        """
        return score_table_points(_gomoku(game))[0]


@dataclass(frozen=True)
class ScoreTableEvaluator:
    """Evaluates Gomoku positions without any training, for `MCTSAgent` and `sixplane.search`.

    The patterns are those of `ScoreTableAgent`: logits are large for points that win or must be
    taken. Values are certain where five or what cannot be stopped is at hand, else a guess.

    Args:
        exact_five: whether only runs of exactly five win. Agents do not need it: they call `for_game`.

    Example:
        >>> import sixplane
        >>> game = sixplane.Gomoku(size=9)
        >>> for action in (36, 0, 37, 2, 38, 4, 39, 6):
        ...     game.play(action)
        >>> logits, values = ScoreTableEvaluator()(game.planes[None])
        >>> logits.shape, int(logits.argmax()), values.tolist()
        ((1, 82), 40, [1.0])
        >>> ScoreTableEvaluator().for_game(sixplane.Gomoku(exact_five=True))
        ScoreTableEvaluator(exact_five=True)
    """

    exact_five: bool = False

    def for_game(self, game: Game) -> ScoreTableEvaluator:
        """Returns the evaluator by the rules of a game.

        Raises:
            TypeError: the game is not Gomoku.
        """
        return ScoreTableEvaluator(_gomoku(game).exact_five)

    def __call__(self, planes: NDArray[np.generic]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluates planes `(L, 6, rows, cols)`: logits `(L, A)` and values `(L,)` for the players to play.

        Raises:
            ValueError: planes of another shape.
        """
        if planes.ndim != 4:  # noqa: PLR2004
            raise ValueError(f"the planes must be (L, 6, rows, cols), not {planes.shape}")
        return score_table_evaluate(np.asarray(planes, np.uint8), self.exact_five)


def _gomoku(game: Game) -> Gomoku:
    if not isinstance(game, Gomoku):
        raise TypeError(f"the score table plays Gomoku, not {info_of(game).unique_title}")
    return game
