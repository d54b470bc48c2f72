"""Figures of a run on the dashboard of the Ray cluster that it plays on."""

from __future__ import annotations

import time
from collections import deque
from typing import Final

from sixplane.runs.calls import Call

#: Seconds over which the dashboard's figures per second are a mean.
RECENT: Final = 30.0


class Dashboard:
    """Adds the figures of a run to Ray's metrics, which Prometheus collects and the dashboard shows."""

    def __init__(self) -> None:
        from ray.util.metrics import Counter, Gauge, Histogram

        self._games = Counter("sixplane_games", "Finished games of self-play that were counted.")
        self._positions = Counter("sixplane_positions", "Positions of them that can be learned from.")
        self._speeds = {
            "games": Gauge("sixplane_games_per_second", "Games a second, lately."),
            "positions": Gauge("sixplane_positions_per_second", "Positions a second, lately."),
        }
        self._staleness = Gauge("sixplane_staleness", "Versions published while the last games were played.")
        megabytes = [2.0**power for power in range(-6, 7)]
        self._bytes = Histogram(
            "sixplane_call_megabytes", "Size of the games of a call, in megabytes.", boundaries=megabytes
        )
        self._recent: deque[tuple[float, Call]] = deque()

    def show(self, call: Call) -> None:
        """Adds the figures of a call whose games were counted."""
        now = time.monotonic()
        self._recent.append((now, call))
        while self._recent[0][0] < now - RECENT:
            self._recent.popleft()
        self._games.inc(call.games)
        if call.positions:  # Ray refuses to add nothing.
            self._positions.inc(call.positions)
        for name, speed in self._speeds.items():
            speed.set(sum(getattr(one, name) for _, one in self._recent) / RECENT)
        self._staleness.set(call.staleness)
        self._bytes.observe(call.bytes / 1e6)
