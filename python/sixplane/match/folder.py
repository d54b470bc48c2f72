"""Keeps a tournament in a folder: a file of results, and an SGF file for each game."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

from sixplane._core import __version__
from sixplane._fields import shown
from sixplane._files import write_file
from sixplane._lines import LineFile
from sixplane._live import LIVE, forget_live_records, live_record
from sixplane.match.standings import Line
from sixplane.match.tournament import Played, Tournament

RESULTS: Final = "results.jsonl"


class FolderError(RuntimeError):
    """Says why a folder cannot be used: it cannot be written, or holds something else.

    Example:
        >>> import sixplane, tempfile
        >>> from pathlib import Path
        >>> from sixplane.agents import AgentSpec
        >>> from sixplane.match import Tournament
        >>> entrants = [AgentSpec.parse("random"), AgentSpec.parse("score-table")]
        >>> tournament = Tournament(entrants, sixplane.Gomoku(size=7), games=2)
        >>> with tempfile.TemporaryDirectory() as name, TournamentFolder(Path(name), tournament):
        ...     try:
        ...         TournamentFolder(Path(name), tournament)
        ...     except FolderError as error:
        ...         print(str(error).replace(name, "FOLDER"))
        the folder FOLDER is in use by another match
    """


class TournamentFolder:
    """Keeps finished games, and reads those of an earlier run that was stopped.

    `results.jsonl` has a line of JSON that describes the tournament, then one for each game;
    `game-0001.sgf` and so on are the games. `playing/` has the games in play, if `Tournament.run` was given
    this folder. A tournament with more games of the same series goes on in the same folder. No other program
    can open it until it is closed, best by `with`.

    Args:
        path: the folder, which is made if it is not there.
        tournament: the tournament that is played.

    Raises:
        FolderError: it cannot be made or read, is in use, is that of another tournament, or holds games
            without results.

    Example:
        >>> import sixplane, tempfile
        >>> from pathlib import Path
        >>> from sixplane.agents import AgentSpec
        >>> from sixplane.match import Tournament
        >>> entrants = [AgentSpec.parse("random"), AgentSpec.parse("score-table")]
        >>> tournament = Tournament(entrants, sixplane.Gomoku(size=7), games=2)
        >>> with tempfile.TemporaryDirectory() as name, TournamentFolder(Path(name), tournament) as folder:
        ...     for played in tournament.run(processes=0):
        ...         line = folder.write(played)
        ...     print(sorted(file.name for file in Path(name).iterdir()))
        ['game-0001.sgf', 'game-0002.sgf', 'results.jsonl']
        >>> with tempfile.TemporaryDirectory() as name:
        ...     folder = TournamentFolder(Path(name), tournament)
        ...     print(folder.lines)
        ...     folder.close()  # as `with` does
        []
    """

    def __init__(self, path: Path, tournament: Tournament) -> None:
        self._path = path
        self._file = path / RESULTS
        self._header = _header(tournament)
        self.lines: list[Line] = []
        """The games in the folder, each once."""
        self._numbers: set[int] = set()
        self.repeated: list[int] = []
        """The numbers of games that the file of results has more than once; the first line counts."""
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._refuse_others()
            self._results = LineFile(self._file, json.dumps(self._header).encode(), lock=True)
        except BlockingIOError:
            raise FolderError(f"the folder {path} is in use by another match") from None
        except OSError as error:
            raise FolderError(f"cannot use the folder {path}: {error.strerror}") from error
        try:
            self._read()
        except FolderError:
            self._results.close()
            raise
        forget_live_records(path)

    def _refuse_others(self) -> None:
        """Refuses a folder with games but no results, before anything is written to it."""
        if self._file.exists() and (not self._file.is_file() or self._file.stat().st_size):
            return
        others = [path.name for path in self._path.glob("game-*.sgf")]
        if (self._path / LIVE).is_dir() and any((self._path / LIVE).iterdir()):
            others.append(LIVE)
        if others:
            raise FolderError(
                f"{self._path} has {min(others)}, but no results: choose a folder without games"
            )

    def close(self) -> None:
        """Lets other programs use the folder."""
        if not self._results.closed:
            forget_live_records(self._path)
            self._results.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, played: Played) -> Line:
        """Writes a game, its record first, so that no game counts without one.

        Raises:
            FolderError: it cannot be written, or is there already.
        """
        line = Line.of(played)
        if line.game in self._numbers:
            raise FolderError(f"{self._file} has game {line.game + 1} already")
        fixture, result = played.fixture, played.result
        comments = {len(result.record.actions): f"{result.ending}: {result.detail}"} if result.detail else {}
        comments.setdefault(len(fixture.opening), "the players begin here")
        text = result.record.to_sgf(
            black_name=fixture.black,
            white_name=fixture.white,
            result=result.sgf_result,
            event=f"game {fixture.index + 1}",
            comments=comments,
        )
        file = self._path / f"game-{fixture.index + 1:04}.sgf"
        try:
            write_file(file, text.encode())
            self._results.add(json.dumps(dataclasses.asdict(line)).encode())
            self._results.sync()
        except OSError as error:
            raise FolderError(f"cannot write {file}: {error.strerror}") from error
        with suppress(OSError):
            live_record(self._path, fixture.index + 1).unlink(missing_ok=True)
        self.lines.append(line)
        self._numbers.add(line.game)
        return line

    def _read(self) -> None:
        first, *texts = self._results.lines
        lines: list[Line] = []
        number = 1
        try:
            header = read_header(first)
            for text in texts:
                number += 1
                lines.append(Line.read(text, header["players"]))
        except ValueError as error:
            raise FolderError(f"{self._file} is no file of results: line {number}: {error}") from error
        if header != self._header:
            differ = [key for key in self._header if header.get(key) != self._header[key]]
            raise FolderError(f"{self._path} holds another match: it differs in {', '.join(differ)}")
        self._count(lines)

    def _count(self, lines: list[Line]) -> None:
        """Keeps each game once."""
        first: dict[int, Line] = {}
        for line in lines:
            if first.setdefault(line.game, line) is not line:
                self.repeated.append(line.game)
        self.lines, self._numbers = list(first.values()), set(first)


def read_header(text: bytes) -> dict[str, Any]:
    """Reads the first line of a file of results, which describes the tournament.

    Raises:
        ValueError: it is no such line.
    """
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        header = None
    if isinstance(header, dict):
        players, game = header.get("players"), header.get("game")
        if isinstance(game, str) and isinstance(players, dict):
            return header
    raise ValueError(f"it describes no match: {shown(text)}")


def _header(tournament: Tournament) -> dict[str, Any]:
    """Returns what must be the same for a tournament to go on."""
    game = tournament.game
    start = hashlib.sha256(repr(game.__reduce__()[1:]).encode()).hexdigest()
    header = {
        "sixplane": __version__,
        "players": {title: repr(entrant) for title, entrant in tournament.entrants.items()},
        "game": type(game).__name__,
        "position": game.to_sgf(),
        "rules and position": start[:16],
        "seed": tournament.seed,
        "opening moves": tournament.opening_moves,
        "paired": tournament.paired,
        "limits": dataclasses.asdict(tournament.limits),
    }
    decoded: dict[str, Any] = json.loads(json.dumps(header))
    return decoded
