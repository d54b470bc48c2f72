"""The calls of `self_play` whose games were counted, line by line: `calls.csv`."""

from __future__ import annotations

import csv
import io
import os
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final, NamedTuple, Protocol

from sixplane._fields import from_cells, shown
from sixplane._files import open_file

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Call", "Calls", "RunFolderError", "call_of"]


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


class Counts(Protocol):
    """These counts are what a run keeps, such as `sixplane.learn.Progress`."""

    calls: int
    games: int
    positions: int


class Call(NamedTuple):
    """A call is one of `self_play` whose games were taken.

    Its number, and a game's place in it, name a game of a run.
    """

    number: int
    """From 1, in the order in which the calls were begun. Those that were never taken leave gaps."""
    version: int
    """Of the network that played."""
    staleness: int
    """So many versions were published between the beginning of the call and its end."""
    games: int
    positions: int
    bytes: int
    """Size of the positions on the way from the worker and on the disk."""
    seconds: float
    """How long the worker took."""
    network_seconds: float
    """The part of it inside the network."""
    minutes: float
    """When the call was taken, in minutes trained."""
    node: str
    """Where it was played: the host, and on a cluster also the node."""


HEADER: Final = ",".join(Call._fields) + "\n"


class Calls:
    """Keeps the file with a line for each call that was counted.

    A line is written after the games of the call are safe. A run that is killed in between finds the games
    without a line when it goes on, and adds it; half a line, the last, is cut off. So every call is there
    once, as its games are.

    Args:
        path: the file; made if it is not there.

    Raises:
        RunFolderError: it cannot be read, or is another file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._stream: IO[bytes] = open_file(path, "a+b")
        except OSError as error:
            raise RunFolderError(f"cannot use {path}: {error.strerror}") from error
        try:
            self.lines = self._read()
        except OSError as error:
            self.close()
            raise RunFolderError(f"cannot use {path}: {error.strerror}") from error
        except BaseException:
            self.close()
            raise
        self._numbers = {call.number for call in self.lines}

    def _read(self) -> list[Call]:
        """Every whole line; half a line is cut off, if the file is ours."""
        self._stream.seek(0)
        whole, end, torn = self._stream.read().rpartition(b"\n")
        if not end:
            if not HEADER.encode().startswith(torn):
                raise RunFolderError(f"{self._path} has other columns than the calls of a run: {shown(torn)}")
            self._stream.truncate(0)
            self._write(HEADER)
            return []
        calls = _parsed(self._path, whole)
        if torn:
            self._stream.truncate(len(whole) + len(end))
        return calls

    def __contains__(self, number: int) -> bool:
        """Whether the call with this number was counted."""
        return number in self._numbers

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def last_number(self) -> int:
        """This is the highest number of a call that was counted; 0 if none was."""
        return max(self._numbers, default=0)

    def add(self, call: Call) -> None:
        """Appends a line.

        Raises:
            RunFolderError: the call is there already, or the file cannot be written.
        """
        if call.number in self._numbers:
            raise RunFolderError(f"{self._path} has call {call.number} already")
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(_cells(call))
        try:
            self._write(text.getvalue())
        except OSError as error:
            raise RunFolderError(f"cannot write {self._path}: {error.strerror}") from error
        self.lines.append(call)
        self._numbers.add(call.number)

    def _write(self, text: str) -> None:
        self._stream.write(text.encode())
        self._stream.flush()

    def sync(self) -> None:
        """Waits until the lines are on the disk, for a checkpoint that counts them."""
        try:
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise RunFolderError(f"cannot write {self._path}: {error.strerror}") from error

    def check(self, counted: Counts) -> None:
        """Proves that every game was counted exactly once, from the file as it is on the disk.

        Raises:
            RunFolderError: a call is there twice, or games or positions are not those that were counted.
        """
        try:
            with open_file(self._path) as stream:
                calls = _parsed(self._path, stream.read().removesuffix(b"\n"))
        except OSError as error:
            raise RunFolderError(f"cannot read {self._path}: {error.strerror}") from error
        numbers = [call.number for call in calls]
        if len(set(numbers)) < len(numbers):
            twice = max(numbers, key=numbers.count)
            raise RunFolderError(f"{self._path} has call {twice} more than once")
        for name, listed, expected in (
            ("calls", len(calls), counted.calls),
            ("games", sum(call.games for call in calls), counted.games),
            ("positions", sum(call.positions for call in calls), counted.positions),
        ):
            if listed != expected:
                raise RunFolderError(f"{self._path} lists {listed} {name}, and the run counts {expected}")

    def close(self) -> None:
        """Closes the file."""
        # A failed write has been reported already.
        with suppress(OSError):
            self._stream.close()


def _cells(call: Call) -> list[str]:
    return [f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in call]


def call_of(line: bytes) -> Call:
    """Reads the call of a line after the first.

    Raises:
        ValueError: it is damaged.
    """
    try:
        cells = next(csv.reader([line.decode()]), [])
    except csv.Error as error:
        raise ValueError(str(error)) from error
    if len(cells) != len(Call._fields):
        raise ValueError(f"{len(Call._fields)} cells are needed, not {len(cells)}")
    return from_cells(Call, dict(zip(Call._fields, cells, strict=True)))


def _parsed(path: Path, data: bytes) -> list[Call]:
    first, *lines = data.split(b"\n")
    if first != HEADER.encode().rstrip():
        raise RunFolderError(f"{path} has other columns than the calls of a run")
    calls = []
    for number, line in enumerate(lines, 2):
        try:
            calls.append(call_of(line))
        except ValueError as error:
            raise RunFolderError(f"{path} has a damaged line: line {number}: {error}") from error
    return calls
