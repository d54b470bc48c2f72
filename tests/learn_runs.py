"""A learner without PyTorch, and runs of it in processes of their own, for the tests of training."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sixplane.learn.config import Config
from sixplane.learn.trainer import Run, train

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from sixplane.learn.samples import Samples
    from sixplane.nets import Architecture
    from sixplane.nets.backend import BackendName

#: A run of a few seconds: tiny games, a tiny network.
TINY = Config(
    game="go",
    size=3,
    minutes=60,
    workers=1,
    blocks=1,
    channels=2,
    simulations=2,
    last_simulations=2,
    games_at_once=4,
    opening_plies=2,
    batch=16,
    least_window=100,
    most_window=200,
    checkpoint_every=0.2,
    publish_every=0.2,
)


class PassLearner:
    """Learns how likely a pass is. Its network gives every other action the same logit, 0."""

    def __init__(self, _config: Config, _architecture: Architecture, parameters: dict[str, Any]) -> None:
        self._parameters = {name: np.zeros_like(array) for name, array in parameters.items()}
        self.steps = 0

    backend: BackendName = "numpy"

    def step(self, samples: Samples, learning_rate: float) -> dict[str, float]:
        """One step down the gradient of the cross-entropy."""
        bias = self._parameters["policy.passing.bias"]
        points = samples.masks[:, :-1].sum(axis=1)
        total = np.exp(bias[0]) + points
        passing = samples.policy[:, -1].astype(np.float32)
        loss = np.log(total) - passing * bias[0]
        bias += 50 * learning_rate * np.float32((passing - np.exp(bias[0]) / total).mean())
        self.steps += 1
        return {"policy": float(loss.mean()), "value": 0.0, "ownership": 0.0, "score": 0.0}

    def parameters(self) -> dict[str, NDArray[np.float32]]:
        """All of them."""
        return {name: array.copy() for name, array in self._parameters.items()}

    def state(self) -> dict[str, NDArray[Any]]:
        """The parameters and the steps."""
        return self.parameters() | {"steps": np.array(self.steps)}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Takes them back."""
        self.steps = int(arrays.pop("steps"))
        self._parameters = arrays


def run_until(
    out: Path, done: Callable[[Run], bool], settings: dict[str, Any] | None = None, **options: Any
) -> Run:
    """Trains until something is true of the run, for one round of its loop at least."""
    seen: list[Run] = []
    train(
        replace(TINY, out=str(out), **settings or {}),
        learner=options.pop("learner", PassLearner),
        on_progress=seen.append,
        is_stopped=lambda: bool(seen) and done(seen[-1]),
        **options,
    )
    return seen[-1]


@contextmanager
def start(out: Path, **settings: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A run in a process of its own, which is killed at the end of the block."""
    command = [sys.executable, __file__, str(out), json.dumps(settings)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()  # its workers, which end after it, have the pipe, too


def counted(out: Path) -> list[int]:
    """The numbers of the calls that a run has counted, which may go on: the file is only read."""
    try:
        _header, *lines, _half = (out / "calls.csv").read_text().split("\n")
    except (FileNotFoundError, ValueError):
        return []
    return [int(line.split(",")[0]) for line in lines]


if __name__ == "__main__":
    train(replace(TINY, out=sys.argv[1], **json.loads(sys.argv[2])), learner=PassLearner)
