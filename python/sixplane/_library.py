"""Libraries that are optional: if one is missing, the error says what to install."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def optional(need: str, extra: str, *modules: str) -> Iterator[None]:
    """Says what to install if an import in the block fails.

    Args:
        need: what needs which library, as the message begins.
        extra: the extra of sixplane that installs it.
        modules: the library, and what it needs itself and the extra installs, too.

    Raises:
        ModuleNotFoundError: one of the modules is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in modules:
            raise
        raise ModuleNotFoundError(f"{need}: pip install 'sixplane[{extra}]'", name=modules[0]) from error
