"""How quick a game in a crate of its own is, beside the same game within sixplane: Connect Four 6x7.

Processor time, one thread; both take turns, and the ratio is the median of those of all turns.

    make release
    cd examples/crate-game && ../../.venv/bin/maturin develop --release && cd ../..
    .venv/bin/python benches/game_in_a_crate.py
"""

from __future__ import annotations

import argparse
import time
from statistics import median
from typing import TYPE_CHECKING

import crate_game
import numpy as np

import sixplane
from sixplane.cli.bench.timing import machine
from sixplane.search import MCTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

GAMES = 1024
#: Games that a search with an evaluator is made for at once.
SEARCHES = 64
#: More actions than a game has points.
ENOUGH = 50


def steps(start: sixplane.Game) -> Callable[[], int]:
    """Steps of a batch whose games are in all stages."""
    batch = sixplane.GameBatch(start, GAMES, seed=1, threads=1)
    for _ in range(ENOUGH):
        batch.step(batch.sample())

    def work() -> int:
        for _ in range(10):
            batch.step(batch.sample())
        return 10 * GAMES

    return work


def random_plays(start: sixplane.Game) -> Callable[[], int]:
    """Random games of a batch, from its reset to their ends."""
    batch = sixplane.GameBatch(start, GAMES, seed=1, threads=1)

    def work() -> int:
        batch.reset()
        batch.play_random(ENOUGH)
        return int(batch.move_numbers.sum())

    return work


def playouts(start: sixplane.Game) -> Callable[[], int]:
    """Simulations of a search with playouts."""

    def work() -> int:
        return MCTS(simulations=5000, seed=1).search(start).simulations

    return work


def evaluations(start: sixplane.Game) -> Callable[[], int]:
    """Simulations of searches in many games with an evaluator that says nothing."""
    batch = sixplane.GameBatch(start, SEARCHES, seed=1, threads=1)

    def evaluate(planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return np.zeros((len(planes), start.num_actions), np.float32), np.zeros(len(planes), np.float32)

    def work() -> int:
        return 60 * len(MCTS(evaluate, simulations=60, seed=1).search_batch(batch).best_action)

    return work


WORKS = {
    f"a step of a batch of {GAMES}, with planes, masks and resets": steps,
    f"a random play of a batch of {GAMES}, with the resets": random_plays,
    "a simulation with a playout": playouts,
    f"a simulation of {SEARCHES} searches with an evaluator of zeros": evaluations,
}


def nanoseconds(work: Callable[[], int]) -> float:
    """Processor time of an item."""
    begun = time.process_time()
    items = work()
    return (time.process_time() - begun) * 1e9 / items


def main() -> None:
    """Prints a row for each work."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=51, help="turns of each work (51)")
    runs = parser.parse_args().runs
    print(machine(), end="\n\n")
    print("| one thread | the crate | sixplane | ratio |\n|---|---|---|---|")
    for name, make in WORKS.items():
        pair = [make(crate_game.ConnectFour()), make(sixplane.ConnectFour())]
        turns = [[nanoseconds(work) for work in pair] for _ in range(runs + 1)][1:]
        own, ours = (median(turn[i] for turn in turns) for i in (0, 1))
        ratio = median(ours / own for own, ours in turns)
        print(f"| {name} | {own:,.0f} ns | {ours:,.0f} ns | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
