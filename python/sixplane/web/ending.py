"""How a game of the page ends: by its rules or the referee, by agreement, or because a person stops it."""

from __future__ import annotations

from dataclasses import dataclass

from sixplane import match
from sixplane._core import Game
from sixplane.games import COLORS
from sixplane.web.counting import Counting


@dataclass
class PageEnding:
    """The result of one game, and the marks on dead stones that may decide it.

    The methods take the seconds that Black and White have used.

    Attributes:
        persons: whether Black and White are persons.
        result: result; None while the game goes on.
        counting: marks on dead stones after two passes of Go.
    """

    persons: tuple[bool, bool]
    result: match.Result | None = None
    counting: Counting | None = None

    def judge(self, game: Game, seconds: tuple[float, float]) -> None:
        """Sets the result of a game that is over: by the board, agreement or resignation."""
        assert game.outcome is not None  # noqa: S101 - the game is over
        ending: match.EndingName = "moves" if game.is_truncated else "rules"
        if game.ending == "resignation":
            ending = "resignation"
        if self.counting is None:
            self.counting = Counting.of(game, self.persons)
        elif self.counting.dead and all(self.counting.agreed):
            self._score(game, ending, self.counting.rest().score(), seconds)
            return
        self.result = match.Result(game.outcome, ending, "", game.score(), seconds, (), game.copy())

    def stop(self, game: Game, seconds: tuple[float, float]) -> None:
        """Sets the result of a running game by the board as it stands, as the referee of a match does."""
        self._score(game, "stopped", game.score(), seconds)

    def lose(
        self, game: Game, color: int, ending: match.EndingName, detail: str, seconds: tuple[float, float]
    ) -> None:
        """Sets the result of a running game that a player loses; in the record it is a resignation."""
        game.resign(COLORS[color])
        winner: match.Winner = "black" if color else "white"
        self.result = match.Result(winner, ending, detail, 0.0, seconds, (), game.copy())

    def _score(
        self, game: Game, ending: match.EndingName, score: float, seconds: tuple[float, float]
    ) -> None:
        winner: match.Winner = "black" if score > 0 else "white" if score < 0 else "draw"
        self.result = match.Result(winner, ending, "", score, seconds, (), game.copy())
