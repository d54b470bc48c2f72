"""The time that self-play takes of each row of metrics."""

from __future__ import annotations

import math
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sixplane.runs.calls import Call

#: A call that was begun and waits for a worker.
WAITS: Final = math.nan


class Share(NamedTuple):
    """The part of a row's time that self-play took.

    Example:
        >>> Share(play=0.5, network=0.75).play
        0.5
    """

    play: float
    """The share of the processors' time that went into self-play."""
    network: float
    """The share of that which was spent inside the network; NaN: not known."""


class PlayTime:
    """Spreads the seconds of calls over the rows that they cover, since a call may be longer than a row.

    A call tells its seconds when it ends. Until then it counts as busy since a worker was free for it, and
    the rows that it covers are corrected at its end.

    Args:
        seconds: the time at which the first row begins, in seconds trained.
        tasks: the number of the last call that was begun before.

    Example:
        >>> time = PlayTime(seconds=0, tasks=0)
        >>> time.begin(tasks=1, workers=1, seconds=0)
        >>> time.row(seconds=60, workers=1)
        [Share(play=0.5, network=nan)]
        >>> time.end(Call(1, 0, 0, 64, 2500, 9000, 80.0, 60.0, 80 / 60, "host"))
        >>> [(round(play, 3), network) for play, network in time.row(seconds=120, workers=1)]
        [(0.5, 0.75), (0.167, 0.75)]
    """

    def __init__(self, seconds: float, tasks: int) -> None:
        self._tasks = tasks
        self._limits = np.array([seconds])
        #: Seconds of calls that have ended, in each row: in all, and inside the network.
        self._spent = np.zeros((2, 0))
        self._workers = np.zeros(0, np.int64)
        #: When each open call was first known to run, by its number, lowest first.
        self._open: dict[int, float] = {}
        #: Beginning and end of calls that have ended since the last row, and the network's part of them.
        self._ended: list[tuple[float, float, float]] = []
        self._inside = math.nan

    def begin(self, tasks: int, workers: int, seconds: float) -> None:
        """Notes that so many calls were begun by now, and that so many run at the same time."""
        self._open |= dict.fromkeys(range(self._tasks + 1, tasks + 1), WAITS)
        self._tasks = max(self._tasks, tasks)
        for number, since in islice(self._open.items(), workers):
            if math.isnan(since):
                self._open[number] = seconds

    def end(self, call: Call) -> None:
        """Notes a call that has ended, by now at the latest."""
        now, since = 60 * call.minutes, self._open.pop(call.number, WAITS)
        # Its games may have waited for the driver, or it ran before the driver knew.
        begun = min(now - call.seconds, math.inf if math.isnan(since) else since)
        self._inside = call.network_seconds / max(call.seconds, 1e-9)
        self._ended.append((begun, begun + call.seconds, self._inside))

    def row(self, seconds: float, workers: int) -> list[Share]:
        """Ends a row, and returns the shares of the rows that have changed; the last one is its own."""
        self._limits = np.append(self._limits, max(seconds, self._limits[-1] + 1e-9))
        self._workers = np.append(self._workers, workers)
        self._spent = np.append(self._spent, np.zeros((2, 1)), axis=1)
        first = float(self._limits[-2])
        for begun, ended, inside in self._ended:
            self._spent += np.outer([1.0, inside], self._part(begun, ended))
            first = min(first, begun)
        self._ended = []
        spent = self._spent.copy()
        for since in self._open.values():
            if not math.isnan(since):
                spent += np.outer([1.0, self._inside], self._part(since, seconds))
                first = min(first, since)
        changed = max(0, int(np.searchsorted(self._limits, first, side="right")) - 1)
        return [self._share(i, *spent[:, i].tolist()) for i in range(changed, len(self._workers))]

    def _part(self, begun: float, ended: float) -> NDArray[np.float64]:
        """Returns the seconds of each row that lie between two times."""
        return np.diff(np.clip(self._limits, begun, max(begun, ended)))

    def _share(self, row: int, play: float, network: float) -> Share:
        workers, seconds = int(self._workers[row]), float(self._limits[row + 1] - self._limits[row])
        # The learner has a processor of its own as far as there is one. More than all workers is none.
        share = min(play / seconds, workers) / (workers + 1)
        return Share(share, min(network / play, 1.0) if play > 0 else math.nan)
