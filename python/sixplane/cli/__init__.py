"""The commands of the program `sixplane`: each module has `add_parser` and what that runs.

What runs returns the exit status: 0, or 130 where Ctrl-C cut it short.
A command that fails raises a `CommandError`, or an error of what it uses: the program prints it in one line.
"""

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["CommandError", "failing"]


class CommandError(Exception):
    """Says in one line why a command fails, and with which exit status."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


@contextmanager
def failing(*kinds: type[Exception], status: int = 2) -> Iterator[None]:
    """Raises a `CommandError` with the text of an error of these kinds in the block."""
    try:
        yield
    except kinds as error:
        raise CommandError(str(error), status) from error
