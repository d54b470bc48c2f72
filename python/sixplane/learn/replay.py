"""The replay window: the positions of the last games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sixplane.learn.samples import Samples

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Replay"]


class Replay:
    """The newest positions, in memory that is taken once.

    Args:
        capacity: the most positions it can hold.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._arrays: Samples | None = None
        self._next = 0
        self._held = 0

    def __len__(self) -> int:
        return self._held

    def add(self, samples: Samples) -> None:
        """Takes in positions; the oldest go where the memory is full."""
        samples = samples.take(np.arange(max(0, len(samples) - self._capacity), len(samples)))
        if self._arrays is None:
            self._arrays = Samples(
                **{
                    name: np.zeros((self._capacity, *array.shape[1:]), array.dtype)
                    for name, array in samples.arrays().items()
                }
            )
        place = (self._next + np.arange(len(samples))) % self._capacity
        held = self._arrays.arrays()
        for name, array in samples.arrays().items():
            held[name][place] = array
        self._next = (self._next + len(samples)) % self._capacity
        self._held = min(self._held + len(samples), self._capacity)

    def shrink(self, length: int) -> None:
        """Lets go of the oldest, so that no more than these are left."""
        self._held = min(self._held, length)

    def sample(self, count: int, rng: np.random.Generator) -> Samples:
        """Positions at random, each as likely as any other; one may come twice.

        Raises:
            ValueError: there are none.
        """
        if self._arrays is None or not self._held:
            raise ValueError("the replay window is empty")
        return self._arrays.take(self._places(rng.integers(0, self._held, count)))

    def _places(self, ages: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the positions of these ages are; 0 is the newest."""
        places: NDArray[np.int64] = (self._next - 1 - ages) % self._capacity
        return places
