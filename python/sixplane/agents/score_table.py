"""The score table player of Gomoku."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, cast

from sixplane._arguments import integer
from sixplane._core import Gomoku, score_table_actions

if TYPE_CHECKING:
    from sixplane._core import Game

__all__ = ["ScoreTableAgent"]


class ScoreTableAgent:
    """Plays Gomoku without search: wins and blocks first, then by a table of line patterns.

    Five is played, then blocked; then what cannot be stopped (an open four, two fours, a four with
    an open three) is made, then prevented; then a double open three is made, then prevented. Else
    every empty point is scored for both colors. A line counts 10 for each stone that is there, 1
    for an open end and -2 for a closed one; the four lines in descending order weigh 1000, 100, 10
    and 1. The best point of whichever color has the higher one is played. Its first two replies are
    random neighbors of the other's last stone.

    Args:
        seed: chooses among equally good points, and the first replies; None draws one from the
            system.

    Example:
        >>> import sixplane
        >>> game = sixplane.Gomoku()
        >>> game.action_to_name(ScoreTableAgent(seed=1).select_action(game))
        'H8'
    """

    def __init__(self, seed: int | None = None) -> None:
        self._rng = random.Random(None if seed is None else integer("seed", seed))

    def reseed(self, seed: int) -> None:
        """Begins the random choices anew, as a new agent with this seed."""
        self._rng.seed(seed)

    def select_action(self, game: Game) -> int:
        """One of the best points.

        Raises:
            TypeError: the game is not Gomoku.
            ValueError: the game is over.
        """
        if not isinstance(game, Gomoku):
            raise TypeError(f"ScoreTableAgent plays Gomoku, not {type(game).__name__}")
        best = score_table_actions(game).tolist()
        if not best:
            raise ValueError("the game is over")
        return cast("int", self._rng.choice(best))
