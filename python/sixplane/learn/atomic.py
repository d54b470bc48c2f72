"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write_file"]


def write_file(path: Path, content: bytes) -> None:
    """Writes a file beside its name, and then puts it in the place of the old one.

    Raises:
        OSError: there is no space, or no right to write; the old file stays.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
