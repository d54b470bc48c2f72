"""The positions of one game: its own moves, the variations of a record, and what people try out."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from sixplane._core import record_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sixplane._core import Game
    from sixplane.web.insight import Insight

__all__ = ["MOST_PLACES", "ROOT", "HintState", "Location", "Place", "Source", "Tree", "moves", "past"]

#: Who tells what it thinks of a position: the agent that gives hints, or one of the players.
Source = Literal["hint", "black", "white"]

#: The action to play, or what else a hint says.
HintState: TypeAlias = int | Literal["thinking", "resign"] | None

#: The number of the start.
ROOT: Final = 0

#: Positions of one game, with all variations.
MOST_PLACES: Final = 20_000


@dataclass
class Place:
    """A position, by the action that leads to it."""

    parent: int
    """The number of the position before; of the start, -1."""
    depth: int
    """Actions from the start."""
    color: int
    """The color that played."""
    action: int
    """The action that was played; at the start, -1."""
    comment: str = ""
    """The comment of the record."""
    children: list[int] = field(default_factory=list)
    """The positions that may follow; in a record its main line goes first."""
    marks: dict[int, tuple[str, str]] = field(default_factory=dict)
    """The marks of the record: point -> a shape, or `label` and its text."""
    is_kept: bool = False
    """Whether it stays when the move that leads to it is taken back: it is of a record, or was tried out."""
    insights: dict[Source, Insight] = field(default_factory=dict)
    """What agents say of the position."""
    seconds: float | None = None
    """Seconds that the player took; None: nobody was asked, or nobody knows."""
    hint: HintState = None
    """What the agent that gives hints would play; None if nobody has asked."""


@dataclass(frozen=True)
class Location:
    """A page that looks at a position on one of the lines of a tree."""

    line: list[Place]
    """The positions of the line that the page looks at, from the start on."""
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
    about: dict[str, str]
    """What the record says of the game: event, date, result and ranks, and the names of its players."""


class Tree:
    """Positions by numbers, which are never used again.

    Args:
        start: the game before its first action.
    """

    def __init__(self, start: Game) -> None:
        self._start = start.copy()
        self._places = {ROOT: Place(parent=-1, depth=0, color=1 - start.turn, action=-1)}
        self._next = ROOT + 1
        self.about: dict[str, str] = {}
        """What the record says of the game, by the names of `Location.about`."""

    @classmethod
    def of(cls, game: Game) -> tuple[Tree, int]:
        """The tree of a game, and the number of its last position."""
        tree = cls(past(game, 0))
        return tree, tree.follow(game)

    def follow(self, game: Game) -> int:
        """The number of a game's last position, whose moves are added where they are missing."""
        place = ROOT
        for color, action in moves(game):
            place = self.add(place, color, action)
        return place

    def __contains__(self, place: object) -> bool:
        return place in self._places

    def __getitem__(self, place: int) -> Place:
        return self._places[place]

    def __len__(self) -> int:
        return len(self._places)

    def add(self, parent: int, color: int, action: int) -> int:
        """The number of the position after an action, which may be there already."""
        before = self._places[parent]
        for child in before.children:
            found = self._places[child]
            if (found.color, found.action) == (color, action):
                return child
        place, self._next = self._next, self._next + 1
        self._places[place] = Place(parent, before.depth + 1, color, action)
        before.children.append(place)
        return place

    def keep(self) -> Tree:
        """Lets `prune` forget nothing that is there now; returns the tree itself."""
        for place in self._places.values():
            place.is_kept = True
        return self

    def prune(self, last: int, first: int) -> None:
        """Forgets the positions from the last one back to the first, which stays, but for those to keep."""
        while last != first and not (self._places[last].is_kept or self._places[last].children):
            parent = self._places[last].parent
            self.drop(last)
            last = parent

    def drop(self, place: int) -> None:
        """Forgets a position, which is not the start, and all that follow it."""
        self._places[self._places[place].parent].children.remove(place)
        stack = [place]
        while stack:
            stack += self._places.pop(stack.pop()).children

    def path(self, place: int) -> list[int]:
        """The positions from the start to this one, both included."""
        found = []
        while place >= 0:
            found.append(place)
            place = self._places[place].parent
        return found[::-1]

    def line(self, place: int) -> list[int]:
        """The path to a position, and the first of what follows it, up to an end."""
        path = self.path(place)
        while children := self._places[path[-1]].children:
            path.append(children[0])
        return path

    def locate(self, live: int, place: int | None = None, leaf: int | None = None) -> Location:
        """What a page sees that looks at a position.

        Args:
            live: the number of the position to play in.
            place: that of the position that the page looks at; None: the one to play in.
            leaf: that of a position whose line the page goes along; None: the game's, if it leads there.
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
            about=self.about,
            forks=[self[one].depth for one in path[1:] if len(self[self[one].parent].children) > 1],
        )

    def game(self, place: int) -> Game:
        """A new game with the actions up to a position."""
        game = self._start.copy()
        for one in self.path(place)[1:]:
            found = self._places[one]
            if game.turn != found.color:
                game.set_turn("white" if found.color else "black")
            game.play(found.action)
        return game

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._start.rows, self._start.cols

    @property
    def is_plain(self) -> bool:
        """Whether there is one line without comments, such as the record of a game has."""
        return all(len(place.children) < 2 and not place.comment for place in self._places.values())  # noqa: PLR2004 - one may follow

    def to_sgf(self, place: int, head: Callable[[Game], str]) -> str:
        """All positions as SGF.

        Args:
            place: the line to this position goes first.
            head: gives the record of the start, whose tree ends with its root.
        """
        first = set(self.path(place))
        parts = [head(self._start).rstrip().removesuffix(")"), _comment(self._places[ROOT])]
        stack: list[int | str] = [")", *self._opened(ROOT, first)]
        while stack:
            one = stack.pop()
            if isinstance(one, str):
                parts.append(one)
                continue
            found = self._places[one]
            parts.append(f";{'BW'[found.color]}[{record_name(self._start, found.action)}]{_comment(found)}")
            stack += self._opened(one, first)
        return "".join(parts) + "\n"

    def _opened(self, place: int, first: set[int]) -> list[int | str]:
        """What follows a position, the last first; variations in brackets."""
        children = sorted(self._places[place].children, key=lambda child: child not in first)
        if len(children) == 1:
            return [children[0]]
        return [part for child in reversed(children) for part in (")", child, "(")]


def _comment(place: Place) -> str:
    text = place.comment.replace("\\", "\\\\").replace("]", "\\]")
    return f"C[{text}]" if text else ""


def past(game: Game, at: int) -> Game:
    """The game as it was after so many actions."""
    game = game.copy()
    while game.is_over and game.reason == "resignation":
        game.undo()
    while game.move_number > at:
        game.undo()
    return game


def moves(game: Game) -> list[tuple[int, int]]:
    """The color and the action of every move."""

    def backwards() -> Iterator[tuple[int, int]]:
        earlier = game.copy()
        while (number := earlier.move_number) > 0:
            action = earlier.last_action
            while earlier.move_number == number:
                earlier.undo()
            assert action is not None  # noqa: S101 - a move has been played
            yield earlier.turn, action

    return list(backwards())[::-1]
