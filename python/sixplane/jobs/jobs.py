"""The interface of what makes calls elsewhere, and the error of a call that cannot be made."""

from __future__ import annotations

import socket
import sys
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import Any, Final, Self, TypeVar

T = TypeVar("T")

#: Stands where there are no more tasks, of which any may be None.
END: Final[Any] = object()


class JobError(RuntimeError):
    """A call cannot be made: it cannot travel, or there is no process, node or cluster for it.

    Example:
        >>> from sixplane.jobs import Processes
        >>> with Processes(workers=1) as processes:
        ...     key = processes.begin(lambda: 1)  # it cannot be pickled
        ...     try:
        ...         processes.finished(seconds=60)
        ...     except JobError as error:
        ...         print(str(error).partition(":")[0])
        cannot hand Job to a process
    """


class Jobs(ABC):
    """Makes calls elsewhere, as `Processes` and `Cluster` do; it is best used by `with`.

    Example:
        >>> from sixplane.jobs import Processes
        >>> def results(jobs: Jobs):
        ...     keys = [jobs.begin(pow, jobs.put(2), power) for power in (3, 4)]
        ...     found = {}
        ...     while jobs.waiting:
        ...         found.update(jobs.finished(seconds=60))
        ...     return [found[key] for key in keys]
        >>> with Processes(workers=1) as jobs:
        ...     print(results(jobs), list(jobs.map(pow, [(2, 5), (2, 6)])))
        [8, 16] [32, 64]
    """

    _open: Collection[Hashable]
    """The keys of the calls that `finished` has not yet returned."""

    @property
    @abstractmethod
    def workers(self) -> int:
        """The number of calls that can run at the same time; it may change as nodes come and go."""

    @abstractmethod
    def put(self, value: T) -> T:
        """Returns what stands for a value as an argument of calls, so that each node gets the value once.

        Raises:
            JobError: the value cannot travel to a node, or the cluster was closed.
        """

    @abstractmethod
    def begin(self, function: Callable[..., object], *arguments: object) -> Hashable:
        """Begins a call of a function that can be imported elsewhere, and returns its key.

        Raises:
            JobError: this object was closed. On a cluster also: an argument cannot travel, which `finished`
                of processes says.
        """

    @abstractmethod
    def forget(self, calls: Collection[Hashable]) -> None:
        """Drops calls by their keys: their results and errors do not come. Those that wait are not made."""

    @abstractmethod
    def finished(
        self, seconds: float = 0.0, calls: Collection[Hashable] | None = None
    ) -> Sequence[tuple[Hashable, Any]]:
        """Returns the calls that have finished since the last time, as pairs of key and result.

        Args:
            seconds: how long to wait for the first.
            calls: the keys of the only calls that matter; None: all.

        Raises:
            JobError: a call cannot be made: what it needs is missing or cannot travel, or it was given up. Or
                this object was closed.
            Exception: what the function raised. For what is no `Exception`, such as `SystemExit`, there is a
                `JobError`.
        """

    @abstractmethod
    def close(self) -> None:
        """Ends the calls that have not finished. No others can begin then. It may be called again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def waiting(self) -> int:
        """The number of calls that were begun and not yet returned by `finished`."""
        return len(self._open)

    def map(
        self,
        function: Callable[..., T],
        tasks: Iterable[Sequence[object]],
        stop: Callable[[], bool] = lambda: False,
    ) -> Iterator[T]:
        """Calls a function with each of these arguments, and yields the results in their order.

        Twice as many calls as can run are begun ahead. Results of other calls wait for who began those.

        Args:
            function: a function that can be imported elsewhere.
            tasks: the arguments of each call.
            stop: asked several times a second; when it returns True, no more results come.

        Raises:
            JobError, Exception: as `finished`. Somebody else has taken or forgotten a call of this map.
        """
        rest = iter(tasks)
        begun: deque[Hashable] = deque()
        results: dict[Hashable, T] = {}
        try:
            while not stop():
                while len(begun) < 2 * self.workers and (task := next(rest, END)) is not END:
                    begun.append(self.begin(function, *task))
                if not begun:
                    return
                results.update(self.finished(0.2, set(begun)))
                if begun[0] not in results and begun[0] not in self._open:
                    raise JobError("a call of this map was forgotten, or taken by `finished`")
                while begun and begun[0] in results:
                    yield results.pop(begun.popleft())
        finally:
            # Else what is left would come, or fail, in a later map.
            self.forget(begun)


def node_name() -> str:
    """Returns the host of this process, and in a Ray cluster also the node, such as `"gpu-7/1f0c22ab"`.

    Example:
        >>> node_name().partition("/")[0] == socket.gethostname()
        True
    """
    host = socket.gethostname()
    # A process that is on a node of Ray has loaded it.
    ray = sys.modules.get("ray")
    if ray is None or not ray.is_initialized():
        return host
    return f"{host}/{ray.get_runtime_context().get_node_id()[:8]}"
