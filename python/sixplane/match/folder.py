"""Keeps a tournament in a folder: a file of results, and an SGF file for each game."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any, Final, Self

from sixplane._core import Game, __version__
from sixplane._files import failing_as, forget_parts, write_file
from sixplane._live import LIVE, forget_live_records, live_record
from sixplane.match.json_lines import FolderError, JSONLines, network_checksum
from sixplane.match.standings import Line
from sixplane.match.tournament import Entrant, Played, Tournament

#: The file of the results of a match, and that of the series of a rating: a folder has one of them.
RESULTS: Final = "results.jsonl"
RATING: Final = "rating.jsonl"

#: What the first line of a file of results says of the match, at least.
HEADER: Final = {"players": dict, "game": str}


class TournamentFolder:
    """Keeps finished games, and reads those of an earlier run that was stopped.

    `results.jsonl` has a line of JSON that describes the tournament, then one for each game;
    `game-0001.sgf` and so on are the games. `playing/` has the games in play, if `Tournament.run` was given
    this folder. A tournament with more games of the same series goes on in the same folder. An entrant of a
    class of your own is known there by its `repr`, without one by its class alone. No other program can open
    the folder until it is closed, best by `with`.

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

    def __init__(self, path: str | PathLike[str], tournament: Tournament) -> None:
        self._path = Path(path)
        with failing_as(FolderError, f"cannot use the folder {path}"):
            self._refuse_others()
        header = _header(tournament)
        self._results = JSONLines(
            self._path / RESULTS,
            header,
            ("match", "results"),
            HEADER,
            lambda text: Line.read(text, header["players"]),
        )
        first: dict[int, Line] = {}
        self.repeated: list[int] = []
        """The numbers of games that the file of results has more than once; the first line counts."""
        for line in self._results.entries:
            if first.setdefault(line.game, line) is not line:
                self.repeated.append(line.game)
        self.lines = list(first.values())
        """The games in the folder, each once."""
        forget_live_records(self._path)
        forget_parts(self._path)

    def _refuse_others(self) -> None:
        """Refuses a folder of a rating, or with games but no results, before anything is written to it."""
        if (self._path / RATING).exists():
            raise FolderError(f"{self._path} holds a rating ({RATING}): choose another folder for a match")
        file = self._path / RESULTS
        if file.exists() and (not file.is_file() or file.stat().st_size):
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
        if any(line.game == written.game for written in self.lines):
            raise FolderError(f"{self._path / RESULTS} has game {line.game + 1} already")
        fixture, result = played.fixture, played.result
        moves = result.record.move_number
        comments = {moves: f"{result.ending}: {result.detail}"} if result.detail else {}
        comments.setdefault(moves - len(result.move_seconds), "the players begin here")
        text = result.record.to_sgf(
            black_name=fixture.black,
            white_name=fixture.white,
            result=result.sgf_result,
            event=f"game {fixture.index + 1}",
            comments=comments,
        )
        file = self._path / f"game-{fixture.index + 1:04}.sgf"
        with failing_as(FolderError, f"cannot write {file}"):
            write_file(file, text.encode())
        self._results.add_entry(dataclasses.asdict(line))
        with suppress(OSError):
            live_record(self._path, fixture.index + 1).unlink(missing_ok=True)
        self.lines.append(line)
        return line


def _header(tournament: Tournament) -> dict[str, Any]:
    """Returns what must be the same for a tournament to go on."""
    game = tournament.game
    options = {title: getattr(entrant, "options", {}) for title, entrant in tournament.entrants.items()}
    networks = {title: network_checksum(given) for title, given in options.items() if "file" in given}
    return {
        "the version of sixplane": __version__,
        "players": {title: _known_as(entrant) for title, entrant in tournament.entrants.items()},
        "networks": networks or None,
        "game": type(game).__name__,
        **start_of(game),
        "seed": tournament.seed,
        "opening moves": tournament.opening_moves,
        "paired": tournament.paired,
        "limits": dataclasses.asdict(tournament.limits),
    }


def _known_as(entrant: Entrant) -> str:
    """Returns what an entrant is known by: what it says of itself, else its class."""
    kind = type(entrant)
    says_where_it_is = kind.__repr__ is object.__repr__
    return f"{kind.__module__}.{kind.__qualname__}" if says_where_it_is else repr(entrant)


def start_of(game: Game) -> dict[str, object]:
    """Returns the rules of a game and its position, as JSON has them; no version of sixplane is in them."""
    record = re.sub(r"AP\[sixplane:[^\]]*\]", "", game.to_sgf(), count=1)
    # A record does not tell all of a position, such as the points that ko forbids at the start.
    checksum = hashlib.sha256(repr(game.__reduce__()[1:]).encode()).hexdigest()
    return {
        "rules": {rule: getattr(game, rule) for rule in (*game.rule_names, "max_moves")},
        "position": {"record": record, "checksum": checksum[:16]},
    }
