"""The arguments of a reset of a vector environment: which environments, which seeds, which game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, SupportsIndex, TypeAlias

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from sixplane._arguments import integer
from sixplane._core import Game

Flags: TypeAlias = NDArray[np.bool_]
Seeds: TypeAlias = SupportsIndex | Iterable[SupportsIndex | None] | None
#: A generator and its seed, or only its seed until it is first used.
Seeded: TypeAlias = tuple[np.random.Generator, int] | int | None


class Start(NamedTuple):
    """The arguments of a reset, which were checked."""

    where: Flags
    """Which environments are reset, `(n,)`."""
    seeds: list[int | None]
    """A seed for each environment, or None where its generator goes on."""
    game: Game
    """The game to start from."""


class Generators:
    """A random generator for each environment, made at its first use, because the games use none."""

    def __init__(self, count: int) -> None:
        self._all: list[Seeded] = [None] * count

    def seed(self, i: int, seed: int) -> None:
        """Restarts a generator from a seed."""
        self._all[i] = seed

    def __getitem__(self, i: int) -> tuple[np.random.Generator, int]:
        """Returns the generator of an environment and its seed."""
        random = self._all[i]
        if not isinstance(random, tuple):
            random = self._all[i] = seeding.np_random(random)
        return random

    def state(self, i: int) -> tuple[Seeded, Mapping[str, object]]:
        """Returns the state of a generator, for `restore`."""
        random = self._all[i]
        return random, random[0].bit_generator.state if isinstance(random, tuple) else {}

    def restore(self, i: int, state: tuple[Seeded, Mapping[str, object]]) -> None:
        """Brings back the state of a generator."""
        random, inner = state
        self._all[i] = random
        if isinstance(random, tuple):
            random[0].bit_generator.state = inner


def seeds_of(seed: Seeds, count: int) -> list[int | None]:
    """Returns a seed for each environment, or None where its generator goes on."""
    if seed is None:
        return [None] * count
    # Every array has `__index__`, but only one without axes is an integer.
    if isinstance(seed, SupportsIndex) and not getattr(seed, "ndim", 0):
        first = integer("seed", seed, 0)
        return [first + i for i in range(count)]
    # Those of bytes would be numbers of characters.
    if not isinstance(seed, Iterable) or isinstance(seed, str | bytes | bytearray):
        raise TypeError(f"seed must be an integer, a list of them or None, not {type(seed).__name__}")
    seeds = [None if one is None else integer("seed", one, 0) for one in seed]
    if len(seeds) != count:
        raise ValueError(f"{len(seeds)} seeds for {count} environments: one for each is needed")
    return seeds


def reset_mask_of(options: Mapping[str, object], count: int) -> tuple[Flags, dict[str, object]]:
    """Returns the environments to reset, all unless the options have a mask, and the other options."""
    rest = dict(options)
    name, value = "options['reset_mask']", rest.pop("reset_mask", None)
    if "reset_mask" not in options:
        return np.ones(count, np.bool_), rest
    if not isinstance(value, np.ndarray) or value.dtype != np.bool_:
        found = value.dtype if isinstance(value, np.ndarray) else type(value).__name__
        raise TypeError(f"{name} must be a NumPy array of bool, not {found}")
    if value.shape != (count,):
        raise ValueError(f"{name} must have the shape ({count},), not {value.shape}")
    if not value.any():
        raise ValueError(f"{name} must be True somewhere")
    return value.copy(), rest
