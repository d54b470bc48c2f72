"""The reader of the folder of a run of training, and what a page shows of its rows."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from sixplane._fields import MOST, shown
from sixplane._files import read_file
from sixplane.agents.called import known_players
from sixplane.errors import GameRulesError
from sixplane.games import GAMES
from sixplane.runs.calls import HEADER, RunFolderError, call_of
from sixplane.runs.diagnosis import diagnose
from sixplane.runs.metrics import COLUMNS, ON, BoardFigures, Row, readable_rows, series
from sixplane.runs.reader import FolderReader, Numbers, Score, Summary, numbers, spread
from sixplane.runs.stages import boards_of_stage, sides_of

#: The most results against an opponent on a page.
MOST_JUDGED: Final = 100
#: Characters of a setting on a page.
MOST_LENGTH: Final = 200
#: Minutes from which a time is written in hours.
HOUR: Final = 60


@dataclass
class TrainingReader(FolderReader):
    """Reads `run.json`, `metrics.csv`, `calls.csv` and `records/`."""

    settings: dict[str, object] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    games: int = 0
    positions: int = 0
    minutes: float = 0.0

    def read(self) -> bool:
        """Reads the files that have changed, and returns whether there were any."""
        is_new = self.read_changed("run.json", self._read_settings, is_needed=True)
        is_new |= self.read_changed("metrics.csv", self._read_rows)
        is_new |= self.read_changed(
            "calls.csv", lambda: self.read_lines("calls.csv", self._take, self._reset)
        )
        return self.read_changed("records", self._read_records) or is_new

    def _read_settings(self) -> bool:
        file = self.path / "run.json"
        try:
            settings = json.loads(read_file(file))
        except (ValueError, RecursionError) as error:
            raise RunFolderError(f"{file} has no settings of a run: {error}") from error
        if not isinstance(settings, dict):
            raise RunFolderError(f"{file} has no settings of a run: {shown(settings)}")
        # A run that begins or goes on writes them: the other files may be those of another run.
        self.begin_anew()
        self.settings = settings
        return True

    def _read_rows(self) -> bool:
        self.rows, self.faults["metrics.csv"] = readable_rows(self.path / "metrics.csv")
        return True

    def _reset(self) -> None:
        self.games, self.positions, self.minutes = 0, 0, 0.0

    def _take(self, number: int, line: bytes) -> None:
        if number == 1 and line == HEADER:
            return
        call = call_of(line)
        self.games, self.positions = self.games + call.games, self.positions + call.positions
        self.minutes = call.minutes

    def _read_records(self) -> bool:
        """Reads new records, and drops those that have left the folder."""
        files = {
            int(path.stem): f"records/{path.name}"
            for path in (self.path / "records").glob("*.sgf")
            if path.stem.isdecimal()
        }
        for number in sorted(files.keys() - self.entries.keys()):
            found = self.read_game(number, files[number])
            if found is not None:
                self.entries[number] = found[0]
        for number in self.entries.keys() - files.keys():
            del self.entries[number]
        return True

    @property
    def has_ended(self) -> bool:
        """Whether the time of the run is over and its last version has been judged, which comes last."""
        whole = _whole_minutes(self.settings)
        if not self.rows or whole is None or self.rows[-1].minutes < whole:
            return False
        last = self.rows[-1]
        return any(
            _is_judged(row) for row in self.rows if (row.stage, row.version) == (last.stage, last.version)
        )

    def summary(self) -> Summary:
        """Returns how far the run is, its figures, and what looks wrong."""
        name = str(self.settings.get("game", "Game"))
        called = GAMES[name].title if name in GAMES else name.rpartition(":")[2][:20]
        boards = _boards_text(_of_stage(self.settings, self.rows[-1].stage if self.rows else 1))
        found = training_summary(
            self.rows,
            title=f"{called} {boards}".rstrip() + ": training",
            settings=self.settings,
            minutes=self.minutes,
            games=self.games,
            positions=self.positions,
        )
        found["alarms"] += self.alarms()
        return found


def training_summary(
    rows: Sequence[Row],
    *,
    title: str,
    settings: Mapping[str, object],
    minutes: float = 0.0,
    games: int = 0,
    positions: int = 0,
) -> Summary:
    """Returns what a page shows of a run of training.

    Minutes, games and positions count where they are more than in the last row.
    """
    last = rows[-1] if rows else None
    own = [row for row in rows if row.stage == rows[-1].stage]  # whose figures can be compared
    stages = _stages(rows, settings)
    if last is not None:
        minutes = max(minutes, last.minutes)
        games, positions = max(games, last.games), max(positions, last.positions)
    whole = _whole_minutes(settings)
    return Summary(
        kind="train",
        title=title,
        facts=[
            ("trained", _time(minutes)),
            *([("stage", f"{len(stages)}, {stages[-1][1]}")] if stages else []),
            ("games", f"{games:,}"),
            ("positions", f"{positions:,}"),
            *([("positions a second", f"{positions / (60 * minutes):,.0f}")] if minutes > 0 else []),
            *_latest(own),
        ],
        alarms=[finding.text for finding in diagnose(rows)],
        columns=_columns(rows),
        scores=_scores(rows),
        players=_players(_of_stage(settings, last.stage if last else 1)),
        stages=stages,
        settings=[(str(name), _setting(value)) for name, value in settings.items()],
        part=None if whole is None else min(minutes / whole, 1.0),
        whole="" if whole is None else _time(whole),
        as_of="" if last is None else last.time,
    )


def _of_stage(settings: Mapping[str, object], number: int) -> Mapping[str, object]:
    """Returns the settings with those of a stage, from 1, as far as they have any."""
    stages = settings.get("stages")
    if not isinstance(stages, list | tuple) or not 0 < number <= len(stages):
        return settings
    stage = stages[number - 1]
    if not isinstance(stage, Mapping):
        return settings
    return {**settings, **stage, **boards_of_stage(settings, stage)}


def _boards(settings: Mapping[str, object]) -> list[Sequence[object]]:
    """Returns rows and columns of each board, the smallest first; those of a file may be anything."""
    sizes, name = settings.get("sizes"), settings.get("game")
    given = sizes if isinstance(sizes, list | tuple) else [settings.get("size")]
    if given == [None] and isinstance(name, str) and name in GAMES:
        given = [GAMES[name].game_class.default_size]
    boards = [sides for one in given if (sides := sides_of(one)) is not None]
    return sorted(boards, key=lambda board: math.prod(side for side in board if isinstance(side, int)))


def _boards_text(settings: Mapping[str, object]) -> str:
    return ", ".join("x".join(map(shown, board)) for board in _boards(settings))


def _stages(rows: Sequence[Row], settings: Mapping[str, object]) -> list[tuple[float, str]]:
    """Returns when each stage began that the rows have, with its board; a row ends each."""
    if not settings.get("stages"):
        return []
    begun: dict[int, float] = {}
    for row, minutes in zip(rows, [0.0, *(row.minutes for row in rows)], strict=False):
        begun.setdefault(row.stage, minutes)
    return [(minutes, _boards_text(_of_stage(settings, number))) for number, minutes in begun.items()]


def _players(settings: Mapping[str, object]) -> list[tuple[str, float]]:
    """Returns the known players of the board that the judge plays on."""
    name, size = settings.get("game"), settings.get("size")
    if not isinstance(name, str) or name not in GAMES:
        return []
    if size is None and (boards := _boards(settings)):
        size = boards[-1]
    given = tuple(size) if isinstance(size, list) else size
    try:
        game_class = GAMES[name].game_class
        return known_players(game_class() if given is None else game_class(size=given))
    except (TypeError, ValueError, OverflowError, GameRulesError):
        return []


def _whole_minutes(settings: Mapping[str, object]) -> float | None:
    """Returns the time that was set for the run; None: none was."""
    given = settings.get("minutes")
    return float(given) if isinstance(given, int | float) and 0 < given < MOST else None


def _time(minutes: float) -> str:
    """Says a time, rounded down: so a run that has just ended has trained as long as it was to."""
    if minutes < 1:
        return f"{int(60 * minutes)} s"
    if minutes < HOUR:
        return f"{int(10 * minutes) / 10:.1f} min"
    return f"{int(minutes // HOUR)} h {int(minutes % HOUR):02} min"


def _setting(value: object) -> str:
    return (value if isinstance(value, str) else json.dumps(value, default=str))[:MOST_LENGTH]


def _is_judged(row: Row) -> bool:
    """Returns whether a row has what the judge has measured."""
    return bool(row.strengths) or math.isfinite(row.ladder_elo)


def _latest(rows: Sequence[Row]) -> list[tuple[str, str]]:
    if not rows:
        return []
    found = [("version", f"{rows[-1].version:,}")]
    for name, column, form in (
        ("policy loss", "policy_loss", "{:.3f}"),
        ("value loss", "value_loss", "{:.3f}"),
        ("Elo, ladder", "ladder_elo", "{:,.0f}"),
        ("Elo", "elo", "{:+.0f}"),
    ):
        known = series(rows, column)
        known = known[np.isfinite(known)]
        if len(known):
            found.append((name, form.format(known[-1])))
    return found


def _columns(rows: Sequence[Row]) -> dict[str, Numbers]:
    """Returns the columns that have figures, at moments that are spread over the run."""
    columns = {name: series(rows, name) for name in COLUMNS if name != "time"}
    nothing = BoardFigures()
    for board in dict.fromkeys(board for row in rows for board in row.boards):
        for name in BoardFigures._fields:
            values = [getattr(row.boards.get(board, nothing), name) for row in rows]
            columns[name + ON + board] = np.array(values, np.float64)
    known = {name: found for name in columns if len(found := np.flatnonzero(np.isfinite(columns[name])))}
    judged = np.flatnonzero([_is_judged(row) for row in rows])
    last = [found[-1] for found in known.values()]
    chosen = np.unique([*spread(len(rows)), *judged[spread(len(judged), MOST_JUDGED)], *last])
    return {name: numbers(columns[name][chosen].tolist()) for name in known}


def _scores(rows: Sequence[Row]) -> dict[str, list[Score]]:
    measured: dict[str, list[Score]] = {}
    for row in rows:
        for name, strength in row.strengths.items():
            measured.setdefault(name, []).append(numbers([row.minutes, *strength]))
    return {name: [found[i] for i in spread(len(found), MOST_JUDGED)] for name, found in measured.items()}
