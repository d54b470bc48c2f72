"""The threads of libraries, which a run limits while it goes on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: What says how many threads a library uses. It is read when the library is loaded.
VARIABLES: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def limit_threads_of_children() -> None:
    """Gives libraries in processes that begin from now on one thread, where nobody has said how many.

    A worker loads them before it runs anything of ours.
    """
    for name in VARIABLES:
        os.environ.setdefault(name, "1")


@contextmanager
def kept_threads() -> Iterator[None]:
    """Restores at the end of the block what it has changed: these variables, and PyTorch's threads.

    Example:
        >>> before = [os.environ.get(name) for name in VARIABLES]
        >>> with kept_threads():
        ...     limit_threads_of_children()
        ...     all(name in os.environ for name in VARIABLES)
        True
        >>> [os.environ.get(name) for name in VARIABLES] == before
        True
    """
    variables = {name: os.environ.get(name) for name in VARIABLES}
    # A learner of somebody else may do without it.
    torch = sys.modules.get("torch")
    threads = None if torch is None else torch.get_num_threads()
    try:
        yield
    finally:
        for name, value in variables.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        if torch is not None and torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
