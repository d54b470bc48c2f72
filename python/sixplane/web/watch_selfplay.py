"""Self-play whose records go to a folder, as they come."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from sixplane.games import info_of
from sixplane.learn.chart import Curve, curves
from sixplane.web.watch_folder import Watch

__all__ = ["NAME", "SelfplayWatch"]

#: The names of the records.
NAME: Final = re.compile(r"game-(\d{1,12})\.sgf")

#: Seconds for reading records at one look; the others wait for the next one.
MOST_SECONDS: Final = 0.4


@dataclass
class SelfplayWatch(Watch):
    """Reads the records `game-0001.sgf` and so on, each once."""

    title: str = "Self-play"
    _seen: int = -1
    _waiting: dict[int, str] = field(default_factory=dict)

    kind = "selfplay"

    def look(self) -> bool:
        """Reads new records; one that is not whole yet waits."""
        changed = self.path.stat().st_mtime_ns
        if changed != self._seen:
            self._seen = changed
            for entry in os.scandir(self.path):
                named = NAME.fullmatch(entry.name)
                if named and int(named[1]) not in self.entries:
                    self._waiting[int(named[1])] = entry.name
        is_new = False
        end = time.monotonic() + MOST_SECONDS
        for number in sorted(self._waiting):
            found = self.read(number, self._waiting[number])
            if found is not None:
                del self._waiting[number]
                self.entries[number], game = found
                self.title = f"{info_of(game).title} {game.rows}x{game.cols}: self-play"
                is_new = True
            if time.monotonic() > end:
                break
        return is_new

    def told(self) -> dict[str, Any]:
        """How the games end, and how long they are."""
        entries = [self.entries[number] for number in sorted(self.entries)]
        games = np.arange(1, len(entries) + 1, dtype=np.float64)
        black = np.array([entry.result.startswith("B+") for entry in entries], np.float64)
        drawn = np.array([entry.result in {"0", "Draw"} for entry in entries], np.float64)
        moves = np.array([entry.moves for entry in entries], np.float64)
        facts = [["games", f"{len(entries):,}"]]
        if self._waiting:
            facts.append(["not read yet", f"{len(self._waiting):,}"])
        if entries:
            facts += [
                ["moves", f"{moves.sum():,.0f}"],
                ["Black wins", f"{black.mean():.1%}"],
                ["draws", f"{drawn.mean():.1%}"],
            ]
        shares = [
            Curve("Black wins", games, np.cumsum(black) / games),
            Curve("draws", games, np.cumsum(drawn) / games),
        ]
        lengths = [Curve("moves", games, np.cumsum(moves) / games)]
        return {
            "title": self.title,
            "facts": facts,
            "part": None,
            "alarms": [],
            "charts": [
                curves("Results of all games so far", shares, unit="%", axis="games", bounds=(0.0, 1.0)),
                curves("Mean length of all games so far", lengths, axis="games"),
            ],
            "tables": [],
        }
