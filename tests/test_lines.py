"""Files of lines: whole ones are kept, half a line is passed over, and no line is joined with one."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sixplane._lines import LineFile

if TYPE_CHECKING:
    from pathlib import Path

FIRST = b"first"


def test_a_file_cut_anywhere_goes_on_with_the_lines_that_were_whole(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    file = tmp_path / "lines"
    expected = [FIRST]
    for _ in range(200):
        kept = LineFile(file, FIRST)
        assert kept.lines == expected
        for _ in range(rng.integers(1, 4)):
            line = bytes(rng.integers(97, 123, rng.integers(6)).tolist())
            kept.add(line)
            expected.append(line)
        assert kept.read() == (expected, b"")
        kept.close()
        content = file.read_bytes()
        assert content == b"".join(line + b"\n" for line in expected)
        content = content[: rng.integers(len(content) + 1)]
        file.write_bytes(content)
        expected = content.split(b"\n")[:-1] or [FIRST]


@pytest.mark.parametrize("content", [b"other", b"firsts", b"\n", b"other\nfirst\n", b"fi\nx"])
def test_another_file_is_read_and_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "lines"
    file.write_bytes(content)
    kept = LineFile(file, FIRST)
    assert kept.lines == (content.split(b"\n")[:-1] or [content])
    kept.close()
    assert file.read_bytes() == content


def test_a_locked_file_is_one_programs_alone(tmp_path: Path) -> None:
    kept = LineFile(tmp_path / "lines", FIRST, lock=True)
    with pytest.raises(BlockingIOError):
        LineFile(tmp_path / "lines", FIRST, lock=True)
    kept.close()
    LineFile(tmp_path / "lines", FIRST, lock=True).close()


def test_a_line_that_was_not_written_whole_is_cut_off_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "lines"
    kept = LineFile(file, FIRST)

    def full(_descriptor: int) -> None:
        with file.open("ab") as stream:
            stream.write(b"hal")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    kept.add(b"second")
    with pytest.raises(OSError, match="No space"):
        kept.sync()
    monkeypatch.undo()
    kept.add(b"third")
    kept.close()
    assert file.read_bytes() == b"first\nsecond\nthird\n"
