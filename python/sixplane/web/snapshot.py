"""A session at one moment, as a page sees it that looks at one of its positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from sixplane import match
    from sixplane._core import Game
    from sixplane.play.seating import Seating
    from sixplane.web.counting import Counting
    from sixplane.web.tree import Place, Source

__all__ = ["HintState", "Snapshot"]

HintState: TypeAlias = int | Literal["thinking", "resign"] | None


@dataclass(frozen=True)
class Snapshot:
    """A session at one moment."""

    version: int
    """Grows with every change."""
    serial: int
    """Grows with every new game."""
    game: Game
    seating: Seating
    result: match.Result | None
    hint: HintState
    """The action to play, or what else the hint says."""
    is_thinking: bool
    """Whether the agent to play thinks."""
    spent: tuple[float, float]
    """Seconds of Black and of White."""
    left: float | None
    """Seconds left for this move."""
    timed: int | None
    """Whose clock runs."""
    can_undo: bool
    shown: Game
    """The position that a page looks at."""
    line: list[Place]
    """The positions of the line that it looks at, from the start on."""
    at: int
    """How many actions of the line lead to the position shown."""
    places: list[int]
    """The numbers of the positions of the line."""
    live: int
    """The number of the position to play in."""
    branch: int | None
    """After how many actions the line leaves the game; None: it is the game's."""
    next: list[tuple[int, Place]]
    """The numbers of the positions that may follow, and these."""
    beside: list[tuple[int, Place]]
    """The same of the position shown and of those that may stand instead."""
    forks: list[int]
    """After how many actions of the line others stand instead."""
    sources: list[Source]
    """Which agents tell what they think."""
    counting: Counting | None
    """What the players hold of the stones after two passes."""
    is_asking: bool
    """Whether an agent thinks about the position shown because a page wants to know."""
