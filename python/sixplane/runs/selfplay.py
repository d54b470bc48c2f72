"""The reader of the folder of self-play."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from sixplane.games import info_of
from sixplane.runs.reader import FolderReader, Summary, numbers, spread

#: The names of the records.
NAME: Final = re.compile(r"game-(\d{1,12})\.sgf")

#: Seconds for reading records in one update; the other records wait for the next one.
MOST_SECONDS: Final = 0.4


@dataclass
class SelfplayReader(FolderReader):
    """Reads the records `game-0001.sgf` and so on, each once."""

    title: str = "Self-play"
    _waiting: dict[int, str] = field(default_factory=dict)

    def update(self) -> bool:
        """Reads new records, and returns whether there were any; one that is not whole yet waits."""
        if self.has_changed(".", is_needed=True):
            for entry in os.scandir(self.path):
                named = NAME.fullmatch(entry.name)
                if named and int(named[1]) not in self.entries:
                    self._waiting[int(named[1])] = entry.name
        before = len(self.entries)
        end = time.monotonic() + MOST_SECONDS
        for number in sorted(self._waiting):
            found = self.read_game(number, self._waiting[number])
            if found is not None:
                del self._waiting[number]
                self.entries[number], game = found
                self.title = f"{info_of(game).title} {game.rows}x{game.cols}: self-play"
            if time.monotonic() > end:
                break
        return len(self.entries) > before

    def summary(self) -> Summary:
        """Returns how the games end, and how long they are."""
        entries = [self.entries[number] for number in sorted(self.entries)]
        facts = [("games", f"{len(entries):,}")]
        if self._waiting:
            facts.append(("not read yet", f"{len(self._waiting):,}"))
        columns = {
            "moves": np.array([entry.moves for entry in entries], np.float64),
            "black_wins": np.array([entry.result.startswith("B+") for entry in entries], np.float64),
            "draws": np.array([entry.result in {"0", "Draw"} for entry in entries], np.float64),
        }
        if entries:
            facts.append(("moves", f"{columns['moves'].sum():,.0f}"))
            facts.append(("Black wins", f"{columns['black_wins'].mean():.1%}"))
            facts.append(("draws", f"{columns['draws'].mean():.1%}"))
        games, chosen = np.arange(1.0, len(entries) + 1), spread(len(entries))
        shown = {"games": games} | {name: np.cumsum(each) / games for name, each in columns.items()}
        return Summary(
            kind="selfplay",
            title=self.title,
            facts=facts,
            alarms=self.alarms(),
            columns={name: numbers(each[chosen].tolist()) for name, each in shown.items()},
        )
