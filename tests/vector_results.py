"""Vector environments of ours and of Gymnasium, and what their `reset` and `step` give, compared."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode

from effort import ALL

MODES = {mode.name.lower(): mode for mode in AutoresetMode}


def crossed(grid: list[Any], others: list[Any]) -> list[tuple[Any, Any]]:
    """Each case of a grid with a fifth of the others, by turns, and of those pairs every third."""
    pairs = [(case, other) for i, case in enumerate(grid) for k, other in enumerate(others) if i % 5 == k % 5]
    return pairs if ALL else pairs[::3]


def make(game: str, count: int, mode: str, **options: Any) -> Any:
    """Our own vector environment."""
    return gym.make_vec(
        f"sixplane/{game}-v0",
        count,
        vectorization_mode="vector_entry_point",
        autoreset_mode=mode,
        **options,
    )


def make_sync(game: str, count: int, mode: str, **options: Any) -> Any:
    """Gymnasium's vector of our environments of one game."""
    return gym.make_vec(
        f"sixplane/{game}-v0",
        count,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": MODES[mode]},
        disable_env_checker=True,
        **options,
    )


def assert_same(ours: Any, theirs: Any, where: str) -> None:
    """The same values, types and keys, all the way down."""
    assert type(ours) is type(theirs), where
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys(), where
        for key, value in theirs.items():
            assert_same(ours[key], value, f"{where}[{key!r}]")
        return
    if isinstance(theirs, tuple):
        for i, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(one, other, f"{where}[{i}]")
        return
    if not isinstance(theirs, np.ndarray):
        assert ours == theirs, where
        return
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), where
    if theirs.dtype == object:
        for i, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(one, other, f"{where}[{i}]")
        return
    assert ours.flags.writeable and ours.flags.c_contiguous, where
    assert np.array_equal(ours, theirs), (where, ours, theirs)


def spoken_of(result: tuple[Any, dict[str, Any]]) -> tuple[Any, dict[str, Any]]:
    """What `reset` gave, with zeros in `info` for the games that it does not speak of."""
    info = result[1].copy()
    for name in info:
        if not name.startswith("_"):
            info[name] = info[name].copy()
            info[name][~info[f"_{name}"]] = 0
    return result[0], info


def arrays_of(result: Any) -> list[Any]:
    """Every array in what `reset` or `step` gave."""
    if isinstance(result, dict):
        result = result.values()
    if isinstance(result, np.ndarray) and result.dtype != object:
        return [result]
    return [] if result is None else [array for part in result for array in arrays_of(part)]
