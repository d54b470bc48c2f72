"""What a page may ask for: JSON texts, read with limits, into objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, cast, get_args

from sixplane.games import COLORS
from sixplane.web.links import LONGEST_LINK
from sixplane.web.tree import Source

__all__ = [
    "Again",
    "Agree",
    "Go",
    "Hint",
    "Link",
    "Look",
    "Mark",
    "Message",
    "MessageError",
    "NewGame",
    "Open",
    "Overlay",
    "Play",
    "Resign",
    "Show",
    "Step",
    "Theme",
    "Try",
    "Undo",
    "read_message",
]

Theme = Literal["classic", "paper", "slate"]
ColorChoice = Literal["black", "white", "random"]
Overlay = Literal["off", "policy", "visits", "values", "ownership", "table"]


#: Characters of a name, and of an agent.
LONGEST_NAME: Final = 40
LONGEST_AGENT: Final = 200

#: More than any game has.
MOST_RULES: Final = 16
MOST: Final = 2**31

#: Seconds of the longest move.
MOST_SECONDS: Final = 86_400.0


class MessageError(ValueError):
    """Why a message is none that a page sends."""


@dataclass(frozen=True)
class Play:
    """An action, in the position after `at` actions that the page shows."""

    action: int
    at: int


@dataclass(frozen=True)
class Resign:
    """The person whose turn it is resigns, or the only person."""

    at: int


@dataclass(frozen=True)
class Undo:
    """Takes the last move of a person back."""


@dataclass(frozen=True)
class Hint:
    """Asks for a good move in the position that the page looks at."""


@dataclass(frozen=True)
class Again:
    """Begins the game that is over once more."""


@dataclass(frozen=True)
class Look:
    """Shows this page the position after so many actions; None: the game as it goes on."""

    at: int | None


@dataclass(frozen=True)
class Step:
    """Shows this page the next position on its line, or with -1 the one before."""

    by: int


@dataclass(frozen=True)
class Go:
    """Shows this page the position with this number, such as one of a variation."""

    place: int


@dataclass(frozen=True)
class Try:
    """An action in a branch from the position with this number; the game stays as it is."""

    action: int
    place: int


@dataclass(frozen=True)
class Mark:
    """Marks the chain at a point as dead or alive after two passes; None: what random games hold dead."""

    point: int | None
    at: int


@dataclass(frozen=True)
class Agree:
    """The person of this color agrees with the marks."""

    color: int
    at: int


@dataclass(frozen=True)
class Link:
    """Asks for a text from which `Open` makes the position with this number."""

    place: int


@dataclass(frozen=True)
class Open:
    """A game of two persons from the position of a link."""

    position: str


@dataclass(frozen=True)
class Show:
    """How this page shows the board."""

    theme: Theme = "classic"
    numbers: bool = False
    marks: bool = False
    coordinates: bool = True
    overlay: Overlay = "off"
    """What of an agent's thoughts is drawn on the board."""
    of: Source = "hint"
    """Whose thoughts."""
    all_numbers: bool = False
    """Whether every number is written on the board, or only those of the best actions."""


@dataclass(frozen=True)
class NewGame:
    """A new game with these rules and players."""

    game: str
    size: tuple[int, int]
    rules: Mapping[str, bool | int | float | str]
    opponent: str
    """A level, `"person"`, or an agent."""
    color: ColorChoice
    seconds: float | None
    name: str
    """Of the person."""
    opponent_name: str
    """Of a second person."""
    place: int | None = None
    """The number of the position to go on from, in the game that is shown; None: from an empty board."""
    watch: str = ""
    """A level or an agent that plays in the person's place; empty: the person plays."""


Message: TypeAlias = (
    Play | Resign | Undo | Hint | Again | Look | Step | Go | Try | Mark | Agree | Link | Open | Show | NewGame
)


def read_message(text: str | bytes) -> Message:
    """The message in a text.

    Raises:
        MessageError: the text is no JSON object, or a field is missing, unknown, of another type or too
            large.

    Example:
        >>> read_message('{"do": "play", "action": 12, "at": 0}')
        Play(action=12, at=0)
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MessageError("a message must be JSON") from error
    if not isinstance(found, dict):
        raise MessageError("a message must be an object")
    fields = _Fields(found)
    reader = READERS.get(fields.text("do", 20))
    if reader is None:
        raise MessageError("nothing is called so")
    message = reader(fields)
    fields.finish()
    return message


class _Fields:
    """The fields of an object, each read once."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = dict(fields)

    def take(self, name: str) -> Any:
        if name not in self._fields:
            raise MessageError(f"{name} is missing")
        return self._fields.pop(name)

    def finish(self) -> None:
        if self._fields:
            raise MessageError(f"a message of this kind has no {min(self._fields)[:LONGEST_NAME]!r}")

    def text(self, name: str, longest: int) -> str:
        value = self.take(name)
        if not isinstance(value, str) or len(value) > longest:
            raise MessageError(f"{name} must be a text of at most {longest} characters")
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise MessageError(f"{name} has a character that cannot be written") from error
        return " ".join("".join(char if char.isprintable() else " " for char in value).split())

    def integer(self, name: str) -> int:
        value = self.take(name)
        if type(value) is not int or not 0 <= value < MOST:
            raise MessageError(f"{name} must be an integer, 0 or more")
        return value

    def step(self) -> int:
        value = self.take("by")
        if type(value) is not int or value not in {-1, 1}:
            raise MessageError("by must be -1 or 1")
        return value

    def flag(self, name: str) -> bool:
        value = self.take(name)
        if type(value) is not bool:
            raise MessageError(f"{name} must be true or false")
        return value

    def one_of(self, name: str, choices: tuple[str, ...]) -> str:
        value = self.take(name)
        if not isinstance(value, str) or value not in choices:
            raise MessageError(f"{name} must be {', '.join(choices[:-1])} or {choices[-1]}")
        return value

    def integer_or_none(self, name: str) -> int | None:
        if self._fields.get(name, 0) is None:
            return cast("None", self.take(name))
        return self.integer(name)

    def size(self) -> tuple[int, int]:
        match self.take("size"):
            case [int(rows), int(cols)] if 0 < rows < MOST and 0 < cols < MOST:
                return int(rows), int(cols)
        raise MessageError("size must be rows and columns")

    def seconds(self) -> float | None:
        value = self.take("seconds")
        if value is None:
            return None
        if type(value) in {int, float} and 0 < value <= MOST_SECONDS:
            return float(value)
        raise MessageError(f"seconds must be more than 0 and at most {MOST_SECONDS:.0f}")

    def rules(self) -> dict[str, bool | int | float | str]:
        value = self.take("rules")
        if not isinstance(value, dict) or len(value) > MOST_RULES:
            raise MessageError(f"rules must be an object of at most {MOST_RULES} fields")
        for name, given in value.items():
            is_short = isinstance(given, str) and len(given) <= LONGEST_NAME
            is_number = isinstance(given, int | float) and abs(given) < MOST
            if len(name) > LONGEST_NAME or not (is_short or is_number):
                raise MessageError("a rule must be a short text, a number, true or false")
        return value


def _new_game(fields: _Fields) -> NewGame:
    return NewGame(
        game=fields.text("game", LONGEST_NAME),
        size=fields.size(),
        rules=fields.rules(),
        opponent=fields.text("opponent", LONGEST_AGENT),
        color=cast("ColorChoice", fields.one_of("color", get_args(ColorChoice))),
        seconds=fields.seconds(),
        name=fields.text("name", LONGEST_NAME),
        opponent_name=fields.text("opponent_name", LONGEST_NAME),
        place=fields.integer_or_none("place"),
        watch=fields.text("watch", LONGEST_AGENT),
    )


def _show(fields: _Fields) -> Show:
    return Show(
        theme=cast("Theme", fields.one_of("theme", get_args(Theme))),
        numbers=fields.flag("numbers"),
        marks=fields.flag("marks"),
        coordinates=fields.flag("coordinates"),
        overlay=cast("Overlay", fields.one_of("overlay", get_args(Overlay))),
        of=cast("Source", fields.one_of("of", get_args(Source))),
        all_numbers=fields.flag("all_numbers"),
    )


READERS: Final[dict[str, Callable[[_Fields], Message]]] = {
    "play": lambda fields: Play(fields.integer("action"), fields.integer("at")),
    "resign": lambda fields: Resign(fields.integer("at")),
    "undo": lambda _fields: Undo(),
    "hint": lambda _fields: Hint(),
    "again": lambda _fields: Again(),
    "look": lambda fields: Look(fields.integer_or_none("at")),
    "step": lambda fields: Step(fields.step()),
    "go": lambda fields: Go(fields.integer("place")),
    "try": lambda fields: Try(fields.integer("action"), fields.integer("place")),
    "mark": lambda fields: Mark(fields.integer_or_none("point"), fields.integer("at")),
    "agree": lambda fields: Agree(COLORS.index(fields.one_of("color", COLORS)), fields.integer("at")),
    "link": lambda fields: Link(fields.integer("place")),
    "open": lambda fields: Open(fields.text("position", LONGEST_LINK)),
    "show": _show,
    "new": _new_game,
}
