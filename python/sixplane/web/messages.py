"""The messages of a page: JSON texts, which are read with limits.

Each kind of message is one class: its fields say what is read, and its method `do` does it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from sixplane.games import COLORS
from sixplane.web.links import LONGEST_LINK, position_of, text_of
from sixplane.web.opponents import Opponents
from sixplane.web.refusal import RefusedError, one_line
from sixplane.web.requested import ColorName, Count, Display, RequestedGame
from sixplane.web.session import PageSession
from sixplane.web.tab import Tab

#: The most characters of the error about a message that cannot be read.
LONGEST_REFUSAL: Final = 100


class MessageForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower):
    """The base of all messages: an object whose field `do` names its class."""


class GameMessage(MessageForm, frozen=True):
    """A message about the game, which all pages share."""

    def do(self, session: PageSession) -> None:
        """Does what the page asks for, or raises a `RefusedError`."""
        raise NotImplementedError


class TabMessage(MessageForm, frozen=True):
    """A message that concerns one page alone."""

    def do(self, tab: Tab) -> None:
        """Does what the page asks for, or raises a `RefusedError`."""
        raise NotImplementedError


class BeginMessage(MessageForm, frozen=True):
    """A message that begins another game. This may take up to a minute."""

    def do(self, session: PageSession, opponents: Opponents) -> None:
        """Does what the page asks for, in any thread, or raises a `RefusedError`."""
        raise NotImplementedError


class Play(GameMessage, frozen=True):
    """Plays an action for a person, whose page shows the position after `at` actions of the game `serial`."""

    action: Count
    at: Count
    serial: Count | None = None

    def do(self, session: PageSession) -> None:
        session.numbered(self.serial).play(self.action, self.at)


class Resign(GameMessage, frozen=True):
    """Resigns for the person to play, or for the only person, in the game with this number."""

    at: Count
    serial: Count | None = None

    def do(self, session: PageSession) -> None:
        session.numbered(self.serial).resign(self.at)


class Stop(GameMessage, frozen=True):
    """Stops the game with this number for a person; the board decides as it stands."""

    at: Count
    serial: Count | None = None

    def do(self, session: PageSession) -> None:
        session.numbered(self.serial).stop(self.at)


class Undo(GameMessage, frozen=True):
    """Takes back the last move of a person in the game with this number."""

    serial: Count | None = None

    def do(self, session: PageSession) -> None:
        session.numbered(self.serial).undo()


class Again(GameMessage, frozen=True):
    """Begins once more, after the game is over, with the same players."""

    def do(self, session: PageSession) -> None:
        session.again()


class Mark(GameMessage, frozen=True):
    """Marks a chain as dead or alive after two passes; None: the stones that random games find dead."""

    point: Count | None
    at: Count
    serial: Count | None = None

    def do(self, session: PageSession) -> None:
        session.numbered(self.serial).mark(self.point, self.at)


class Agree(GameMessage, frozen=True):
    """Agrees with the marks for the person of this color."""

    color: ColorName
    at: Count
    serial: Count | None = None

    def do(self, session: PageSession) -> None:
        session.numbered(self.serial).agree(COLORS.index(self.color), self.at)


class Look(TabMessage, frozen=True):
    """Looks at the position after so many actions; None: at the game as it goes on."""

    at: Count | None

    def do(self, tab: Tab) -> None:
        tab.look(self.at)


class Browse(TabMessage, frozen=True):
    """Looks at the next position on the line, or with -1 at the one before."""

    by: Literal[-1, 1]

    def do(self, tab: Tab) -> None:
        tab.browse(self.by)


class GoTo(TabMessage, frozen=True, tag="go"):
    """Looks at the position with this number, such as one of a variation."""

    place: Count

    def do(self, tab: Tab) -> None:
        tab.go(self.place)


class Try(TabMessage, frozen=True):
    """Tries an action out in the position with this number, in the game `serial`, which stays as it is."""

    action: Count
    place: Count
    serial: Count | None = None

    def do(self, tab: Tab) -> None:
        tab.go(tab.session.try_out(self.place, self.action, self.serial))


class Hint(TabMessage, frozen=True):
    """Asks for a hint in the position that the page looks at."""

    def do(self, tab: Tab) -> None:
        tab.session.ask_hint(tab.place, tab)


class Better(TabMessage, frozen=True):
    """Looks at the last choice of a person before the position that is shown, and asks for a hint there."""

    def do(self, tab: Tab) -> None:
        if tab.look_at_choice():
            tab.session.ask_hint(tab.place, tab)


class Link(TabMessage, frozen=True):
    """Asks for a text from which `Open` reproduces the position with this number."""

    place: Count

    def do(self, tab: Tab) -> None:
        tab.send({"type": "link", "position": text_of(tab.session.game_at(self.place))})


class Show(TabMessage, Display, frozen=True):
    """Sets how this page shows the board."""

    def do(self, tab: Tab) -> None:
        tab.display = self


class Open(BeginMessage, frozen=True):
    """Begins a game of two persons from a position that `Link` wrote."""

    position: Annotated[str, Meta(max_length=LONGEST_LINK)]

    def do(self, session: PageSession, opponents: Opponents) -> None:
        game = position_of(self.position, session.snapshot().game)
        session.new(opponents.persons(game, ("", "")), game)


class NewGame(BeginMessage, RequestedGame, frozen=True, tag="new"):
    """Begins a game with these rules and players, or continues from a position of the game that is shown."""

    def do(self, session: PageSession, opponents: Opponents) -> None:
        if self.place is None:
            session.new(*opponents.players(self))
            return
        serial = session.snapshot().serial if self.serial is None else self.serial
        session.numbered(serial)
        game = session.game_at(self.place)
        if game.is_over:
            raise RefusedError("game_over")
        players, _ = opponents.players(self, game)
        session.resume(players, self.place, serial)


Message = GameMessage | TabMessage | BeginMessage

_CLASSES: Final = [one for kind in (GameMessage, TabMessage, BeginMessage) for one in kind.__subclasses__()]
_DECODER: Final[msgspec.json.Decoder[Message]] = msgspec.json.Decoder(reduce(or_, _CLASSES))


def read_message(text: str | bytes) -> Message:
    """Returns the message in a text.

    Raises:
        RefusedError: the text is no JSON object, or a field is missing, unknown, of another type or too
            large.

    Example:
        >>> read_message('{"do": "play", "action": 12, "at": 0}')
        Play(action=12, at=0, serial=None)
    """
    with refusals():
        return _DECODER.decode(text)


@contextmanager
def refusals() -> Iterator[None]:
    """Turns the errors of msgspec into a `RefusedError` of one line."""
    try:
        yield
    except (ValueError, RecursionError) as error:
        raise RefusedError("bad_message", one_line(str(error), LONGEST_REFUSAL)) from error
