"""Types of command line arguments; argparse turns their errors into one line."""

from __future__ import annotations

import argparse
import math
from typing import Final

__all__ = ["board_size", "delay", "natural", "positive", "seconds", "seed", "threads"]

#: The most threads that the core accepts.
MOST_THREADS: Final = 1024


def board_size(text: str) -> int | tuple[int, int]:
    """`9` is 9x9; `7x9` is 7 rows and 9 columns. Does not check the limits of the game."""
    sides = text.lower().split("x")
    try:
        numbers = [int(side) for side in sides]
    except ValueError:
        numbers = []
    match numbers:
        case [side]:
            return side
        case [rows, cols]:
            return rows, cols
    raise argparse.ArgumentTypeError(f"{text!r} is no size; write 9 or 7x9 (rows x columns)")


def positive(text: str) -> int:
    """An integer of at least 1."""
    number = _integer(text)
    if number is None or number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no integer of at least 1")
    return number


def natural(text: str) -> int:
    """An integer of at least 0."""
    number = _integer(text)
    if number is None or number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no integer of at least 0")
    return number


def threads(text: str) -> int:
    """A number of threads."""
    number = _integer(text)
    if number is None or not 1 <= number <= MOST_THREADS:
        raise argparse.ArgumentTypeError(f"{text!r} is no integer of at least 1 and at most {MOST_THREADS}")
    return number


def seed(text: str) -> int:
    """An integer of 63 bits without sign."""
    number = _integer(text)
    if number is None or not 0 <= number < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is no integer from 0 to 2**63 - 1")
    return number


def delay(text: str) -> float:
    """Seconds to wait, 0 or more."""
    number = _number(text)
    if not number >= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds")
    return number


def seconds(text: str) -> float:
    """A time limit: seconds, more than 0."""
    number = _number(text)
    if not number > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number of seconds")
    return number


def _number(text: str) -> float:
    """The number, or NaN if it is none or infinite."""
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan


def _integer(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
