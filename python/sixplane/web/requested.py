"""What a page asks for: a game, and how it shows the board. Every field has its limits."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from sixplane.web.refusal import LONGEST_NAME, one_line
from sixplane.web.tree import Source

ColorName = Literal["black", "white"]
Theme = Literal["classic", "paper", "slate"]
Overlay = Literal["off", "policy", "visits", "values", "ownership", "table"]

#: A number larger than any in a game.
MOST: Final = 2**31

Count = Annotated[int, Meta(ge=0, lt=MOST)]
Side = Annotated[int, Meta(gt=0, lt=MOST)]
Limit = Annotated[int, Meta(gt=0, lt=2 * MOST)]
Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
#: That of a game of your own has its module's name, too.
GameName = Annotated[str, Meta(max_length=200)]
AgentText = Annotated[str, Meta(max_length=200)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
RuleValue = bool | Annotated[int, Meta(gt=-MOST, lt=MOST)] | Annotated[float, Meta(gt=-MOST, lt=MOST)] | Name


class RequestedGame(msgspec.Struct, frozen=True):
    """A game with its rules and players, as a page asks for it."""

    game: GameName
    size: tuple[Side, Side]
    rules: Annotated[dict[Name, RuleValue], Meta(max_length=16)]
    opponent: AgentText
    """A level, `"person"`, or an agent."""
    color: ColorName | Literal["random"]
    seconds: Seconds | None
    name: Name
    """The name of the person."""
    opponent_name: Name
    """The name of a second person."""
    place: Count | None
    """The number of the position to continue from, in the game that is shown; None: a new game."""
    watch: AgentText
    """A level or an agent that plays in the person's place; empty: the person plays."""
    serial: Count | None = None
    """The number of the game that has the position to continue from; None: the one that is played now."""
    max_moves: Limit | None = None
    """The number of actions after which a new game is cut off; None: no limit."""

    def __post_init__(self) -> None:
        """Removes characters that cannot be seen from the names."""
        for field in ("name", "opponent_name"):
            msgspec.structs.force_setattr(self, field, one_line(getattr(self, field), LONGEST_NAME))


class Display(msgspec.Struct, frozen=True):
    """The choices of a page about its board."""

    theme: Theme = "classic"
    numbers: bool = False
    marks: bool = False
    coordinates: bool = True
    overlay: Overlay = "off"
    """The part of an analysis that is drawn on the board."""
    of: Source = "hint"
    """The agent whose analysis is drawn."""
    all_numbers: bool = False
    """Whether all numbers of an analysis are written on the board, and not only those of the best actions."""
