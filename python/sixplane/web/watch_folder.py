"""A folder in which another program writes games: what can be read of it at any moment."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sixplane._core import parse_sgf
from sixplane._files import open_file
from sixplane._live import LIVE
from sixplane.errors import SGFError

if TYPE_CHECKING:
    from pathlib import Path

    from sixplane._core import Game

__all__ = ["Entry", "Watch", "WatchError", "whole_lines"]

#: Bytes of a record that is read.
MOST_BYTES: Final = 1_000_000

#: Games that a page may choose from: the newest.
MOST_ENTRIES: Final = 200


#: Faults of files that a page tells, the first ones.
MOST_FAULTS: Final = 5

#: Files that tell when a folder was written.
FILES: Final = ("results.jsonl", "metrics.csv", "calls.csv", "records", LIVE)


class WatchError(Exception):
    """Why a folder cannot be watched."""


@dataclass(frozen=True)
class Entry:
    """A game in the list of a page."""

    number: int
    file: str
    """Its path within the folder."""
    black: str = ""
    white: str = ""
    result: str = ""
    """As SGF has it, such as `B+3.5`; empty: nobody knows."""
    moves: int = 0


class LiveGame(NamedTuple):
    """A game that goes on."""

    written: int
    """When its record was written, in nanoseconds."""
    entry: Entry
    game: Game


@dataclass
class Watch:
    """A folder, read again and again while it is being written. Nothing is written by it.

    Attributes:
        path: of the folder.
        entries: the finished games by their numbers, ascending.
        live: the games that go on, by the numbers that they will have then.
        faults: what was passed over because it is damaged, by the names of the files, in words.
    """

    path: Path
    entries: dict[int, Entry] = field(default_factory=dict)
    live: dict[int, LiveGame] = field(default_factory=dict)
    faults: dict[str, list[str]] = field(default_factory=dict)

    #: What is watched: `train`, `match` or `selfplay`.
    kind = ""

    def look(self) -> bool:
        """Reads what is new; whether anything was.

        Raises:
            OSError: the folder cannot be read.
        """
        raise NotImplementedError

    def look_at_live(self) -> bool:
        """Reads the games that go on; whether one has begun, moved or ended.

        To be called before `look`, so that a game is never in neither: its record is deleted when it is there
        as a finished one.
        """
        before, self.live = self.live, {}
        with suppress(OSError):
            for file in sorted((self.path / LIVE).glob("*.sgf"))[-MOST_ENTRIES:]:
                if not file.stem.isdecimal():
                    continue
                number = int(file.stem)
                written = file.stat().st_mtime_ns
                if number in before and before[number].written == written:
                    self.live[number] = before[number]
                elif (found := self.read(number, f"{LIVE}/{file.name}")) is not None:
                    self.live[number] = LiveGame(written, *found)
        return {number: live.written for number, live in self.live.items()} != {
            number: live.written for number, live in before.items()
        }

    def told_faults(self) -> list[str]:
        """What a page says of damaged files."""
        faults = [f"{name}, {fault}" for name, faults in self.faults.items() for fault in faults]
        more = len(faults) - MOST_FAULTS
        return faults[:MOST_FAULTS] + ([f"{more:,} more lines are damaged"] if more > 0 else [])

    def written(self) -> float:
        """When the folder was written last, as `time.time` counts; 0 if nobody knows."""
        times = [0.0]
        for name in ("", *FILES):
            with suppress(OSError):
                times.append((self.path / name).stat().st_mtime)
        return max(times)

    def told(self) -> dict[str, Any]:
        """What a page shows beside the games: `title`, `facts`, `part`, `alarms`, `charts` and `tables`.

        A run whose time is over `has_ended`, too.
        """
        raise NotImplementedError

    def listed(self) -> list[list[Any]]:
        """The newest games, oldest first: number, Black, White, result, moves."""
        return [_row(entry) for entry in list(self.entries.values())[-MOST_ENTRIES:]]

    def listed_live(self) -> list[list[Any]]:
        """The games that go on, by their numbers, with the same columns."""
        return [_row(self.live[number].entry) for number in sorted(self.live.keys() - self.entries.keys())]

    def game(self, number: int) -> Game | None:
        """A finished game; None if there is none with this number, or it has left the folder."""
        entry = self.entries.get(number)
        found = None if entry is None else self.read(number, entry.file)
        return None if found is None else found[1]

    def read(self, number: int, file: str) -> tuple[Entry, Game] | None:
        """A game by the file of its record; None if that is not there, or not whole yet."""
        path = self.path / file
        try:
            with open_file(path) as stream:
                text = stream.read(MOST_BYTES + 1)
            if len(text) > MOST_BYTES:
                return None
            collection = parse_sgf(text)
            root = collection.games[0]
            game, _ = root.follow()
        except (OSError, SGFError, ValueError):
            return None
        if any(warning.kind == "part" for warning in collection.warnings):
            return None
        black, white, result = (root.text(name) or "" for name in ("PB", "PW", "RE"))
        return Entry(number, file, black, white, result, game.move_number), game


def _row(entry: Entry) -> list[Any]:
    return [entry.number, entry.black, entry.white, entry.result, entry.moves]


def whole_lines(path: Path, offset: int) -> tuple[list[bytes], int]:
    """The whole lines of a file from an offset on, and where the next one begins.

    A file that is shorter than the offset was written anew, and is read from its start.

    Raises:
        OSError: it cannot be read.
    """
    with open_file(path) as stream:
        if os.fstat(stream.fileno()).st_size < offset:
            offset = 0
        stream.seek(offset)
        whole, end, _ = stream.read().rpartition(b"\n")
    return whole.split(b"\n") if end else [], offset + len(whole) + len(end)
