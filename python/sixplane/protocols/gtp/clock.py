"""Makes seconds for one move of the time settings of GTP."""

from __future__ import annotations

import math
from typing import Final

#: The main time has to last for this many moves; of any time, only this part is used.
MOVES: Final = 30
PART: Final = 0.9

#: More moves than a game can have.
MANY: Final = 1_000_000


class GTPClock:
    """Keeps the Canadian time of both colors, as `time_settings` and `time_left` set it.

    The time that moves take is its own count, for programs that send no `time_left`.
    """

    def __init__(self) -> None:
        self._settings: tuple[float, float, int] | None = None
        #: What each color has left: seconds, and the moves that they are for, or 0 in the main time.
        self._left: list[tuple[float, int] | None] = [None, None]

    def set(self, main: float, byo_yomi: float, stones: int) -> None:
        """Sets main time, then `byo_yomi` seconds for every `stones` moves; 0 stones mean no limit."""
        if not all(math.isfinite(time) and time >= 0 for time in (main, byo_yomi)) or not 0 <= stones < MANY:
            raise ValueError("times must be finite and not negative, and moves fewer than a million")
        unlimited = byo_yomi > 0 and stones == 0
        self._settings = None if unlimited else (main, byo_yomi, stones)
        self.begin()

    def begin(self) -> None:
        """Gives both colors all of their time, for a new game."""
        self._left = [None, None]
        if self._settings is not None:
            main, byo_yomi, stones = self._settings
            self._left = [(main, 0) if main else (byo_yomi, stones)] * 2

    def set_left(self, color: int, seconds: float, stones: int) -> None:
        """Sets what is left for a color: main time if `stones` is 0, else time for those moves."""
        if not math.isfinite(seconds) or not 0 <= stones < MANY:
            raise ValueError("times must be finite, and moves fewer than a million")
        self._left[color] = (max(seconds, 0.0), stones)

    def spend(self, color: int, seconds: float) -> None:
        """Takes the time of a move of a color from what it has left."""
        if (now := self._left[color]) is None:
            return
        left, stones = now[0] - seconds, now[1]
        _, byo_yomi, of_period = self._settings or (0.0, 0.0, 0)
        if stones == 0 and left <= 0 and of_period:
            # The main time is over, and the move was the first of a period.
            left, stones = left + byo_yomi, of_period
        if stones:
            stones -= 1
            if stones == 0 and of_period:
                left, stones = byo_yomi, of_period
            elif stones == 0:
                left = 0.0
        self._left[color] = (max(left, 0.0), stones)

    def seconds(self, color: int) -> float | None:
        """Returns the time for the next move of a color; None: no limit."""
        if (now := self._left[color]) is None:
            return None
        left, left_stones = now
        _, byo_yomi, stones = self._settings or (0.0, 0.0, 0)
        of_period = byo_yomi / stones if stones else 0.0
        seconds = left / left_stones if left_stones else left / MOVES + of_period
        return max(PART * seconds, 0.01)
