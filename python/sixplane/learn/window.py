"""The replay windows: the newest positions of each board of a run, and the files of games that hold them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sixplane.learn.boards import Board, chosen, named
from sixplane.learn.config import Config
from sixplane.learn.samples import Samples
from sixplane.planes import symmetry_table
from sixplane.runs.calls import Call


class ReplayWindow:
    """Keeps the newest positions on one board, in memory that is taken once. It holds more as the run grows.

    `share` is the part of the positions that the settings give to all boards.
    """

    def __init__(self, config: Config, share: float = 1.0) -> None:
        game = config.prototype()
        self._board = game.rows, game.cols
        self._symmetries = symmetry_table(game.rows, game.cols)[[*game.symmetries]]
        self._capacity = max(1, round(share * config.most_window))
        self._least = share * config.least_window
        self._share = config.window_share
        self._file_lengths: dict[int, int] = {}
        self._arrays: Samples | None = None
        self._next = 0
        self._held = 0

    def __len__(self) -> int:
        return self._held

    def add(self, file: int, samples: Samples) -> None:
        """Adds the positions of a file of games, which replace the oldest where the memory is full."""
        if samples.board != self._board:
            raise ValueError(
                f"positions on {named(samples.board)} are not for the replay window of {named(self._board)}"
            )
        self._file_lengths[file] = len(samples)
        capacity = self._capacity
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
        """Drops the oldest positions, as far as is due after so many positions on the board in all."""
        grown = max(1, int(max(self._least, self._share * positions)))
        self._held = min(self._held, grown)

    def oldest_file(self, files: int) -> int:
        """Returns the number of the first file of games that is still needed, where `files` were written."""
        needed, number = self._held, files
        while number and needed > 0:
            number -= 1
            needed -= self._file_lengths.get(number, 0)
        return number

    def sample(self, count: int, rng: np.random.Generator) -> Samples:
        """Samples positions, each as likely as any other and in a random symmetry; one may come twice."""
        if self._arrays is None or not self._held:
            raise ValueError("the replay window is empty")
        symmetries = rng.integers(0, len(self._symmetries), count)
        ages = rng.integers(0, self._held, count)  # 0 is the newest
        samples = self._arrays.take((self._next - 1 - ages) % self._capacity)
        return samples.transformed(self._symmetries[symmetries])

    def spread(self, count: int) -> NDArray[np.uint8] | None:
        """Returns the planes of positions at even distances in the window; None if it is empty."""
        if self._arrays is None or not self._held:
            return None
        count = min(count, self._held)
        ages = np.arange(count) * self._held // count
        return self._arrays.planes[(self._next - 1 - ages) % self._capacity]


class ReplayWindows:
    """Keeps a window for each board of a stage. Together they hold what the settings say."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._windows = [ReplayWindow(*board) for board in zip(config.by_board, config.shares, strict=True)]
        self._positions = [0] * len(self._windows)

    def __len__(self) -> int:
        return sum(map(len, self._windows))

    def add(self, file: int, call: Call, samples: Samples) -> None:
        """Adds the positions of a call, which are in this file of games."""
        self._windows[self._config.place_of_call(call.number)].add(file, samples)

    @property
    def positions(self) -> dict[Board, int]:
        """The positions on each board that were counted."""
        return dict(zip(self._config.boards, self._positions, strict=True))

    def count(self, call: Call) -> None:
        """Counts the positions of a call."""
        self._positions[self._config.place_of_call(call.number)] += call.positions

    def shrink(self) -> None:
        """Drops the oldest positions, as far as is due after those that were counted."""
        for window, positions in zip(self._windows, self._positions, strict=True):
            window.shrink(positions)

    def spread(self, count: int) -> list[NDArray[np.uint8] | None]:
        """Returns planes from the window of each board, as `ReplayWindow.spread` does."""
        return [window.spread(count) for window in self._windows]

    def oldest_file(self, files: int) -> int:
        """Returns the number of the first file of games that is still needed, where `files` were written."""
        return min(window.oldest_file(files) for window in self._windows)

    def sample(self, count: int, rng: np.random.Generator, step: int) -> Samples:
        """Samples positions for a step of the learner, all on one board.

        The boards take turns in proportion to their shares, by the number of the step; one without positions
        is passed over.
        """
        weights = [
            share * bool(len(window))
            for share, window in zip(self._config.shares, self._windows, strict=True)
        ]
        place = chosen(step, weights) if any(weights) else 0
        return self._windows[place].sample(count, rng)
