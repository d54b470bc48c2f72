"""Locking a file, so that one program at a time uses it."""

from __future__ import annotations

import os
import sys
from typing import IO, Any

__all__ = ["try_lock"]

if sys.platform == "win32":
    import msvcrt

    #: Windows keeps other programs from locked bytes: this one lies beyond the end of any file.
    _FAR = 1 << 30

    def try_lock(file: IO[Any]) -> bool:
        """Locks an open file for this program, until it is closed or the program ends.

        Returns:
            False if it is locked already, in this program or in another.
        """
        descriptor = file.fileno()
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, place, os.SEEK_SET)
        return True

else:
    import fcntl

    def try_lock(file: IO[Any]) -> bool:
        """Locks an open file for this program, until it is closed or the program ends.

        Returns:
            False if it is locked already, in this program or in another.
        """
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
