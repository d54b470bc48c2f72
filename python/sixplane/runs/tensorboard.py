"""The figures of a run for TensorBoard, if it is installed."""

from __future__ import annotations

import dataclasses
import math
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from sixplane.runs.metrics import Row

#: The columns that are no figures; the positions are the steps.
LEFT_OUT = frozenset({"time", "positions", "strengths", "boards"})

#: The title of the charts of the Elo on the ladder, under "Custom scalars".
LADDER = "Elo, ladder"


class TensorBoard:
    """Writes rows as events, with the positions learned from so far as their steps.

    Args:
        folder: the folder of the events; made if it is not there.
        positions: the positions of a run that is resumed: older events with as many or more are hidden.
        players: known players and their Elo, which are drawn beside the Elo of the run.

    Raises:
        ModuleNotFoundError: the package `tensorboard` is not installed.
        OSError: the folder cannot be written.
    """

    def __init__(self, folder: Path, positions: int, players: Sequence[tuple[str, float]]) -> None:
        from tensorboard.compat.proto.event_pb2 import Event, SessionLog
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        self._event, self._summary = Event, Summary
        self._writer = EventFileWriter(str(folder))
        log = SessionLog(status=SessionLog.START)
        self._writer.add_event(Event(wall_time=time.time(), step=positions, session_log=log))
        self._players = players
        if players:
            self._add_layout()

    def _add_layout(self) -> None:
        """Says which curves TensorBoard draws in one chart."""
        from tensorboard.compat.proto.tensor_pb2 import TensorProto
        from tensorboard.compat.proto.types_pb2 import DT_STRING
        from tensorboard.plugins.custom_scalar import layout_pb2 as layouts
        from tensorboard.plugins.custom_scalar import metadata

        series = layouts.MarginChartContent.Series(
            value="ladder/elo", lower="ladder/low", upper="ladder/high"
        )
        lines = ["^ladder/(elo|low|high)$", *(f"^players/{re.escape(name)}$" for name, _ in self._players)]
        charts = [
            layouts.Chart(title=LADDER, margin=layouts.MarginChartContent(series=[series])),
            layouts.Chart(
                title=f"{LADDER}, and known players", multiline=layouts.MultilineChartContent(tag=lines)
            ),
        ]
        layout = layouts.Layout(category=[layouts.Category(title=LADDER, chart=charts)])
        value = self._summary.Value(
            tag=metadata.CONFIG_SUMMARY_TAG,
            metadata=metadata.create_summary_metadata(),
            tensor=TensorProto(dtype=DT_STRING, string_val=[layout.SerializeToString()]),
        )
        self._writer.add_event(self._event(wall_time=time.time(), summary=self._summary(value=[value])))

    def add(self, row: Row) -> None:
        """Writes the figures of a row that are known."""
        known = [*_figures(row)]
        if math.isfinite(row.ladder_elo):
            known += [(f"players/{name}", elo) for name, elo in self._players]
        figures = [self._summary.Value(tag=tag, simple_value=value) for tag, value in known]
        summary = self._summary(value=figures)
        self._writer.add_event(self._event(wall_time=time.time(), step=row.positions, summary=summary))
        self._writer.flush()

    def close(self) -> None:
        """Closes the writer."""
        self._writer.close()


def _figures(row: Row) -> Iterator[tuple[str, float]]:
    """Yields the figures that are known, by names such as `run/loss`, `ladder/elo` and `score/random`.

    Those of one board of several have names such as `9x9/policy_loss`.
    """
    for entry in dataclasses.fields(row):
        if entry.name not in LEFT_OUT and math.isfinite(value := getattr(row, entry.name)):
            name = entry.name.removeprefix("ladder_")
            yield f"{'run' if name == entry.name else 'ladder'}/{name}", float(value)
    for name, strength in row.strengths.items():
        yield f"score/{name}", strength.score
    for board, figures in row.boards.items():
        known = ((name, value) for name, value in figures._asdict().items() if math.isfinite(value))
        yield from ((f"{board}/{name}", float(value)) for name, value in known)
