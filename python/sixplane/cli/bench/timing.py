"""Measures rates of work in turns, and describes the machine."""

from __future__ import annotations

import datetime as dt
import gc
import os
import platform
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from timeit import timeit

import numpy as np

from sixplane import _core


@dataclass
class Work:
    """Work is a call that is made again and again."""

    call: Callable[[], object]
    #: How many steps or states one call counts for.
    items: int
    #: Whether the time includes that NumPy goes through every array that a call returns.
    is_read: bool = False


def rates(works: Sequence[Work], *, runs: int, seconds: float) -> list[float]:
    """Returns the items a second of each work, the median of its runs; the works take turns.

    A shared machine is faster in one minute than in the next: taking turns spreads that over all.
    """
    calls = [_calls_in(work, seconds) for work in works]
    measured: list[list[float]] = [[] for _ in works]
    for _ in range(runs):
        for work, count, results in zip(works, calls, measured, strict=True):
            results.append(count * work.items / _seconds_of(work, count))
    return [median(results) for results in measured]


def _calls_in(work: Work, seconds: float) -> int:
    calls = 1
    while (taken := _seconds_of(work, calls)) < seconds / 4:
        calls *= 2
    return max(1, round(calls * seconds / taken))


def _seconds_of(work: Work, calls: int) -> float:
    call = (lambda: read(work.call())) if work.is_read else work.call
    # What a call leaves behind is collected within its time.
    return timeit(call, gc.enable, number=calls)


def read(value: object) -> None:
    """Goes through all numbers of all arrays in a tuple or dict."""
    if isinstance(value, np.ndarray):
        if value.dtype != object and value.size:
            # Of what reads all numbers, the quickest for small arrays, and for large ones.
            np.count_nonzero(value) if value.nbytes < 1 << 14 else value.max()
    elif isinstance(value, tuple):
        for part in value:
            read(part)
    elif isinstance(value, dict):
        for part in value.values():
            read(part)


def shown(rate: float) -> str:
    """Writes a rate in three figures: `1.23 M`, `456 k`."""
    rounded = float(f"{rate:.3g}")
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if rounded >= size:
            number = rounded / size
            return f"{number:.{max(0, 2 - int(np.log10(number)))}f}{letter}"
    return f"{rate:.0f}"


def processors() -> int:
    """Returns how many processors this process may use."""
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine() -> str:
    """Describes in one line the version and the machine that the figures hold for."""
    name = platform.processor() or platform.machine()
    with suppress(OSError):
        models = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
        name = models[0].partition(":")[2].strip() if models else name
    python = ".".join(map(str, sys.version_info[:3]))
    return (
        f"sixplane {_core.__version__} ({_core.PROFILE} profile), {dt.datetime.now(tz=dt.UTC):%Y-%m-%d}: "
        f"{name}, {processors()} processors, {platform.system()}, Python {python}, NumPy {np.__version__}"
    )
