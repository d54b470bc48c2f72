"""The report of a run: one page without a server, with everything in it."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import numpy as np

from sixplane._files import write_file
from sixplane.learn.chart import COLORS, Curve, curves, shares
from sixplane.learn.diagnosis import diagnose
from sixplane.learn.game_view import game_view
from sixplane.learn.metrics import series

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sixplane.learn.chart import Unit
    from sixplane.learn.metrics import Row, Strength
    from sixplane.learn.sample_game import SampleGame

__all__ = ["charts_of", "report_html", "tiles", "write_report"]

#: Minutes of a run from which on its time is told in hours.
HOUR: Final = 60


def write_report(
    path: Path,
    rows: Sequence[Row],
    *,
    title: str,
    settings: Mapping[str, object] | None = None,
    sample: SampleGame | None = None,
    refresh: int | None = None,
) -> None:
    """Writes `report_html` to a file, whole or not at all.

    Raises:
        OSError: it cannot be written; the old page stays.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sixplane.learn import Row
        >>> rows = [Row(minutes=1.0, policy_loss=3.2), Row(minutes=2.0, policy_loss=2.9)]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     write_report(Path(folder, "report.html"), rows, title="Go 9x9")
        ...     page = Path(folder, "report.html").read_text(encoding="utf-8")
        >>> "<title>Go 9x9" in page
        True
    """
    page = report_html(rows, title=title, settings=settings, sample=sample, refresh=refresh)
    write_file(path, page.encode())


def report_html(
    rows: Sequence[Row],
    *,
    title: str,
    settings: Mapping[str, object] | None = None,
    sample: SampleGame | None = None,
    refresh: int | None = None,
) -> str:
    """A page with the curves of a run, what looks wrong, and a game; HTML that is also XML.

    It needs nothing from elsewhere, and shows itself light or dark as the reader's system does.

    Args:
        rows: what the run has been like, as `Metrics.rows` has it.
        title: of the page, such as `Reversi 8x8`.
        settings: a table of more facts, such as the settings of the run.
        sample: a game with what the network thought, as `examine` makes it.
        refresh: seconds after which the page loads itself again, unless the reader has stopped the game.

    Example:
        >>> from sixplane.learn.metrics import Row
        >>> page = report_html([Row(minutes=1, games=128, policy_loss=3.2)], title="Reversi 6x6")
        >>> "<h1>Reversi 6x6</h1>" in page
        True
    """
    content = [_tiles(rows), _alarms(rows), _strength(rows)]
    if sample is not None:
        content.append(game_view(sample))
    content += [
        _section("Learning", _learning_charts(rows)),
        _section("Self-play", _play_charts(rows)),
        _section("Time", _time_charts(rows)),
    ]
    if settings:
        content.append(_settings(settings))
    return _piece("page.html").format(
        title=escape(title),
        subtitle=_subtitle(rows),
        style=_piece("style.css"),
        script=_piece("script.js"),
        refresh=refresh or 0,
        content="\n".join(filter(None, content)),
    )


@cache
def _piece(name: str) -> str:
    """A part of the page."""
    return files("sixplane.learn").joinpath("page", name).read_text(encoding="utf-8")


def _subtitle(rows: Sequence[Row]) -> str:
    if not rows:
        return "Nothing has been measured yet."
    last = rows[-1]
    time = f"{last.minutes:.1f} minutes"
    if last.minutes >= HOUR:
        time = f"{int(last.minutes // HOUR)} h {int(last.minutes % HOUR):02} min"
    return f"Trained for {time}" + (f", as of {escape(last.time)}" if last.time else "")


def tiles(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """The latest figures, each with its name."""
    if not rows:
        return []
    last = rows[-1]
    found = [
        ("games", f"{last.games:,}"),
        ("positions", f"{last.positions:,}"),
        ("version", f"{last.version:,}"),
    ]
    if last.minutes > 0:
        found.append(("positions a second", f"{last.positions / (60 * last.minutes):,.0f}"))
    for name, key, form in (
        ("policy loss", "policy_loss", "{:.3f}"),
        ("value loss", "value_loss", "{:.3f}"),
        ("Elo", "elo", "{:+.0f}"),
    ):
        known = series(rows, key)
        known = known[np.isfinite(known)]
        if len(known):
            found.append((name, form.format(known[-1])))
    return found


def charts_of(rows: Sequence[Row]) -> list[str]:
    """The curves of a run as figures of HTML, without those of which nothing is known."""
    return [
        chart
        for charts in (_strength_charts(rows), _learning_charts(rows), _play_charts(rows), _time_charts(rows))
        for chart in charts
        if chart
    ]


def _tiles(rows: Sequence[Row]) -> str:
    cells = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in tiles(rows))
    return f'<dl class="facts">{cells}</dl>' if cells else ""


def _alarms(rows: Sequence[Row]) -> str:
    items = "".join(f'<li class="{kind}">{escape(text)}</li>' for kind, text in diagnose(rows))
    return f'<ul class="alarms">{items}</ul>' if items else ""


def _strength(rows: Sequence[Row]) -> str:
    return _section("Strength", _strength_charts(rows), _opponents(_measured(rows)))


def _strength_charts(rows: Sequence[Row]) -> list[str]:
    measured = _measured(rows)
    # There are not colors for all: those that were measured last.
    newest = sorted(measured, key=lambda name: measured[name][-1][0])[-COLORS:]
    return [
        curves(
            "Score against opponents",
            [
                Curve(name, *np.array([(minutes, *strength) for minutes, strength in points]).T)
                for name, points in measured.items()
                if name in newest
            ],
            unit="%",
            until=rows[-1].minutes if rows else None,
            bounds=(0.0, 1.0),
        ),
        _curves(
            rows, "Elo over the first version judged", {"Elo": "elo"}, "Elo", ends=("elo_low", "elo_high")
        ),
    ]


def _measured(rows: Sequence[Row]) -> dict[str, list[tuple[float, Strength]]]:
    """Of each opponent: the minutes and results of the games against it."""
    measured: dict[str, list[tuple[float, Strength]]] = {}
    for row in rows:
        for name, strength in row.strengths.items():
            measured.setdefault(name, []).append((row.minutes, strength))
    return measured


def _opponents(measured: Mapping[str, list[tuple[float, Strength]]]) -> str:
    """The last score against each opponent."""
    lines = []
    for name, points in measured.items():
        minutes, (score, low, high) = points[-1]
        bar = (
            f'<span class="scale"><span class="reach" style="left:{low:.1%};width:{high - low:.1%}"></span>'
            f'<span class="score" style="left:{score:.1%}"></span></span>'
        )
        cells = f"<td>{100 * score:.1f} %</td><td>{100 * low:.1f} to {100 * high:.1f} %</td>"
        when = f'<td class="bar">{bar}</td><td class="soft">at {minutes:.1f} min</td>'
        lines.append(f"<tr><th>{escape(name)}</th>{cells}{when}</tr>")
    return f'<div class="card"><table>{"".join(lines)}</table></div>' if lines else ""


def _learning_charts(rows: Sequence[Row]) -> list[str]:
    return [
        _curves(
            rows,
            "Policy loss, and the entropy of its targets",
            {"policy loss": "policy_loss", "entropy of the targets": "policy_entropy"},
            dashed=("policy_entropy",),
            note="How little the network foresees of its search; it cannot fall below the dashed line.",
        ),
        _curves(rows, "Value loss", {"value loss": "value_loss"}),
        _curves(rows, "Ownership and score losses", {"ownership": "ownership_loss", "score": "score_loss"}),
        _curves(rows, "Loss, the weighted sum", {"loss": "loss"}),
    ]


def _play_charts(rows: Sequence[Row]) -> list[str]:
    shares_of_games = {"Black wins": "black_wins", "draws": "draws"}
    return [
        _curves(rows, "Results of self-play", shares_of_games, "%", (0.0, 1.0)),
        _curves(
            rows,
            "Different openings",
            {"share of the games": "distinct_openings"},
            "%",
            (0.0, 1.0),
            note="How many games begin like no other; near 0 % the same game is played again and again.",
        ),
        _curves(rows, "Length of a game", {"actions": "game_length"}),
        _curves(rows, "Positions", {"all": "positions", "replay window": "window"}),
    ]


def _time_charts(rows: Sequence[Row]) -> list[str]:
    play, inside = series(rows, "play_share"), series(rows, "network_share")
    parts = {"play": play}
    if np.isfinite(inside).any():
        parts = {"play, in the network": play * inside, "play, elsewhere": play * (1 - inside)}
    parts |= {
        name: series(rows, f"{column}_share")
        for name, column in (("learn", "train"), ("judge", "judge"), ("drive", "driver"))
    }
    return [
        shares(
            "Where the time goes; the rest is waiting",
            series(rows, "minutes"),
            parts,
            "Of the time of all processors; to drive is to hand out games, to take them in and to save.",
        ),
        _curves(rows, "Speed of self-play", {"positions a second": "positions_per_second"}),
        _curves(
            rows,
            "Time of the driver that its workers take",
            {"share": "driver_load"},
            "%",
            note="The driver learns and hands out games; near 100 % more workers are of no use.",
        ),
        _curves(
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
) -> str:
    """A figure with a curve for each column."""
    minutes = series(rows, "minutes")
    low, high = (None, None) if ends is None else (series(rows, name) for name in ends)
    given = [
        Curve(label, minutes, series(rows, name), low, high, name in dashed)
        for label, name in columns.items()
    ]
    until = rows[-1].minutes if rows else None
    return curves(title, given, unit=unit, until=until, bounds=bounds, note=note)


def _section(title: str, charts: Sequence[str], after: str = "") -> str:
    found = "".join(charts)
    if not found:
        return ""
    return f'<h2>{title}</h2><div class="charts">{found}</div>{after}'


def _settings(settings: Mapping[str, object]) -> str:
    lines = "".join(
        f"<tr><th>{escape(str(name))}</th><td>{escape(str(value))}</td></tr>"
        for name, value in settings.items()
    )
    return f'<details class="card"><summary>Settings</summary><table>{lines}</table></details>'
