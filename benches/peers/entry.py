"""What a peer enters the comparison with."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sixplane.cli.bench.speed import PROTOTYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from sixplane.cli.bench.timing import Work

__all__ = ["Entry"]

#: A peer that needs longer than this for three mean game lengths starts with younger games.
WARM_UP_SECONDS = 10.0


@dataclass(frozen=True)
class Entry:
    """One game played by one peer in one way.

    One call of the work plays a random legal action in every game and hands observations and action
    masks to NumPy; games that end start again.
    """

    #: A name of `PROTOTYPES`.
    game: str
    #: How the peer plays it.
    how: str
    #: Games in a batch; None for one game alone.
    games: int | None
    make: Callable[[], Work]
    #: Steps of each game in one call.
    steps: int = 1

    def warmed_up(self) -> tuple[Work, bool]:
        """The work after three mean game lengths, or as many as time allows; whether it was all."""
        work = self.make()
        deadline = time.perf_counter() + WARM_UP_SECONDS
        for _ in range(3 * PROTOTYPES[self.game][1] // self.steps + 1):
            work.call()
            if time.perf_counter() > deadline:
                return work, False
        return work, True
