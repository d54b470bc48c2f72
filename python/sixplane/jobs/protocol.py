"""What makes calls elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

__all__ = ["Jobs"]

T = TypeVar("T")


class Jobs(Protocol):
    """What makes calls elsewhere; `Processes` and `Cluster` do.

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
        """How many calls can run at the same time. It may change as nodes come and go."""

    @property
    def waiting(self) -> int:
        """How many calls were begun and have not been taken."""

    def put(self, value: T, /) -> T:
        """Gives what stands for a value as an argument of calls, so that a node gets it once."""

    def begin(self, function: Callable[..., object], /, *arguments: object) -> Hashable:
        """Begins a call of a function that can be imported elsewhere, and gives its key."""

    def finished(self, seconds: float = 0.0, /) -> Sequence[tuple[Hashable, Any]]:
        """The calls that have finished since the last time: pairs of key and result.

        Args:
            seconds: how long to wait for the first.

        Raises:
            JobError: a call cannot be made.
            Exception: what the function raised.
        """

    def close(self) -> None:
        """Ends what has not finished; may be called again."""
