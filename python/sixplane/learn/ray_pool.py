"""The pool on a Ray cluster: calls of `play` on all its nodes.

Ray schedules the calls, moves weights and games between nodes, and makes a call again whose worker or node
has died; nothing here does. A call is a pure function of its arguments, so a call made again gives the same
games.
"""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING, Any

try:
    import ray
except ModuleNotFoundError as error:
    if error.name != "ray":
        raise
    raise ModuleNotFoundError("a cluster needs Ray: pip install 'sixplane[ray]'", name="ray") from error

from sixplane import __version__
from sixplane.learn.play import FinishedGames, play
from sixplane.learn.workers import WorkersError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sixplane.learn.play import Budget
    from sixplane.nets import Parameters

__all__ = ["RayPool"]


class RayPool:
    """Calls `play` on the nodes of a Ray cluster, one processor for each call.

    A node that joins gets calls as soon as it is there. The weights of a version travel to each node once.

    Args:
        address: of the cluster, such as `"10.0.0.1:6379"` or `"ray://host:10001"`; `"auto"`: the one that
            this machine belongs to; `"local"`: a new one on this machine.
        workers: how many calls at the same time; None: as many as the cluster has processors now, less one
            for the driver.
        function: what is called.

    Raises:
        WorkersError: nothing answers at the address, or a node has another version of sixplane or none.
    """

    def __init__(
        self, address: str, workers: int | None = None, function: Callable[..., FinishedGames] = play
    ) -> None:
        self._owns = not ray.is_initialized()
        if self._owns:
            try:
                _knock(address)
                ray.init(
                    address=None if address == "local" else address,
                    include_dashboard=False if address == "local" else None,
                    log_to_driver=False,
                    logging_level="warning",
                )
            except (OSError, ValueError, RuntimeError) as error:
                raise WorkersError(f"no Ray cluster answers at {address!r}: {_first_line(error)}") from error
        processors = int(ray.cluster_resources().get("CPU", 1))
        self.workers = max(1, processors - 1) if workers is None else workers
        # A call has no end of tries: what it needs comes back with the next node.
        self._call = ray.remote(num_cpus=1, max_retries=-1)(_call)
        self._function = function
        self._calls: list[Any] = []
        self._weights: tuple[int, Any] | None = None

    @property
    def waiting(self) -> int:
        """Calls that were begun and not taken yet."""
        return len(self._calls)

    def begin(self, version: int, weights: Parameters, seed: int, budget: Budget) -> None:
        """Begins a call of `play` with these arguments."""
        if self._weights is None or self._weights[0] != version:
            # This process owns them, so they are there as long as the run is.
            self._weights = version, ray.put(weights)
        arguments = version, self._weights[1], seed, budget
        self._calls.append(self._call.remote(self._function, __version__, *arguments))

    def take(self) -> list[FinishedGames]:
        """What has been finished since the last call.

        Raises:
            WorkersError: a node has another version of sixplane, or none.
            Exception: what `play` raised.
        """
        if not self._calls:
            return []
        done, self._calls = ray.wait(self._calls, num_returns=len(self._calls), timeout=0)
        try:
            return list(ray.get(done))
        except ray.exceptions.RayTaskError as error:
            cause = error.as_instanceof_cause()
            if missing := re.search(r"No module named '[\w.]+'", str(cause)):
                raise WorkersError(f"a node of the cluster lacks what the run needs: {missing[0]}") from error
            raise cause from None

    def close(self) -> None:
        """Cancels what has not been finished, and leaves the cluster."""
        for call in self._calls:
            ray.cancel(call, force=True)
        self._calls.clear()
        self._weights = None
        if self._owns:
            ray.shutdown()


def _call(function: Callable[..., FinishedGames], version: str, *arguments: Any) -> FinishedGames:
    """Calls the function on a node, after a look at what is installed there."""
    if __version__ != version:
        raise WorkersError(f"a node has sixplane {__version__}, and the driver {version}")
    return function(*arguments)


def _knock(address: str) -> None:
    """Opens a connection to the address and closes it: Ray itself waits for minutes.

    Raises:
        OSError: nothing answers within ten seconds.
        ValueError: it is no address.
    """
    if address in {"auto", "local"}:
        return
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not (colon and port.isdigit()):
        raise ValueError("an address is HOST:PORT, auto or local")
    socket.create_connection((host, int(port)), timeout=10).close()


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
