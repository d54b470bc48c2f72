"""One file of a run that mixes boards plays on each of them, and better than random play."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import sixplane
from sixplane.agents import NetworkAgent, RandomAgent
from sixplane.match import arena
from sixplane.nets import Network
from waiting import MINUTE

if TYPE_CHECKING:
    from pathlib import Path


def score_against_random(network: Network, size: int) -> float:
    game = sixplane.Reversi(size=size)
    return arena(NetworkAgent(network, seed=1), RandomAgent(seed=1), game, games=200, seed=1).score


def test_one_file_beats_random_play_on_each_board(tmp_path: Path) -> None:
    run = ["train", "--game", "reversi", "--sizes", "6,8", "--workers", "1", "--out", str(tmp_path / "run")]
    # For longer where that is not enough to learn, as beside others.
    for minutes in ("0.4", "1", "2", "5", "15"):
        command = [sys.executable, "-m", "sixplane", *run, "--minutes", minutes]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=20 * MINUTE, check=False)
        assert ended.returncode == 0, ended.stderr
        network = Network.load(tmp_path / "run" / "last.npz")
        scores = [score_against_random(network, size) for size in (6, 8)]
        if min(scores) > 0.65:
            break
    assert min(scores) > 0.65
