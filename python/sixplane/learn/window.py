"""The replay window: the newest positions of a run, and the files of games that hold them."""

from __future__ import annotations

import numpy as np

from sixplane.learn.config import Config
from sixplane.learn.samples import Samples
from sixplane.planes import symmetry_table


class Window:
    """Keeps the newest positions of a run, more of them as the run grows, in memory that is taken once."""

    def __init__(self, config: Config) -> None:
        game = config.prototype()
        self._config = config
        self._symmetries = symmetry_table(game.rows, game.cols)[[*game.symmetries]]
        self._file_lengths: dict[int, int] = {}
        self._arrays: Samples | None = None
        self._next = 0
        self._held = 0

    def __len__(self) -> int:
        return self._held

    def add(self, file: int, samples: Samples) -> None:
        """Adds the positions of a file of games, which replace the oldest where the memory is full."""
        self._file_lengths[file] = len(samples)
        capacity = self._config.most_window
        samples = samples.take(np.arange(max(0, len(samples) - capacity), len(samples)))
        if self._arrays is None:
            self._arrays = Samples(
                **{
                    name: np.zeros((capacity, *array.shape[1:]), array.dtype)
                    for name, array in samples.arrays().items()
                }
            )
        place = (self._next + np.arange(len(samples))) % capacity
        held = self._arrays.arrays()
        for name, array in samples.arrays().items():
            held[name][place] = array
        self._next = (self._next + len(samples)) % capacity
        self._held = min(self._held + len(samples), capacity)

    def shrink(self, positions: int) -> None:
        """Drops the oldest positions, as far as is due after so many positions of the run in all."""
        config = self._config
        grown = max(config.least_window, int(config.window_share * positions))
        self._held = min(self._held, grown)

    def oldest_file(self, files: int) -> int:
        """Returns the number of the first file of games that is still needed, where `files` were written."""
        needed, number = self._held, files
        while number and needed > 0:
            number -= 1
            needed -= self._file_lengths.get(number, 0)
        return number

    def sample(self, count: int, rng: np.random.Generator) -> Samples:
        """Samples positions, each as likely as any other and in a random symmetry; one may come twice.

        Raises:
            ValueError: the window is empty.
        """
        if self._arrays is None or not self._held:
            raise ValueError("the replay window is empty")
        chosen = rng.integers(0, len(self._symmetries), count)
        ages = rng.integers(0, self._held, count)  # 0 is the newest
        samples = self._arrays.take((self._next - 1 - ages) % self._config.most_window)
        return samples.transformed(self._symmetries[chosen])
