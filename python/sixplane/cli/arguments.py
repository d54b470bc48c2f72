"""Types of arguments of the command line; argparse turns their errors into one line."""

from __future__ import annotations

import argparse
import math
import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

#: The most threads that the core accepts.
MOST_THREADS: Final = 1024

#: The most seconds, or minutes: as many seconds as a search may take.
MOST_TIME: Final = 1_000_000


def board_size(text: str) -> int | tuple[int, int]:
    """Reads `9` or `7x9`, which is 7 rows and 9 columns; does not check the limits of the game."""
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


def board_sizes(text: str) -> tuple[int | tuple[int, int], ...]:
    """Reads `7,9` or `7x9,13`."""
    return tuple(board_size(part) for part in text.split(","))


def _integer(least: int, most: int | None = None, allowed: str = "") -> Callable[[str], int]:
    """Returns the type of integers within limits."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least or (most is not None and number > most):
            raise argparse.ArgumentTypeError(f"{text!r} is no integer {allowed or f'of at least {least}'}")
        return number

    return read


def _number(allowed: str, *, has_zero: bool = False) -> Callable[[str], float]:
    """Returns the type of finite numbers above 0, or from 0 on."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not 0 <= number < math.inf or (number == 0 and not has_zero):
            raise argparse.ArgumentTypeError(f"{text!r} is no {allowed}")
        if number > MOST_TIME:
            raise argparse.ArgumentTypeError(f"{text!r} is more than {MOST_TIME:,}")
        return number

    return read


def folder(text: str) -> Path:
    """Reads the path of a folder, in which `~` is the user's home."""
    if not text:
        raise argparse.ArgumentTypeError("the name of a folder is needed")
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}") from error


def quoted(text: str) -> str:
    """Writes an argument as the shell of this system takes it."""
    return subprocess.list2cmdline([text]) if os.name == "nt" else shlex.quote(text)


natural, positive = _integer(0), _integer(1)
threads = _integer(1, MOST_THREADS, f"of at least 1 and at most {MOST_THREADS}")
port = _integer(0, 2**16 - 1, "from 0 to 65535")
seed = _integer(0, 2**63 - 1, "from 0 to 2**63 - 1")
delay = _number("number of seconds", has_zero=True)
seconds, minutes = _number("positive number of seconds"), _number("positive number of minutes")


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
        help="with --ray: the part of a GPU for each worker, such as 0.25; only nodes with GPUs work (0)",
    )


def _gpu_share(text: str) -> float:
    """Reads a part of a GPU, or 0."""
    # Few commands have one, and what it comes with takes long to import.
    from sixplane.jobs.gpu import check_gpu_share

    try:
        return check_gpu_share(float(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no share of a GPU, which is from 0.0001 to 1, or 0 for none"
        ) from error
