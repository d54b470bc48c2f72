"""PettingZoo: one game in Python, without the wrappers that slow it down."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
from entry import Entry
from pettingzoo.classic import go_v5

from sixplane import sample_legal
from sixplane.cli.bench.timing import Work

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = f"PettingZoo {version('pettingzoo')}"


def entries() -> Iterator[Entry]:
    """Go, alone."""
    # Its board size is one for the whole process: the bigger board comes last, when the other is done.
    for size in (9, 19):
        yield Entry(f"Go {size}x{size}", "go_v5.raw_env", None, lambda size=size: _work(size))


def _work(size: int) -> Work:
    env = go_v5.raw_env(board_size=size, komi=7.5)
    rng = np.random.default_rng(0)
    env.reset()
    observation = env.observe(env.agent_selection)

    def step() -> Any:
        nonlocal observation
        env.step(sample_legal(observation["action_mask"], rng))
        if env.terminations[env.agent_selection]:
            env.reset()
        observation = env.observe(env.agent_selection)
        return observation

    return Work(step, 1)
