"""A session at one moment, as a page sees it that looks at one of its positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sixplane.web.tree import Location

if TYPE_CHECKING:
    from sixplane import match
    from sixplane._core import Game
    from sixplane.play.players import Players
    from sixplane.web.counting import Counting
    from sixplane.web.tree import HintState, Source

__all__ = ["Snapshot"]


@dataclass(frozen=True)
class Snapshot(Location):
    """A session at one moment."""

    version: int
    """Grows with every change."""
    serial: int
    """Grows with every new game."""
    game: Game
    players: Players
    result: match.Result | None
    hint: HintState
    """The hint for the position shown."""
    is_thinking: bool
    """Whether the agent to play thinks."""
    spent: tuple[float, float]
    """Seconds of Black and of White."""
    left: float | None
    """Seconds left for this move."""
    timed: int | None
    """Whose clock runs."""
    can_undo: bool
    """Whether a person has made a move, or the game was stopped."""
    can_stop: bool
    """Whether a person may end the game by the board as it stands."""
    shown: Game
    """The position that a page looks at."""
    sources: list[Source]
    """Which agents tell what they think."""
    counting: Counting | None
    """What the players hold of the stones after two passes."""
    is_asking: bool
    """Whether an agent thinks about the position shown because a page wants to know."""
