"""Reads the words behind a GTP command, and answers wrong ones by a failure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

#: The words behind a command -> the answer; None is an empty one.
Command: TypeAlias = "Callable[[list[str]], str | None]"

COLORS: Final = {"b": 0, "black": 0, "w": 1, "white": 1}


class Failure(Exception):  # noqa: N818 - an answer of the protocol
    """Says why a command fails: the answer is a question mark and these words, and nothing has changed."""


@contextmanager
def failing(text: str) -> Iterator[None]:
    """Makes a `Failure` with this text of a `ValueError` in the block."""
    try:
        yield
    except ValueError as error:
        raise Failure(text) from error


def exactly(count: int, words: list[str]) -> list[str]:
    """Returns the words, if there are so many."""
    if len(words) != count:
        raise Failure("syntax error")
    return words


def only(words: list[str]) -> str:
    """Returns the one word."""
    return exactly(1, words)[0]


def alone(answer: Callable[[], str | None]) -> Command:
    """Makes a command that takes no words."""

    def command(words: list[str]) -> str | None:
        exactly(0, words)
        return answer()

    return command


def integer(word: str) -> int:
    """Reads an integer of up to nine digits, without a sign."""
    if not re.fullmatch(r"\d{1,9}", word, re.A):
        raise Failure("not an integer")
    return int(word)


def number(word: str) -> float:
    """Reads a number, with a fraction or not."""
    with failing("not a number"):
        return float(word)


def color_of(word: str) -> int:
    """Reads a color: 0 for Black, 1 for White."""
    if word.lower() not in COLORS:
        raise Failure("invalid color")
    return COLORS[word.lower()]
