"""A session at one moment, for a page that looks at one of its positions."""

from __future__ import annotations

from dataclasses import dataclass

from sixplane import match
from sixplane._core import Game
from sixplane.play.players import Players
from sixplane.play.streak import Streak
from sixplane.web.counting import Counting
from sixplane.web.tree import HintState, Location, Source


@dataclass(frozen=True)
class Snapshot(Location):
    """A session at one moment, and where a page is in it."""

    version: int
    """A number that grows with every change."""
    serial: int
    """A number that grows with every new game."""
    game: Game
    players: Players
    result: match.Result | None
    hint: HintState
    """The hint for the position that is shown."""
    is_thinking: bool
    """Whether the agent to play is thinking."""
    spent: tuple[float, float]
    """The seconds that Black and White have used."""
    left: float | None
    """The seconds left for this move; None if there is no limit, or the clock stands still."""
    timed: int | None
    """The color whose clock runs; None if it stands still."""
    can_undo: bool
    """Whether a move of a person can be taken back, or a stopped game continued."""
    can_stop: bool
    """Whether a person may stop the game, so that the board decides."""
    shown: Game
    """The position that a page looks at."""
    sources: list[Source]
    """The agents that can be asked about a position."""
    counting: Counting | None
    """The marks on dead stones after two passes; None if nothing is counted."""
    is_asking: bool
    """Whether an agent is thinking about the position that is shown, for a page."""
    streak: Streak
    """The games in a row that the person has won or lost, with the one that is over."""
