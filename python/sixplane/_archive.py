"""Archives of arrays, as `numpy.savez` writes them: written at once, read member by member."""

from __future__ import annotations

import io
import math
import os
import zipfile
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from sixplane._arguments import Array
from sixplane._fields import shown


class ArchiveError(ValueError):
    """An archive or a member that is damaged, or not as `numpy.savez` writes it."""


def archive_of(arrays: Mapping[str, Array]) -> bytes:
    """Returns the content of a file with these arrays by their names."""
    content = io.BytesIO()
    # Without `allow_pickle`, which NumPy before 2.1 takes for one more array.
    members: dict[str, Any] = dict(arrays)
    np.savez(content, **members)
    return content.getvalue()


class Archive:
    """The members of a file, each of which is read when somebody asks for it.

    Members are stored as they are: together they take no more memory than the file has bytes.

    Args:
        stream: an open file, which stays open as long as members are read.

    Raises:
        ArchiveError: the file is no archive, or its members are compressed or share their bytes.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        try:
            self._zip = zipfile.ZipFile(stream)
            members = self._zip.infolist()
            size = stream.seek(0, os.SEEK_END)
        except Exception as error:  # of damaged bytes zipfile raises almost anything
            raise ArchiveError(f"it is no archive of arrays: {shown(str(error))}") from error
        stored = all(one.compress_type == zipfile.ZIP_STORED for one in members)
        if not stored or sum(max(one.file_size, one.compress_size) for one in members) > size:
            raise ArchiveError("its members are compressed, or share their bytes")
        self._members = {one.filename.removesuffix(".npy"): one for one in members}

    @property
    def names(self) -> list[str]:
        """The names of the members."""
        return list(self._members)

    def form(self, name: str) -> tuple[tuple[int, ...], np.dtype[np.generic]]:
        """Reads the shape and the type of a member, but no number.

        Raises:
            ArchiveError: there is no such member, or it is damaged.
        """
        try:
            member = self._members[name]
            with self._zip.open(member) as stream:
                version = np.lib.format.read_magic(stream)
                read = {
                    (1, 0): np.lib.format.read_array_header_1_0,
                    (2, 0): np.lib.format.read_array_header_2_0,
                }[version]
                shape, _, dtype = read(stream)
                offset = stream.tell()
        except KeyError:
            raise ArchiveError(f"{shown(name)} is missing") from None
        except Exception as error:  # of damaged bytes NumPy and zipfile raise almost anything
            raise ArchiveError(f"{shown(name)} is damaged: {shown(str(error))}") from error
        if dtype.hasobject or math.prod(shape) * dtype.itemsize != member.file_size - offset:
            raise ArchiveError(f"{shown(name)} is damaged: its size is not that of its shape")
        return shape, dtype

    def read(self, name: str) -> Array:
        """Returns the numbers of a member, which is checked as `form` does."""
        self.form(name)
        try:
            with self._zip.open(self._members[name]) as stream:
                numbers: Array = np.lib.format.read_array(stream, allow_pickle=False)
            return numbers
        except Exception as error:
            raise ArchiveError(f"{shown(name)} is damaged: {shown(str(error))}") from error
