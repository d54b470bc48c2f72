"""Files that are written whole or not at all, and locked for one program."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

#: Seconds for which a file may be in use by others, such as what looks for viruses: Windows alone minds.
BUSY_SECONDS: Final = 2.0 if os.name == "nt" else 0.0

#: What `write_file` writes first.
PART: Final = re.compile(r"\..+\.\d+\.part")


def write_file(path: Path, content: bytes, *, sync: bool = True) -> None:
    """Writes a file under another name, and then puts it in the place of the old one.

    Args:
        path: where the file is.
        content: all of it.
        sync: whether it is on the disk before it takes the place, so that a power cut leaves one of the two.

    Raises:
        OSError: there is no space, or writing is not allowed; the old file stays.
    """
    # The number of a thread is its own on the whole machine: two of them may write the same file.
    part = path.with_name(f".{path.name}.{threading.get_native_id()}.part")
    try:
        with part.open("wb") as stream:
            stream.write(content)
            stream.flush()
            if sync:
                os.fsync(stream.fileno())
        move_file(part, path)
    except BaseException as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        # A full disk has no name, and that of the part is not known to the caller.
        if isinstance(error, OSError) and error.filename in {None, str(part)}:
            error.filename = str(path)
            if error.filename2 is not None:
                del error.filename2
        raise


def move_file(file: Path, path: Path) -> None:
    """Puts a file in the place of another, or where there is none; tries again while a program has it open.

    Raises:
        OSError: it is not allowed, or the program has it open for too long; both stay.
    """
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            file.replace(path)
        except PermissionError:
            if time.monotonic() >= end:
                raise
            time.sleep(0.05)
        else:
            return


def forget_parts(folder: Path) -> None:
    """Deletes what `write_file` has left in a folder where its program was killed."""
    for path in folder.glob(".*.part"):
        if PART.fullmatch(path.name):
            path.unlink(missing_ok=True)


@contextmanager
def failing_as(kind: type[Exception], what: str) -> Iterator[None]:
    """Raises an error of this kind, such as `cannot write FILE: no space`, for an `OSError` in the block."""
    try:
        yield
    except OSError as error:
        why = "it is a file" if isinstance(error, FileExistsError) else error.strerror
        raise kind(f"{what}: {why}") from error


def open_file(path: Path, mode: str = "rb") -> IO[bytes]:
    """Opens a regular file. A pipe or a device, of which there may be no end, is refused at once.

    Raises:
        OSError: it cannot be opened, or is something else.
    """
    return open(path, mode, opener=_open_regular)


def read_file(path: Path) -> bytes:
    """Returns all bytes of a regular file, which is opened as `open_file` does."""
    with open_file(path) as file:
        return file.read()


def _open_regular(name: str, flags: int) -> int:
    # Else the end of a pipe is opened when the other end is, which may be never. Windows has no such pipes.
    descriptor = os.open(name, flags | getattr(os, "O_NONBLOCK", 0), 0o666)
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    raise OSError(errno.EINVAL, "it is no regular file", name)


def sync_file(path: Path) -> None:
    """Waits until a file is on the disk."""
    with path.open("r+b") as stream:
        os.fsync(stream.fileno())


def try_lock(file: IO[bytes] | IO[str]) -> bool:
    """Locks an open file for this program, until it is closed or the program ends.

    Returns:
        False if it is locked already, in this program or in another.
    """
    try:
        _lock(file.fileno())
    except BlockingIOError:
        return False
    return True


if sys.platform == "win32":
    import msvcrt

    #: Windows keeps other programs from locked bytes: this one lies beyond the end of any file.
    _FAR = 1 << 30

    def _lock(descriptor: int) -> None:
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from error
        finally:
            os.lseek(descriptor, place, os.SEEK_SET)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
