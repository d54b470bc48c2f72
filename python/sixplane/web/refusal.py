"""Why something that a page asks for is not done, and how a text becomes one line."""

from __future__ import annotations

from typing import Final

__all__ = ["LONGEST_NAME", "RefusedError", "one_line"]

#: Characters of the name of a player.
LONGEST_NAME: Final = 40


class RefusedError(Exception):
    """Why a session does not do what a page asked for.

    Attributes:
        reason: a word for the page, such as `ko` or `not_your_turn`.
    """

    def __init__(self, reason: str, message: str | None = None) -> None:
        super().__init__(reason.replace("_", " ") if message is None else message)
        self.reason = reason


def one_line(text: str, longest: int) -> str:
    """A text in one line, without what cannot be seen, of at most so many characters."""
    # What is cut off is not looked at, however long it is.
    printable = (char if char.isprintable() else " " for char in text[: 10 * longest])
    return " ".join("".join(printable).split())[:longest]
