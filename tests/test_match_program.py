"""The program `sixplane match`, started as a user starts it."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import run_command
from interruptible import children_of, is_waiting, started
from sixplane.sgf import parse, read_sgf
from waiting import MINUTE, until


def program(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sixplane", "match", *arguments],
        capture_output=True, text=True, check=False, timeout=240, **options,
    )  # fmt: skip


def test_the_program_plays_and_reports(tmp_path: Path) -> None:
    arguments = [
        "random", "score-table", "--game", "gomoku", "--games", "6", "--seed", "1", "--processes", "2",
    ]  # fmt: skip
    done = program(*arguments, "--size", "9x11", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "won, drawn, lost  0, 0, 6" in done.stdout
    assert done.stderr == ""
    assert len(list(tmp_path.glob("*.sgf"))) == 6
    header, *lines = [json.loads(text) for text in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert header["game"] == "Gomoku"
    assert {entry["winner"] for entry in lines} == {"black", "white"}
    again = program(*arguments, "--size", "9x11", "--out", str(tmp_path))
    assert again.stdout == done.stdout
    other = program(*arguments, "--size", "9x11", "--out", str(tmp_path), "--illegal-tries", "2")
    assert other.returncode == 1
    assert "holds another match: it differs in limits" in other.stderr
    without = program("random", "b@random", "--size", "5", "--games", "2")
    assert re.search(r"\n\nseed \d+\n$", without.stdout)
    assert "\nseed " not in done.stdout, "it was given"


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_cut_short_goes_on(tmp_path: Path, sign: signal.Signals) -> None:
    # More games than it can play before it is cut short.
    arguments = [
        "random",
        "b@random",
        "--size",
        "13",
        "--games",
        "40000",
        "--seed",
        "1",
        "--out",
        str(tmp_path),
    ]
    results = tmp_path / "results.jsonl"
    with started("match", *arguments) as process:
        # A game counts by its line, which comes after its record. Both wait for the disk, which may be busy.
        until(lambda: results.exists() and results.read_bytes().count(b"\n") > 3, process, 5 * MINUTE)
        process.send_signal(sign)
        stdout, stderr = process.communicate(timeout=MINUTE)
    assert process.returncode == (130 if sign == signal.SIGINT else -9)
    assert "Traceback" not in stderr
    kept = len(results.read_text().splitlines()) - 1
    assert 3 <= kept < 40_000
    if sign == signal.SIGINT:
        assert f"stopped after {kept} of 40000 games" in stderr
        assert f"games             {kept}" in stdout
    files = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.sgf")}
    few = str(kept + 2 + kept % 2)
    again = program(*(few if argument == "40000" else argument for argument in arguments))
    assert again.returncode == 0, again.stderr
    assert f"games             {few}" in again.stdout
    counted = {json.loads(text)["game"] for text in results.read_text().splitlines()[1:]}
    assert counted == set(range(int(few)))
    unchanged = sum(path.stat().st_mtime_ns == when for path, when in files.items())
    assert unchanged >= kept


def test_what_a_script_has_started_in_the_background_goes_on_after_ctrl_c(tmp_path: Path) -> None:
    match = ["match", "random", "b@random", "--games", "400", "--size", "5", "--out", str(tmp_path)]
    with started(*match, ignores=[signal.SIGINT]) as process:
        until(lambda: any(tmp_path.glob("*.sgf")), process, 5 * MINUTE)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=5 * MINUTE)
    assert (process.returncode, errors) == (0, "")
    assert len(list(tmp_path.glob("*.sgf"))) == 400


def test_no_process_outlives_the_program() -> None:
    marker = f"marker-{os.getpid()}"
    code = f"import time; time.sleep(1000)  # {marker}"
    spec = f"x@gtp:{sys.executable} -c '{code}'"
    with started("match", "random", spec, "--games", "2", "--size", "5") as process:
        until(lambda: running(code) and is_waiting(process.pid), process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=MINUTE)
    until(lambda: not running(code))


def test_processes_end_when_the_program_is_killed(tmp_path: Path) -> None:
    players = ["a@mcts:simulations=2000", "b@mcts:simulations=2000"]
    options = ["--processes", "2", "--size", "19", "--out", str(tmp_path)]
    with started("match", *players, *options) as process:
        until(lambda: len(list(tmp_path.glob("playing/[0-9]*.sgf"))) == 2, process)
        children = children_of(process.pid)
        assert len(children) >= 2
        process.kill()
    until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


def running(code: str) -> list[int]:
    """The processes that run this code."""
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                arguments = (path / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if code.encode() in arguments:
                found.append(int(path.name))
    return found


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "AGENT"),
        ("random", "at least two players"),
        ("random random 'random 1@random'", "two players are both called 'random 1': give them other titles"),
        ("random dance", "no agent is called 'dance'"),
        ("random b@random --games 3", "even"),
        ("random b@random --game chess", "go"),
        ("random b@random --komi 0.3", "0.5"),
        ("random b@random --seconds-per-move 0", "positive"),
        ("random b@random --opening-moves -1", "at least 0"),
        ("random b@random --processes 0", "at least 1"),
        ("random b@random --gpu-share 0.5", "--gpu-share is for the nodes of a Ray cluster: give --ray"),
        ("random b@random --ray auto --gpu-share 0.5", "--gpu-share is for players with backend=torch"),
        ("random b@random --ray auto --gpu-share -1", "'-1' is no share of a GPU"),
        ("random b@random --size 2 --games 1000 --max-moves 3", "different openings"),
    ],
)
def test_wrong_arguments_are_an_error_in_one_line(arguments: str, message: str) -> None:
    done = run_command("match", *shlex.split(arguments))
    assert done.returncode == 2
    assert re.fullmatch(r"sixplane.*: error: .*\n", done.stderr)
    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("players", "titles"),
    [
        (["random", "random"], ["random 1", "random 2"]),
        (["random", "b@random", "random"], ["random 1", "b", "random 2"]),
        (["a@random", "a@random:tries=2"], ["a 1", "a 2"]),
        (["random:tries=2", "random", "random:tries=2"], ["random:tries=2 1", "random", "random:tries=2 2"]),
    ],
)
def test_players_of_the_same_title_get_numbers(players: list[str], titles: list[str], tmp_path: Path) -> None:
    options = ["--size", "3", "--games", "2", "--out", str(tmp_path)]
    done = run_command("match", *players, *options)
    assert done.returncode == 0, done.stderr
    for title in titles:
        assert title in done.stdout
    names = {
        parse(file.read_bytes()).games[0].text(color)
        for file in tmp_path.glob("*.sgf")
        for color in ("PB", "PW")
    }
    assert names == set(titles)
    again = run_command("match", *players, *options)
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert done.stdout.endswith("\n\nseed 0\n"), "with a folder it is the same each time"


def test_help_explains_agents() -> None:
    shown = program("--help").stdout
    for word in (
        "gtp:COMMAND",
        "gomocup:COMMAND",
        "score-table",
        "--check-score",
        "--isolate",
        "--unpaired",
        "TITLE@AGENT",
        "examples",
    ):
        assert word in shown


@pytest.mark.parametrize(
    ("player", "game", "message"),
    [
        ("x@gtp:no-such-program", "go", "x cannot play: cannot start no-such-program: No such file"),
        ("x@gtp:true", "go", "x cannot play: true has ended without an answer"),
        ("x@gtp:cat", "go", "x cannot play: cat answers .* which is not of the protocol"),
        ("x@gtp:cat", "gomoku", "x cannot play: GTP is for Go and Reversi, not Gomoku"),
        ("x@gomocup:no-such-program", "gomoku", "x cannot play: cannot start no-such-program: No such file"),
        ("x@gomocup:true", "gomoku", "x cannot play: true has ended without an answer to 'START 15'"),
        ("x@gomocup:cat", "gomoku", "x cannot play: cat answers 'START 15' with 'INFO rule 0' instead of OK"),
        ("x@gomocup:cat", "go", "x cannot play: the protocol of Gomocup is for Gomoku, not Go"),
        ("score-table", "go", "score-table cannot play: the score table plays Gomoku, not Go"),
        ("x@score-table:random=0.98", "go", "x cannot play: the score table plays Gomoku, not Go"),
        ("x@mcts:evaluator=score-table", "reversi", "x cannot play: the score table plays Gomoku"),
    ],
)
def test_who_cannot_play_is_refused_before_the_first_game(
    player: str, game: str, message: str, tmp_path: Path
) -> None:
    done = run_command("match", "random", player, "--game", game, "--out", str(tmp_path / "new"))
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(f"sixplane: error: {message}.*\n", done.stderr)
    assert not (tmp_path / "new").exists()


@pytest.mark.outside("gnugo")
def test_a_program_for_another_game_is_refused_before_the_first_game() -> None:
    done = program("random", "x@gtp:gnugo --mode gtp", "--game", "reversi")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"sixplane: error: x cannot play: gnugo answers .* illegal in Reversi\n", done.stderr)


def test_each_opening_is_played_with_both_colors_unless_it_is_to_be_played_once(tmp_path: Path) -> None:
    for name, options in (("paired", []), ("once", ["--unpaired"])):
        out = tmp_path / name
        command = ["match", "random", "b@random", "--size", "9", "--games", "2", "--seed", "1", *options]
        assert run_command(*command, "--out", str(out)).returncode == 0
        first, second = (read_sgf(path).actions[:4].tolist() for path in sorted(out.glob("*.sgf")))
        assert (first == second) == (name == "paired")
