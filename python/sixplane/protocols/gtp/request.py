"""Reads what the words behind a command of analysis ask for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sixplane._core import Game
from sixplane.protocols.gtp.arguments import COLORS, Failure, integer

#: A number as it is written, without a sign.
NUMBER: Final = re.compile(r"\d{1,12}(\.\d{0,12})?", re.A)

#: The fewest and the most hundredths of a second between two reports.
SHORTEST, LONGEST = 1.0, 360_000.0

#: The additions that reports in KataGo's format may have beside the moves.
ADDITIONS: Final = frozenset({"rootinfo", "ownership", "pvvisits", "pvedgevisits"})


@dataclass
class Request:
    """A request is what a command of analysis asks for."""

    color: int | None = None
    """The color to play; None: the player to play in the game."""
    interval: float = 1.0
    """Seconds between two reports."""
    least: int = 0
    """The least number of moves in a report, unvisited ones included."""
    most: int = 1000
    """The most moves in a report."""
    additions: set[str] = field(default_factory=set)
    """The members of `ADDITIONS` that reports have."""
    avoided: dict[int, set[int]] = field(default_factory=dict)
    """The actions that a color may not choose."""
    allowed: dict[int, set[int]] = field(default_factory=dict)
    """The only actions that a color may choose."""

    def mask(self, game: Game) -> NDArray[np.bool_] | None:
        """Returns the actions that the player to play may choose, `(A,)`; None: all legal ones."""
        if game.turn in self.allowed:
            mask = np.zeros(game.num_actions, np.bool_)
            mask[list(self.allowed[game.turn])] = True
        elif game.turn in self.avoided:
            mask = np.ones(game.num_actions, np.bool_)
            mask[list(self.avoided[game.turn])] = False
        else:
            return None
        if not mask[game.legal_actions].any():
            raise Failure("no allowed move is legal")
        return mask

    def restrict(self, name: str, color: int, actions: set[int]) -> None:
        """Takes `avoid`, or `allow`, of which a color has one and nothing else.

        Raises:
            ValueError: the color has an `allow`, or something that does not go with one.
        """
        if color in self.allowed or (name == "allow" and color in self.avoided):
            raise ValueError(name)
        if name == "allow":
            self.allowed[color] = actions
        else:
            self.avoided.setdefault(color, set()).update(actions)


def read_request(words: list[str], game: Game, *, kata: bool) -> Request:
    """Reads `[color] [centiseconds] [name value]...`, of which each may be given once, `avoid` more often.

    Args:
        words: the words behind the command.
        game: names the points.
        kata: whether reports are in KataGo's format, which has the `ADDITIONS`.

    Raises:
        Failure: an unknown name, a wrong value, or a word too many.
    """
    request, rest, given = Request(), words[::-1], set()
    try:
        while rest:
            name = rest.pop().lower()
            if name in COLORS or NUMBER.fullmatch(name):
                # Leela Zero takes both without a name, at any place.
                rest.append(name)
                name = "a color" if name in COLORS else "interval"
            if name in {"avoid", "allow"}:
                color, points, depth = COLORS[rest.pop().lower()], rest.pop(), rest.pop()
                if integer(depth) < 1:
                    raise ValueError(depth)
                request.restrict(name, color, {_action(game, point) for point in points.split(",")})
                continue
            if name in given:
                raise ValueError(name)
            given.add(name)
            _take(request, name, rest.pop(), kata=kata)
    except (Failure, LookupError, ValueError) as error:
        raise Failure("syntax error") from error
    return request


def _take(request: Request, name: str, value: str, *, kata: bool) -> None:
    """Takes an entry that has one value; an unknown name or a wrong value raises an error of any kind."""
    match name:
        case "a color":
            request.color = COLORS[value]
        case "interval":
            if not NUMBER.fullmatch(value):
                raise ValueError(value)
            request.interval = min(max(float(value), SHORTEST), LONGEST) / 100
        case "minmoves":
            request.least = integer(value)
        case "maxmoves":
            request.most = max(integer(value), 1)
        case _ if kata and name in ADDITIONS:
            if {"true": True, "false": False}[value.lower()]:
                request.additions.add(name)
        case _:
            raise ValueError(name)


def _action(game: Game, point: str) -> int:
    if not point:
        raise ValueError("a point is missing")
    return game.name_to_action(point)
