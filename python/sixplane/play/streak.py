"""How often in a row a person has won or lost against a level, and which level comes next."""

from __future__ import annotations

from dataclasses import dataclass

from sixplane._core import Game
from sixplane.games import COLORS
from sixplane.ladder import Rung, rungs
from sixplane.match import Winner
from sixplane.play.players import Players


@dataclass(frozen=True)
class Streak:
    """Counts the games in a row that one person has won, or lost, against one level of a board."""

    ladder: tuple[Rung, ...] = ()
    """The rungs of the board."""
    level: Rung | None = None
    """The rung that the person played against; None: the opponent was no rung."""
    count: int = 0
    """The number of wins in a row; below 0, of losses."""

    def after(self, players: Players, game: Game, winner: Winner, *, counts: bool = True) -> Streak:
        """Counts one more game, unless `counts` is false; a draw or another level begins anew."""
        level = players.level
        if level is None or sum(players.persons) != 1:
            return Streak()
        ladder = rungs(game)
        if not counts and (self.ladder, self.level) == (ladder, level):
            return self
        if not counts or winner == "draw":
            return Streak(ladder, level)
        has_won = players.persons[COLORS.index(winner)]
        goes_on = (self.ladder, self.level, self.count > 0) == (ladder, level, has_won)
        return Streak(ladder, level, (self.count if goes_on else 0) + (1 if has_won else -1))

    @property
    def next_level(self) -> Rung | None:
        """The rung above after a win, the one below after a loss; None if there is none."""
        if self.level is None or not self.count:
            return None
        number = self.level.number + (1 if self.count > 0 else -1)
        return self.ladder[number] if 0 <= number < len(self.ladder) else None
