"""EnvPool: a thread pool in C++. Its `Go` masks simple ko, its `ChineseGo` superko."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import envpool
import numpy as np
from entry import Entry

from sixplane import sample_legal
from sixplane.cli.bench.timing import Work, processors

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = f"EnvPool {version('envpool')}"

TASKS = {
    "Go9x9-v1": "Go 9x9",
    "ChineseGo9x9-v1": "Go 9x9",
    "Go19x19-v1": "Go 19x19",
    "ChineseGo19x19-v1": "Go 19x19",
    "Othello-v1": "Reversi 8x8",
    "ConnectFour-v1": "Connect Four 6x7",
    "Hex-v1": "Hex 11x11",
}


def entries() -> Iterator[Entry]:
    """Every task alone and in two batches."""
    for task, name in TASKS.items():
        for games in (None, 64, 1024):
            yield Entry(name, task, games, lambda task=task, games=games: _work(task, games))


def _work(task: str, games: int | None) -> Work:
    count = games or 1
    threads = min(count, processors())
    envs = envpool.make_gymnasium(task, num_envs=count, num_threads=threads, seed=0)
    rng = np.random.default_rng(0)
    masks = envs.reset()[1]["legal_action_mask"]

    def step() -> Any:
        nonlocal masks
        # A finished game is reset in the next step and wants some action.
        result = envs.step(np.maximum(sample_legal(masks, rng), 0))
        masks = result[4]["legal_action_mask"]
        return result[:4], masks

    return Work(step, count)
