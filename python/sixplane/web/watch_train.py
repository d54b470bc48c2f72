"""A run of training, as its folder tells it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sixplane._fields import MOST, shown
from sixplane._files import open_file
from sixplane.learn.calls import HEADER, call_of
from sixplane.learn.diagnosis import diagnose
from sixplane.learn.metrics import readable_rows
from sixplane.learn.report import charts_of, tiles
from sixplane.web.watch_folder import Watch, WatchError, whole_lines

if TYPE_CHECKING:
    from sixplane.learn.metrics import Row

__all__ = ["TrainWatch"]


@dataclass
class TrainWatch(Watch):
    """Reads `run.json`, `metrics.csv`, `calls.csv` and `records/`."""

    settings: dict[str, Any] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    games: int = 0
    positions: int = 0
    minutes: float = 0.0
    _offset: int = 0
    _number: int = 0
    _changed: dict[str, int] = field(default_factory=dict)

    kind = "train"

    def look(self) -> bool:
        """Reads the files that have changed."""
        news = False
        if self._has_changed("run.json"):
            self.settings = self._read_settings()
            news = True
        if self._has_changed("metrics.csv"):
            self.rows, self.faults["metrics.csv"] = readable_rows(self.path / "metrics.csv")
            news = True
        if self._has_changed("calls.csv"):
            news |= self._read_calls()
        if self._has_changed("records"):
            self._read_records()
            news = True
        return news

    def _read_settings(self) -> dict[str, Any]:
        file = self.path / "run.json"
        try:
            with open_file(file) as stream:
                settings = json.loads(stream.read())
        except (ValueError, RecursionError) as error:
            raise WatchError(f"{file} has no settings of a run: {error}") from error
        if not isinstance(settings, dict):
            raise WatchError(f"{file} has no settings of a run: {shown(settings)}")
        return settings

    def _has_changed(self, name: str) -> bool:
        """Whether a file or folder is there, and was written since the last look."""
        try:
            changed = (self.path / name).stat().st_mtime_ns
        except FileNotFoundError:
            if name == "run.json":
                raise
            return False
        before, self._changed[name] = self._changed.get(name), changed
        return changed != before

    def _read_calls(self) -> bool:
        lines, offset = whole_lines(self.path / "calls.csv", self._offset)
        if offset < self._offset:
            self.games = self.positions = self._number = 0
            self.faults.pop("calls.csv", None)
        self._offset = offset
        for line in lines:
            self._number += 1
            if self._number == 1 and line == HEADER.encode().rstrip():
                continue
            try:
                call = call_of(line)
            except ValueError as error:
                self.faults.setdefault("calls.csv", []).append(f"line {self._number}: {error}")
                continue
            self.games, self.positions = self.games + call.games, self.positions + call.positions
            self.minutes = call.minutes
        return bool(lines)

    def _read_records(self) -> None:
        """Takes up new records, and drops those that have left the folder."""
        files = {
            int(path.stem): f"records/{path.name}"
            for path in (self.path / "records").glob("*.sgf")
            if path.stem.isdecimal()
        }
        for number in sorted(files.keys() - self.entries.keys()):
            found = self.read(number, files[number])
            if found is not None:
                self.entries[number] = found[0]
        for number in self.entries.keys() - files.keys():
            del self.entries[number]

    def told(self) -> dict[str, Any]:
        """How far it is, what it has learned, and what looks wrong."""
        settings, last = self.settings, self.rows[-1] if self.rows else None
        minutes = max(self.minutes, last.minutes if last else 0.0)
        facts = dict(tiles(self.rows))
        facts["games"] = f"{max(self.games, last.games if last else 0):,}"
        facts["positions"] = f"{max(self.positions, last.positions if last else 0):,}"
        given = settings.get("minutes")
        whole = float(given) if isinstance(given, int | float) and 0 < given < MOST else None
        size = settings.get("size")
        board = "x".join(map(shown, size)) if isinstance(size, list) else f"{shown(size)}x{shown(size)}"
        return {
            "title": f"{str(settings.get('game', 'game')).title()[:20]} {board}: training",
            "facts": [["trained", _minutes(minutes)], *([name, text] for name, text in facts.items())],
            "part": min(minutes / whole, 1.0) if whole else None,
            "has_ended": whole is not None and minutes >= whole,
            "of": _minutes(whole) if whole else "",
            "alarms": [*(finding.text for finding in diagnose(self.rows)), *self.told_faults()],
            "charts": charts_of(self.rows),
            "tables": [],
        }


def _minutes(minutes: float) -> str:
    if minutes < 60:  # noqa: PLR2004 - then hours
        return f"{minutes:.1f} min"
    return f"{int(minutes // 60)} h {int(minutes % 60):02} min"
