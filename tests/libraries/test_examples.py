"""The examples for other libraries run, and what they print is so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def output(tmp_path: Path, name: str, *options: str) -> str:
    """What an example prints."""
    command = [sys.executable, str(EXAMPLES / name), *options]
    done = subprocess.run(
        command,
        capture_output=True, text=True, check=True, cwd=tmp_path, timeout=300,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    return done.stdout


@pytest.mark.parametrize("game", ["go", "reversi", "gomoku"])
def test_jax_steps_games_in_a_jitted_loop(tmp_path: Path, game: str) -> None:
    told = output(tmp_path, "jax_rollout.py", "--game", game, "--size", "6", "--games", "32", "--steps", "60")
    assert "without a copy: True" in told
    assert "those of the games: True" in told
    won = re.search(r"black won (\d+), white (\d+)", told)
    assert won is not None
    assert sum(map(int, won.groups())) >= 16


def test_maskable_ppo_learns_and_saves(tmp_path: Path) -> None:
    told = output(tmp_path, "maskable_ppo.py", "--size", "4", "--steps", "8192", "--envs", "32")
    assert re.search(r"against random play: [\d.]+%", told)
    assert (tmp_path / "maskable_ppo.zip").stat().st_size > 10_000


def test_ppo_with_self_play_learns(tmp_path: Path) -> None:
    told = output(tmp_path, "ppo_selfplay.py", "--minutes", "0.5", "--envs", "128")
    score = re.search(r"at the end: ([\d.]+)% against random", told)
    assert score is not None
    assert float(score[1]) > 60
    assert (tmp_path / "ppo_reversi6.pt").exists()
