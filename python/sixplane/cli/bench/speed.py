"""The table of speeds: batches, environments, functions on planes."""

from __future__ import annotations

import itertools
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sixplane import _core, gogame
from sixplane.cli import CommandError
from sixplane.cli.bench.timing import Work, processors, rates, shown
from sixplane.masks import sample_legal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from numpy.typing import DTypeLike, NDArray

__all__ = ["PROTOTYPES", "batch_work", "environment_work", "table"]

#: Games in a batch and boards in a batch of states.
GAMES, STATES = 1024, 64

#: Name -> a game, and how long a random one is on average.
PROTOTYPES: dict[str, tuple[_core.Game, int]] = {
    "Go 9x9": (_core.Go(size=9), 119),
    "Go 19x19": (_core.Go(size=19), 580),
    "Reversi 8x8": (_core.Reversi(size=8), 60),
    "Gomoku 15x15": (_core.Gomoku(size=15), 109),
}

#: So many mean lengths are played before anything is measured, so that games are in all stages.
WARM_UP = 3


@dataclass
class Line:
    """A line of the table."""

    name: str
    unit: str
    #: Makes the work for a number of threads; None: all.
    make: Callable[[int | None], Work]
    has_threads: bool = True


def table(arguments: argparse.Namespace) -> Iterator[str]:
    """Items a second with one thread and with all, then with every array read by NumPy.

    Raises:
        CommandError: no line contains the text that was asked for.
    """
    lines = [line for line in _lines() if arguments.only in line.name]
    if not lines:
        raise CommandError(f"no line contains {arguments.only!r}", status=2)
    works: list[Work] = []
    places: list[list[int | None]] = []
    for line in lines:
        one = line.make(1)
        every = line.make(None) if line.has_threads else None
        place: list[int | None] = []
        for work, is_read in itertools.product((one, every), (False, True)):
            place.append(None if work is None else len(works))
            if work is not None:
                works.append(Work(work.call, work.items, is_read))
        places.append(place)
    measured = rates(works, runs=arguments.runs, seconds=arguments.seconds)

    count = processors()
    threads = f"one thread | all threads ({count})"
    yield f"| a second | | {threads} | arrays read, {threads} |"
    yield "|---|---|---|---|---|---|"
    for line, (one_plain, one_read, all_plain, all_read) in zip(lines, places, strict=True):
        cells = [
            "" if place is None else shown(measured[place])
            for place in (one_plain, all_plain, one_read, all_read)
        ]
        yield f"| {line.name} | {line.unit} | {' | '.join(cells)} |"


def _lines() -> list[Line]:
    games = f"B = {GAMES}"
    lines = [
        Line(f"GameBatch, {name}, {games}", "steps", partial(batch_work, name, GAMES)) for name in PROTOTYPES
    ]
    with suppress(ImportError):
        import gymnasium  # noqa: F401 - without it there are no environments

        lines += [
            Line(f"vector environment, {name}, {games}, {mode}", "steps", partial(_vector_work, name, mode))
            for name, mode in (("Go 9x9", "next_step"), ("Go 9x9", "same_step"), ("Go 19x19", "next_step"))
        ]
        lines += [
            Line(f"environment, {name}", "steps", partial(environment_work, name), has_threads=False)
            for name in PROTOTYPES
        ]
    for size, dtype in itertools.product((9, 19), (np.uint8, np.float64)):
        named = f"{size}x{size}, {np.dtype(dtype).name}"
        one, many = f"gogame.next_state, {named}", f"gogame.batch_next_states, {STATES} boards {named}"
        lines += [
            Line(one, "states", partial(_next_state, size, dtype), has_threads=False),
            Line(many, "states", partial(_batch_next_states, size, dtype), has_threads=False),
        ]
    return lines


def batch_work(name: str, games: int, threads: int | None) -> Work:
    """Steps of a batch, warmed up."""
    prototype, length = PROTOTYPES[name]
    batch = _core.GameBatch(prototype, games, seed=0, threads=threads)
    for _ in range(WARM_UP * length):
        batch.step(batch.sample())
    return Work(lambda: batch.step(batch.sample()), games)


def _vector_work(name: str, mode: str, threads: int | None) -> Work:
    import gymnasium

    prototype, length = PROTOTYPES[name]
    envs = gymnasium.make_vec(
        f"sixplane/{name.split(maxsplit=1)[0]}-v0",
        GAMES,
        size=(prototype.rows, prototype.cols),
        autoreset_mode=mode,
        threads=threads,
    )
    rng = np.random.default_rng(0)
    masks = envs.reset()[1]["action_mask"]

    def step() -> object:
        nonlocal masks
        result = envs.step(sample_legal(masks, rng))
        masks = result[4]["action_mask"]
        return result

    for _ in range(WARM_UP * length):
        step()
    return Work(step, GAMES)


def environment_work(name: str, _threads: int | None = None) -> Work:
    """Steps of the Gymnasium environment of one game, warmed up."""
    import gymnasium

    prototype, length = PROTOTYPES[name]
    size = (prototype.rows, prototype.cols)
    env = gymnasium.make(f"sixplane/{name.split(maxsplit=1)[0]}-v0", size=size, disable_env_checker=True)
    rng = np.random.default_rng(0)
    mask = env.reset()[1]["action_mask"]

    def step() -> object:
        nonlocal mask
        result = env.step(sample_legal(mask, rng))
        over = result[2] or result[3]
        mask = (env.reset()[1] if over else result[4])["action_mask"]
        return result

    for _ in range(WARM_UP * length):
        step()
    return Work(step, 1)


def _positions(size: int, dtype: DTypeLike) -> tuple[NDArray[np.generic], NDArray[np.int64]]:
    """Positions from all stages of random games, and a random legal action for each."""
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
