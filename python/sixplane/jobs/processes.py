"""Calls of functions in processes of this machine."""

from __future__ import annotations

import multiprocessing
import pickle
import time
import traceback
from collections.abc import Callable, Collection, Hashable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from multiprocessing import util
from multiprocessing.connection import wait as wait_for
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from sixplane._arguments import integer
from sixplane.jobs.child import Child, EndedError, check_script, is_sigterm
from sixplane.jobs.jobs import JobError, Jobs

T = TypeVar("T")

#: The number of deaths in a row, without a call that finishes in between, that are no accident. More workers
#: than a third of it may die three times each, since all of them may be killed at once.
MOST_DEATHS: Final = 10

#: The longest wait in one piece, in seconds. Python sees a signal that came just before a wait only after it.
LONGEST_WAIT: Final = 0.5


class Job(NamedTuple):
    """A call as it goes to a process."""

    function: Callable[..., object]
    arguments: tuple[object, ...]


#: What a call has returned, or raised.
Outcome: TypeAlias = tuple[object, BaseException | None]


class Processes(Jobs):
    """Makes calls in processes of this machine, as many at a time as there are workers.

    A process that dies is replaced, and its call made again. Ctrl-C does not reach the processes. They end
    when this object is closed or the interpreter ends, also by SIGKILL.

    Args:
        workers: the number of processes. Each starts with the first call that it gets.

    Raises:
        JobError: processes cannot start here. Each begins by importing the script, if there is one.
        ValueError: there are no workers.

    Example:
        >>> import multiprocessing, time
        >>> with Processes(workers=1) as processes:
        ...     key = processes.begin(time.sleep, 1000)
        ...     try:
        ...         while not processes.finished(seconds=0.01):
        ...             for process in multiprocessing.active_children():
        ...                 process.kill()  # as the system does where memory runs out
        ...     except JobError as error:
        ...         print(error)
        workers have died 10 times without finishing a call (out of memory?)
    """

    workers = 1
    """The number of processes."""

    def __init__(self, workers: int) -> None:
        self.workers = integer("workers", workers, 1)
        check_script()
        self._calls: SimpleQueue[tuple[Future[object], Job] | None] = SimpleQueue()
        # In the order in which the calls were begun.
        self._open: dict[Future[object], None] = {}
        self._threads: list[Thread] = []
        self._deaths = 0
        self._is_closing = False
        self._until_closed, self._closing = multiprocessing.Pipe(duplex=False)
        # Before multiprocessing ends the processes itself, which would be replaced.
        self._close = util.Finalize(None, self._end, exitpriority=20)

    def put(self, value: T) -> T:
        return value

    def begin(self, function: Callable[..., object], *arguments: object) -> Future[object]:
        self._check_open()
        future: Future[object] = Future()
        self._open[future] = None
        self._calls.put((future, Job(function, arguments)))
        if len(self._threads) < self.workers:
            thread = Thread(target=self._work, daemon=True)
            self._threads.append(thread)
            thread.start()
        return future

    def forget(self, calls: Collection[Hashable]) -> None:
        for future in [future for future in self._open if future in calls]:
            del self._open[future]
            future.cancel()

    def finished(
        self, seconds: float = 0.0, calls: Collection[Hashable] | None = None
    ) -> list[tuple[Future[object], Any]]:
        wanted = [future for future in self._open if calls is None or future in calls]
        end = time.monotonic() + seconds
        while wanted and not self._is_closing and (left := end - time.monotonic()) > 0:
            if wait(wanted, min(left, LONGEST_WAIT), FIRST_COMPLETED).done:
                break
        self._check_open()
        results: list[tuple[Future[object], object]] = []
        for future in [future for future in wanted if future.done()]:
            if future.exception() is not None and results:
                break  # It is raised the next time, so that what has finished before is not lost.
            del self._open[future]
            results.append((future, future.result()))
        return results

    def _check_open(self) -> None:
        if self._is_closing:
            raise JobError("the processes were closed")

    def _work(self) -> None:
        """Makes calls in one process after the other, in a thread, until this object is closed."""
        child: Child[Job] | None = None
        try:
            while (call := self._calls.get()) is not None:
                is_wanted = call[0].set_running_or_notify_cancel()
                while is_wanted and not (call[0].done() or self._is_closing):
                    child = self._make(*call, child)
        finally:
            if child is not None:
                child.close()

    def _make(self, future: Future[object], job: Job, child: Child[Job] | None) -> Child[Job] | None:
        """Makes a call once, and returns the process, if it lives, for the next one."""
        result: object = None
        error: BaseException | None = None
        try:
            child = child or Child(called)
            child.ask(job)
            if self._until_closed in wait_for([child.connection, self._until_closed]):
                return child
            result, error = child.answer()
            self._deaths = 0
        except EndedError:
            if child is not None:
                child.close()
                child = None
            self._deaths += 1
            if self._deaths < max(MOST_DEATHS, 3 * self.workers):
                return None
            died = f"workers have died {self._deaths} times without finishing a call (out of memory?)"
            error = JobError(died)
            self._deaths = 0
        except BaseException as raised:
            error = raised
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
        return child

    def close(self) -> None:
        self._close()

    def _end(self) -> None:
        # Before the pipe is closed: a thread that wakes by that must not ask a process that is still busy, or
        # both wait until the other reads.
        self._is_closing = True
        self._open.clear()
        self._closing.close()
        for _ in self._threads:
            self._calls.put(None)
        for thread in self._threads:
            thread.join()
        self._until_closed.close()


def called(job: Job, dumps: Callable[[object], bytes] = pickle.dumps) -> Outcome:
    """Makes a call where it is to be made, and returns its result or what it raised.

    An exception that cannot be pickled by `dumps`, or not be made again, becomes a `JobError`. So does what
    is no `Exception`, such as `SystemExit`, which would end this process. SIGTERM does end it.
    """
    try:
        return job.function(*job.arguments), None
    except BaseException as raised:
        if is_sigterm(raised):
            raise  # The call is made again in another process.
        ended = f"the call has ended by {raised!r}"
        error = raised if isinstance(raised, Exception) else JobError(ended)
        error.add_note(f"raised in a process by this:\n{traceback.format_exc()}")
        try:
            pickle.loads(dumps(error))  # noqa: S301 - some exceptions pickle, and cannot be made again
        except Exception:
            return None, JobError(f"{type(error).__name__}: {error}")
        return None, error
