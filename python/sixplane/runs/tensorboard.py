"""The figures of a run for TensorBoard, if it is installed."""

from __future__ import annotations

import dataclasses
import math
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self

    from sixplane.runs.metrics import Row

__all__ = ["TensorBoard"]

#: Columns that are no figures; the positions are the steps.
LEFT_OUT = frozenset({"time", "positions", "strengths"})


class TensorBoard:
    """Writes rows as events, with the positions learned from so far as their steps.

    Args:
        folder: of the events; made if it is not there.
        positions: of the run so far, if it goes on: older events with as many or more are no longer shown.

    Raises:
        ModuleNotFoundError: the package `tensorboard` is not installed.
        OSError: the folder cannot be written.
    """

    def __init__(self, folder: Path, positions: int | None = None) -> None:
        writer = import_module("tensorboard.summary.writer.event_file_writer")
        # Its messages are compiled with the package.
        self._events: Any = import_module("tensorboard.compat.proto.event_pb2")
        self._summaries: Any = import_module("tensorboard.compat.proto.summary_pb2")
        self._writer: Any = writer.EventFileWriter(str(folder))
        if positions is not None:
            log = self._events.SessionLog(status=self._events.SessionLog.START)
            self._writer.add_event(self._events.Event(wall_time=time.time(), step=positions, session_log=log))

    @classmethod
    def if_installed(cls, folder: Path, positions: int | None = None) -> Self | None:
        """Makes a writer; None means that the package `tensorboard` is not installed."""
        try:
            return cls(folder, positions)
        except ModuleNotFoundError as error:
            if error.name is None or error.name.split(".")[0] != "tensorboard":
                raise
            return None

    def add(self, row: Row) -> None:
        """Writes the figures of a row that are known."""
        message = self._summaries.Summary
        figures = [message.Value(tag=tag, simple_value=value) for tag, value in _figures(row)]
        event = self._events.Event(wall_time=time.time(), step=row.positions, summary=message(value=figures))
        self._writer.add_event(event)
        self._writer.flush()

    def close(self) -> None:
        """Ends the writer."""
        self._writer.close()


def _figures(row: Row) -> Iterator[tuple[str, float]]:
    """What is known, by names such as `run/policy_loss` and `score/random`."""
    for entry in dataclasses.fields(row):
        if entry.name not in LEFT_OUT and math.isfinite(value := getattr(row, entry.name)):
            yield f"run/{entry.name}", float(value)
    for name, strength in row.strengths.items():
        yield f"score/{name}", strength.score
