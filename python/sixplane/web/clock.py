"""The clock of a game: the time that both players have used, and the time left for a move."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class TurnClock:
    """Counts the seconds of both players.

    Attributes:
        limit: seconds for a move; None: no limit.
        totals: seconds of Black and of White in their finished turns.
        color: color whose clock runs; None: the clock stands still.
        turn: seconds of the last finished turn; 0 in one in which the clock has not run.
        is_waiting: whether a turn has begun without its clock.
    """

    limit: float | None = None
    totals: list[float] = field(default_factory=lambda: [0.0, 0.0])
    color: int | None = None
    turn: float = 0.0
    is_waiting: bool = False
    _since: float = 0.0
    _alarm: threading.Timer | None = None

    def start(self, color: int, time_up: Callable[[], object] = lambda: None) -> None:
        """Begins a turn; `time_up` is called in a thread of its own when the limit is reached."""
        self.stop()
        self.color, self._since = color, time.monotonic()
        self._call_after_limit(time_up)

    def wait(self, begins: Callable[[], object]) -> None:
        """Begins a turn without its clock; `begins` is called in a thread of its own after the limit."""
        self.stop()
        self.is_waiting = True
        self._call_after_limit(begins)

    def _call_after_limit(self, call: Callable[[], object]) -> None:
        if self.limit is not None:
            self._alarm = threading.Timer(self.limit, call)
            self._alarm.daemon = True
            self._alarm.start()

    def stop(self) -> None:
        """Stops the clock, if it runs."""
        if self.color is not None:
            self.turn = time.monotonic() - self._since
            self.totals[self.color] += self.turn
        self.color, self.is_waiting = None, False
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def spent(self) -> tuple[float, float]:
        """Returns the seconds of Black and of White until now."""
        black, white = self.totals
        running = 0.0 if self.color is None else time.monotonic() - self._since
        return black + running * (self.color == 0), white + running * (self.color == 1)

    def left(self) -> float | None:
        """Returns the seconds left for this move; None if there is no limit, or the clock stands still."""
        if self.limit is None or self.color is None:
            return None
        return max(self.limit - (time.monotonic() - self._since), 0.0)
