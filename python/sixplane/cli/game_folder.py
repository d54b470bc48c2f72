"""Keeps finished games in a folder, as SGF files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sixplane._core import Game
from sixplane.cli import CommandError
from sixplane.play.record_file import RecordFiles


class GameFolder:
    """Writes `game-0001.sgf`, `game-0002.sgf`, ... in the order of the games, and overwrites no file.

    Args:
        path: the folder, which is made if it is not there.
        total: how many games will come; the numbers in the names have as many digits.

    Raises:
        CommandError: the folder cannot be made, or holds such files already.
    """

    def __init__(self, path: Path, total: int) -> None:
        self._path = path = path.expanduser()
        self._digits = len(str(total))
        self._written = 0
        try:
            path.mkdir(parents=True, exist_ok=True)
            there = next(path.glob("game-*.sgf"), None)
        except OSError as error:
            raise CommandError(f"cannot make the folder {path}: {error.strerror}") from error
        if there is not None:
            raise CommandError(f"{there} exists already; choose a folder without games")

    def write(self, games: Iterable[Game]) -> None:
        """Writes a file for each game.

        Raises:
            RecordError: a file cannot be written, or has appeared meanwhile; such a file stays as it is.
        """
        for game in games:
            file = self._path / f"game-{self._written + 1:0{self._digits}}.sgf"
            RecordFiles().write(str(file), game.to_sgf())
            self._written += 1
