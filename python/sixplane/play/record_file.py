"""Reads files of records of games, and writes them without harm to those of other programs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from sixplane._core import Game, parse_sgf
from sixplane.errors import SGFError
from sixplane.games.plays import follow

#: The most bytes of a record that is read.
MOST_BYTES: Final = 10_000_000


class RecordError(Exception):
    """Says why a record cannot be played on, or cannot be written."""


def read_record(
    path: str, usual: Game | None = None, now: Game | None = None, max_moves: int | None = None
) -> tuple[Game, str]:
    """Returns the main line of the first game of a file, and says what of it was left out or guessed.

    Args:
        path: the path of the file.
        usual: a game of the kind that the record must be of, which it need not say.
        now: the game in play, which a record of a game of your own goes on with.
        max_moves: after how many actions the game ends, which no record says.

    Raises:
        RecordError: the file cannot be read, is no record of a game of this package, or its game is over.
    """
    if not path:
        raise RecordError("load needs a file, such as: load game.sgf")
    try:
        file = Path(path).expanduser()
        if file.exists() and not file.is_file():
            raise RecordError(f"{path} is no file")
        if file.stat().st_size > MOST_BYTES:
            raise RecordError(f"{path} is too large for a record")
        games = parse_sgf(file.read_bytes()).games
        root, limit = games[0], {} if max_moves is None else {"max_moves": max_moves}
        game, warnings = root.follow(usual=usual, **limit) if now is None else follow(root, now, **limit)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from error
    except (SGFError, ValueError, RuntimeError) as error:
        raise RecordError(f"cannot read {path}: {error}") from error
    if game.is_over:
        raise RecordError(f"{path} is a game that is over")
    return game, "; ".join(filter(None, [*map(str, warnings), other_games(len(games))]))


def other_games(count: int) -> str:
    """Says that of a file with so many games only the first is read; empty for one game."""
    return f"left out: all games but the first of {count}" if count > 1 else ""


class RecordFiles:
    """Writes records, and overwrites no file but those that it has written itself.

    A path that is no regular file, such as `/dev/stdout`, takes any number of records. A `RecordError` says
    why a record cannot be written.
    """

    def __init__(self) -> None:
        self._own: set[Path] = set()

    def check(self, path: str) -> None:
        """Checks that a record can be written, and leaves no file behind."""
        self.write(path, None)

    def write(self, path: str, text: str | None) -> None:
        """Writes a record; None: only checks."""
        if not path:
            raise RecordError("save needs a file, such as: save game.sgf")
        try:
            file = Path(path).expanduser().absolute()
            is_new = not file.exists()
            is_ours = file in self._own or (not is_new and not file.is_file() and not file.is_dir())
            # Mode x takes the place in one step, so that no other program can take it in between.
            with file.open("w" if is_ours else "x", encoding="utf-8", newline="") as stream:
                is_kept = False
                try:
                    if text is not None:
                        stream.write(text)
                        stream.flush()
                        is_kept = True
                finally:
                    if is_new and not is_kept:
                        # Closing tries once more to write what did not fit.
                        with suppress(OSError):
                            stream.close()
                        file.unlink()
            if is_kept:
                self._own.add(file)
        except FileExistsError as error:
            raise RecordError(f"{path} exists already and is left as it is") from error
        except OSError as error:
            raise RecordError(f"cannot write {path}: {error.strerror}") from error
        except (ValueError, RuntimeError) as error:
            raise RecordError(f"cannot write {path}: {error}") from error
