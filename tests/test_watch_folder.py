"""What `sixplane watch` reads of folders, whole, half-written and wrong."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import learn_runs
import own_games
import sixplane
from sixplane.__main__ import main
from sixplane._live import LIVE
from sixplane.cli import CommandError
from sixplane.cli.watch import reader_of
from sixplane.match.statistics import wilson_interval
from sixplane.runs.calls import HEADER, Call
from sixplane.runs.match import MatchReader
from sixplane.runs.reader import MOST_ENTRIES
from sixplane.runs.selfplay import SelfplayReader
from sixplane.runs.training import TrainingReader
from waiting import MINUTE, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sixplane._core import Game
    from sixplane.games.arbiter import Position
    from sixplane.runs.reader import Entry


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
    reader = MatchReader(tmp_path)
    assert reader.update() and not reader.update()
    assert reader.summary()["facts"] == [("games", "0")] and reader.newest() == []
    # Every byte more; a line counts with its end, and no other moment changes anything.
    seen = 0
    for end in range(len(lines[0]), len(text) + 1):
        file.write_bytes(text[:end])
        whole = text[:end].count(b"\n") - 1
        assert reader.update() is (whole > seen)
        assert len(reader.entries) == whole
        seen = whole
    summary = reader.summary()
    points = 0.0
    for entry in map(json.loads, lines[1:]):
        points += 0.5 if entry["winner"] == "draw" else entry[entry["winner"]] == "first"
    (table,) = summary["tables"]
    assert table["title"] == "first against second"
    rows = {str(name): str(text) for name, text in table["rows"]}
    assert rows["games"] == "6" and rows["score"].startswith(f"{points / 6:.1%} ")
    games, score, low, high = summary["scores"]["first against second"][-1]
    assert games == 6 and score == pytest.approx(points / 6, 1e-5)
    assert [low, high] == pytest.approx(wilson_interval(points, 6), 1e-5)
    assert summary["title"] == "Go: first, second"


# Nobody moves in a microsecond: the second match has a table of forfeits, too.
@pytest.mark.parametrize(("seconds", "forfeits"), [("60", 0), ("1e-6", 6)])
def test_the_tables_of_a_match_are_what_the_match_prints(tmp_path: Path, seconds: str, forfeits: int) -> None:
    options = ["--size", "5", "--games", "2", "--seconds-per-move", seconds, "--out", str(tmp_path)]
    # A seed that is given is not printed.
    done = program("match", "random", "b@random", "c@random", "--seed", "0", *options)
    assert done.returncode == 0, done.stderr
    reader = MatchReader(tmp_path)
    reader.update()
    shown = [[table["title"], *(list(row) for row in table["rows"])] for table in reader.summary()["tables"]]
    printed = [
        [title, *(re.split(r" {2,}", line.strip(), maxsplit=1) for line in lines)]
        for title, *lines in (paragraph.splitlines() for paragraph in done.stdout.split("\n\n"))
    ]
    assert shown == printed
    pairs = ["random against b", "random against c", "b against c"]
    assert [title for title, *_ in shown[:3]] == pairs
    assert [len(rows) for _, *rows in shown[3:]] == ([forfeits] if forfeits else [])


def test_a_run_of_the_size_that_is_usual_for_its_game_is_called_by_it(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"game": "reversi", "size": null}')
    reader = TrainingReader(tmp_path)
    reader.update()
    assert reader.summary()["title"] == "Reversi 8x8: training"


def test_a_line_that_is_none_of_a_match_is_passed_over(played: Path, tmp_path: Path) -> None:
    lines = (played / "results.jsonl").read_bytes().splitlines(keepends=True)
    junk = [b"{}\n", b"[1]\n", b"\xff\xfe\n", b"\n", lines[1]]
    (tmp_path / "results.jsonl").write_bytes(b"".join([*lines[:3], *junk, *lines[3:]]))
    reader = MatchReader(tmp_path)
    reader.update()
    assert [row[0] for row in reader.newest()] == [json.loads(line)["game"] + 1 for line in lines[1:]]
    # A match that begins anew in the folder is read from its start.
    (tmp_path / "results.jsonl").write_bytes(b"".join(lines[:2]))
    reader.update()
    assert len(reader.entries) == 1


def test_a_game_is_there_when_its_record_is_whole(played: Path) -> None:
    reader = MatchReader(played)
    reader.update()
    game = reader.game(1)
    assert game is not None and game.move_number == reader.entries[1].moves
    assert reader.game(7) is None and reader.game(-1) is None


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
    reader = SelfplayReader(tmp_path)
    assert reader.update() and len(reader.entries) == 29 and 7 not in reader.entries
    assert not reader.update()
    half.write_bytes(text)
    assert reader.update() and len(reader.entries) == 30
    facts = dict(reader.summary()["facts"])
    assert facts["games"] == "30" and facts["not read yet"] == "1"
    wins = sum(entry.result.startswith("B+") for entry in reader.entries.values())
    assert table["black wins"] == str(wins)
    assert facts["Black wins"] == f"{wins / 30:.1%}"
    columns = reader.summary()["columns"]
    assert columns["black_wins"][-1] == pytest.approx(wins / 30, 1e-5)
    assert columns["games"] == [*range(1, 31)]


def test_a_run_of_training_is_read_while_it_is_written(tmp_path: Path) -> None:
    wanted = {"positions", "play_share", "game_length"}  # The last one comes with the first finished game.
    with learn_runs.start(tmp_path) as run:
        until((tmp_path / "run.json").exists, run)
        reader = TrainingReader(tmp_path)
        games: list[int] = []
        rows: list[int] = []

        def has_seen_enough() -> bool:
            reader.update()
            summary = reader.summary()
            games.append(reader.games)
            rows.append(len(reader.rows))
            assert summary["part"] is not None and 0 <= summary["part"] < 1
            has_columns = wanted <= summary["columns"].keys()
            return has_columns and len(set(games)) > 5 and len(reader.rows) > 3 and bool(reader.entries)

        until(has_seen_enough, run, 3 * MINUTE)
    assert games == sorted(games) and rows == sorted(rows)
    reader.update()
    counted = [int(line.split(",")[3]) for line in (tmp_path / "calls.csv").read_text().splitlines()[1:]]
    assert reader.games == sum(counted)
    assert dict(reader.summary()["facts"])["games"] == f"{sum(counted):,}"
    newest = reader.game(max(reader.entries))
    assert newest is not None and newest.rows == newest.cols == 3 and newest.move_number > 0
    number, black, white, result, moves, _file = reader.newest()[-1]
    assert (number, moves) == (max(reader.entries), newest.move_number)
    assert black == white and black.startswith("version ") and result[:2] in {"B+", "W+", "0", "Dr"}
    assert list(reader.entries) == sorted(reader.entries) and len(reader.entries) <= 200
    assert wanted <= reader.summary()["columns"].keys()


def test_a_file_that_begins_anew_takes_back_what_was_read_of_it(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"game": "go", "size": 5, "minutes": 3}))
    table, line = tmp_path / "calls.csv", Call(0, 3, 1, 4, 40, 9000, 1.5, 0.5, 2.25, "host")
    table.write_bytes(HEADER + b"\n" + ",".join(map(str, line)).encode() + b"\n")
    reader = TrainingReader(tmp_path)
    assert reader.update()
    assert (reader.games, reader.positions, reader.minutes) == (4, 40, 2.25)
    # As when a run begins in the folder: no line is whole yet.
    table.write_bytes(HEADER[:5])
    os.utime(table, ns=(1, 1))
    assert reader.update()
    assert (reader.games, reader.positions, reader.minutes) == (0, 0, 0)
    assert not reader.update()


def test_figures_of_older_versions_and_half_rows_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"game": "reversi", "size": [6, 8], "minutes": 10}')
    (tmp_path / "metrics.csv").write_text(
        "time,minutes,games,loss,score against x,low against x,high against x\n"
        "t,1.5,12,2.5,,,\nt,nonsense,1,1,,,\nt,3,24,2,0.5,0.4,0.6\nt,4.5,3"
    )
    reader = TrainingReader(tmp_path)
    reader.update()
    assert [(row.minutes, row.games) for row in reader.rows] == [(1.5, 12), (3.0, 24)]
    assert reader.rows[1].strengths["x"].score == 0.5
    summary = reader.summary()
    assert (summary["title"], summary["part"]) == ("Reversi 6x8: training", 0.3)
    for minutes, has_ended in (("9.99", False), ("10.0", True), ("12", True)):
        (tmp_path / "metrics.csv").write_text(f"time,minutes,games,loss\nt,{minutes},24,2\n")
        reader = TrainingReader(tmp_path)
        reader.update()
        assert (reader.summary()["part"] == 1) is has_ended


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
        reader_of(tmp_path)


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


def test_reading_a_run_loads_nothing_that_trains() -> None:
    code = """
import pkgutil, sys, sixplane.runs
for module in pkgutil.iter_modules(sixplane.runs.__path__, "sixplane.runs."):
    __import__(module.name)
print([name for name in ("torch", "tensorboard", "sixplane.learn", "sixplane.web") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("game", "title"),
    [("tictactoe", "Tic-tac-toe"), ("connect4", "Connect Four"), ("my_game.py:Line", "Line")],
)
def test_a_run_is_called_by_the_title_of_its_game(tmp_path: Path, game: str, title: str) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"game": game, "size": [3, 3], "minutes": 10}))
    reader = TrainingReader(tmp_path)
    reader.update()
    assert reader.summary()["title"] == f"{title} 3x3: training"


def test_games_of_ones_own_are_shown_where_the_command_names_their_class(tmp_path: Path) -> None:
    game: Any = own_games.TicTacToe()
    for action in (0, 3, 1, 4, 2):
        game.play(action)
    (tmp_path / "game-1.sgf").write_text(game.to_sgf())
    assert reader_of(tmp_path).summary()["alarms"] == [
        "the games are not shown: they are of somebody's own game, which --game FILE.py:CLASS imports"
    ]
    reader = reader_of(tmp_path, game.copy())
    assert (reader.game(1), reader.summary()["alarms"]) == (game, [])
    assert reader.summary()["title"] == "TicTacToe 3x3: self-play"
    # Rules that fail, and a record of another game, are told.
    made: Any = Failing()
    (tmp_path / "game-2.sgf").write_text("(;GM[1]SZ[9];B[ee])")
    assert reader.update() is False
    assert reader.summary()["alarms"] == ["the games are not shown: they are of another game than TicTacToe"]
    failing = reader_of(tmp_path, made)
    assert failing.game(1) is None
    assert "the games are not shown" in failing.summary()["alarms"][0]


@sixplane.game_class
class Failing:
    """Rules that fail as soon as a stone stands on the board."""

    default_size = 3

    def legal(self, position: Position) -> Any:
        if not position.empty.all():
            raise ZeroDivisionError
        return position.empty

    def ending(self, _position: Position) -> None:
        return None


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("go", "'go' is no game of your own, which FILE.py:CLASS names"),
        ("nowhere.py:Game", "nowhere.py"),
    ],
)
def test_only_a_game_of_ones_own_is_named_to_watch(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as said:
        main(["watch", str(tmp_path), "--game", name])
    assert says in said.getvalue()


def test_a_game_that_ends_while_the_folder_is_read_takes_no_other_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / LIVE).mkdir()
    (tmp_path / "run.json").write_text('{"game": "go", "size": 5}')
    for number in range(1, 4):
        (tmp_path / LIVE / f"{number}.sgf").write_text("(;GM[1]FF[4]SZ[5];B[aa])")
    reader = TrainingReader(tmp_path)
    read_game = reader.read_game

    def read(number: int, file: str) -> tuple[Entry, Game] | None:
        (tmp_path / LIVE / "2.sgf").unlink(missing_ok=True)
        return read_game(number, file)

    monkeypatch.setattr(reader, "read_game", read)
    reader.update_live()
    assert [entry.number for entry in reader.going_on()] == [1, 3]


def test_the_newest_games_in_progress_are_those_with_the_largest_numbers(tmp_path: Path) -> None:
    (tmp_path / LIVE).mkdir()
    for number in range(2, MOST_ENTRIES + 3):
        (tmp_path / LIVE / f"{number}.sgf").write_text("(;GM[1]FF[4]SZ[5];B[aa])")
    reader = TrainingReader(tmp_path)
    reader.update_live()
    assert [entry.number for entry in reader.going_on()] == list(range(3, MOST_ENTRIES + 3))
