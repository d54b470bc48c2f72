"""Exact values: what the solver of a game, `game.solve()`, knows for certain.

Example:
    >>> import sixplane
    >>> game = sixplane.Gomoku.from_text('''
    ...     . . . . . . .
    ...     . O . . . . .
    ...     . . X . . . .
    ...     . . X X . O .
    ...     . . X . X . .
    ...     . O . . . . .
    ...     . . . . . . .''', turn="black")
    >>> solution = game.solve()
    >>> solution
    <Solution: black wins with C6>
    >>> [game.action_to_name(action) for action in solution.principal_variation]
    ['C6', 'C7', 'C2']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from sixplane._core import Game

__all__ = ["Solution"]


class Solution(NamedTuple):
    """What a solver knows of a position for certain.

    Example:
        >>> import sixplane
        >>> solution = sixplane.Reversi(size=4).solve(score=True)
        >>> print(solution.game)
           A B C D
         1 . . . . 1
         2 . O X . 2
         3 . X O . 3
         4 . . . . 4
           A B C D
        >>> solution.value, solution.score, len(solution.principal_variation)
        (-1, -8.0, 10)
        >>> solution
        <Solution: white wins by 8, black plays D3>
        >>> sixplane.Reversi(size=8).solve(nodes=1000)
        <Solution: not found in 1,000 nodes>
    """

    value: int | None
    """The value for the player to play: +1 a win, 0 a draw, -1 a loss; None if it was not found."""
    score: float | None
    """The final score for the player to play, if asked for: the lead in discs; in Gomoku the value."""
    best_action: int | None
    """An action that keeps the value, and the score if asked for; in a lost position it may be any."""
    principal_variation: list[int]
    """The best action and the best ones after it, to the end of the game as far as the limits allowed."""
    nodes: int
    """The number of positions that were examined."""
    seconds: float
    """The time that it took."""
    game: Game
    """A copy of the game that was solved."""

    def _result_text(self) -> str:
        from sixplane.games import COLORS, info_of

        if self.value is None or self.best_action is None:
            return f"not found in {self.nodes:,} nodes"
        info, player = info_of(self.game), COLORS[self.game.turn]
        action = info.name_of(self.game, self.best_action)
        if self.value == 0:
            return f"draw, {player} plays {action}"
        is_lead = self.score is not None and info.counts_points
        by = f" by {abs(self.score or 0.0):g}" if is_lead else ""
        if self.value > 0:
            return f"{player} wins{by} with {action}"
        return f"{COLORS[1 - self.game.turn]} wins{by}, {player} plays {action}"

    def __repr__(self) -> str:
        return f"<Solution: {self._result_text()}>"

    def _repr_html_(self) -> str:
        from sixplane.games import info_of
        from sixplane.render.game import game_title
        from sixplane.render.html import WIDTH, card, table

        game, info = self.game, info_of(self.game)
        line = " ".join(info.name_of(game, action) for action in self.principal_variation)
        facts = [
            ("who wins", self._result_text()),
            ("expected line", line),
            ("positions", f"{self.nodes:,} in {self.seconds:.2f} s"),
        ]
        title, heat = f"Solution of {game_title(game)}", np.zeros(game.num_actions)
        if self.best_action is not None:
            heat[self.best_action] = 1
        return card(title, game.to_svg(width=WIDTH, heat=heat, title=title), table(facts))
