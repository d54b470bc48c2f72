"""Keeps the series of games by which an agent is rated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple, Self

from sixplane._core import Game, __version__
from sixplane._fields import from_table, shown
from sixplane._lines import LineFile
from sixplane.ladder import Table
from sixplane.match.folder import FolderError

NAME: Final = "rating.jsonl"


class Series(NamedTuple):
    """What an agent scored in some games against one rung."""

    rung: int
    """The number of the rung."""
    points: float
    games: int


class RatingFolder:
    """A folder with a file of series: a line of JSON that says what is rated, then one for each series.

    Raises:
        FolderError: it cannot be used, is in use, or holds another rating.
    """

    def __init__(self, path: Path, agent: str, table: Table, game: Game, seed: int) -> None:
        self._file = path / NAME
        header = {
            "sixplane": __version__,
            "agent": agent,
            "ladder": f"{table.board}, {table.date}",
            "rules": {rule: getattr(game, rule) for rule in game.rule_names},
            "position": game.to_sgf(),
            "seed": seed,
        }
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lines = LineFile(self._file, json.dumps(header).encode(), lock=True)
        except BlockingIOError:
            raise FolderError(f"the folder {path} is in use by another rating") from None
        except OSError as error:
            raise FolderError(f"cannot use the folder {path}: {error.strerror}") from error
        try:
            self.series = self._read(path, header, len(table.rungs))
            """The series in the folder."""
        except FolderError:
            self._lines.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()

    def add(self, series: Series) -> None:
        """Adds a series.

        Raises:
            FolderError: it cannot be written.
        """
        try:
            self._lines.add(json.dumps(series._asdict()).encode())
            self._lines.sync()
        except OSError as error:
            raise FolderError(f"cannot write {self._file}: {error.strerror}") from error

    def _read(self, path: Path, header: dict[str, object], rungs: int) -> list[Series]:
        first, *texts = self._lines.lines
        number = 1
        try:
            found = json.loads(first)
            if not isinstance(found, dict) or "agent" not in found:
                raise ValueError(f"it describes no rating: {shown(first)}")
            series = []
            for text in texts:
                number += 1
                series.append(_series(text, rungs))
        except (ValueError, RecursionError) as error:
            raise FolderError(f"{self._file} is no file of a rating: line {number}: {error}") from error
        if found != header:
            differ = [key for key in header if found.get(key) != header[key]]
            raise FolderError(f"{path} holds another rating: it differs in {', '.join(differ)}")
        return series


def _series(text: bytes, rungs: int) -> Series:
    series = from_table(Series, json.loads(text))
    if series.rung >= rungs:
        raise ValueError(f"there is no rung +{series.rung}")
    if not 0 <= series.points <= series.games:
        raise ValueError(f"{series.points} points of {series.games} games")
    return series
