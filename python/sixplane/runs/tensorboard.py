"""The figures of a run for TensorBoard, if it is installed."""

from __future__ import annotations

import dataclasses
import math
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self

    from sixplane.runs.metrics import Row

__all__ = ["TensorBoard"]

#: The columns that are no figures; the positions are the steps.
LEFT_OUT = frozenset({"time", "positions", "strengths"})


class TensorBoard:
    """Writes rows as events, with the positions learned from so far as their steps.

    Args:
        folder: the folder of the events; made if it is not there.
        positions: the positions of a run that is resumed: older events with as many or more are hidden.

    Raises:
        ModuleNotFoundError: the package `tensorboard` is not installed.
        OSError: the folder cannot be written.
    """

    def __init__(self, folder: Path, positions: int | None = None) -> None:
        from tensorboard.compat.proto.event_pb2 import Event, SessionLog
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        self._event, self._summary = Event, Summary
        self._writer = EventFileWriter(str(folder))
        if positions is not None:
            log = SessionLog(status=SessionLog.START)
            self._writer.add_event(Event(wall_time=time.time(), step=positions, session_log=log))

    @classmethod
    def if_installed(cls, folder: Path, positions: int | None = None) -> Self | None:
        """Makes a writer; None if the package `tensorboard` is not installed."""
        try:
            return cls(folder, positions)
        except ModuleNotFoundError as error:
            if error.name is None or error.name.split(".")[0] != "tensorboard":
                raise
            return None

    def add(self, row: Row) -> None:
        """Writes the figures of a row that are known."""
        figures = [self._summary.Value(tag=tag, simple_value=value) for tag, value in _figures(row)]
        summary = self._summary(value=figures)
        self._writer.add_event(self._event(wall_time=time.time(), step=row.positions, summary=summary))
        self._writer.flush()

    def close(self) -> None:
        """Closes the writer."""
        self._writer.close()


def _figures(row: Row) -> Iterator[tuple[str, float]]:
    """Yields the figures that are known, by names such as `run/policy_loss` and `score/random`."""
    for entry in dataclasses.fields(row):
        if entry.name not in LEFT_OUT and math.isfinite(value := getattr(row, entry.name)):
            yield f"run/{entry.name}", float(value)
    for name, strength in row.strengths.items():
        yield f"score/{name}", strength.score
