"""Bytes of a game in a batch, what a long run takes, and what a step writes: `python benches/memory.py`.

It reads `/proc`, so it runs on Linux.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sixplane import _core
from sixplane.cli.bench.speed import PROTOTYPES, batch_work
from sixplane.cli.bench.timing import Work, machine, rates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GAMES = 1024

#: A batch is too small to be told from the rest of the process; so many are not.
BATCHES = 8


def options() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="runs of each line (7)")
    parser.add_argument("--seconds", type=float, default=0.3, help="how long a run takes (0.3)")
    parser.add_argument("--only", default="", metavar="TEXT", help="lines that contain this text")
    parser.add_argument("--steps", type=int, default=10_000_000, help="length of the long run (10,000,000)")
    return parser.parse_args()


def table(arguments: argparse.Namespace) -> Iterator[str]:
    """Bytes of a game at its start and in all stages of play; growth over a long run; bytes a step writes."""
    names = [name for name in PROTOTYPES if arguments.only in name]
    yield "| GameBatch, B = 1024 | bytes a game, at the start | after random play | in its second game |"
    yield "|---|---|---|---|"
    for name in names:
        yield f"| {name} | {' | '.join(f'{size:,.0f}' for size in _alone(_bytes_a_game, name))} |"

    yield ""
    fifths = " | ".join(f"{i}/5" for i in range(1, 6))
    yield f"| resident memory, MiB | after the warm-up | {fifths} of the steps |"
    yield "|---|---|---|---|---|---|---|"
    for name in names:
        sizes = [f"{size / 2**20:.1f}" for size in _alone(long_run, name, arguments.steps)]
        yield f"| {name}, {arguments.steps:,} steps with `same_step` | {' | '.join(sizes)} |"

    yield ""
    yield "| a step of 1024 games | writes, MB | takes, µs | to copy as much takes NumPy, µs |"
    yield "|---|---|---|---|"
    for name in names:
        work = batch_work(name, GAMES, None)
        # The final planes and masks are only of the games that have ended.
        written = sum(array.nbytes for array in work.call() if len(array) == GAMES)
        source, target = np.ones(written, np.uint8), np.ones(written, np.uint8)
        copy = Work(_copying(source, target), GAMES)
        step, copied = rates([work, copy], runs=arguments.runs, seconds=arguments.seconds)
        yield f"| {name} | {written / 1e6:.2f} | {GAMES / step * 1e6:,.0f} | {GAMES / copied * 1e6:,.0f} |"


def resident() -> int:
    """Bytes of memory that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _copying(source: npt.NDArray[np.uint8], target: npt.NDArray[np.uint8]) -> Callable[[], None]:
    return lambda: np.copyto(target, source)


def _alone(measure: Callable[..., list[float]], *arguments: object) -> list[float]:
    """What is measured in a process of its own, where nothing was there before."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as process:
        return process.submit(measure, *arguments).result()


def _bytes_a_game(name: str) -> list[float]:
    prototype, length = PROTOTYPES[name]
    # Fills what the imports have left free, so that the batches below need memory of their own.
    filling = [_core.GameBatch(prototype, GAMES, seed=seed, threads=1) for seed in range(BATCHES)]
    before = resident()
    batches = [_core.GameBatch(prototype, GAMES, seed=seed, threads=1) for seed in range(BATCHES)]
    held = [resident()]
    for batch in batches:
        batch.play_random(length)
    held.append(resident())
    for batch in batches:
        batch.reset()
        batch.play_random(length)
    held.append(resident())
    del filling
    return [(now - before) / (BATCHES * GAMES) for now in held]


def long_run(name: str, steps: int) -> list[float]:
    """Bytes held after a warm-up, and after each fifth of so many steps with auto-reset."""
    prototype, length = PROTOTYPES[name]
    batch = _core.GameBatch(prototype, GAMES, seed=0)
    held: list[float] = []
    for calls in [3 * length] + [max(1, steps // (5 * GAMES))] * 5:
        for _ in range(calls):
            batch.step(batch.sample())
        held.append(resident())
    return held


if __name__ == "__main__":
    print(machine(), end="\n\n")
    for line in table(options()):
        print(line, flush=True)
