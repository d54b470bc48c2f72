"""The words behind a GTP command, and the failure that answers wrong ones."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["COLORS", "Failure", "color_of", "exactly", "integer", "number", "only"]

COLORS: Final = {"b": 0, "black": 0, "w": 1, "white": 1}


class Failure(Exception):  # noqa: N818 - an answer of the protocol
    """A command that fails: the answer is a question mark and these words, and nothing has changed."""


def exactly(count: int, words: list[str]) -> list[str]:
    """The first words; clients may add more.

    Raises:
        Failure: there are fewer.
    """
    if len(words) < count:
        raise Failure("syntax error")
    return words[:count]


def only(words: list[str]) -> str:
    """The first word.

    Raises:
        Failure: there is none.
    """
    return exactly(1, words)[0]


def integer(word: str) -> int:
    """An integer of up to nine digits, without a sign.

    Raises:
        Failure: the word is something else.
    """
    if not re.fullmatch(r"\d{1,9}", word, re.A):
        raise Failure("not an integer")
    return int(word)


def number(word: str) -> float:
    """Any number.

    Raises:
        Failure: the word is no number.
    """
    try:
        return float(word)
    except ValueError as error:
        raise Failure("not a number") from error


def color_of(word: str) -> int:
    """0 for Black, 1 for White.

    Raises:
        Failure: the word names neither.
    """
    if word.lower() not in COLORS:
        raise Failure("invalid color")
    return COLORS[word.lower()]
