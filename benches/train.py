"""How fast networks play and learn in training: `python benches/train.py`."""

from __future__ import annotations

import argparse
import statistics
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

import numpy as np

from sixplane.cli.bench.timing import machine, shown
from sixplane.learn import Config, FinishedGames, SelfPlay, self_play
from sixplane.nets import Architecture

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Game, size, blocks, channels.
LINES: Final = (
    ("reversi", 6, 4, 32),
    ("reversi", 8, 4, 32),
    ("go", 7, 4, 32),
    ("go", 9, 4, 32),
    ("go", 9, 5, 64),
    ("gomoku", 9, 4, 32),
)

#: Runs of each line; the first prepares the backend and does not count.
RUNS: Final = 4


def table(only: str) -> Iterator[str]:
    """One worker and one learner, each on one thread, as `sixplane train` has them at the start of a run."""
    yield "| self-play on one thread, 16 simulations | positions/s | games/h | in the network | samples/s |"
    yield "|---|---|---|---|---|"
    for game, size, blocks, channels in LINES:
        name = f"{game} {size}x{size}, {blocks}x{channels}"
        if only not in name:
            continue
        config = Config(game=game, size=size, blocks=blocks, channels=channels)
        architecture = Architecture(game, blocks=blocks, channels=channels)
        settings = SelfPlay(
            prototype=config.prototype(),
            games=config.games_at_once,
            simulations=config.simulations,
            opening_plies=config.opening_plies,
            search=config.search,
            architecture=architecture,
            backend={"backend": "auto", "precision": "auto"},
        )
        parameters = architecture.random_parameters(seed=1)
        played = [self_play(0, parameters, seed, settings) for seed in range(RUNS)][1:]
        positions = statistics.median(len(one.samples) / one.seconds for one in played)
        games = statistics.median(len(one.outcomes) / one.seconds for one in played)
        inside = statistics.median(one.network_seconds / one.seconds for one in played)
        samples = _samples_a_second(config, architecture, played[-1]) if find_spec("torch") else "no PyTorch"
        yield f"| {name} | {shown(positions)} | {shown(3600 * games)} | {inside:.0%} | {samples} |"


def _samples_a_second(config: Config, architecture: Architecture, played: FinishedGames) -> str:
    """How many samples the learner learns from in a second."""
    from sixplane.learn.torch_learner import TorchLearner

    learner = TorchLearner(config, architecture, architecture.random_parameters(seed=1))
    rng = np.random.default_rng(1)
    seconds = []
    for _ in range(24):
        samples = played.samples.take(rng.integers(0, len(played.samples), config.batch))
        begun = time.perf_counter()
        learner.step(samples, 1e-3)
        seconds.append(time.perf_counter() - begun)
    # The first steps prepare kernels.
    return shown(config.batch / statistics.median(seconds[4:]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="lines that contain this text")
    asked = parser.parse_args()
    print(machine(), end="\n\n")
    for line in table(asked.only):
        print(line, flush=True)
