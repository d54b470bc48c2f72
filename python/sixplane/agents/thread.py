"""A thread that calls an agent, so that the caller can stop waiting for it."""

from __future__ import annotations

import contextvars
import queue
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

T = TypeVar("T")

#: A question, the variables of its context, and where the answer goes.
_Task: TypeAlias = tuple[Callable[[], Any], contextvars.Context, "queue.SimpleQueue[tuple[bool, Any]]"]

#: Seconds between two checks whether a busy agent has returned.
_PAUSE: Final = 0.01


class AgentThread:
    """Calls an agent in a thread of its own, one question at a time.

    A thread cannot be ended. If an agent does not answer in time, its thread goes on. No `AgentThread`
    calls the agent again until it has returned.

    Example:
        >>> thread = AgentThread("somebody")
        >>> thread.ask(lambda seconds: f"answered within {seconds:g} s", 60)
        'answered within 60 s'
        >>> thread.close()
    """

    def __init__(self, agent: object) -> None:
        self._agent = agent
        self._worker: _Worker | None = None
        self._end: Callable[[], object] = lambda: None

    def ask(self, question: Callable[[float | None], T], seconds: float | None, grace: float = 0.0) -> T:
        """Asks a question and returns the answer, or raises what the question raises, Ctrl-C included.

        Args:
            question: called in the thread, with the seconds that are left; None: no limit.
            seconds: how long to wait, first for an agent that is still busy, then for the answer.
            grace: how much longer to wait for the answer.

        Raises:
            TimeoutError: there is no answer yet.
        """
        begun = time.monotonic()
        left = seconds
        if _is_busy(self._agent):
            _wait_for(self._agent, None if seconds is None else begun + seconds)
            left = None if seconds is None else begun + seconds - time.monotonic()
        if self._worker is None:
            self._worker = _Worker(self._agent)
            # The worker holds no reference to this object, which may be collected while it waits.
            self._end = weakref.finalize(self, self._worker.tasks.put, None)
            self._worker.start()
        answers: queue.SimpleQueue[tuple[bool, T]] = queue.SimpleQueue()
        self._worker.is_busy = True
        self._worker.tasks.put((lambda: question(left), contextvars.copy_context(), answers))
        try:
            done, value = answers.get(
                timeout=None if left is None else min(left + grace, threading.TIMEOUT_MAX)
            )
        except queue.Empty:
            raise TimeoutError(f"no answer within {seconds:.3g} s") from None
        if not done:
            assert isinstance(value, BaseException)  # noqa: S101 - what the worker has caught
            raise value
        return value

    def close(self) -> None:
        """Ends the thread, as soon as the agent has answered."""
        self._end()
        self._worker = None


class _Worker(threading.Thread):
    """Works through questions to an agent; `_is_busy` finds it among all threads."""

    def __init__(self, agent: object) -> None:
        super().__init__(name=f"asks {type(agent).__name__}", daemon=True)
        self.agent = agent
        self.tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self.is_busy = False

    def run(self) -> None:
        while True:
            task = self.tasks.get()
            if task is None:
                return
            question, context, answers = task
            try:
                answer = True, context.run(question)
            except BaseException as error:  # the caller gets it
                answer = False, error
            # Before the answer, because the caller may ask again at once.
            self.is_busy = False
            answers.put(answer)
            del task, question, context, answers, answer


def _is_busy(agent: object) -> bool:
    return any(
        isinstance(thread, _Worker) and thread.agent is agent and thread.is_busy
        for thread in threading.enumerate()
    )


def _wait_for(agent: object, deadline: float | None) -> None:
    while _is_busy(agent):
        if deadline is not None and time.monotonic() >= deadline:
            raise TimeoutError("it is still thinking about an earlier move")
        time.sleep(_PAUSE)
