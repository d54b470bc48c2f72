"""How fast the games are behind other libraries: steps for each second of the processor, without learning.

.venv-libraries/bin/python benches/libraries.py
"""

import random
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo.classic
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.vec_env import DummyVecEnv

import sixplane
import sixplane.pettingzoo
from sixplane.agents import RandomAgent
from sixplane.sb3 import VecEnv

#: Seconds of a measurement, and how many of each; the two sides take turns.
SECONDS, RUNS = 1.0, 7


def rate(work: Callable[[], int]) -> float:
    """How many steps `work` makes in a second of the processor."""
    steps, begun = 0, time.process_time()
    while (passed := time.process_time() - begun) < SECONDS:
        steps += work()
    return steps / passed


def compare(name: str, one: Callable[[], int], other: Callable[[], int]) -> None:
    """Prints both rates and the median of their ratios."""
    one(), other()
    pairs = [(rate(one), rate(other)) for _ in range(RUNS)]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    print(f"| {name} | {ours:.0f} | {theirs:.0f} | {ratio:.1f} |", flush=True)


def steps_of(env: Any) -> Callable[[], int]:
    """One random legal step of an environment of Stable-Baselines3, in all its games."""
    rng = np.random.default_rng(0)
    env.reset()

    def work() -> int:
        env.step(sixplane.sample_legal(get_action_masks(env).astype(np.int8), rng))
        return env.num_envs

    return work


def game_of(env: Any) -> Callable[[], int]:
    """One random game of an environment of PettingZoo, played as in its own `performance_benchmark`."""

    def work() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            env.step(None if terminated or truncated else random.choice(legal))
            steps += 1
        return steps

    return work


def main() -> None:
    """Compares our adapters with what one would use without them."""
    warnings.simplefilter("ignore")
    print("| steps for each second of the processor | ours | theirs | ratio |\n|---|---|---|---|")
    for game, size in (("go", 9), ("reversi", 8), ("gomoku", 15)):
        options: dict[str, Any] = {"size": size, "dtype": "float32", "view": "player", "seat": "random"}
        env_id = f"sixplane/{game.title()}-v0"
        slow = DummyVecEnv(
            [lambda: gymnasium.make(env_id, opponent=RandomAgent(), **options) for _ in range(16)]  # noqa: B023 - called at once
        )
        for count in (16, 256):
            fast = VecEnv(game, count, opponent="random", threads=1, size=size)
            name = f"{game} {size}x{size}: `sixplane.sb3.VecEnv` of {count}, `DummyVecEnv` of 16"
            compare(name, steps_of(fast), steps_of(slow))
    for size in (9, 19):
        name = f"go {size}x{size}: `sixplane.pettingzoo`, PettingZoo's `go_v5`"
        ours, theirs = sixplane.pettingzoo.env("go", size=size), pettingzoo.classic.go_v5.env(board_size=size)
        compare(name, game_of(ours), game_of(theirs))


if __name__ == "__main__":
    main()
