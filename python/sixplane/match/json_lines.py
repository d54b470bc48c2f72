"""Files of JSON that keep what was played, line by line, so that it can go on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from sixplane._fields import shown
from sixplane._files import failing_as, read_file
from sixplane._lines import LineFile

T = TypeVar("T")


class FolderError(RuntimeError):
    """Says why a folder cannot be used: it cannot be written, or holds something else.

    Example:
        >>> import sixplane, tempfile
        >>> from pathlib import Path
        >>> from sixplane.agents import AgentSpec
        >>> from sixplane.match import Tournament, TournamentFolder
        >>> entrants = [AgentSpec.parse("random"), AgentSpec.parse("score-table")]
        >>> tournament = Tournament(entrants, sixplane.Gomoku(size=7), games=2)
        >>> with tempfile.TemporaryDirectory() as name, TournamentFolder(Path(name), tournament):
        ...     try:
        ...         TournamentFolder(Path(name), tournament)
        ...     except FolderError as error:
        ...         print(str(error).replace(name, "FOLDER"))
        the folder FOLDER is in use by another match
    """


class JSONLines(LineFile, Generic[T]):
    """A file with a line that says what it is of, then one for each entry. One program at a time keeps it.

    Args:
        file: the file; its folder is made if it is not there.
        header: the first line, as JSON has it, which must be the same for the file to go on.
        of: what the file is of and what it holds, in words for messages, such as `match` and `results`.
        types: the types of the fields by which such a first line is known.
        read: reads an entry.

    Raises:
        FolderError: the file cannot be used, is in use, or is of something else.
    """

    def __init__(
        self,
        file: Path,
        header: Mapping[str, object],
        of: tuple[str, str],
        types: Mapping[str, type],
        read: Callable[[bytes], T],
    ) -> None:
        self._path = file
        folder, (kind, content) = file.parent, of
        with failing_as(FolderError, f"cannot use the folder {folder}"):
            folder.mkdir(parents=True, exist_ok=True)
            try:
                super().__init__(file, json.dumps(header).encode(), lock=True)
            except BlockingIOError:
                raise FolderError(f"the folder {folder} is in use by another {kind}") from None
        self.entries: list[T] = []
        """The entries when the file was opened."""
        number = 1
        try:
            first, *texts = self.lines
            found = read_header(first, kind, types)
            if differ := [key for key in header if not _is_same(found.get(key), header[key])]:
                raise FolderError(f"{folder} holds another {kind}: it differs in {', '.join(differ)}")
            for text in texts:
                number += 1
                self.entries.append(read(text))
        except (ValueError, RecursionError) as error:
            self.close()
            raise FolderError(f"{file} is no file of {content}: line {number}: {error}") from error
        except FolderError:
            self.close()
            raise

    def add_entry(self, entry: object) -> None:
        """Adds the line of an entry, which is on the disk then."""
        with failing_as(FolderError, f"cannot write {self._path}"):
            self.add(json.dumps(entry).encode())
            self.sync()


def _is_same(found: object, wanted: object) -> bool:
    """Returns whether two values are equal; players in another order are other fixtures."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return found == wanted and [*found] == [*wanted]
    return found == wanted


def network_checksum(options: Mapping[str, object]) -> str | None:
    """Returns the SHA-256 of the network file that the options of an agent name, None if they name none.

    Who writes it beside an agent's spec can tell the network of today from an earlier one of the same path.

    Raises:
        FolderError: the file cannot be read.
    """
    file = options.get("file")
    if file is None:
        return None
    with failing_as(FolderError, f"cannot read {file}"):
        return hashlib.sha256(read_file(Path(str(file)))).hexdigest()


def read_header(text: bytes, kind: str, types: Mapping[str, type]) -> dict[str, Any]:
    """Reads a line that says what a file is of: a table with fields of these types.

    Raises:
        ValueError: it is no such line.
    """
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        header = None
    if isinstance(header, dict) and all(isinstance(header.get(name), types[name]) for name in types):
        return header
    raise ValueError(f"it describes no {kind}: {shown(text)}")
