"""Records of games that are still being played, for people who watch."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from sixplane._core import Game
from sixplane._files import forget_parts, write_file

#: The folder, within that of a match or a run, of the records of games that go on.
LIVE: Final = "playing"

#: The names of the records.
NAME: Final = re.compile(r"\d+\.sgf")

#: Seconds that a game takes before it is written: shorter ones are soon there as finished games.
START: Final = 0.5

#: Seconds between two writings on average, and how far moves that come together may run ahead of that.
INTERVAL: Final = 0.25
BURST: Final = 1.0


class LiveRecord:
    """Writes the record of a game after its moves, at most four times a second on average.

    If it cannot be written, the game goes on without it.

    Args:
        path: the file, whose folder is made; None: nothing is written.
        black_name: the name of Black's player.
        white_name: the name of White's player.
    """

    def __init__(self, path: Path | None, black_name: str = "", white_name: str = "") -> None:
        self._path = path
        self._names = black_name, white_name
        self._next = time.monotonic() + START + BURST
        self._moves = -1

    def show(self, game: Game) -> None:
        """Writes the record, if it is time, after a move has been played."""
        now = time.monotonic()
        if self._path is None or self._next > now + BURST or game.move_number == self._moves:
            return
        self._next = max(self._next, now) + INTERVAL
        self._moves = game.move_number
        black, white = self._names
        with suppress(OSError):
            self._path.parent.mkdir(exist_ok=True)
            write_file(self._path, game.to_sgf(black_name=black, white_name=white).encode(), sync=False)


def live_record(folder: Path, number: int) -> Path:
    """Returns the file of a game that is being played, in the folder of a match or a run."""
    return folder / LIVE / f"{number}.sgf"


def forget_live_records(folder: Path) -> None:
    """Deletes the records of games that are no longer being played."""
    with suppress(OSError):
        forget_parts(folder / LIVE)
        for path in (folder / LIVE).glob("*.sgf"):
            if NAME.fullmatch(path.name):
                path.unlink(missing_ok=True)
        (folder / LIVE).rmdir()  # it stays if somebody else has put something there
