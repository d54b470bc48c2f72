"""Damaged folders of matches and runs: what is wrong is told by file and line, and the rest goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from run_rows import healthy
from sixplane.learn import Metrics, MetricsError
from sixplane.match import FolderError, TournamentFolder, standings
from sixplane.runs.calls import HEADER
from sixplane.runs.match import MatchReader
from sixplane.runs.metrics import to_csv
from sixplane.runs.training import TrainingReader
from sixplane.web.watch_server import WatchServer
from small_matches import small
from waiting import until

if TYPE_CHECKING:
    from pathlib import Path

TOURNAMENT = small("random", "b@random", games=4, seed=2)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines of a match of four games."""
    path = tmp_path_factory.mktemp("match")
    with TournamentFolder(path, TOURNAMENT) as folder:
        for played in TOURNAMENT.run(processes=0):
            folder.write(played)
    return (path / "results.jsonl").read_text().splitlines()


def changed(line: str, field: str, value: object) -> str:
    return json.dumps(json.loads(line) | {field: value})


WRONG: list[tuple[str, Any, str]] = [
    ("game", "0", "game must be an integer from 0 on, not '0'"),
    ("game", -1, "game must be an integer from 0 on, not -1"),
    ("game", 1.5, "game must be an integer from 0 on, not 1.5"),
    ("game", True, "game must be an integer from 0 on, not True"),
    ("game", 10**40, "game must be an integer from 0 on, not "),
    ("game", None, "game must be an integer from 0 on, not None"),
    ("black", 5, "black must be a text, not 5"),
    ("black", ["random"], r"black must be a text, not \['random'\]"),
    ("black", "randon", "'randon' is no player of this match"),
    ("winner", "blakc", "winner must be one of black, white, draw, not 'blakc'"),
    ("winner", {}, "winner must be one of black, white, draw, not {}"),
    ("ending", "magic", "ending must be one of rules, moves"),
    ("ending", [], "ending must be one of rules, moves"),
    ("detail", 7, "detail must be a text, not 7"),
    ("forfeit", 1, "forfeit must be true or false, not 1"),
    ("forfeit", True, "forfeit must be false"),
    ("score", "3.5", "score must be a finite number, not '3.5'"),
    ("score", float("nan"), "score must be a finite number, not nan"),
    ("score", float("inf"), "score must be a finite number, not inf"),
    ("moves", "many", "moves must be an integer from 0 on, not 'many'"),
    ("moves", [3], "moves must be an integer"),
    ("opening", "A1", "opening must be a list, not 'A1'"),
    ("opening", [1, 2], "each of opening must be a text, not 1"),
    ("asked", [1], "asked must be one of Black and one of White"),
    ("asked", [1, 2, 3], "asked must be one of Black and one of White"),
    ("seconds", None, "seconds must be a list, not None"),
    ("seconds", ["a", "b"], "each of seconds must be a finite number, not 'a'"),
    ("slowest", [[], []], r"each of slowest must be a finite number, not \[\]"),
    ("slowest", "ab", "slowest must be a list"),
    ("color", "red", "there is no field 'color'"),
]


@pytest.mark.parametrize(("field", "value", "says"), WRONG, ids=lambda case: str(case)[:20])
def test_a_field_of_the_wrong_type_is_told_by_file_and_line(
    tmp_path: Path, results: list[str], field: str, value: object, says: str
) -> None:
    lines = [*results[:2], changed(results[2], field, value), *results[3:]]
    (tmp_path / "results.jsonl").write_text("\n".join([*lines, ""]))
    reader = MatchReader(tmp_path)
    assert reader.update()
    summary = reader.summary()
    (alarm,) = summary["alarms"]
    assert alarm.startswith("results.jsonl, line 3: ") and len(alarm) < 200
    assert list(reader.entries) == [json.loads(line)["game"] + 1 for line in (*lines[1:2], *lines[3:])]
    json.dumps([summary, reader.newest()], allow_nan=False)
    with pytest.raises(FolderError, match=f"results.jsonl is no file of results: line 3: {says}"):
        TournamentFolder(tmp_path, TOURNAMENT)
    assert (tmp_path / "results.jsonl").read_text() == "\n".join([*lines, ""])


@pytest.mark.parametrize(
    "line", ["", "{}", "[1]", "null", '"x"', "{", "\ufeff{}", "[" * 100_000, '{"game": ' + "9" * 5000 + "}"]
)
def test_a_line_of_something_else_is_told_and_the_rest_goes_on(
    tmp_path: Path, results: list[str], line: str
) -> None:
    (tmp_path / "results.jsonl").write_text("\n".join([*results[:2], line, *results[2:], ""]), "utf-8")
    reader = MatchReader(tmp_path)
    reader.update()
    assert len(reader.entries) == 4 and len(reader.summary()["alarms"]) == 1
    with pytest.raises(FolderError, match="line 3: "):
        TournamentFolder(tmp_path, TOURNAMENT)


@pytest.mark.parametrize(
    "first", ["{}", "[]", '{"players": 3}', '{"players": [["a", 1]], "game": "Go"}', "x"]
)
def test_a_first_line_that_tells_of_no_match_is_told(tmp_path: Path, results: list[str], first: str) -> None:
    (tmp_path / "results.jsonl").write_text("\n".join([first, *results[1:], ""]))
    reader = MatchReader(tmp_path)
    reader.update()
    summary = reader.summary()
    assert summary["alarms"][0].startswith("results.jsonl, line 1: it describes no match: ")
    assert len(reader.entries) == 4 and summary["title"] == "Match: b, random"
    with pytest.raises(FolderError, match="line 1: it describes no match"):
        TournamentFolder(tmp_path, TOURNAMENT)


def test_a_long_list_of_faults_is_short_on_the_page(tmp_path: Path, results: list[str]) -> None:
    (tmp_path / "results.jsonl").write_text("\n".join([*results, *["?"] * 1000, ""]))
    reader = MatchReader(tmp_path)
    reader.update()
    alarms = reader.summary()["alarms"]
    assert len(alarms) == 6 and alarms[-1] == "995 more faults"


def test_a_match_says_what_is_wrong_in_one_line(tmp_path: Path, results: list[str]) -> None:
    (tmp_path / "results.jsonl").write_text("\n".join([results[0], changed(results[1], "moves", "x"), ""]))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "sixplane", "match", "random", "b@random", "--size", "5"),
            *("--games", "4", "--seed", "2", "--out", str(tmp_path)),
        ],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.endswith("line 2: moves must be an integer from 0 on, not 'x'\n")
    assert len(done.stderr.splitlines()) == 1


FIGURES = to_csv(healthy(6)).splitlines()


def with_cell(line: str, column: str, cell: str) -> str:
    cells = line.split(",")
    cells[FIGURES[0].split(",").index(column)] = cell
    return ",".join(cells)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (FIGURES[2].replace(",", ",\r", 1), "new-line character"),
        ("\r", ""),
        ("", ""),
        ('"' + FIGURES[2], ""),
        (FIGURES[2] + ",1", ""),
        (FIGURES[2][:40], ""),
        (with_cell(FIGURES[2], "minutes", ""), "minutes must be a number from 0 on, not ''"),
        (with_cell(FIGURES[2], "minutes", "inf"), "minutes must be a number from 0 on, not 'inf'"),
        (with_cell(FIGURES[2], "minutes", "-1"), "minutes must be a number from 0 on"),
        (with_cell(FIGURES[2], "minutes", "soon"), "'minutes' must be a number, not 'soon'"),
        (with_cell(FIGURES[2], "games", "1.5"), "games must be an integer from 0 on, not '1.5'"),
        (with_cell(FIGURES[2], "games", "9" * 400), "games must be an integer from 0 on"),
        (with_cell(FIGURES[2], "positions", "-3"), "positions must be an integer from 0 on, not '-3'"),
        (with_cell(FIGURES[2], "loss", "x" * 100_000), "'loss' must be a number, not 'xxx"),
        ("x" * 200_000 + FIGURES[2], "field larger than field limit"),
    ],
    ids=lambda text: text[:12],
)
def test_a_damaged_row_of_figures_is_told_and_the_rest_goes_on(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "run.json").write_text('{"game": "go", "size": 9, "minutes": 60}')
    text = "\n".join([*FIGURES[:2], line, *FIGURES[3:], ""])
    (tmp_path / "metrics.csv").write_bytes(text.encode())
    reader = TrainingReader(tmp_path)
    reader.update()
    assert [row.minutes for row in reader.rows] == [1.0, 3.0, 4.0, 5.0, 6.0]
    summary = reader.summary()
    (alarm,) = summary["alarms"]
    assert alarm.startswith("metrics.csv, line 3: ") and says in alarm and len(alarm) < 200
    json.dumps(summary, allow_nan=False)
    with pytest.raises(MetricsError):
        Metrics(tmp_path / "metrics.csv")


@pytest.mark.parametrize(
    "header",
    [
        FIGURES[0].replace("low against random", "low"),
        FIGURES[0].replace("high against random", "score against random"),
        FIGURES[0].replace("games", "game"),
        FIGURES[0] + ",",
        "",
        "\r",
        '"',
    ],
)
def test_a_damaged_header_of_figures_is_told(tmp_path: Path, header: str) -> None:
    (tmp_path / "run.json").write_text("{}")
    (tmp_path / "metrics.csv").write_bytes("\n".join([header, *FIGURES[1:], ""]).encode())
    reader = TrainingReader(tmp_path)
    reader.update()
    json.dumps(reader.summary(), allow_nan=False)
    with pytest.raises(MetricsError):
        Metrics(tmp_path / "metrics.csv")


CALL = "{number},3,1,4,40,9000,1.5,0.5,{number}.25,host"


@pytest.mark.parametrize(
    "line",
    [
        "2,3,1,-4,40,9000,1.5,0.5,2.25,host",
        f"2,3,1,4,{10**30},9000,1.5,0.5,2.25,host",
        "2,3,1,4,40,9000,1.5,0.5,nan,host",
        "2,3,1,4,40,9000,1.5,0.5,inf,host",
        "2,3,1,4,40,9000,1.5,0.5,2.25",
        "2,3,1,4,40,9000,1.5,0.5,2.25,host,more",
        "2,3,1,four,40,9000,1.5,0.5,2.25,host",
        "2,3,1,\r4,40,9000,1.5,0.5,2.25,host",
        "",
    ],
)
def test_a_damaged_line_of_calls_is_told_and_the_rest_goes_on(tmp_path: Path, line: str) -> None:
    (tmp_path / "run.json").write_text("{}")
    lines = [HEADER.decode(), CALL.format(number=1), line, CALL.format(number=3), ""]
    (tmp_path / "calls.csv").write_bytes("\n".join(lines).encode())
    reader = TrainingReader(tmp_path)
    reader.update()
    assert (reader.games, reader.positions, reader.minutes) == (8, 80, 3.25)
    summary = reader.summary()
    (alarm,) = summary["alarms"]
    assert alarm.startswith("calls.csv, line 3: ") and len(alarm) < 200
    json.dumps(summary, allow_nan=False)


@pytest.mark.parametrize(
    "settings",
    [
        {"minutes": "x"}, {"minutes": float("inf")}, {"minutes": 10**400}, {"minutes": True}, {"minutes": -1},
        {"size": [[]] * 9}, {"size": {"a": 1}}, {"size": "x" * 10**5}, {"game": "x" * 10**5}, {"game": [1]},
    ],
    ids=lambda settings: str(settings)[:20],
)  # fmt: skip
def test_settings_of_any_type_have_a_page(tmp_path: Path, settings: dict[str, Any]) -> None:
    (tmp_path / "run.json").write_text(json.dumps(settings))
    reader = TrainingReader(tmp_path)
    reader.update()
    summary = reader.summary()
    json.dumps(summary, allow_nan=False)
    assert len(summary["title"]) < 300


def test_the_page_looks_on_after_an_error_that_nobody_expected(
    tmp_path: Path, results: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sixplane.web.watch_server.INTERVAL", 0.01)
    (tmp_path / "results.jsonl").write_text("\n".join([*results[:2], ""]))
    reader = MatchReader(tmp_path)
    reader.update()
    server = WatchServer(reader)
    update = reader.update

    def fails() -> bool:
        raise ZeroDivisionError("of nobody")

    reader.update = fails  # type: ignore[method-assign]
    thread = threading.Thread(target=server._update)
    thread.start()
    try:
        until(lambda: server._trouble == "ZeroDivisionError: of nobody")
        reader.update = update  # type: ignore[method-assign]
        (tmp_path / "results.jsonl").write_text("\n".join([*results, ""]))
        until(lambda: len(server._content["games"]) == 4 and not server._trouble)
    finally:
        server._over.set()
        thread.join()
        server._socket.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("name", ["results.jsonl", "game-0001.sgf", "playing/1.sgf"])
def test_a_pipe_in_the_folder_of_a_match_holds_nobody_up(
    tmp_path: Path, results: list[str], name: str
) -> None:
    (tmp_path / "playing").mkdir()
    if name != "results.jsonl":
        (tmp_path / "results.jsonl").write_text("\n".join([*results, ""]))
    os.mkfifo(tmp_path / name)
    reader = MatchReader(tmp_path)
    if name == "results.jsonl":
        with pytest.raises(OSError, match="it is no regular file"):
            reader.update()
        with pytest.raises(FolderError, match="it is no regular file"):
            TournamentFolder(tmp_path, TOURNAMENT)
        return
    reader.update_live()
    reader.update()
    assert reader.game(1) is None and not reader.live and len(reader.entries) == 4


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("name", ["run.json", "metrics.csv", "calls.csv", "records/0000001.sgf"])
def test_a_pipe_in_the_folder_of_a_run_holds_nobody_up(tmp_path: Path, name: str) -> None:
    (tmp_path / "records").mkdir()
    if name != "run.json":
        (tmp_path / "run.json").write_text("{}")
    os.mkfifo(tmp_path / name)
    reader = TrainingReader(tmp_path)
    if name.startswith("records/"):
        reader.update()
        assert not reader.entries
        return
    with pytest.raises(OSError, match="it is no regular file"):
        reader.update()


def test_standings_are_those_of_the_lines_that_were_read(tmp_path: Path, results: list[str]) -> None:
    (tmp_path / "results.jsonl").write_text("\n".join([*results, ""]))
    with TournamentFolder(tmp_path, TOURNAMENT) as folder:
        assert standings(["random", "b"], folder.lines).startswith(
            "random against b\n  games             4\n"
        )
