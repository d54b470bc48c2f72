"""The positions of one game: its own moves, the variations of a record, and what people try out."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from sixplane._core import Game, record_name
from sixplane.games import COLORS
from sixplane.web.insight import Insight
from sixplane.web.refusal import LONGEST_NAME, one_line

#: The agent that an insight is of: the one that gives hints, or one of the players.
Source = Literal["hint", "black", "white"]

#: The hint for a position: an action, another answer, or None if nobody has asked.
HintState: TypeAlias = int | Literal["thinking", "resign"] | None

#: The number of the position at the start.
ROOT: Final = 0

#: The facts of a record that are written again, with their properties.
FACTS: Final = {"event": "EV", "date": "DT", "black_rank": "BR", "white_rank": "WR"}

#: The most positions of a game with all its variations.
MOST_PLACES: Final = 20_000


@dataclass
class Place:
    """A position of a tree, with the action that leads to it."""

    parent: int
    """The number of the position before; -1 at the start."""
    depth: int
    """The number of actions from the start."""
    color: int
    """The color that played."""
    action: int
    """The action that was played; -1 at the start."""
    is_turn_set: bool = False
    """Whether the turn was set before the action, as records do; this clears a pass and a simple ko, too."""
    turn: int | None = None
    """The color that the turn was set to after the action; None if it was not set."""
    comment: str = ""
    """The comment in the record."""
    children: list[int] = field(default_factory=list)
    """The numbers of the positions that may follow; in a record the main line goes first."""
    marks: dict[int, tuple[str, str]] = field(default_factory=dict)
    """The marks in the record by their points: a shape, or `label`, and the text of the label."""
    is_kept: bool = False
    """Whether the position stays when its move is taken back, as those of records and those tried out do."""
    insights: dict[Source, Insight] = field(default_factory=dict)
    """What agents have found in the position."""
    seconds: float | None = None
    """The seconds that the player took; None if nobody was asked, or it is not known."""
    hint: HintState = None
    """The hint for the position."""

    def add(self, source: Source, insight: Insight) -> None:
        """Keeps what an agent has found, with the owners that were known before if it has none."""
        before = self.insights.get(source)
        if before is not None and before.ownership is not None and insight.ownership is None:
            insight = replace(insight, ownership=before.ownership)
        self.insights[source] = insight


@dataclass(frozen=True)
class Location:
    """Where a page is in a tree: a line, and a position on it."""

    line: list[Place]
    """The positions of the line, from the start on."""
    at: int
    """The number of actions that lead to the position that is shown."""
    places: list[int]
    """The numbers of the positions of the line."""
    live: int
    """The number of the position to play in."""
    branch: int | None
    """The number of actions after which the line leaves the game; None if it is the game's line."""
    next: list[tuple[int, Place]]
    """The positions that may follow, with their numbers."""
    beside: list[tuple[int, Place]]
    """The position that is shown and its alternatives, with their numbers."""
    forks: list[int]
    """The numbers of actions after which there are alternatives."""


class Tree:
    """The positions of a game by their numbers, which are never used again."""

    def __init__(self, start: Game) -> None:
        self._start = start.copy()
        self._places = {ROOT: Place(parent=-1, depth=0, color=1 - start.turn, action=-1)}
        self._next = ROOT + 1
        self.about: dict[str, str] = {}
        """Facts of the record, whole: event, date, result, players and ranks, as far as it has them."""

    @classmethod
    def of(cls, game: Game) -> Tree:
        """Returns the tree of a game."""
        tree = cls(_plays_of(game)[0])
        tree.follow(game)
        return tree

    def follow(self, game: Game) -> int:
        """Adds the moves of a game that are missing, and gives the number of its last position.

        On its line the turns are those of the game.
        """
        start, plays = _plays_of(game)
        place = ROOT
        # A variation may set the turn before its first move.
        self._places[ROOT].turn = None if start == self._start else start.turn
        for color, action, turn in plays:
            place = self.add(place, color, action)
            self._places[place].turn = turn
        return place

    def __contains__(self, place: object) -> bool:
        return place in self._places

    def __getitem__(self, place: int) -> Place:
        return self._places[place]

    def __len__(self) -> int:
        return len(self._places)

    def add(self, parent: int, color: int, action: int, *, is_turn_set: bool | None = None) -> int:
        """Adds the position after an action, unless it is there, and gives its number.

        Args:
            parent: number of the position before.
            color: color that plays.
            action: action that is played.
            is_turn_set: whether the turn was set before the action; None: if it was in the position before.
        """
        before = self._places[parent]
        is_set = before.turn is not None if is_turn_set is None else is_turn_set
        for child in before.children:
            found = self._places[child]
            if (found.color, found.action, found.is_turn_set) == (color, action, is_set):
                return child
        place, self._next = self._next, self._next + 1
        self._places[place] = Place(parent, before.depth + 1, color, action, is_set)
        before.children.append(place)
        return place

    def keep(self) -> Tree:
        """Protects all positions from `prune`, and returns the tree itself."""
        for place in self._places.values():
            place.is_kept = True
        return self

    def prune(self, last: int, first: int) -> None:
        """Removes the positions from the last one back to the first, which stays, until one is to be kept."""
        while last != first and not (self._places[last].is_kept or self._places[last].children):
            parent = self._places.pop(last).parent
            self._places[parent].children.remove(last)
            last = parent

    def path(self, place: int) -> list[int]:
        """Returns the numbers of the positions from the start to this one, both included."""
        found = []
        while place >= 0:
            found.append(place)
            place = self._places[place].parent
        return found[::-1]

    def line(self, place: int) -> list[int]:
        """Returns the path to a position, and on along the first positions that follow, up to an end."""
        path = self.path(place)
        while children := self._places[path[-1]].children:
            path.append(children[0])
        return path

    def locate(self, live: int, place: int | None = None, leaf: int | None = None) -> Location:
        """Finds the line that a page follows, and its position there.

        Args:
            live: number of the position to play in.
            place: number of the position that the page looks at; None: the one to play in.
            leaf: number of a position on the line that the page follows; None: the line of the game, if the
                position is on it.
        """
        shown = place if place is not None and place in self else live
        game_path = path = self.path(live)
        if leaf in self and leaf is not None and shown in (line := self.line(leaf)):
            path = line
        elif shown not in path:
            path = self.line(shown)
        shared = sum(one == other for one, other in zip(path, game_path, strict=False))
        is_game = len(game_path) == shared
        beside = self[self[shown].parent].children if shown else []
        return Location(
            line=[copy.copy(self[one]) for one in path],
            at=path.index(shown),
            places=path,
            live=live,
            branch=None if is_game and path == game_path else shared - 1,
            next=[(one, self[one]) for one in self[shown].children],
            beside=[(one, self[one]) for one in beside],
            forks=[self[one].depth for one in path[1:] if len(self[self[one].parent].children) > 1],
        )

    def game(self, place: int) -> Game:
        """Returns a new game at a position: with the actions up to it, and the turn that was set there."""
        game = self.played(place)
        turn = self._places[place].turn
        if turn is not None:
            game.set_turn(COLORS[turn])
        return game

    def played(self, place: int) -> Game:
        """Returns a new game with the actions up to a position, without the turn that was set there."""
        game = self._start.copy()
        for one in self.path(place)[1:]:
            found = self._places[one]
            if found.is_turn_set:
                game.set_turn(COLORS[found.color])
            game.play(found.action)
        return game

    @property
    def is_plain(self) -> bool:
        """Whether there is one line only, without comments."""
        return all(len(place.children) < 2 and not place.comment for place in self._places.values())  # noqa: PLR2004 - one may follow

    @property
    def names(self) -> tuple[str, str]:
        """The names of Black and White in the record, as short as a page shows and sends them."""
        black, white = (one_line(name, LONGEST_NAME).rstrip() for name in self._whole_names)
        return black, white

    @property
    def _whole_names(self) -> tuple[str, str]:
        return self.about.get("black", ""), self.about.get("white", "")

    def names_of(self, names: tuple[str, str]) -> tuple[str, str]:
        """Returns the whole names of those who play, if they are the players of the record."""
        return self._whole_names if self.names == names else names

    def about_of(self, names: tuple[str, str]) -> dict[str, str]:
        """Returns the facts of the record without its players, if these are the names of those who play."""
        if self.names != names:
            return {}
        return {fact: text for fact, text in self.about.items() if fact not in COLORS}

    def to_sgf(self, place: int, head: Callable[[Game], str], about: Mapping[str, str]) -> str:
        """Writes all positions as SGF.

        Args:
            place: number of the position whose line goes first.
            head: game at the start -> its record, which has a root and no moves.
            about: facts to write: event, date and ranks; the head has the result.
        """
        first = set(self.path(place))
        facts = [_property(name, about.get(fact, "")) for fact, name in FACTS.items()]
        parts = [head(self._start).rstrip().removesuffix(")"), *facts, _comment(self._places[ROOT])]
        stack: list[int | str] = [")", *self._opened(ROOT, first)]
        while stack:
            one = stack.pop()
            if isinstance(one, str):
                parts.append(one)
                continue
            found = self._places[one]
            if found.is_turn_set:
                parts.append(_turn(found.color))
            parts.append(f";{'BW'[found.color]}[{record_name(self._start, found.action)}]{_comment(found)}")
            stack += self._opened(one, first)
        return "".join(parts) + "\n"

    def _opened(self, place: int, first: set[int]) -> list[int | str]:
        """Returns the positions that follow, the last one first; variations stand in brackets."""
        found = self._places[place]
        children = sorted(found.children, key=lambda child: child not in first)
        lines: list[int | str] = [*children]
        # A move that was played with the turn set has it in front of it.
        is_told = children and (children[0] in first or self._places[children[0]].is_turn_set)
        if found.turn is not None and not is_told:
            lines.insert(0, _turn(found.turn))
        if len(lines) == 1:
            return lines
        return [part for line in reversed(lines) for part in (")", line, "(")]


def _plays_of(game: Game) -> tuple[Game, list[tuple[int, int, int | None]]]:
    """Returns the game before its first play, and its plays.

    They are color and action of each play, and the color that the turn was set to after it, if it was.
    """
    earlier, plays = game.copy(), list[tuple[int, int, int | None]]()
    if earlier.ending == "resignation":
        earlier.undo()
    while number := earlier.move_number:
        turn, action = earlier.turn, earlier.last_action
        assert action is not None  # noqa: S101 - an action has been played
        earlier.undo()
        is_turn_set = earlier.move_number == number
        while earlier.move_number == number:
            earlier.undo()
        plays.append((earlier.turn, action, turn if is_turn_set else None))
    return earlier, plays[::-1]


def _turn(color: int) -> str:
    """Writes the node that sets the turn."""
    return f";PL[{'BW'[color]}]"


def _comment(place: Place) -> str:
    return _property("C", place.comment)


def _property(name: str, text: str) -> str:
    """Writes a property of SGF; one without a text is left out."""
    escaped = text.replace("\\", "\\\\").replace("]", "\\]")
    return f"{name}[{escaped}]" if text else ""
