"""Files that may be somebody else's: nothing of them is cut off, overwritten or deleted."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest

from learn_runs import TINY
from sixplane.learn.folder import RunFolder
from sixplane.learn.progress import Progress
from sixplane.learn.recorder import Recorder
from sixplane.match import FolderError, TournamentFolder
from sixplane.runs.calls import HEADER, Calls, RunFolderError
from small_matches import small

if TYPE_CHECKING:
    from pathlib import Path


def contents(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder, and what it holds."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def write(folder: Path, files: dict[str, bytes]) -> dict[str, bytes | None]:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return contents(folder)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"results.jsonl": b"dear diary"}, "is no file of results: line 1: .* b'dear diary'"),
        ({"results.jsonl": b'{"mine": 1}'}, "is no file of results"),
        ({"results.jsonl": b"x" * 100_000}, "is no file of results"),
        ({"results.jsonl": b"\n"}, "is no file of results: line 1"),
        ({"results.jsonl": b"\n\n\n"}, "is no file of results: line 1"),
        ({"results.jsonl": b"\r\n{"}, "is no file of results: line 1"),
        ({"results.jsonl": b'{"mine": 1}\ntorn'}, "is no file of results: line 1"),
        ({"results.jsonl": b"\xff\xfe"}, "is no file of results"),
        ({"game-0001.sgf": b"(;GM[1])"}, "has game-0001.sgf, but no results"),
        ({"game-0002.sgf": b"(;GM[1])", "results.jsonl": b""}, "has game-0002.sgf, but no results"),
        ({"playing/1.sgf": b"(;GM[1])"}, "has playing, but no results"),
        ({"playing/holiday.jpg": b"x"}, "has playing, but no results"),
    ],
    ids=repr,
)
def test_a_match_refuses_what_is_not_its_own(tmp_path: Path, files: dict[str, bytes], says: str) -> None:
    before = write(tmp_path, files)
    for _ in range(2):
        with pytest.raises(FolderError, match=says) as caught:
            TournamentFolder(tmp_path, small("random", "b@random"))
        assert len(str(caught.value)) < 300 + len(str(tmp_path))
    assert contents(tmp_path) == before


def test_a_match_deletes_only_records_that_it_may_have_written(tmp_path: Path) -> None:
    tournament = small("random", "b@random")
    TournamentFolder(tmp_path, tournament).close()
    mine = {
        "playing/notes.txt": b"x",
        "playing/a/1.sgf": b"x",
        "playing/1b.sgf": b"x",
        "x/playing/1.sgf": b"x",
    }
    parts = {"playing/.17.sgf.99.part": b"x", ".game-0003.sgf.99.part": b"x"}
    write(tmp_path, mine | parts | {"playing/17.sgf": b"x"})
    TournamentFolder(tmp_path, tournament).close()
    left = {name: content for name, content in contents(tmp_path).items() if content == b"x"}
    assert left == mine


@pytest.mark.parametrize(
    "name",
    [
        "notes.txt",
        "records/0000001.sgf",
        "games/chess.exe",
        "networks/000001.npz",
        ".film.mp4.part",
        ".film.7.part",
        "games",
    ],
)
def test_a_run_refuses_a_folder_of_somebody_else(tmp_path: Path, name: str) -> None:
    before = write(tmp_path, {name: b"x"})
    with pytest.raises(RunFolderError, match=r"has .*, but no run: choose another folder"):
        RunFolder(dataclasses.replace(TINY, out=str(tmp_path)))
    assert contents(tmp_path) == before


def test_a_run_deletes_only_parts_that_it_may_have_written(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, out=str(tmp_path))
    RunFolder(config).close()
    mine = {".film.mp4.part": b"x", "other/.run.json.7.part": b"x", "records/.part": b"x", "run.part": b"x"}
    write(tmp_path, mine | {".run.json.7.part": b"x", "records/.0000001.sgf.7.part": b"x"})
    RunFolder(config).close()
    left = {name: content for name, content in contents(tmp_path).items() if content == b"x"}
    assert left == mine


@pytest.mark.parametrize("content", [b"a,b", b"number,version;", b"a,b\n1,2\n3,", b"\n", b"\nx"])
def test_a_list_that_is_none_of_calls_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "calls.csv"
    file.write_bytes(content)
    with pytest.raises(RunFolderError, match="has other columns than the calls of a run"):
        Calls(file)
    assert file.read_bytes() == content


@pytest.mark.parametrize("length", range(0, len(HEADER) + 2, 7))
def test_half_of_our_own_header_is_made_whole(tmp_path: Path, length: int) -> None:
    file = tmp_path / "calls.csv"
    file.write_bytes((HEADER + b"\n")[:length])
    Calls(file).close()
    assert file.read_bytes() == HEADER + b"\n"


def test_damaged_figures_are_set_aside_beside_those_of_before(tmp_path: Path) -> None:
    for content in (b"first", b"second", b"third"):
        (tmp_path / "metrics.csv").write_bytes(content)
        Recorder(tmp_path, TINY, Progress()).close()
    names = ("metrics-damaged.csv", "metrics-damaged-2.csv", "metrics-damaged-3.csv")
    assert [(tmp_path / name).read_bytes() for name in names] == [b"first", b"second", b"third"]
