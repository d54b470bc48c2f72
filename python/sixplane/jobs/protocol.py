"""The interface of what makes calls elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

__all__ = ["Jobs"]

T = TypeVar("T")


class Jobs(Protocol):
    """Makes calls elsewhere, as `Processes` and `Cluster` do.

    Example:
        >>> from sixplane.jobs import Processes
        >>> def results(jobs: Jobs):
        ...     keys = [jobs.begin(pow, 2, power) for power in (3, 4)]
        ...     found = {}
        ...     while jobs.waiting:
        ...         found.update(jobs.finished(seconds=60))
        ...     jobs.close()
        ...     return [found[key] for key in keys]
        >>> results(Processes(workers=1))
        [8, 16]
    """

    @property
    def workers(self) -> int:
        """The number of calls that can run at the same time; it may change as nodes come and go."""

    @property
    def waiting(self) -> int:
        """The number of calls that were begun and not yet returned by `finished`."""

    def put(self, value: T, /) -> T:
        """Returns what stands for a value as an argument of calls, so that a node gets it once."""

    def begin(self, function: Callable[..., object], /, *arguments: object) -> Hashable:
        """Begins a call of a function that can be imported elsewhere, and returns its key."""

    def finished(self, seconds: float = 0.0, /) -> Sequence[tuple[Hashable, Any]]:
        """Returns the calls that have finished since the last time, as pairs of key and result.

        Args:
            seconds: how long to wait for the first.

        Raises:
            JobError: a call cannot be made.
            Exception: what the function raised.
        """

    def close(self) -> None:
        """Ends the calls that have not finished. It may be called again."""
