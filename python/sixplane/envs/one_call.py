"""One call at a time: a step that is several calls of the games lets no other one in between."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self


class OneCall:
    """A lock around each call of an environment, which refuses a second call instead of letting it wait.

    A pickle or a deep copy is a new one that is free, because it belongs to another environment.

    Raises:
        RuntimeError: in `with`, another call is running.

    Example:
        >>> one_call = OneCall()
        >>> with one_call:
        ...     try:
        ...         with one_call:
        ...             pass
        ...     except RuntimeError as error:
        ...         print(error)
        another call of this environment is running: it takes one call at a time
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("another call of this environment is running: it takes one call at a time")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def __deepcopy__(self, _memo: object) -> Self:
        return type(self)()

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:
        return type(self), ()
