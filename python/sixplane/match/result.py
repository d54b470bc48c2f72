"""How a game between two agents ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from sixplane._core import Game
from sixplane.games import COLORS
from sixplane.games.info import moves_text

#: The winner of a game, or a draw.
Winner = Literal["black", "white", "draw"]

#: `rules`: the game ended by its rules; `moves`: it was cut off; `stopped`: a player stopped it. The board
#: decided then. In all other cases a player lost: it resigned, took too long, offered too many illegal
#: actions, changed the game that it was shown, raised an exception, or lost a dispute about the score.
EndingName = Literal[
    "rules", "moves", "stopped", "resignation", "time", "illegal", "tampering", "error", "score"
]

#: The ways to lose by a rule of the referee: in words, and as a letter in SGF's property RE.
FORFEITS: Final = {
    "time": ("on time", "T"),
    "illegal": ("by illegal moves", "F"),
    "tampering": ("by tampering with the game", "F"),
    "error": ("by an error", "F"),
    "score": ("by a disputed score", "F"),
}


@dataclass(frozen=True)
class Result:
    """A result says how a game between two agents ended.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import RandomAgent
        >>> from sixplane.match import play
        >>> class Broken:
        ...     def select_action(self, game):
        ...         return 1 // 0
        >>> result = play(Broken(), RandomAgent(seed=1), sixplane.Go(size=9))
        >>> result.winner, result.ending, result.sgf_result, result.is_forfeit
        ('white', 'error', 'W+F', True)
    """

    winner: Winner
    """The winner in words, by the board or because the other lost by a rule of the referee."""
    ending: EndingName
    """What decided the game, in one word."""
    detail: str
    """More about what decided the game, in words, or who counts another score; it may be empty."""
    score: float
    """The score of the board from Black's view if the board decided; else 0."""
    seconds: tuple[float, float]
    """The total time of Black and of White."""
    move_seconds: tuple[float, ...]
    """The time for every action that was played; 0 for a forced pass, which no player is asked for."""
    record: Game
    """The game. A loss by a rule of the referee is recorded as a resignation; a stopped game is not over."""

    def __str__(self) -> str:
        """Says who won, by how much or why."""
        from sixplane.render.game import result_text, win_text

        if self.ending == "stopped":
            lead = win_text(self.record, self.winner, self.score) if self.score else "draw"
            return f"stopped after {moves_text(self.record.move_number)}: {lead}"
        if not self.is_forfeit:
            return result_text(self.record)
        loser = {"black": "white", "white": "black"}.get(self.winner)
        how = FORFEITS[self.ending][0]
        # Nobody asks by how many tenths of a second a player was late.
        more = f" ({self.detail})" if self.detail and self.ending != "time" else ""
        return f"{self.winner} wins: {loser} lost {how}{more}" if loser else f"draw {how}{more}"

    def _repr_html_(self) -> str:
        from sixplane.render.game import game_title
        from sixplane.render.html import WIDTH, card, table

        facts = [
            ("decided by", FORFEITS[self.ending][0] if self.is_forfeit else self.ending),
            *([("detail", self.detail)] if self.detail else ()),
            ("result", self.sgf_result),
            ("moves", self.record.move_number),
            *(
                (f"{color}'s time", f"{seconds:.2f} s")
                for color, seconds in zip(COLORS, self.seconds, strict=True)
            ),
        ]
        title = "Draw" if self.winner == "draw" else f"{self.winner.capitalize()} wins"
        # The record of a forfeit is that of a resignation.
        svg = self.record.to_svg(width=WIDTH, title=game_title(self.record, str(self)))
        return card(title, svg, table(facts))

    @property
    def is_forfeit(self) -> bool:
        """Whether a player lost by a rule of the referee, not by the board or its resignation."""
        return self.ending in FORFEITS

    @property
    def sgf_result(self) -> str:
        """The result as SGF's property RE has it: `B+3.5`, `W+R`, `B+T` (time), `W+F` (forfeit), `Draw`."""
        return sgf_result(self.winner, self.ending, self.score)


def sgf_result(winner: Winner, ending: EndingName, score: float) -> str:
    """Writes a result as `Result.sgf_result` has it."""
    if winner == "draw":
        # Nobody loses where the rules fail.
        return "Void" if ending == "error" else "Draw"
    if ending in FORFEITS:
        margin = FORFEITS[ending][1]
    else:
        margin = "R" if ending == "resignation" else f"{abs(score):g}"
    return f"{winner[0].upper()}+{margin}"
