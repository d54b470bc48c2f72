"""The table of `sixplane bench speed`: batches, environments, functions on planes."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from sixplane import _core, gogame
from sixplane.cli.bench.timing import Work, processors, rates, shown
from sixplane.masks import sample_legal

#: The numbers of games in a batch and of boards in a batch of states.
GAMES, STATES = 1024, 64

#: Name -> a game, and the mean length of a random one.
PROTOTYPES: dict[str, tuple[_core.Game, int]] = {
    "Go 9x9": (_core.Go(size=9), 119),
    "Go 19x19": (_core.Go(size=19), 580),
    "Reversi 8x8": (_core.Reversi(size=8), 60),
    "Gomoku 15x15": (_core.Gomoku(size=15), 109),
    "Connect Four 6x7": (_core.ConnectFour(), 21),
    "Hex 11x11": (_core.Hex(size=11), 107),
}

#: How many mean lengths are played before anything is measured, so that games are in all stages.
WARM_UP = 3


@dataclass
class SpeedRow:
    """A row of the table."""

    name: str
    unit: str
    #: Makes the work for a number of threads; None: for all threads.
    make: Callable[[int | None], Work]
    has_threads: bool = True


def table(arguments: argparse.Namespace) -> Iterator[str]:
    """Yields lines of items a second with one thread and with all, then with every array read by NumPy.

    Without a line that is asked for there is no head either.
    """
    rows = [row for row in _rows() if arguments.only in row.name]
    if not rows:
        return
    works: dict[tuple[str, bool, int | None], Work] = {}
    for row in rows:
        for threads in (1, None) if row.has_threads else (1,):
            work = row.make(threads)
            for is_read in (False, True):
                works[row.name, is_read, threads] = Work(work.call, work.items, is_read)
    measured = dict(
        zip(works, rates([*works.values()], runs=arguments.runs, seconds=arguments.seconds), strict=True)
    )
    columns = f"one thread | all threads ({processors()})"
    yield f"| a second | | {columns} | arrays read, {columns} |"
    yield "|---|---|---|---|---|---|"
    for row in rows:
        keys = [(row.name, is_read, threads) for is_read in (False, True) for threads in (1, None)]
        cells = [shown(measured[key]) if key in measured else "" for key in keys]
        yield f"| {row.name} | {row.unit} | {' | '.join(cells)} |"


def _rows() -> list[SpeedRow]:
    games = f"B = {GAMES}"
    rows = [
        SpeedRow(f"GameBatch, {name}, {games}", "steps", partial(batch_work, name, GAMES))
        for name in PROTOTYPES
    ]
    with suppress(ImportError):
        import gymnasium  # noqa: F401 - without it there are no environments

        rows += [
            SpeedRow(
                f"vector environment, {name}, {games}, {mode}",
                "steps",
                partial(environment_work, name, mode=mode),
            )
            for name, mode in (("Go 9x9", "next_step"), ("Go 9x9", "same_step"), ("Go 19x19", "next_step"))
        ]
        rows += [
            SpeedRow(f"environment, {name}", "steps", partial(environment_work, name), has_threads=False)
            for name in PROTOTYPES
        ]
    for size, dtype in itertools.product((9, 19), (np.uint8, np.float64)):
        named = f"{size}x{size}, {np.dtype(dtype).name}"
        one, many = f"gogame.next_state, {named}", f"gogame.batch_next_states, {STATES} boards {named}"
        rows += [
            SpeedRow(one, "states", partial(_next_state, size, dtype), has_threads=False),
            SpeedRow(many, "states", partial(_batch_next_states, size, dtype), has_threads=False),
        ]
    return rows


def batch_work(name: str, games: int, threads: int | None) -> Work:
    """Returns the work of steps of a batch, whose games are in all stages."""
    prototype, length = PROTOTYPES[name]
    batch = _core.GameBatch(prototype, games, seed=0, threads=threads)
    for _ in range(WARM_UP * length):
        batch.step(batch.sample())
    return Work(lambda: batch.step(batch.sample()), games)


def environment_work(name: str, threads: int | None = None, mode: str = "") -> Work:
    """Returns the work of steps of an environment of one game, or of a vector with a mode of autoreset."""
    import gymnasium

    prototype, length = PROTOTYPES[name]
    env_id, size = f"sixplane/{type(prototype).__name__}-v0", (prototype.rows, prototype.cols)
    env: Any = (
        gymnasium.make_vec(env_id, GAMES, size=size, autoreset_mode=mode, threads=threads)
        if mode
        else gymnasium.make(env_id, size=size, disable_env_checker=True)
    )
    rng = np.random.default_rng(0)
    mask = env.reset()[1]["action_mask"]

    def step() -> object:
        nonlocal mask
        result = env.step(sample_legal(mask, rng))
        is_over = not mode and (result[2] or result[3])
        mask = (env.reset()[1] if is_over else result[4])["action_mask"]
        return result

    for _ in range(WARM_UP * length):
        step()
    return Work(step, GAMES if mode else 1)


def _positions(size: int, dtype: DTypeLike) -> tuple[NDArray[np.generic], NDArray[np.int64]]:
    """Returns positions from all stages of random games, and a random legal action for each."""
    length = PROTOTYPES[f"Go {size}x{size}"][1] * 3 // 4
    batch = _core.GameBatch(_core.Go(size=size, ko="simple"), STATES, seed=0)
    planes, actions = [], []
    for i in range(STATES):
        batch.play_random(length * (i + 1) // STATES - length * i // STATES)
        running = np.flatnonzero(~batch.dones)[0]
        planes.append(batch.planes[running])
        actions.append(batch.sample()[running])
    return np.array(planes).astype(dtype), np.array(actions)


def _next_state(size: int, dtype: DTypeLike, _threads: int | None) -> Work:
    planes, actions = _positions(size, dtype)
    states = itertools.cycle(zip(planes, actions.tolist(), strict=True))
    next_state = gogame.next_state
    return Work(lambda: next_state(*next(states)), 1)


def _batch_next_states(size: int, dtype: DTypeLike, _threads: int | None) -> Work:
    planes, actions = _positions(size, dtype)
    return Work(lambda: gogame.batch_next_states(planes, actions), STATES)
