"""A run of two stages by PyTorch whose network grows, killed in both, goes on with weights and optimizer."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from interruptible import started
from learn_runs import counted
from sixplane.learn import Config, Metrics
from sixplane.learn.folder import stages_ended
from sixplane.nets import Network
from waiting import MINUTE, until

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = """
game = "reversi"
minutes = 60
workers = 1
blocks = 1
channels = 4
simulations = 2
last_simulations = 2
games_at_once = 4
batch = 16
checkpoint_every = 0.5
publish_every = 0.5
judge_games = 2
stages = [{ size = 4, minutes = 0.1 }, { size = 6, minutes = 0.01, blocks = 3, channels = 6 }]
"""


def test_two_stages_go_on_after_kills_in_both(tmp_path: Path) -> None:
    file, out = tmp_path / "stages.toml", tmp_path / "run"
    file.write_text(SETTINGS)
    options = ["--config", str(file), "--out", str(out)]
    config = Config.read(file, out=str(out))
    for stage in (0, 1):
        with started("train", *options, stdout=subprocess.DEVNULL) as process:
            until(lambda stage=stage: stages_ended(config) >= stage, process, 2 * MINUTE)  # type: ignore[misc]
            before = len(counted(out))
            until(lambda before=before: len(counted(out)) > before, process, 2 * MINUTE)  # type: ignore[misc]
            process.kill()
            process.communicate()
    # The last stage goes on as long as the run: three seconds more.
    minutes = f"{Metrics(out / 'metrics.csv').rows[-1].minutes + 0.05:.2f}"
    command = [sys.executable, "-m", "sixplane", "train", *options, "--minutes", minutes]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=10 * MINUTE, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "6x6 (stage 2 of 2)" in ended.stderr and "--game reversi --size 6" in ended.stdout
    numbers = counted(out)
    assert len(set(numbers)) == len(numbers)
    stages = [row.stage for row in Metrics(out / "metrics.csv").rows]
    assert stages == sorted(stages) and set(stages) == {1, 2}
    events = EventAccumulator(str(out / "tensorboard")).Reload().Scalars("run/stage")
    assert {event.value for event in events} == {1, 2}
    ends = max(row.positions for row in Metrics(out / "metrics.csv").rows if row.stage == 1)
    assert max(event.step for event in events if event.value == 1) == ends
    network = Network.load(out / "last.npz")
    assert network.sizes == ((6, 6),)
    assert (network.architecture.blocks, network.architecture.channels) == (3, 6)
    # The optimizer's steps are those of both stages.
    with np.load(out / "checkpoint.npz") as arrays:
        assert arrays["steps"] * 16 == Metrics(out / "metrics.csv").rows[-1].samples
