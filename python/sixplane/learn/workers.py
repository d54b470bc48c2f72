"""The pool: worker processes that play, each on one thread."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any, NamedTuple

from sixplane._spawn import UNGUARDED, UNGUARDED_TEXT, leave_if_importing, missing_script
from sixplane.learn.play import FinishedGames, play

if TYPE_CHECKING:
    from collections.abc import Callable

    from sixplane.learn.calls import Call
    from sixplane.learn.play import Budget
    from sixplane.nets import Parameters

__all__ = ["WorkerPool", "WorkersError"]


class WorkersError(RuntimeError):
    """Workers that die again and again.

    Example:
        >>> import multiprocessing, sixplane, time
        >>> from dataclasses import replace
        >>> from sixplane.learn import Budget
        >>> from sixplane.nets import Architecture
        >>> network = Architecture("go", blocks=1, channels=4)
        >>> budget = Budget(
        ...     prototype=sixplane.Go(size=3, max_moves=12),
        ...     games=4,
        ...     simulations=4,
        ...     opening_plies=2,
        ...     search={},
        ...     architecture=network,
        ...     backend={"backend": "numpy"},
        ... )
        >>> weights = network.random_parameters(seed=1)
        >>> pool = WorkerPool(workers=1)
        >>> pool.begin(0, weights, 7, budget)
        >>> while not (finished := pool.take()):
        ...     time.sleep(0.01)
        >>> len(finished[0].outcomes)
        4
        >>> pool.begin(0, weights, 8, replace(budget, games=1_000_000))
        >>> try:
        ...     while not pool.take():
        ...         for process in multiprocessing.active_children():
        ...             process.kill()  # as the system does where memory runs out
        ... except WorkersError as error:
        ...     print(error)
        workers have died 10 times without playing a game (out of memory?)
        >>> pool.close()
    """


class Task(NamedTuple):
    """The arguments of a call of `play`."""

    version: int
    weights: Parameters
    seed: int
    budget: Budget


class WorkerPool:
    """Calls `play` in other processes.

    A worker that dies is replaced, and its call made again; so are those of the others at that moment.

    Args:
        workers: how many processes.
        function: what they call.

    Raises:
        WorkersError: processes cannot start. Each begins by importing the script, if there is one.
    """

    def __init__(self, workers: int, function: Callable[..., FinishedGames] = play) -> None:
        leave_if_importing()
        missing = missing_script()
        if missing is not None:
            raise WorkersError(missing)
        self.workers = workers
        self._function = function
        self._tasks: deque[tuple[Task, Future[FinishedGames]]] = deque()
        self._deaths = 0
        self._executor = self._start()

    def _start(self) -> ProcessPoolExecutor:
        # Libraries read these when they are loaded, which is before a worker runs anything of ours.
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ.setdefault(name, "1")
        # A fresh interpreter each: a fork of a process with threads may hang.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.workers, context, initializer=_prepare)

    @property
    def waiting(self) -> int:
        """Calls that were begun and not taken yet."""
        return len(self._tasks)

    def begin(self, *arguments: Any) -> None:
        """Begins a call of `play` with these arguments."""
        task = Task(*arguments)
        self._tasks.append((task, self._submit(task)))

    def _submit(self, task: Task) -> Future[FinishedGames]:
        try:
            return self._executor.submit(self._function, *task)
        except BrokenProcessPool:
            self._restart()
            return self._executor.submit(self._function, *task)

    def take(self) -> list[FinishedGames]:
        """What has been finished since the last call.

        Raises:
            WorkersError: workers have died ten times without finishing anything, or cannot start.
            Exception: what `play` raised.
        """
        finished = []
        try:
            for _ in range(len(self._tasks)):
                task, future = self._tasks.popleft()
                if not future.done():
                    self._tasks.append((task, future))
                    continue
                try:
                    finished.append(future.result())
                    self._deaths = 0
                except BrokenProcessPool:
                    self._tasks.append((task, future))
                    raise
        except BrokenProcessPool:
            self._restart()
        return finished

    def taken(self, call: Call) -> None:
        """Nobody looks at these workers but the run itself."""

    def _restart(self) -> None:
        """Starts new processes and makes every unfinished call again."""
        self._deaths += 1
        if UNGUARDED in self._stop():
            raise WorkersError(UNGUARDED_TEXT) from None
        if self._deaths >= _MOST_DEATHS:
            raise WorkersError(
                f"workers have died {self._deaths} times without playing a game (out of memory?)"
            )
        self._executor = self._start()
        tasks = list(self._tasks)
        self._tasks.clear()
        for task, future in tasks:
            is_whole = future.done() and not future.cancelled() and future.exception() is None
            again = future if is_whole else self._executor.submit(self._function, *task)
            self._tasks.append((task, again))

    def close(self) -> None:
        """Ends the processes at once."""
        self._stop()

    def _stop(self) -> list[int | None]:
        """Ends the processes at once, and gives their exit statuses."""
        executor = self._executor
        processes, calls = list((executor._processes or {}).values()), executor._call_queue  # type: ignore[attr-defined]
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        for process in processes:
            process.join()
        if sys.version_info < (3, 11, 5) and calls is not None:
            # Python waits at its end until a call is written that nobody reads any more
            # (https://github.com/python/cpython/issues/94777).
            calls._reader.close()
        return [process.exitcode for process in processes]


_MOST_DEATHS = 10


def _prepare() -> None:
    """Makes a new process a worker: Ctrl-C is the driver's, and it ends when the driver does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    driver = multiprocessing.parent_process()
    if driver is not None:
        threading.Thread(target=_end_with, args=(driver,), daemon=True).start()


def _end_with(driver: Any) -> None:
    driver.join()
    os._exit(1)
