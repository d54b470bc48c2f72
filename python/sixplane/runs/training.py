"""A run of training: its rows as a page shows them, and its folder."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sixplane._fields import MOST, shown
from sixplane._files import open_file
from sixplane.games import GAMES
from sixplane.runs.calls import HEADER, RunFolderError, call_of
from sixplane.runs.charts import COLORS, Curve, chart
from sixplane.runs.diagnosis import diagnose
from sixplane.runs.metrics import readable_rows, series
from sixplane.runs.reader import FolderReader, Section, Summary, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sixplane.runs.charts import Chart, Unit
    from sixplane.runs.metrics import Row, Strength
    from sixplane.runs.reader import Cell

__all__ = ["TrainingReader", "training_summary"]

#: Characters of a setting that are shown.
MOST_WORDS: Final = 200
#: Minutes from which on a time is written in hours.
HOUR: Final = 60


@dataclass
class TrainingReader(FolderReader):
    """Reads `run.json`, `metrics.csv`, `calls.csv` and `records/`."""

    settings: dict[str, Any] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    games: int = 0
    positions: int = 0
    minutes: float = 0.0

    kind = "train"

    def update(self) -> bool:
        """Reads the files that have changed."""
        is_new = False
        if self.has_changed("run.json", is_needed=True):
            self.settings = self._read_settings()
            is_new = True
        if self.has_changed("metrics.csv"):
            self.rows, self.faults["metrics.csv"] = readable_rows(self.path / "metrics.csv")
            is_new = True
        if self.has_changed("calls.csv"):
            is_new |= self.read_lines("calls.csv", self._take, self._forget)
        if self.has_changed("records"):
            self._read_records()
            is_new = True
        return is_new

    def _read_settings(self) -> dict[str, Any]:
        file = self.path / "run.json"
        try:
            with open_file(file) as stream:
                settings = json.loads(stream.read())
        except (ValueError, RecursionError) as error:
            raise RunFolderError(f"{file} has no settings of a run: {error}") from error
        if not isinstance(settings, dict):
            raise RunFolderError(f"{file} has no settings of a run: {shown(settings)}")
        return settings

    def _forget(self) -> None:
        self.games = self.positions = 0

    def _take(self, number: int, line: bytes) -> None:
        if number == 1 and line == HEADER.encode().rstrip():
            return
        call = call_of(line)
        self.games, self.positions = self.games + call.games, self.positions + call.positions
        self.minutes = call.minutes

    def _read_records(self) -> None:
        """Takes up new records, and drops those that have left the folder."""
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

    def summary(self) -> Summary:
        """How far it is, what it has learned, and what looks wrong."""
        name, size = self.settings.get("game", "game"), self.settings.get("size")
        if size is None and isinstance(name, str) and name in GAMES:
            size = GAMES[name].game_class.default_size
        board = "x".join(map(shown, size)) if isinstance(size, list) else f"{shown(size)}x{shown(size)}"
        found = training_summary(
            self.rows,
            title=f"{str(name).title()[:20]} {board}: training",
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
    """What a page shows of a run of training.

    Args:
        rows: the figures of the run, as `Metrics.rows` has them.
        title: of the page.
        settings: of the run; `minutes` is its time.
        minutes: trained since, if this is known to be more than the last row says.
        games: counted since.
        positions: counted since.
    """
    last = rows[-1] if rows else None
    if last is not None:
        minutes = max(minutes, last.minutes)
        games, positions = max(games, last.games), max(positions, last.positions)
    given = settings.get("minutes")
    whole = float(given) if isinstance(given, int | float) and 0 < given < MOST else None
    told = [(str(name), _setting(value)) for name, value in settings.items()]
    sections = [
        _section("Strength", _strength_charts(rows), [_opponents(_measured(rows))]),
        _section("Learning", _learning_charts(rows)),
        _section("Self-play", _play_charts(rows)),
        _section("Time", _time_charts(rows)),
        _section("Settings", [], [Table(title="", rows=told)], is_folded=True),
    ]
    return Summary(
        title=title,
        facts=[
            ("trained", _time(minutes)),
            ("games", f"{games:,}"),
            ("positions", f"{positions:,}"),
            *_latest(rows),
        ],
        alarms=[finding.text for finding in diagnose(rows)],
        sections=[section for section in sections if section["charts"] or section["tables"]],
        part=None if whole is None else min(minutes / whole, 1.0),
        whole="" if whole is None else _time(whole),
        as_of="" if last is None else last.time,
    )


def _time(minutes: float) -> str:
    if minutes < HOUR:
        return f"{minutes:.1f} min"
    return f"{int(minutes // HOUR)} h {int(minutes % HOUR):02} min"


def _setting(value: object) -> str:
    return (value if isinstance(value, str) else json.dumps(value, default=str))[:MOST_WORDS]


def _latest(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """The latest figures, each with its name."""
    if not rows:
        return []
    last = rows[-1]
    found = [("version", f"{last.version:,}")]
    if last.minutes > 0:
        found.append(("positions a second", f"{last.positions / (60 * last.minutes):,.0f}"))
    for name, column, form in (
        ("policy loss", "policy_loss", "{:.3f}"),
        ("value loss", "value_loss", "{:.3f}"),
        ("Elo", "elo", "{:+.0f}"),
    ):
        known = series(rows, column)
        known = known[np.isfinite(known)]
        if len(known):
            found.append((name, form.format(known[-1])))
    return found


def _section(
    title: str, charts: list[Chart], tables: Sequence[Table] = (), *, is_folded: bool = False
) -> Section:
    return Section(
        title=title, is_folded=is_folded, charts=charts, tables=[table for table in tables if table["rows"]]
    )


def _measured(rows: Sequence[Row]) -> dict[str, list[tuple[float, Strength]]]:
    """Of each opponent: the minutes and results of the games against it."""
    measured: dict[str, list[tuple[float, Strength]]] = {}
    for row in rows:
        for name, strength in row.strengths.items():
            measured.setdefault(name, []).append((row.minutes, strength))
    return measured


def _opponents(measured: Mapping[str, list[tuple[float, Strength]]]) -> Table:
    """The last score against each opponent."""
    lines: list[list[Cell]] = []
    for name, points in measured.items():
        minutes, (score, low, high) = points[-1]
        scored, interval = f"{100 * score:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %"
        lines.append([name, scored, interval, (low, score, high), f"at {minutes:.1f} min"])
    return Table(title="", rows=lines)


def _strength_charts(rows: Sequence[Row]) -> list[Chart]:
    measured = _measured(rows)
    # There are not colors for all: those that were measured last.
    newest = sorted(measured, key=lambda name: measured[name][-1][0])[-COLORS:]
    scores = [
        Curve(name, *np.array([(minutes, *strength) for minutes, strength in points]).T)
        for name, points in measured.items()
        if name in newest
    ]
    until = rows[-1].minutes if rows else None
    return [
        *chart("Score against opponents", scores, unit="%", until=until, bounds=(0.0, 1.0)),
        *_curves(
            rows, "Elo over the first version judged", {"Elo": "elo"}, "Elo", ends=("elo_low", "elo_high")
        ),
    ]


def _learning_charts(rows: Sequence[Row]) -> list[Chart]:
    return [
        *_curves(
            rows,
            "Policy loss, and the entropy of its targets",
            {"policy loss": "policy_loss", "entropy of the targets": "policy_entropy"},
            dashed=("policy_entropy",),
            note="How little the network foresees of its search; it cannot fall below the dashed line.",
        ),
        *_curves(rows, "Value loss", {"value loss": "value_loss"}),
        *_curves(rows, "Ownership and score losses", {"ownership": "ownership_loss", "score": "score_loss"}),
        *_curves(rows, "Loss, the weighted sum", {"loss": "loss"}),
    ]


def _play_charts(rows: Sequence[Row]) -> list[Chart]:
    shares_of_games = {"Black wins": "black_wins", "draws": "draws"}
    return [
        *_curves(rows, "Results of self-play", shares_of_games, "%", (0.0, 1.0)),
        *_curves(
            rows,
            "Different openings",
            {"share of the games": "distinct_openings"},
            "%",
            (0.0, 1.0),
            note="How many games begin like no other; near 0 % the same game is played again and again.",
        ),
        *_curves(rows, "Length of a game", {"actions": "game_length"}),
        *_curves(rows, "Positions", {"all": "positions", "replay window": "window"}),
    ]


def _time_charts(rows: Sequence[Row]) -> list[Chart]:
    minutes, play, inside = (series(rows, name) for name in ("minutes", "play_share", "network_share"))
    parts = {"play": play}
    if np.isfinite(inside).any():
        parts = {"play, in the network": play * inside, "play, elsewhere": play * (1 - inside)}
    for name, column in (("learn", "train"), ("judge", "judge"), ("drive", "driver")):
        parts[name] = series(rows, f"{column}_share")
    return [
        *chart(
            "Where the time goes; the rest is waiting",
            [Curve(name, minutes, share) for name, share in parts.items()],
            unit="%",
            bounds=(0.0, 1.0),
            stacked=True,
            note="Of the time of all processors; to drive is to hand out games, to take them in and to save.",
        ),
        *_curves(rows, "Speed of self-play", {"positions a second": "positions_per_second"}),
        *_curves(
            rows,
            "Time of the driver that its workers take",
            {"share": "driver_load"},
            "%",
            note="The driver learns and hands out games; near 100 % more workers are of no use.",
        ),
        *_curves(
            rows,
            "Staleness: versions published while games are played",
            {"mean": "staleness", "most": "most_staleness"},
            dashed=("most_staleness",),
            note="How far the network has moved on when a game ends; games of old versions teach less.",
        ),
    ]


def _curves(
    rows: Sequence[Row],
    title: str,
    columns: Mapping[str, str],
    unit: Unit = "",
    bounds: tuple[float, float] | None = None,
    *,
    ends: tuple[str, str] | None = None,
    dashed: tuple[str, ...] = (),
    note: str = "",
) -> list[Chart]:
    """A figure with a curve for each column."""
    minutes = series(rows, "minutes")
    low, high = (None, None) if ends is None else (series(rows, name) for name in ends)
    given = [
        Curve(label, minutes, series(rows, name), low, high, name in dashed)
        for label, name in columns.items()
    ]
    until = rows[-1].minutes if rows else None
    return chart(title, given, unit=unit, until=until, bounds=bounds, note=note)
