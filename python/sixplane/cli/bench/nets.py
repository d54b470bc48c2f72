"""The table of `sixplane bench nets`: how many positions networks evaluate in a second."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sixplane._core import GameBatch, Go
from sixplane.cli.bench.timing import Work, rates, shown
from sixplane.nets import Architecture, Network, installed_backends
from sixplane.nets.backend import BackendName, PrecisionName, has_fast_bfloat16, has_fast_int8

SIZE: Final = 9

#: The blocks and channels of the networks.
SHAPES: Final = ((4, 32), (5, 64))

#: The numbers of positions in a call.
COUNTS: Final = (1, 8, 32, 128)

#: The most calls before the measurement, and how many times as long as a run they take at most.
WARM_CALLS: Final = 110
WARM: Final = 5

#: The backends that compute in bfloat16, too, where the processor is fast at it.
BOTH: Final = ("openvino", "torch")


def table(arguments: argparse.Namespace) -> Iterator[str]:
    """Yields lines of evaluations a second on one thread, from planes to logits and values, by backend.

    Without a line that is asked for there is no head either.
    """
    backends: list[tuple[BackendName, PrecisionName]] = []
    for backend in installed_backends():
        backends.append((backend, "float32"))
        if backend in BOTH and has_fast_bfloat16():
            backends.append((backend, "bfloat16"))
        if backend == "openvino" and has_fast_int8():
            backends.append((backend, "int8"))
    if not any(arguments.only in _name(*row) for row in product(SHAPES, backends)):
        return
    yield f"| evaluations a second | {' | '.join(f'L = {count}' for count in COUNTS)} |"
    yield f"|---|{'---|' * len(COUNTS)}"
    for blocks, channels in SHAPES:
        architecture = Architecture("go", blocks=blocks, channels=channels)
        parameters = architecture.random_parameters(seed=1)
        lines = {}
        for backend, precision in backends:
            name = _name((blocks, channels), (backend, precision))
            if arguments.only in name:
                lines[name] = Network(
                    architecture,
                    parameters,
                    komi=7.5,
                    backend=backend,
                    precision=precision,
                    calibration=_planes(max(COUNTS)),
                )
        warm = WARM * arguments.seconds
        works = [_work(network, count, warm) for network in lines.values() for count in COUNTS]
        measured = iter(rates(works, runs=arguments.runs, seconds=arguments.seconds))
        for name in lines:
            yield f"| {name} | {' | '.join(shown(next(measured)) for _ in COUNTS)} |"


def _name(shape: tuple[int, int], backend: tuple[BackendName, PrecisionName]) -> str:
    return f"Go {SIZE}x{SIZE}, {shape[0]}x{shape[1]}, {' '.join(backend)}"


def _work(network: Network, count: int, warm_seconds: float) -> Work:
    planes = _planes(count)
    # Backends prepare themselves in their first calls, OpenVINO once more after a hundred.
    begun = time.perf_counter()
    for _ in range(WARM_CALLS):
        network(planes)
        if time.perf_counter() - begun > warm_seconds:
            break
    return Work(lambda: network(planes), count)


def _planes(count: int) -> NDArray[np.uint8]:
    batch = GameBatch(Go(size=SIZE), count, seed=1)
    batch.play_random(SIZE * SIZE // 2)
    return batch.planes.copy()
