"""What a driver with 64, 256 or 1,024 workers would do: `sixplane train --ray`, simulated event by event.

    python benches/cluster_model.py --ms 12 --megabytes 3.04            # the table of docs/cluster.md
    python benches/cluster_model.py --ms 12 --megabytes 3.04 --points   # beside `cluster.py points`

The driver keeps some calls more in flight than there are workers, takes what has arrived, learns for a
moment, and begins again; the games of all calls come through one link. Milliseconds and megabytes of a call
are those that `cluster.py points` measures.
"""

from __future__ import annotations

import argparse
import heapq
import random
from dataclasses import dataclass
from typing import NamedTuple

from sixplane.learn.workers import spare_calls

#: What `sixplane.learn` does: seconds between two versions, and how long the driver learns at a time.
PUBLISH_SECONDS = 10.0
SLICE = 0.25


@dataclass(frozen=True)
class Setting:
    """A cluster and what it plays."""

    workers: int
    call_seconds: float
    """How long a worker plays for a call; each takes 10 % more or less."""
    driver_seconds: float
    """That the driver needs for a call: begin it, take it, save it."""
    call_bytes: float
    pause: float = SLICE
    """Seconds in which the driver does something else before it looks again."""
    spare: int | None = None
    """Calls in flight beyond the workers; None: as the trainer has it."""
    bandwidth: float = 1.25e9
    """Bytes a second that come in at the driver; 1.25e9 is 10 Gbit/s."""


class Outcome(NamedTuple):
    """What it came to."""

    calls_per_second: float
    driver_load: float
    """Share of the driver's time."""
    busy: float
    """Share of the workers' time in which they play."""
    link: float
    """Share of the link."""
    staleness: float
    """Versions, the mean."""
    most_staleness: int


class _Simulation:
    """The driver, its workers and the link; times in seconds."""

    def __init__(self, setting: Setting, seed: int = 0) -> None:
        self.setting = setting
        self.rng = random.Random(seed)
        self.now = 0.0
        self.spare = spare_calls(setting.workers) if setting.spare is None else setting.spare
        self.idle = setting.workers
        self.begun: list[float] = []
        """When the calls were begun that no worker has taken up yet."""
        self.playing: list[tuple[float, float]] = []
        """A heap: when a worker is done, and when its call was begun."""
        self.arriving: list[tuple[float, float]] = []
        """In order: when games are at the driver, and when their call was begun."""
        self.link_free = 0.0
        self.played = self.driven = self.sent = 0.0
        self.staleness: list[int] = []

    def start_workers(self, now: float) -> None:
        """Gives the idle workers what was begun."""
        while self.idle and self.begun:
            self.idle -= 1
            seconds = self.setting.call_seconds * self.rng.uniform(0.9, 1.1)
            self.played += seconds
            heapq.heappush(self.playing, (now + seconds, self.begun.pop(0)))

    def pass_time(self, until: float) -> None:
        """Workers finish, their games go to the link, and they take up the next call."""
        while self.playing and self.playing[0][0] <= until:
            done, begun = heapq.heappop(self.playing)
            seconds = self.setting.call_bytes / self.setting.bandwidth
            self.link_free = max(self.link_free, done) + seconds
            self.sent += seconds
            self.arriving.append((self.link_free, begun))
            self.idle += 1
            self.start_workers(done)
        self.now = until

    def round(self) -> None:
        """One round of the driver's loop."""
        finished = [begun for at, begun in self.arriving if at <= self.now]
        del self.arriving[: len(finished)]
        waiting = len(self.begun) + len(self.playing) + len(self.arriving)
        self.begun += [self.now] * (self.setting.workers + self.spare - waiting)
        self.start_workers(self.now)
        for begun in finished:
            self.staleness.append(int(self.now / PUBLISH_SECONDS) - int(begun / PUBLISH_SECONDS))
            self.driven += self.setting.driver_seconds
            self.pass_time(self.now + self.setting.driver_seconds)
        self.pass_time(self.now + self.setting.pause)


def simulate(setting: Setting) -> Outcome:
    """Runs until each worker has played twenty calls, and leaves the first five out."""
    simulation = _Simulation(setting)
    while len(simulation.staleness) < 5 * setting.workers:
        simulation.round()
    begun, calls = simulation.now, len(simulation.staleness)
    played, driven, sent = simulation.played, simulation.driven, simulation.sent
    while len(simulation.staleness) < 20 * setting.workers:
        simulation.round()
    took = simulation.now - begun
    stale = simulation.staleness[calls:]
    return Outcome(
        len(stale) / took,
        (simulation.driven - driven) / took,
        min(1.0, (simulation.played - played) / took / setting.workers),
        (simulation.sent - sent) / took,
        sum(stale) / len(stale),
        max(stale),
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ms", type=float, required=True, help="of the driver, for each call")
    parser.add_argument("--megabytes", type=float, required=True, help="of the games of a call")
    parser.add_argument("--positions", type=int, default=9267, help="of the games of a call")
    parser.add_argument(
        "--spare", type=int, help="calls in flight beyond the workers (as the trainer has it)"
    )
    parser.add_argument("--points", action="store_true", help="what `cluster.py points` measures")
    arguments = parser.parse_args()
    driver, size = arguments.ms / 1000, arguments.megabytes * 1e6
    if arguments.points:
        for workers in (2, 4, 8, 16, 32):
            outcome = simulate(Setting(workers, 0.5, driver, size, pause=0.02))
            print(
                f"{workers} workers: {outcome.calls_per_second:.2f} calls/s, load {outcome.driver_load:.1%}"
            )
        return
    print(
        "| workers | positions/s of each | calls/s | MB/s | of a link of 10 Gbit/s | driver's load "
        "| workers busy | staleness (most) | samples/s to learn |\n" + 9 * "|---" + "|"
    )
    for speed in (1380, 595, 48):
        for workers in (2, 64, 256, 1024):
            seconds = arguments.positions / speed
            outcome = simulate(Setting(workers, seconds, driver, size, spare=arguments.spare))
            calls = outcome.calls_per_second
            print(
                f"| {workers:,} | {speed:,} | {calls:.3g} | {calls * size / 1e6:.3g} | {outcome.link:.1%} "
                f"| {outcome.driver_load:.1%} | {outcome.busy:.0%} | {outcome.staleness:.1f} "
                f"({outcome.most_staleness}) | {3 * calls * arguments.positions:,.0f} |"
            )


if __name__ == "__main__":
    main()
