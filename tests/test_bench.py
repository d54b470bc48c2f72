"""The program `sixplane bench`, and memory over long runs. Nothing here measures time."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from collections import Counter
from contextlib import closing
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sixplane
from sixplane._lines import LineFile
from sixplane.cli.bench.timing import Work, rates, shown
from sixplane.learn import SelfPlay, self_play
from sixplane.nets import Architecture

BENCHES = Path(__file__).parents[1] / "benches"


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sixplane", "bench", *arguments],
        capture_output=True, text=True, check=False, timeout=1200,
    )  # fmt: skip


def measured(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(BENCHES / f"{name}.py"), *arguments],
        capture_output=True, text=True, check=False, timeout=1200,
    )  # fmt: skip


def test_speed_is_a_table_with_a_line_for_each_thing_asked_for() -> None:
    done = bench("--runs", "1", "--seconds", "0.001", "--only", "Reversi")
    assert done.returncode == 0, done.stderr
    assert re.match(
        r"sixplane [\d.]+ \((dev|release) profile\), \d{4}-\d\d-\d\d: .* processors, .*NumPy", done.stdout
    )
    rows = re.findall(r"^\| (.*Reversi.*?) \| steps \| (.*) \|$", done.stdout, re.M)
    assert [name for name, _ in rows] == ["GameBatch, Reversi 8x8, B = 1024", "environment, Reversi 8x8"]
    figures = [cells.split(" | ") for _, cells in rows]
    assert all(re.fullmatch(r"[\d.]+ [kM]", cell) for cell in figures[0])
    assert [bool(cell.strip()) for cell in figures[1]] == [True, False, True, False]
    widths = {line.count("|") for line in done.stdout.splitlines() if line.startswith("|")}
    assert len(widths) == 1, "every row has as many cells as the head"


def test_growth_and_memory_are_tables() -> None:
    few = ("--runs", "1", "--seconds", "0.001", "--only", "Reversi")
    done = measured("growth", *few)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\| GameBatch, Reversi 8x8 \| 1 \|( [\d.]+ [kM] \|){6}$", done.stdout, re.M)
    done = measured("memory", *few, "--steps", "9000")
    assert done.returncode == 0, done.stderr
    match = re.search(r"^\| Reversi 8x8 \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", done.stdout, re.M)
    assert match
    fresh, played, again = (int(size.replace(",", "")) for size in match.groups())
    assert 500 < fresh < played < again < 20_000
    assert re.search(r"^\| Reversi 8x8, 9,000 steps with `same_step` \|( [\d.]+ \|){6}$", done.stdout, re.M)
    assert re.search(r"^\| Reversi 8x8 \| 0\.48 \| [\d,]+ \| [\d,]+ \|$", done.stdout, re.M)


def test_networks_have_a_line_for_each_backend_that_is_installed() -> None:
    done = bench("nets", "--runs", "1", "--seconds", "0.001", "--only", "4x32, numpy")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\| Go 9x9, 4x32, numpy float32 \|( [\d.]+( [kM])? \|){4}$", done.stdout, re.M)
    assert done.stdout.count("| Go") == 1


def test_a_table_without_a_line_that_is_asked_for_is_left_out() -> None:
    done = bench("speed", "nets", "speed", "--runs", "1", "--seconds", "0.001", "--only", "4x32, numpy")
    assert (done.returncode, done.stderr) == (0, "")
    _, blank, head, _, row = done.stdout.splitlines()
    assert blank == "" and head.startswith("| evaluations a second |")
    assert row.startswith("| Go 9x9, 4x32, numpy float32 |")


def test_the_model_of_a_cluster_gives_the_table_of_the_page() -> None:
    page = (BENCHES.parent / "docs/cluster.md").read_text()
    command = re.search(r"`benches/cluster_model\.py (--ms [^`]+)`", page)
    assert command
    done = measured("cluster_model", *command[1].split())
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 14 and done.stdout in page


def test_the_games_that_a_cluster_is_measured_with_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    again = runpy.run_path(str(BENCHES / "cluster.py"))["again"]
    network = Architecture("go", blocks=1, channels=2)
    settings = SelfPlay(
        prototype=sixplane.Go(size=3, max_moves=9), architecture=network, games=2, simulations=2
    )
    games = self_play(0, network.random_parameters(seed=1), 7, settings)
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(get=lambda reference: reference))
    assert again([games], 0.1, 3, None, 5, None) == games._replace(version=3, seconds=0.1)


@pytest.mark.parametrize(("count", "late"), [(1, 1), (10, 10), (20, 19), (21, 20), (40, 38)])
def test_no_more_than_a_twentieth_of_the_times_of_the_page_are_longer_than_it_says(
    count: int, late: int
) -> None:
    row = runpy.run_path(str(BENCHES / "web_page.py"))["row"]
    assert row("a click", [float(time) for time in range(count, 0, -1)]).endswith(f"95 % {late:6.1f} ms")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sped"], "no table 'sped'; choose from speed, nets"),
        (["--only", "Chess"], "no line contains 'Chess'"),
        (["nets", "speed", "--only", "Chess"], "no line contains 'Chess'"),
        (["--seconds", "0"], "no positive number of seconds"),
        (["--runs", "0"], "no integer of at least 1"),
    ],
)
def test_wrong_arguments_are_told_in_one_line(arguments: list[str], message: str) -> None:
    done = bench(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_works_take_turns_and_count_their_items() -> None:
    order: list[str] = []
    works = [Work(lambda: order.append("a"), 10), Work(lambda: order.append("b"), 1)]
    measured = rates(works, runs=3, seconds=1e-6)
    assert len(measured) == 2
    assert all(rate > 0 for rate in measured)
    turns = re.sub(r"(.)\1+", r"\1", "".join(order))
    assert turns == "abababab", "the trial, then three runs"


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (12, "12"),
        (999.6, "1.00 k"),
        (1234, "1.23 k"),
        (12_345, "12.3 k"),
        (999_499, "999 k"),
        (9996, "10.0 k"),
        (99_960, "100 k"),
        (999_600, "1.00 M"),
        (4.567e6, "4.57 M"),
        (9.996e6, "10.0 M"),
    ],
)
def test_rates_have_three_figures(rate: float, text: str) -> None:
    assert shown(rate) == text


STEPS = """
import numpy as np
import gymnasium as gym
import os
import sixplane

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def batch():
    games = sixplane.GameBatch(sixplane.Go(size=5), 256, seed=0)
    return lambda: games.step(games.sample())

def vector(mode, **options):
    envs = gym.make_vec("sixplane/Go-v0", 256, size=5, autoreset_mode=mode, **options)
    _, info = envs.reset()
    masks, over = info["action_mask"], np.zeros(256, dtype=bool)
    def step():
        nonlocal masks
        *_, terminated, _, info = envs.step(sixplane.sample_legal(masks, rng))
        masks = info["action_mask"]
        if mode == "disabled" and terminated.any():
            again = envs.reset(options={"reset_mask": terminated})[1]["action_mask"]
            masks = np.where(terminated[:, None], again, masks)
    return step

rng = np.random.default_rng(0)
works = [batch(), vector("next_step"), vector("same_step", dtype="float32"), vector("disabled", history=8)]
held = []
for calls in (300, 500, 500):
    for _ in range(calls):
        for work in works:
            work()
    held.append(resident())
print(*held)
"""


def test_memory_does_not_grow_over_half_a_million_steps() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STEPS], capture_output=True, text=True, check=True, timeout=1200
    )
    _, middle, end = map(int, done.stdout.split())
    # One array of 256 masks lost in each step would be 3 MB, one number for each game of a step 4 MB.
    assert end - middle < 2_000_000


AGAIN = """
import os
import sixplane

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

games = sixplane.GameBatch(sixplane.Go(size=9), 1024, seed=0)
held = []
for steps in (500, 1500):
    for _ in range(steps):
        games.step(games.sample())
    held.append(resident())
print(*held)
"""


def test_games_of_all_lengths_have_their_memory_from_the_first_restart_on() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AGAIN], capture_output=True, text=True, check=True, timeout=1200
    )
    begin, end = map(int, done.stdout.split())
    # Memory that came as games needed it, and was given back again, would still add 2 MB in these steps.
    assert end - begin < 600_000


def test_the_ladders_games_are_the_same_in_two_processes_as_in_one_and_go_on(tmp_path: Path) -> None:
    # So far apart that the order by Elo is that of the list after any ten games.
    agents = ("--rate", "random", "score-table:random=0.8", "score-table")
    chunks: dict[str, list[dict[str, Any]]] = {}

    def lines(processes: str, games: str) -> list[dict[str, object]]:
        folder = tmp_path / processes
        options = ("--games", games, "--chunk", "10", "--processes", processes, "--out", str(folder))
        done = measured("ladder", "gomoku15", *agents, *options)
        assert done.returncode == 0, done.stderr
        assert re.search(r"^ +0 +0 +0 +\d+ random$", done.stdout, re.M)
        head, *kept = map(json.loads, (folder / "gomoku15.jsonl").read_text().splitlines())
        assert head["ladder"] == "gomoku15"
        # A line is printed for each chunk, and kept for each pair.
        found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        chunks[processes] = [*chunks.get(processes, ()), *found]
        assert totals(kept) == totals(chunks[processes]) and len(kept) == len(totals(kept))
        assert max(line["seed"] for line in kept) == len(chunks[processes])
        return [line | {"seconds": 0} for line in chunks[processes]]

    def totals(found: list[dict[str, Any]]) -> dict[frozenset[str], Counter[str]]:
        """The games, draws, moves and points of each pair, the points by the agent."""
        result: dict[frozenset[str], Counter[str]] = {}
        for line in found:
            counts = result.setdefault(frozenset((line["first"], line["second"])), Counter())
            counts.update({name: line[name] for name in ("games", "draws", "moves")})
            counts.update({line["first"]: line["points"], line["second"]: line["games"] - line["points"]})
        return result

    def games(found: list[dict[str, object]], pair: tuple[str, str]) -> int:
        return sum(int(str(line["games"])) for line in found if {line["first"], line["second"]} == {*pair})

    alone, beside = lines("1", "40"), lines("2", "40")
    for found in (alone, beside):
        played = [games(found, pair) for pair in combinations(agents[1:], 2)]
        assert played == [40, 10, 40]
        assert sorted(int(str(line["seed"])) for line in found) == list(range(1, 10))
    # A chunk's seed and players decide its games, whoever plays it.
    key = ["seed", "first", "second"]
    of_alone = {tuple(line[name] for name in key): line for line in alone}
    common = [line for line in beside if tuple(line[name] for name in key) in of_alone]
    assert common and all(of_alone[tuple(line[name] for name in key)] == line for line in common)
    longer = lines("2", "60")
    assert longer[: len(beside)] == beside and len(longer) == 14


def test_two_programs_do_not_play_for_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "gomoku15.jsonl"
    with closing(LineFile(path, b"{}", lock=True)):
        done = measured("ladder", "gomoku15", "--games", "2", "--out", str(tmp_path))
    said = f"{path}: games of this board are being played by another program\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
    assert path.read_text() == "{}\n"
