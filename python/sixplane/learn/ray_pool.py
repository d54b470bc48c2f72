"""The pool on a Ray cluster: calls of `play` on all its nodes, and figures for Ray's dashboard."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from sixplane._gpu import require_gpu
from sixplane.cluster import Cluster, node_name
from sixplane.learn.play import FinishedGames, play

if TYPE_CHECKING:
    from collections.abc import Callable

    from sixplane.learn.calls import Call
    from sixplane.learn.play import Budget
    from sixplane.nets import Parameters

__all__ = ["RayPool"]

#: Seconds of which the dashboard's figures per second are a mean.
LATELY: Final = 30.0


class RayPool:
    """Calls `play` on the nodes of a Ray cluster, one processor for each call, and a share of a GPU.

    The weights of a version travel to each node once.

    Args:
        address: of the cluster, as `sixplane.cluster.Cluster` has it.
        workers: how many calls at the same time; None: as many as the cluster has processors at that time,
            less one for the driver, and shares of GPUs.
        function: what is called.
        gpu_share: the part of a GPU that each call has; 0: none.
        advice: what is said besides when Ray ends this process, as `sixplane.cluster.Cluster` has it.

    Raises:
        ClusterError: Ray is not installed, no cluster answers at the address, or there is no GPU in it.
        ValueError: no such share.
    """

    def __init__(
        self,
        address: str,
        workers: int | None = None,
        function: Callable[..., FinishedGames] = play,
        gpu_share: float = 0.0,
        advice: str = "",
    ) -> None:
        self._cluster = Cluster(address, gpu_share, advice)
        self._workers = workers
        self._function = function
        self._weights: tuple[int, Any] | None = None
        self._dashboard = _Dashboard()

    @property
    def workers(self) -> int:
        """How many calls are made at the same time. It may change as nodes come and go."""
        return self._cluster.workers if self._workers is None else self._workers

    @property
    def waiting(self) -> int:
        """Calls that were begun and not taken yet."""
        return self._cluster.waiting

    def begin(self, version: int, weights: Parameters, seed: int, budget: Budget) -> None:
        """Begins a call of `play` with these arguments."""
        if self._weights is None or self._weights[0] != version:
            self._weights = version, self._cluster.put(weights)
        # The folder of the run is on this machine alone.
        budget = replace(budget, live=None)
        self._cluster.begin(_play, self._function, version, self._weights[1], seed, budget)

    def take(self) -> list[FinishedGames]:
        """What has been finished since the last call.

        Raises:
            ClusterError: a node has another version of sixplane, or lacks what `play` needs, such as
                the GPU for PyTorch.
            Exception: what `play` raised.
        """
        return [games for _, games in self._cluster.finished()]

    def taken(self, call: Call) -> None:
        """Shows a call that was counted on Ray's dashboard."""
        self._dashboard.show(call)

    def close(self) -> None:
        """Cancels what has not been finished, and leaves the cluster."""
        self._weights = None
        self._cluster.close()


def _play(
    function: Callable[..., FinishedGames], version: int, weights: Parameters, seed: int, budget: Budget
) -> FinishedGames:
    """Plays on a node, and says on which. PyTorch without a GPU would be slow in silence."""
    if budget.backend.get("backend") == "torch":
        require_gpu()
    return function(version, weights, seed, budget)._replace(node=node_name())


class _Dashboard:
    """The figures of the driver among Ray's metrics, which Prometheus collects and the dashboard shows."""

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
            "sixplane_chunk_megabytes", "Size of the games of a call, in megabytes.", boundaries=megabytes
        )
        self._lately: deque[tuple[float, Call]] = deque()

    def show(self, call: Call) -> None:
        """Takes note of a call that was counted."""
        now = time.monotonic()
        self._lately.append((now, call))
        while self._lately[0][0] < now - LATELY:
            self._lately.popleft()
        self._games.inc(call.games)
        if call.positions:  # Ray refuses to add nothing.
            self._positions.inc(call.positions)
        for name, speed in self._speeds.items():
            speed.set(sum(getattr(one, name) for _, one in self._lately) / LATELY)
        self._staleness.set(call.staleness)
        self._bytes.observe(call.bytes / 1e6)
