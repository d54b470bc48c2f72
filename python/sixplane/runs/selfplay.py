"""The reader of the folder of self-play."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from sixplane.games import info_of
from sixplane.runs.reader import FolderReader, Summary, numbers, spread

#: The names of the records.
NAME: Final = re.compile(r"game-(\d{1,12})\.sgf")

#: Seconds after which a record that is not whole is damaged, and no longer being written.
SETTLED: Final = 10.0

#: Seconds for reading records in one update; the other records wait for the next one.
MOST_SECONDS: Final = 0.4


@dataclass
class SelfplayReader(FolderReader):
    """Reads the records `game-0001.sgf` and so on, each once."""

    title: str = "Self-play"
    _waiting: dict[int, str] = field(default_factory=dict)
    _first: tuple[str, int] | None = None

    def read(self) -> bool:
        """Reads new records; one that is not whole yet waits. Returns whether records came, or went."""
        before = [*self.entries], [*self.faults]
        self.read_changed(".", self._list_records, is_needed=True)
        end = time.monotonic() + MOST_SECONDS
        for number in sorted(self._waiting):
            found = self.read_game(number, self._waiting[number])
            if found is not None:
                self.faults.pop(self._waiting.pop(number), None)
                self.entries[number], game = found
                self.title = f"{info_of(game).title} {game.rows}x{game.cols}: self-play"
            else:
                self._note_damage(self._waiting[number])
            if time.monotonic() > end:
                break
        return ([*self.entries], [*self.faults]) != before

    def _list_records(self) -> bool:
        names = {
            int(named[1]): entry.name
            for entry in os.scandir(self.path)
            if (named := NAME.fullmatch(entry.name))
        }
        # Nobody writes a record twice: others in their place are those of another self-play.
        if self._first is not None and self._first != self._written(self._first[0]):
            self.begin_anew()
        if self._first is None and names:
            self._first = self._written(names[min(names)])
        self._waiting = {number: name for number, name in names.items() if number not in self.entries}
        for number in self.entries.keys() - names.keys():
            del self.entries[number]
        self.faults = {name: self.faults[name] for name in self._waiting.values() if name in self.faults}
        return True

    def _written(self, name: str) -> tuple[str, int] | None:
        """Returns a record and when it was written; None if it is missing."""
        with suppress(FileNotFoundError):
            return name, (self.path / name).stat().st_mtime_ns
        return None

    def _note_damage(self, name: str) -> None:
        """Notes that a record is damaged, if it has been left as it is for a while."""
        with suppress(FileNotFoundError):
            age = time.time() - (self.path / name).stat().st_mtime
            if age > SETTLED and name not in self.faults and self.read_record(name) is None:
                self.faults[name] = ["it is no whole record of a game"]

    def summary(self) -> Summary:
        """Returns how the games end, and how long they are."""
        entries = [self.entries[number] for number in sorted(self.entries)]
        facts = [("games", f"{len(entries):,}")]
        if unread := len(self._waiting) - len(self.faults):
            facts.append(("not read yet", f"{unread:,}"))
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
