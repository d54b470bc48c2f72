"""What `sixplane watch` reads of folders, whole, half-written and wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import learn_runs
from sixplane.cli import CommandError
from sixplane.cli.watch import watch_of
from sixplane.web.watch_match import MatchWatch
from sixplane.web.watch_selfplay import SelfplayWatch
from sixplane.web.watch_train import TrainWatch
from waiting import MINUTE, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sixplane", *arguments],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("match")
    options = ["--size", "5", "--games", "6", "--out", str(folder)]
    done = program("match", "first@random", "second@random", *options)
    assert done.returncode == 0, done.stderr
    return folder


def test_a_match_is_told_as_far_as_its_lines_are_whole(played: Path, tmp_path: Path) -> None:
    text = (played / "results.jsonl").read_bytes()
    lines = text.splitlines(keepends=True)
    file = tmp_path / "results.jsonl"
    file.write_bytes(lines[0])
    watch = MatchWatch(tmp_path)
    assert watch.look() and not watch.look()
    assert watch.told()["facts"] == [["games", "0"]] and watch.listed() == []
    # Every byte more; a line counts with its end, and no other moment changes anything.
    seen = 0
    for end in range(len(lines[0]), len(text) + 1):
        file.write_bytes(text[:end])
        whole = text[:end].count(b"\n") - 1
        assert watch.look() is (whole > seen)
        assert len(watch.entries) == whole
        seen = whole
    told = watch.told()
    points = 0.0
    for entry in map(json.loads, lines[1:]):
        points += 0.5 if entry["winner"] == "draw" else entry[entry["winner"]] == "first"
    (row,) = told["tables"][0]["rows"]
    assert (row[0], row[1], row[3]) == ("first against second", "6", f"{points / 6:.1%}")
    assert "first against second" in told["charts"][0]
    assert told["title"] == "Go: first, second"


def test_a_line_that_is_none_of_a_match_is_passed_over(played: Path, tmp_path: Path) -> None:
    lines = (played / "results.jsonl").read_bytes().splitlines(keepends=True)
    junk = [b"{}\n", b"[1]\n", b"\xff\xfe\n", b"\n", lines[1]]
    (tmp_path / "results.jsonl").write_bytes(b"".join([*lines[:3], *junk, *lines[3:]]))
    watch = MatchWatch(tmp_path)
    watch.look()
    assert [row[0] for row in watch.listed()] == [json.loads(line)["game"] + 1 for line in lines[1:]]
    # A match that begins anew in the folder is read from its start.
    (tmp_path / "results.jsonl").write_bytes(b"".join(lines[:2]))
    watch.look()
    assert len(watch.entries) == 1


def test_a_game_is_there_when_its_record_is_whole(played: Path) -> None:
    watch = MatchWatch(played)
    watch.look()
    game = watch.game(1)
    assert game is not None and game.move_number == watch.entries[1].moves
    assert watch.game(7) is None and watch.game(-1) is None


def test_records_of_self_play_wait_until_they_are_whole(tmp_path: Path) -> None:
    done = program("selfplay", "--size", "5", "--games", "30", "--seed", "1", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    table = dict(
        line.rsplit(maxsplit=1) for line in done.stdout.splitlines() if line.startswith("black wins")
    )
    half = tmp_path / "game-07.sgf"
    text = half.read_bytes()
    half.write_bytes(text[: len(text) // 2])
    (tmp_path / "game-99.sgf").write_bytes(b"\xff")
    (tmp_path / "notes.txt").write_text("not ours")
    watch = SelfplayWatch(tmp_path)
    assert watch.look() and len(watch.entries) == 29 and 7 not in watch.entries
    assert not watch.look()
    half.write_bytes(text)
    assert watch.look() and len(watch.entries) == 30
    facts = dict(watch.told()["facts"])
    assert facts["games"] == "30" and facts["not read yet"] == "1"
    wins = sum(entry.result.startswith("B+") for entry in watch.entries.values())
    assert table["black wins"] == str(wins)
    assert facts["Black wins"] == f"{wins / 30:.1%}"
    assert all("<svg" in chart for chart in watch.told()["charts"])


def test_a_run_of_training_is_read_while_it_is_written(tmp_path: Path) -> None:
    run = learn_runs.start(tmp_path)
    try:
        until((tmp_path / "run.json").exists, run)
        watch = TrainWatch(tmp_path)
        games: list[int] = []
        rows: list[int] = []

        def has_seen_enough() -> bool:
            watch.look()
            told = watch.told()
            games.append(watch.games)
            rows.append(len(watch.rows))
            assert 0 <= told["part"] < 1
            return len(set(games)) > 5 and len(watch.rows) > 3 and bool(watch.entries)

        until(has_seen_enough, run, 3 * MINUTE)
    finally:
        run.kill()
        run.communicate()
    assert games == sorted(games) and rows == sorted(rows)
    watch.look()
    counted = [int(line.split(",")[3]) for line in (tmp_path / "calls.csv").read_text().splitlines()[1:]]
    assert watch.games == sum(counted)
    assert dict(watch.told()["facts"])["games"] == f"{sum(counted):,}"
    newest = watch.game(max(watch.entries))
    assert newest is not None and newest.rows == newest.cols == 3 and newest.move_number > 0
    number, black, white, result, moves = watch.listed()[-1]
    assert (number, moves) == (max(watch.entries), newest.move_number)
    assert black == white and black.startswith("version ") and result[:2] in {"B+", "W+", "0", "Dr"}
    assert list(watch.entries) == sorted(watch.entries) and len(watch.entries) <= 200
    assert watch.told()["charts"]


def test_figures_of_older_versions_and_half_rows_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"game": "reversi", "size": [6, 8], "minutes": 10}')
    (tmp_path / "metrics.csv").write_text(
        "time,minutes,games,loss,score against x,low against x,high against x\n"
        "t,1.5,12,2.5,,,\nt,nonsense,1,1,,,\nt,3,24,2,0.5,0.4,0.6\nt,4.5,3"
    )
    watch = TrainWatch(tmp_path)
    watch.look()
    assert [(row.minutes, row.games) for row in watch.rows] == [(1.5, 12), (3.0, 24)]
    assert watch.rows[1].strengths["x"].score == 0.5
    told = watch.told()
    assert (told["title"], told["part"], told["has_ended"]) == ("Reversi 6x8: training", 0.3, False)
    for minutes, has_ended in (("9.99", False), ("10.0", True), ("12", True)):
        (tmp_path / "metrics.csv").write_text(f"time,minutes,games,loss\nt,{minutes},24,2\n")
        watch = TrainWatch(tmp_path)
        watch.look()
        assert watch.told()["has_ended"] is has_ended


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda _path: None, " is empty: there is nothing to watch yet"),
        (lambda path: path.rmdir(), "No such file or directory"),
        (lambda path: (path / "notes.txt").write_text("x"), "is no folder of train, match or selfplay"),
        (lambda path: (path / "run.json").write_text("{"), "has no settings of a run"),
        (lambda path: (path.rmdir(), path.write_text("x")), "Not a directory"),
    ],
)
def test_a_folder_that_cannot_be_watched_is_one_clear_error(
    tmp_path: Path, make: Callable[[Path], object], says: str
) -> None:
    make(tmp_path)
    with pytest.raises(CommandError, match=says):
        watch_of(tmp_path)


def test_without_its_libraries_the_page_names_the_extra(played: Path) -> None:
    code = """
import sys
sys.modules["starlette"] = None
from sixplane.__main__ import main
sys.exit(main(["watch", sys.argv[1]]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(played)], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("pip install 'sixplane[web]'\n") and len(done.stderr.splitlines()) == 1
