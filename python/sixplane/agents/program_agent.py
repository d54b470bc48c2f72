"""What agents that are other programs have in common."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Generic, TypeVar

from sixplane._core import Game
from sixplane.agents.program import Program, arguments_of

#: The program, by the protocol that it speaks.
P = TypeVar("P", bound=Program)


class ProgramAgent(Generic[P]):
    """An agent that is another program, which is started for the first move and after every end.

    Args:
        command: the program with its arguments, as one line or as a list.
        timeout: seconds for one move.

    Raises:
        ValueError, TypeError: the command is empty or of a wrong type.
    """

    def __init__(self, command: str | Sequence[str], timeout: float) -> None:
        self._arguments = arguments_of(command)
        self.limit_time(timeout)
        #: When the answers of this move must be there, by `time.monotonic()`.
        self._deadline = 0.0
        self._forget()

    def _forget(self) -> None:
        self._program: P | None = None
        #: The game as the program knows it; None if it must be sent anew.
        self._sent: Game | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._arguments!r})"

    def limit_time(self, seconds: float) -> None:
        """Sets the time for one move; it includes the start of the program and sending the game."""
        if not (seconds > 0 and math.isfinite(seconds)):
            raise ValueError(f"the time must be a positive number of seconds, not {seconds!r}")
        self._timeout = float(seconds)

    def close(self) -> None:
        """Ends the program; the next move starts it again."""
        program = self._program
        self._forget()
        if program is not None:
            program.close()

    def _begin_move(self) -> None:
        self._deadline = time.monotonic() + self._timeout

    @property
    def _seconds_left(self) -> float:
        return max(self._deadline - time.monotonic(), 0.0)
