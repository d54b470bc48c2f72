"""Self-play whose records go to a folder, as they come."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from sixplane.games import info_of
from sixplane.runs.charts import Curve, chart
from sixplane.runs.reader import FolderReader, Section, Summary

__all__ = ["NAME", "SelfplayReader"]

#: The names of the records.
NAME: Final = re.compile(r"game-(\d{1,12})\.sgf")

#: Seconds for reading records in one update; the others wait for the next one.
MOST_SECONDS: Final = 0.4


@dataclass
class SelfplayReader(FolderReader):
    """Reads the records `game-0001.sgf` and so on, each once."""

    title: str = "Self-play"
    _waiting: dict[int, str] = field(default_factory=dict)

    kind = "selfplay"

    def update(self) -> bool:
        """Reads new records; one that is not whole yet waits."""
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
        """How the games end, and how long they are."""
        entries = [self.entries[number] for number in sorted(self.entries)]
        games = np.arange(1.0, len(entries) + 1)
        facts = [("games", f"{len(entries):,}")]
        if self._waiting:
            facts.append(("not read yet", f"{len(self._waiting):,}"))
        black = np.array([entry.result.startswith("B+") for entry in entries], np.float64)
        drawn = np.array([entry.result in {"0", "Draw"} for entry in entries], np.float64)
        moves = np.array([entry.moves for entry in entries], np.float64)
        if entries:
            facts.append(("moves", f"{moves.sum():,.0f}"))
            facts += [("Black wins", f"{black.mean():.1%}"), ("draws", f"{drawn.mean():.1%}")]
        wins, draws, lengths = (
            Curve(label, games, np.cumsum(each) / games)
            for label, each in (("Black wins", black), ("draws", drawn), ("moves", moves))
        )
        charts = [
            *chart("Results of all games so far", [wins, draws], unit="%", axis="games", bounds=(0.0, 1.0)),
            *chart("Mean length of all games so far", [lengths], axis="games"),
        ]
        return Summary(
            title=self.title,
            facts=facts,
            alarms=self.alarms(),
            sections=[Section(title="Results", is_folded=False, charts=charts, tables=[])],
            part=None,
            whole="",
            as_of="",
        )
