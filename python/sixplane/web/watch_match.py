"""A match that is played, as its folder tells it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from sixplane.learn.chart import COLORS, Curve, curves
from sixplane.match.folder import RESULTS, read_header
from sixplane.match.referee import FORFEITS
from sixplane.match.standings import Line
from sixplane.match.statistics import elo_difference, wilson_interval
from sixplane.web.watch_folder import Entry, Watch, whole_lines

__all__ = ["MatchWatch"]

POINTS: Final = {"black": 1.0, "draw": 0.5, "white": 0.0}


@dataclass
class MatchWatch(Watch):
    """Reads `results.jsonl` line by line, and the records of the games."""

    header: dict[str, Any] = field(default_factory=dict)
    lines: dict[int, Line] = field(default_factory=dict)
    _offset: int = 0
    _number: int = 0

    kind = "match"

    def look(self) -> bool:
        """Reads new lines; half a line waits for its other half."""
        found, offset = whole_lines(self.path / RESULTS, self._offset)
        if offset < self._offset:
            self.header, self.lines, self._number = {}, {}, 0
            self.entries.clear()
            self.faults.clear()
        self._offset = offset
        for text in found:
            self._number += 1
            try:
                if self._number == 1:
                    self.header = read_header(text)
                else:
                    self._add(Line.read(text, self.header.get("players")))
            except ValueError as error:
                self.faults.setdefault(RESULTS, []).append(f"line {self._number}: {error}")
        return bool(found)

    def _add(self, line: Line) -> None:
        # The first line of a game counts, as in the match itself.
        if line.game in self.lines:
            return
        result = _result(line)
        number = line.game + 1
        self.lines[line.game] = line
        self.entries[number] = Entry(
            number, f"game-{number:04}.sgf", line.black, line.white, result, line.moves
        )

    def told(self) -> dict[str, Any]:
        """Who is ahead, and how that came."""
        lines = sorted(self.lines.values(), key=lambda line: line.game)
        names = sorted({name for line in lines for name in (line.black, line.white)})
        players = list(self.header.get("players", names))
        order = {name: number for number, name in enumerate(players)}
        met: dict[tuple[str, str], list[Line]] = {}
        for line in lines:
            first, second = sorted((line.black, line.white), key=order.__getitem__)
            met.setdefault((first, second), []).append(line)
        pairs = sorted(met.items(), key=lambda pair: [order[name] for name in pair[0]])
        facts = [["games", f"{len(lines):,}"]]
        if lines:
            facts.append(["moves of a game", f"{np.mean([line.moves for line in lines]):.1f}"])
            facts.append(["lost by a rule of the referee", str(sum(line.forfeit for line in lines))])
            slowest = max(max(line.slowest, default=0.0) for line in lines)
            facts.append(["longest move", f"{slowest:.2f} s"])
        scores = [_score_curve(pair, met) for pair, met in pairs[:COLORS]]
        table = {
            "head": ["", "games", "won, drawn, lost", "score", "95 %", "Elo"],
            "rows": [_row(pair, met) for pair, met in pairs],
        }
        return {
            "title": f"{self.header.get('game', 'Match')}: {', '.join(players)}",
            "facts": facts,
            "part": None,
            "alarms": self.told_faults(),
            "charts": [
                curves("Score of the first player", scores, unit="%", axis="games", bounds=(0.0, 1.0))
            ],
            "tables": [table] if pairs else [],
        }


def _result(line: Line) -> str:
    if line.winner == "draw":
        return "Draw"
    margin = FORFEITS[line.reason][1] if line.reason in FORFEITS else f"{abs(line.score):g}"
    return f"{line.winner[0].upper()}+{'R' if line.reason == 'resignation' else margin}"


def _points(first: str, line: Line) -> float:
    """Of one player in a game."""
    points = POINTS[line.winner]
    return points if line.black == first else 1 - points


def _score_curve(pair: tuple[str, str], met: list[Line]) -> Curve:
    """The score of the first of two players after each of their games, with its interval."""
    total = np.cumsum([_points(pair[0], line) for line in met])
    games = np.arange(1, len(met) + 1)
    ends = np.array([wilson_interval(float(points), int(n)) for points, n in zip(total, games, strict=True)])
    label = f"{pair[0]} against {pair[1]}"
    return Curve(label, games.astype(np.float64), total / games, ends[:, 0], ends[:, 1])


def _row(pair: tuple[str, str], met: list[Line]) -> list[str]:
    """The cells of two players."""
    points = [_points(pair[0], line) for line in met]
    won, drawn = points.count(1.0), points.count(0.5)
    low, high = wilson_interval(sum(points), len(met))
    rate = sum(points) / len(met)
    return [
        f"{pair[0]} against {pair[1]}",
        str(len(met)),
        f"{won}, {drawn}, {len(met) - won - drawn}",
        f"{rate:.1%}",
        f"{low:.1%} to {high:.1%}",
        _signed(elo_difference(rate)),
    ]


def _signed(difference: float) -> str:
    return f"{difference:+.0f}" if math.isfinite(difference) else ("-∞" if difference < 0 else "+∞")
