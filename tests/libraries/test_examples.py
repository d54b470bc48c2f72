"""The examples for other libraries run, and what they print is so."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from example_output import example_output, score_against

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("game", ["go", "reversi", "gomoku"])
def test_jax_steps_games_in_a_jitted_loop(tmp_path: Path, game: str) -> None:
    options = ["--game", game, "--size", "6", "--games", "32", "--steps", "60"]
    told = example_output(tmp_path, "jax_rollout.py", *options, is_forked=True)
    assert "without a copy: True" in told
    assert "those of the games: True" in told
    won = re.search(r"black won (\d+), white (\d+)", told)
    assert won is not None
    assert sum(map(int, won.groups())) >= 16


def test_alphazero_in_one_file_says_where_there_is_no_ladder(tmp_path: Path) -> None:
    small = ["--size", "4", "--games", "8", "--blocks", "1", "--channels", "4"]
    told = example_output(tmp_path, "alphazero.py", *small, looks=60, is_forked=True)
    assert "without search, against random: " in told
    assert "there is no ladder for Reversi 4x4" in told
    assert (tmp_path / "alphazero-reversi4.pt").stat().st_size > 1000


@pytest.mark.parametrize(
    ("example", "looks", "saved"),
    [
        ("maskable_ppo.py", 80, "maskable_ppo.zip"),
        ("ppo_selfplay.py", 3, "ppo_reversi6.pt"),
        ("torchrl_ppo.py", 2, "torchrl_ppo.pt"),
        ("tianshou_dqn.py", 2, "tianshou_dqn.pt"),
    ],
)
def test_a_moment_of_learning_is_measured_and_saved(
    tmp_path: Path, example: str, looks: int, saved: str
) -> None:
    """How well they learn in a quarter of a minute is for `test-examples`."""
    short = ["--envs", "8", "--games", "50", "--threads", "1"]
    told = example_output(tmp_path, example, *short, looks=looks, is_forked=True)
    assert 0 < score_against("random", told) <= 100
    assert "of 50 games" in told
    assert score_against("mcts:simulations=100", told) < 100
    assert (tmp_path / saved).stat().st_size > 10_000


RATED = re.compile(r"^(\d+) steps, rung \+\d+: .* after (\d+) games$", re.MULTILINE)
CLIMB = ["--envs", "16", "--channels", "4", "--ratings", "2", "--games", "8"]


def test_it_learns_up_the_ladder_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    options = [*CLIMB, "--out", "climb"]
    told = example_output(tmp_path, "climb.py", *options, "--steps", "1024", is_forked=True)
    assert RATED.findall(told) == [("512", "2"), ("1024", "8")], "the last steps are rated once"
    number, points = json.loads((tmp_path / "climb.json").read_text())
    assert number > 0 or points
    rows = (tmp_path / "climb.jsonl").read_text()
    again = example_output(tmp_path, "climb.py", *options, "--steps", "1024", is_forked=True)
    assert not RATED.findall(again)
    assert "has learned for 1024 steps already" in again
    assert (tmp_path / "climb.jsonl").read_text() == rows
    more = example_output(tmp_path, "climb.py", *options, "--steps", "1536", is_forked=True)
    assert RATED.findall(more) == [("1536", "8")]
    assert [json.loads(row)["steps"] for row in (tmp_path / "climb.jsonl").read_text().splitlines()] == [
        512,
        1024,
        1536,
    ]


def test_a_last_rating_that_was_stopped_is_made_by_the_same_command(tmp_path: Path) -> None:
    options = [*CLIMB, "--out", "climb", "--steps", "512"]
    example_output(tmp_path, "climb.py", *options, is_forked=True)
    # Saved, and not yet rated.
    (tmp_path / "climb.jsonl").unlink()
    assert RATED.findall(example_output(tmp_path, "climb.py", *options, is_forked=True)) == [("512", "8")]


def test_names_that_differ_after_a_dot_are_two_trainings(tmp_path: Path) -> None:
    for name in ("lr.001", "lr.003"):
        options = [*CLIMB, "--out", name, "--steps", "512"]
        assert RATED.findall(example_output(tmp_path, "climb.py", *options, is_forked=True))[-1][0] == "512"
        for ending in ("zip", "json", "jsonl"):
            assert (tmp_path / f"{name}.{ending}").exists()
