"""How much a law of random games looks at: a third in the check of a change, all of it at night."""

from __future__ import annotations

import os

#: Whether the laws look at all their games.
ALL = os.environ.get("SIXPLANE_LAWS") == "all"


def share(games: int) -> int:
    """A third of the games, or all of them where `SIXPLANE_LAWS` is `all`."""
    return games if ALL else max(1, games // 3)
