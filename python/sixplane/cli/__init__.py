"""The commands of the program `sixplane`, one module each: `add_parser` and what it runs."""

__all__ = ["CommandError"]


class CommandError(Exception):
    """A failure to tell the user about in one line, and the exit status that goes with it."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status
