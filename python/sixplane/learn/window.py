"""The replay window of a run: positions in memory, and the files of games that hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sixplane.learn.replay import Replay
from sixplane.planes import symmetry_table

if TYPE_CHECKING:
    import numpy as np

    from sixplane.learn.config import Config
    from sixplane.learn.samples import Samples

__all__ = ["Window"]


class Window:
    """The newest positions of a run; the more there were in all, the more it holds.

    Args:
        config: of the run.
    """

    def __init__(self, config: Config) -> None:
        game = config.prototype()
        self._config = config
        self._replay = Replay(config.most_window)
        self._symmetries = symmetry_table(game.rows, game.cols)
        self._file_lengths: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._replay)

    def add(self, file: int, samples: Samples) -> None:
        """Takes in the positions of a file of games."""
        self._replay.add(samples)
        self._file_lengths[file] = len(samples)

    def shrink(self, positions: int) -> None:
        """Lets go of the oldest positions, as far as is due after so many positions of the run in all."""
        config = self._config
        grown = max(config.least_window, int(config.window_share * positions))
        self._replay.shrink(min(grown, config.most_window))

    def oldest_file(self, files: int) -> int:
        """The number of the first file of games that is still needed, where so many were written."""
        needed, number = len(self._replay), files
        while number and needed > 0:
            number -= 1
            needed -= self._file_lengths.get(number, 0)
        return number

    def sample(self, count: int, rng: np.random.Generator) -> Samples:
        """Gives positions at random, each in a random symmetry."""
        chosen = rng.integers(0, len(self._symmetries), count)
        return self._replay.sample(count, rng).transformed(self._symmetries[chosen])
