"""The reader of a folder of a run, a match or self-play, while another program writes it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from sixplane._core import Game, Node, parse_sgf
from sixplane._files import open_file
from sixplane._live import LIVE
from sixplane.errors import GameRulesError, SGFError
from sixplane.games import info_of
from sixplane.games.plays import OWN

#: The most bytes of a record.
MOST_BYTES: Final = 1_000_000

UNKNOWN: Final = "they are of somebody's own game, which --game FILE.py:CLASS imports"

#: The most games that a page lists: the newest.
MOST_ENTRIES: Final = 200

#: The most faults of files that a page shows.
MOST_FAULTS: Final = 5

#: The files whose times tell when a folder was written.
FILES: Final = ("results.jsonl", "metrics.csv", "calls.csv", "records", LIVE)

#: The most points of a curve.
MOST_POINTS: Final = 400

#: Numbers of a curve, as JSON has them.
Numbers: TypeAlias = list[float | None]

#: A time, the score until then, and the ends of its interval.
Score: TypeAlias = Numbers


class PageTable(TypedDict):
    """A table of a page, with rows of a name and a text."""

    title: str
    rows: list[tuple[str, str]]


class Summary(TypedDict):
    """The content of a page beside the games, as JSON has it."""

    kind: Literal["train", "match", "selfplay"]
    title: str
    facts: list[tuple[str, str]]
    alarms: list[str]
    columns: NotRequired[dict[str, Numbers]]
    """Columns of equal length, which the page draws as curves."""
    scores: NotRequired[dict[str, list[Score]]]
    """Scores against each opponent, or of each pair."""
    players: NotRequired[list[tuple[str, float]]]
    """Known players of the board and their Elo on its ladder, the weakest first."""
    stages: NotRequired[list[tuple[float, str]]]
    """When each stage of a run began, in minutes, and its board; empty where it has no stages."""
    tables: NotRequired[list[PageTable]]
    settings: NotRequired[list[tuple[str, str]]]
    part: NotRequired[float | None]
    """The part of the time that is over, from 0 to 1; None where no time is set."""
    whole: NotRequired[str]
    """The time that was set for the run, in words."""
    as_of: NotRequired[str]
    """The time of day at which the last figures were written."""


class Entry(NamedTuple):
    """A game in the list of a page."""

    number: int
    black: str = ""
    white: str = ""
    result: str = ""
    """The result as SGF has it, such as `B+3.5`; empty: it is not known."""
    moves: int = 0
    file: str = ""
    """The path of the record within the folder."""


class GameInProgress(NamedTuple):
    """A game in progress."""

    written: int
    """The time at which the record was written, in nanoseconds."""
    entry: Entry
    game: Game


@dataclass
class FolderReader:
    """Reads a folder again and again while it is being written. It writes nothing.

    Attributes:
        path: the folder.
        usual: a game of your own, of which the records are; None: they are of games of sixplane.
        entries: the finished games by their numbers.
        live: the games in progress, by the numbers that they will have as finished ones.
        faults: what was passed over because it is damaged, by the names of the files.
        unread: why the last record is not read although it is whole; empty if it is.
        beginnings: how often the folder was found to be written anew, and read from its beginning.
    """

    path: Path
    usual: Game | None = None
    entries: dict[int, Entry] = field(default_factory=dict)
    live: dict[int, GameInProgress] = field(default_factory=dict)
    faults: dict[str, list[str]] = field(default_factory=dict)
    unread: str = ""
    beginnings: int = 0
    _told: int = 0
    _changed: dict[str, int] = field(default_factory=dict)
    _offset: int = 0
    _line: int = 0
    _last: bytes = b""

    def update(self) -> bool:
        """Reads what is new, and returns whether anything was. A folder that is written anew is read anew.

        Raises:
            OSError: the folder cannot be read.
            RunFolderError: the folder holds something else.
        """
        try:
            is_new = self.read()
        except FileNotFoundError:
            # The folder that takes its place may have other files under the same names.
            self.begin_anew()
            raise
        is_new |= self.beginnings > self._told
        self._told = self.beginnings
        return is_new

    def read(self) -> bool:
        """Reads what is new, and returns whether anything was; `update` calls it."""
        raise NotImplementedError

    def begin_anew(self) -> None:
        """Forgets all that was read of the folder. Games in progress stay: `update_live` reads them."""
        fresh = type(self)(self.path, self.usual, live=self.live, beginnings=self.beginnings + 1)
        vars(self).update(vars(fresh), _told=self._told)

    @property
    def has_ended(self) -> bool:
        """Whether the run is over, so that nobody plays on the games that are left in progress."""
        return False

    def summary(self) -> Summary:
        """Returns what a page shows beside the games."""
        raise NotImplementedError

    def update_live(self) -> bool:
        """Reads the games in progress, and returns whether one has begun, moved or ended.

        Call it before `update`: then a game that ends in between is in both lists, and not in neither.
        """
        before, self.live = self.live, {}
        files = dict[int, Path]()
        with suppress(OSError):
            files |= {
                int(path.stem): path for path in (self.path / LIVE).glob("*.sgf") if path.stem.isdecimal()
            }
        for number in sorted(files)[-MOST_ENTRIES:]:
            file = files[number]
            with suppress(OSError):  # a game that ends takes its own record away
                written = file.stat().st_mtime_ns
                if number in before and before[number].written == written:
                    self.live[number] = before[number]
                elif (found := self.read_game(number, f"{LIVE}/{file.name}")) is not None:
                    self.live[number] = GameInProgress(written, *found)
        return {number: live.written for number, live in self.live.items()} != {
            number: live.written for number, live in before.items()
        }

    def alarms(self) -> list[str]:
        """Returns the faults of the files, and why records are not read."""
        faults = [f"{name}, {fault}" for name, faults in self.faults.items() for fault in faults]
        more = len(faults) - MOST_FAULTS
        unread = [f"the games are not shown: {self.unread}"] if self.unread else []
        return unread + faults[:MOST_FAULTS] + ([f"{more:,} more faults"] if more > 0 else [])

    def written(self) -> float:
        """Returns when the folder was last written, as `time.time` counts; 0 if it is not known."""
        times = [0.0]
        for name in ("", *FILES):
            with suppress(OSError):
                times.append((self.path / name).stat().st_mtime)
        return max(times)

    def newest(self) -> list[Entry]:
        """Returns the newest finished games, by their numbers."""
        return [self.entries[number] for number in sorted(self.entries)[-MOST_ENTRIES:]]

    def going_on(self) -> list[Entry]:
        """Returns the games in progress, by their numbers."""
        return [self.live[number].entry for number in sorted(self.live.keys() - self.entries.keys())]

    def game(self, number: int) -> Game | None:
        """Reads a finished game; None if none has this number, or it has left the folder."""
        entry = self.entries.get(number)
        found = None if entry is None else self.read_game(number, entry.file)
        return None if found is None else found[1]

    def read_game(self, number: int, file: str) -> tuple[Entry, Game] | None:
        """Reads a game from its record; None if that is missing, not whole yet, or of another game."""
        if (root := self.read_record(file)) is None:
            return None
        try:
            game, _ = root.follow(usual=self.usual)
        except (GameRulesError, SGFError, ValueError) as error:
            is_own = root.text("GM") == OWN
            self.unread = str(error)
            if is_own and self.usual is None:
                self.unread = UNKNOWN
            elif not is_own and self.usual is not None:
                self.unread = f"they are of another game than {info_of(self.usual).title}"
            return None
        self.unread = ""
        black, white, result = (root.text(name) or "" for name in ("PB", "PW", "RE"))
        return Entry(number, black, white, result, game.move_number, file), game

    def read_record(self, file: str) -> Node | None:
        """Reads a record without playing it; None if it is missing, or not whole yet."""
        try:
            with open_file(self.path / file) as stream:
                text = stream.read(MOST_BYTES + 1)
            if len(text) > MOST_BYTES:
                return None
            collection = parse_sgf(text)
        except (OSError, SGFError, ValueError):
            return None
        is_part = any(warning.kind == "part" for warning in collection.warnings)
        return None if is_part else collection.games[0]

    def read_changed(self, name: str, read: Callable[[], bool], *, is_needed: bool = False) -> bool:
        """Calls `read` if a file or folder was written since it was read last, and returns what that returns.

        A missing file was not written. One that could not be read is read again by the next call.

        Raises:
            OSError: the file cannot be read, or is missing and `is_needed`.
        """
        try:
            changed = (self.path / name).stat().st_mtime_ns
        except FileNotFoundError:
            if is_needed:
                raise
            return False
        if changed == self._changed.get(name):
            return False
        is_new = read()
        self._changed[name] = changed
        return is_new

    def read_lines(
        self, name: str, take: Callable[[int, bytes], object], reset: Callable[[], object]
    ) -> bool:
        """Calls `take` with the numbers and texts of a file's new lines, and returns whether anything is new.

        A line for which `take` raises a `ValueError` is a fault. A file that no longer has the last line that
        was read, where it was, is written anew: `reset` is called, and it is read from its start.

        Raises:
            OSError: the file cannot be read.
        """
        with open_file(self.path / name) as stream:
            stream.seek(self._offset - len(self._last))
            if is_another := stream.read(len(self._last)) != self._last:
                self._offset, self._line, self._last = 0, 0, b""
                self.faults.pop(name, None)
                reset()
                stream.seek(0)
            whole, end, _ = stream.read().rpartition(b"\n")
        self._offset += len(whole) + len(end)
        for line in whole.split(b"\n") if end else ():
            self._line, self._last = self._line + 1, line + end
            try:
                take(self._line, line)
            except ValueError as error:
                self.faults.setdefault(name, []).append(f"line {self._line}: {error}")
        return is_another or bool(end)


def spread(count: int, most: int = MOST_POINTS) -> NDArray[np.int64]:
    """Chooses at most so many of the numbers below `count`, evenly and with the last one."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.int64))


def numbers(values: Iterable[float]) -> Numbers:
    """Rounds numbers to six digits, as `metrics.csv` has them; None stands for those that are not finite."""
    return [float(f"{value:.6g}") if math.isfinite(value) else None for value in values]
