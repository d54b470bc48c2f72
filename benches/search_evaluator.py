"""Speed of search with an evaluator: simulations a second over 64 games of Go 9x9, 32 simulations each.

The evaluator is uniform and written in NumPy, so that what is measured is the search and the way to Python
and back. `python benches/search_evaluator.py`
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import numpy.typing as npt

import sixplane
from sixplane.search import MCTS


def uniform(planes: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Equal logits, and a draw."""
    leaves = len(planes)
    actions = planes.shape[2] * planes.shape[3] + 1
    return np.zeros((leaves, actions), np.float32), np.zeros(leaves, np.float32)


def main() -> None:
    """Prints the best and the median of several searches for each way to select."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--repeats", type=int, default=50)
    options = parser.parse_args()
    batch = sixplane.GameBatch(sixplane.Go(size=options.size), options.games, seed=0)
    batch.play_random(20)
    for selection in ("puct", "gumbel"):
        for threads in (1, 2):
            search = MCTS(
                uniform, selection=selection, simulations=options.simulations, threads=threads, seed=0
            )
            seconds = []
            for _ in range(options.repeats):
                begin = time.perf_counter()
                search.search_batch(batch)
                seconds.append(time.perf_counter() - begin)
            simulations = options.games * options.simulations / 1000
            best, median = simulations / min(seconds), simulations / np.median(seconds)
            print(f"{selection:6} {threads} threads: best {best:6.0f} k/s, median {median:6.0f} k/s")


if __name__ == "__main__":
    main()
