"""Files for records of games, which never overwrite a file of another program."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

__all__ = ["RecordFiles", "SaveError"]


class SaveError(Exception):
    """Why a record cannot be written."""


class RecordFiles:
    """Writes records, and overwrites no file but those that it has written itself.

    A path that is no regular file, such as `/dev/stdout`, takes any number of records.
    """

    def __init__(self) -> None:
        self._own: set[Path] = set()

    def check(self, path: str) -> None:
        """Checks that a record can be written, and leaves no file behind.

        Raises:
            SaveError: it cannot be written.
        """
        self.write(path, None)

    def write(self, path: str, text: str | None) -> None:
        """Writes a record; None: only checks.

        Raises:
            SaveError: it cannot be written.
        """
        if not path:
            raise SaveError("save needs a file, such as: save game.sgf")
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
            raise SaveError(f"{path} exists already and is left as it is") from error
        except OSError as error:
            raise SaveError(f"cannot write {path}: {error.strerror}") from error
        except (ValueError, RuntimeError) as error:
            raise SaveError(f"cannot write {path}: {error}") from error
