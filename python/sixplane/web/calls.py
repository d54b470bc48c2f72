"""Calls that take long, such as the start of a program that plays: the server waits for them in threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from sixplane.web.refusal import RefusedError

T = TypeVar("T")


class Calls:
    """Waits for calls until the server ends.

    Their threads end with the program, which would wait for those of `asyncio.to_thread`.
    """

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[Any]] = set()
        self._has_ended = False

    async def wait(self, call: Callable[..., T], *arguments: object) -> T:
        """Returns what a call returns, or raises what it raises.

        Raises:
            RefusedError: the server ends.
        """
        result: Future[T] = Future()
        result.set_running_or_notify_cancel()

        def run() -> None:
            try:
                result.set_result(call(*arguments))
            except BaseException as error:
                result.set_exception(error)

        self._check()
        threading.Thread(target=run, name=f"calls {call.__name__}", daemon=True).start()
        waiting = asyncio.wrap_future(result)
        self._waiting.add(waiting)
        try:
            return await waiting
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or not task.cancelling():
                self._check()
            raise
        finally:
            self._waiting.discard(waiting)

    def _check(self) -> None:
        """Raises an error if the server ends."""
        if self._has_ended:
            raise RefusedError("ending")

    def end(self) -> None:
        """Waits for no call any more."""
        self._has_ended = True
        for one in self._waiting:
            one.cancel()
