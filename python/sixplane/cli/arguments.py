"""Types of command line arguments; argparse turns their errors into one line."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Final

from sixplane.jobs.gpu import check_gpu_share

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "add_gpu_share_option",
    "add_ray_option",
    "board_size",
    "delay",
    "minutes",
    "natural",
    "port",
    "positive",
    "seconds",
    "seed",
    "threads",
]

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


def _integer(least: int, most: int | None = None, allowed: str = "") -> Callable[[str], int]:
    """The type of integers within limits."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least or (most is not None and number > most):
            raise argparse.ArgumentTypeError(f"{text!r} is no integer {allowed or f'of at least {least}'}")
        return number

    return read


natural, positive = _integer(0), _integer(1)
threads = _integer(1, MOST_THREADS, f"of at least 1 and at most {MOST_THREADS}")
port = _integer(0, 2**16 - 1, "from 0 to 65535")
seed = _integer(0, 2**63 - 1, "from 0 to 2**63 - 1")


def add_ray_option(parser: argparse._ActionsContainer, default: str | None = None) -> None:
    """Adds `--ray`, the same for every command that can use a cluster."""
    parser.add_argument(
        "--ray",
        default=default,
        metavar="ADDRESS",
        help="play on the nodes of a Ray cluster: HOST:PORT, ray://HOST:PORT, auto, or local",
    )


def add_gpu_share_option(parser: argparse.ArgumentParser, default: str | float = 0.0) -> None:
    """Adds `--gpu-share`, the same for every command whose cluster can compute networks."""
    parser.add_argument(
        "--gpu-share",
        type=_gpu_share,
        default=default,
        metavar="SHARE",
        help="with --ray: the part of a GPU for each that plays, such as 0.25; only nodes with GPUs play (0)",
    )


def _gpu_share(text: str) -> float:
    """A part of a GPU, or 0."""
    try:
        return check_gpu_share(float(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no share of a GPU, which is from 0.0001 to 1, or 0 for none"
        ) from error


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


def minutes(text: str) -> float:
    """How long something takes: minutes, more than 0."""
    number = _number(text)
    if not number > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number of minutes")
    return number


def _number(text: str) -> float:
    """The number, or NaN if it is none or infinite."""
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan
