"""The list of the calls of `self_play` whose games were counted: `calls.csv`."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Final, NamedTuple

from sixplane._fields import from_cells
from sixplane._files import failing_as
from sixplane._lines import LineFile


class RunFolderError(RuntimeError):
    """The folder of a run cannot be used, or holds something else.

    Example:
        >>> import tempfile
        >>> from sixplane.learn import Config
        >>> from sixplane.learn.folder import RunFolder
        >>> with tempfile.TemporaryDirectory() as name, RunFolder(Config(out=name)):
        ...     try:
        ...         RunFolder(Config(out=name))
        ...     except RunFolderError as error:
        ...         print(str(error).replace(name, "FOLDER"))
        the folder FOLDER is in use by another run
    """


class Call(NamedTuple):
    """A call of `self_play` whose games were counted."""

    number: int
    """The number of the call, from 1, in the order in which calls were begun. It may leave gaps."""
    version: int
    """The version of the network that played."""
    staleness: int
    """The number of versions that were published between the beginning of the call and its end."""
    games: int
    """The number of games."""
    positions: int
    """The number of positions that can be learned from."""
    bytes: int
    """The size of the positions on the way from the worker and on the disk."""
    seconds: float
    """Seconds that the worker took."""
    network_seconds: float
    """Seconds of those that were spent inside the network."""
    minutes: float
    """The time at which the games were counted, in minutes trained."""
    node: str
    """The host that played, and on a cluster also the node."""


#: The first line of the file.
HEADER: Final = ",".join(Call._fields).encode()


class Calls:
    """Keeps the file with a line for each call that was counted.

    A line is written after the games of the call are safe. A run that is killed in between finds the games
    without a line when it is resumed, and adds the line. So every call is listed once.

    Raises:
        RunFolderError: the file cannot be read, or is another one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with failing_as(RunFolderError, f"cannot use {path}"):
            self._file = LineFile(path, HEADER)
        try:
            self.lines = _parsed(path, self._file.lines)
        except RunFolderError:
            self.close()
            raise
        self._numbers = {call.number for call in self.lines}

    def __contains__(self, number: int) -> bool:
        """Returns whether the call with this number was counted."""
        return number in self._numbers

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def last_number(self) -> int:
        """The highest number of a call that was counted; 0 if none was."""
        return max(self._numbers, default=0)

    def add(self, call: Call) -> None:
        """Adds the line of a call.

        Raises:
            RunFolderError: the call is there already, or the file cannot be written.
        """
        if call.number in self._numbers:
            raise RunFolderError(f"{self._path} has call {call.number} already")
        text = io.StringIO()
        cells = [f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in call]
        csv.writer(text, lineterminator="").writerow(cells)
        with failing_as(RunFolderError, f"cannot write {self._path}"):
            self._file.add(text.getvalue().encode())
        self.lines.append(call)
        self._numbers.add(call.number)

    def sync(self) -> None:
        """Waits until the lines are on the disk, for a checkpoint that counts them."""
        with failing_as(RunFolderError, f"cannot write {self._path}"):
            self._file.sync()

    def check(self, calls: int, games: int, positions: int) -> None:
        """Makes sure that every game was counted once, by the file as it is on the disk.

        Raises:
            RunFolderError: a call is there twice, or calls, games or positions are not so many.
        """
        with failing_as(RunFolderError, f"cannot read {self._path}"):
            lines, _ = self._file.read()
        found = _parsed(self._path, lines)
        numbers = [call.number for call in found]
        if len(set(numbers)) < len(numbers):
            twice = max(numbers, key=numbers.count)
            raise RunFolderError(f"{self._path} has call {twice} more than once")
        for name, listed, expected in (
            ("calls", len(found), calls),
            ("games", sum(call.games for call in found), games),
            ("positions", sum(call.positions for call in found), positions),
        ):
            if listed != expected:
                raise RunFolderError(f"{self._path} lists {listed} {name}, and the run counts {expected}")

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def call_of(line: bytes) -> Call:
    """Reads a call from its line; a damaged one is a `ValueError`."""
    try:
        cells = next(csv.reader([line.decode()]), [])
    except csv.Error as error:
        raise ValueError(str(error)) from error
    if len(cells) != len(Call._fields):
        raise ValueError(f"{len(Call._fields)} cells are needed, not {len(cells)}")
    return from_cells(Call, dict(zip(Call._fields, cells, strict=True)))


def _parsed(path: Path, lines: list[bytes]) -> list[Call]:
    if lines[:1] != [HEADER]:
        raise RunFolderError(f"{path} has other columns than the calls of a run")
    calls = []
    for number, line in enumerate(lines[1:], 2):
        try:
            calls.append(call_of(line))
        except ValueError as error:
            raise RunFolderError(f"{path} has a damaged line: line {number}: {error}") from error
    return calls
