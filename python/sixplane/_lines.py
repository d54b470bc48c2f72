"""Files that grow line by line."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from sixplane._files import open_file, try_lock


class LineFile:
    """Keeps a file to which only whole lines are added; the first one says what the file is.

    A program that was killed may have left half a line at the end. It is passed over, and cut off when the
    next line is added. A file without any line gets the first one, unless it holds something else.

    Args:
        path: the path of the file, which is made if it is not there.
        first: the first line.
        lock: whether no other program may keep the file at the same time.

    Raises:
        BlockingIOError: the file is locked by another program.
        OSError: the file cannot be read or written.
    """

    def __init__(self, path: Path, first: bytes, *, lock: bool = False) -> None:
        self._stream = open_file(path, "a+b")
        try:
            if lock and not try_lock(self._stream):
                raise BlockingIOError(errno.EWOULDBLOCK, os.strerror(errno.EWOULDBLOCK))
            self.lines, half = self.read()
            """The lines when the file was opened."""
            self._end = sum(len(line) + 1 for line in self.lines)
            if not self.lines and first.startswith(half):
                self.add(first)
                self.lines = [first]
            elif not self.lines:
                self.lines = [half]
        except BaseException:
            self.close()
            raise

    def read(self) -> tuple[list[bytes], bytes]:
        """Reads the whole lines as they are on the disk, and the half of one that may follow."""
        self._stream.seek(0)
        *lines, half = self._stream.read().split(b"\n")
        return lines, half

    def add(self, line: bytes) -> None:
        """Adds a line, which an end of the program does not undo, nor a power cut after `sync`."""
        self._stream.truncate(self._end)
        self._stream.write(line + b"\n")
        self._stream.flush()
        self._end += len(line) + 1

    def sync(self) -> None:
        """Waits until the lines are on the disk."""
        os.fsync(self._stream.fileno())

    @property
    def closed(self) -> bool:
        """Whether the file was closed."""
        return self._stream.closed

    def close(self) -> None:
        """Closes the file."""
        # A failed write has been reported already.
        with suppress(OSError):
            self._stream.close()
