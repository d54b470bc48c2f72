"""The error of calls elsewhere."""

from __future__ import annotations

__all__ = ["JobError"]


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
