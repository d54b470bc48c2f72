"""The reader of the folder of a match."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from sixplane.match.folder import HEADER, RESULTS
from sixplane.match.json_lines import read_header
from sixplane.match.result import sgf_result
from sixplane.match.standings import Line, tables
from sixplane.match.statistics import wilson_interval
from sixplane.runs.reader import Entry, FolderReader, PageTable, Score, Summary, numbers, spread

#: The most rows of a table, such as that of all forfeits, on a page.
MOST_ROWS: Final = 100
#: The most pairs whose scores are curves: the page has as many colors.
MOST_PAIRS: Final = 6


@dataclass
class MatchReader(FolderReader):
    """Reads `results.jsonl` line by line, and the records of the games."""

    game_name: str = "Match"
    players: list[str] | None = None
    lines: dict[int, Line] = field(default_factory=dict)

    def read(self) -> bool:
        """Reads new lines."""
        return self.read_lines(RESULTS, self._take, self.begin_anew)

    def _take(self, number: int, text: bytes) -> None:
        if number == 1:
            header = read_header(text, "match", HEADER)
            self.game_name, self.players = header["game"], list(header["players"])
            return
        line = Line.read(text, self.players)
        # The first line of a game counts, as in the match itself.
        if line.game not in self.lines:
            self.lines[line.game] = line
            number, result = line.game + 1, sgf_result(line.winner, line.ending, line.score)
            file = f"game-{number:04}.sgf"
            self.entries[number] = Entry(number, line.black, line.white, result, line.moves, file)

    def summary(self) -> Summary:
        """Returns the scores and the standings, as `sixplane match` prints them."""
        lines = sorted(self.lines.values(), key=lambda line: line.game)
        names = sorted({name for line in lines for name in (line.black, line.white)})
        players = names if self.players is None else self.players
        facts = [("games", f"{len(lines):,}")]
        if lines:
            facts.append(("moves of a game", f"{np.mean([line.moves for line in lines]):.1f}"))
            facts.append(("lost by a rule of the referee", str(sum(line.forfeit for line in lines))))
            facts.append(("longest move", f"{max(max(line.slowest) for line in lines):.2f} s"))
        met: dict[tuple[str, str], list[Line]] = {}
        for line in lines:
            first, second = sorted((line.black, line.white), key=players.index)
            met.setdefault((first, second), []).append(line)
        pairs = sorted(met, key=lambda pair: [players.index(name) for name in pair])[:MOST_PAIRS]
        return Summary(
            kind="match",
            title=f"{self.game_name}: {', '.join(players)}",
            facts=facts,
            alarms=self.alarms(),
            scores={f"{pair[0]} against {pair[1]}": _scores(pair[0], met[pair]) for pair in pairs},
            tables=[PageTable(title=title, rows=rows[:MOST_ROWS]) for title, rows in tables(players, lines)],
        )


def _scores(first: str, lines: list[Line]) -> list[Score]:
    """Returns the score of the first of two players after each of their games, with its interval."""
    total = np.cumsum([line.points(first) for line in lines])
    found = []
    for i in spread(len(lines)).tolist():
        points, games = float(total[i]), i + 1
        found.append(numbers([games, points / games, *wilson_interval(points, games)]))
    return found
