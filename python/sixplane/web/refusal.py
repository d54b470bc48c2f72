"""Why a request of a page is refused, and how a text becomes one line."""

from __future__ import annotations

from typing import Final

from sixplane.errors import GameRulesError

#: The most characters of the name of a player.
LONGEST_NAME: Final = 40


class RefusedError(Exception):
    """A request of a page that is refused.

    Attributes:
        reason: word for the page, such as `ko` or `not_your_turn`.
    """

    def __init__(self, reason: str, message: str | None = None) -> None:
        super().__init__(reason.replace("_", " ") if message is None else message)
        self.reason = reason


def rules_failed(error: GameRulesError) -> str:
    """Returns what went wrong in one line, without the position, which the page shows."""
    return f"the rules of {error.game}: {error.what}"


def one_line(text: str, longest: int) -> str:
    """Returns the text in one line of at most `longest` characters, without those that cannot be seen."""
    # What is cut off is not looked at, however long it is.
    printable = (char if char.isprintable() else " " for char in text[: 10 * longest])
    return " ".join("".join(printable).split())[:longest]
