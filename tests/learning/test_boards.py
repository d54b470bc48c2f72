"""A run that mixes boards, by PyTorch. `test-examples` has how well one file plays on each of them."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import sixplane
from interruptible import started
from learn_runs import counted
from sixplane.agents import NetworkAgent, RandomAgent
from sixplane.learn import Config, Metrics, SelfPlay, self_play
from sixplane.learn.samples import Samples
from sixplane.learn.torch_learner import TorchLearner
from sixplane.match import arena
from sixplane.nets import Architecture, Network
from waiting import MINUTE, until

if TYPE_CHECKING:
    from pathlib import Path

ARCHITECTURE = Architecture("go", blocks=2, channels=8)

SETTINGS = """
game = "reversi"
sizes = [6, { size = 4 }]
workers = 1
blocks = 2
channels = 8
simulations = 4
last_simulations = 4
games_at_once = 8
checkpoint_every = 2
publish_every = 2
judge_games = 2
"""


def played(komi: float, seed: int) -> Samples:
    game = sixplane.Go(size=5, komi=komi, max_moves=50)
    settings = SelfPlay(prototype=game, architecture=ARCHITECTURE, games=8, simulations=4, opening_plies=4)
    return self_play(0, ARCHITECTURE.random_parameters(seed=1), seed, settings).samples


def losses(*parts: Samples) -> dict[str, float]:
    """The losses of a network that has learned nothing."""
    arrays: dict[str, Any] = {
        name: np.concatenate([part.arrays()[name] for part in parts]) for name in parts[0].arrays()
    }
    learner = TorchLearner(Config(size=5), ARCHITECTURE, ARCHITECTURE.random_parameters(seed=1))
    return learner.step(Samples(**arrays), 1e-3)


def test_the_losses_of_a_batch_of_two_komi_are_those_of_its_parts() -> None:
    one, other = played(0.5, 1), played(20.5, 2)
    assert set(one.komi.tolist()) == {0.5} and set(other.komi.tolist()) == {20.5}
    together, apart = losses(one, other), (losses(one), losses(other))
    for name, loss in together.items():
        weighted = len(one) * apart[0][name] + len(other) * apart[1][name]
        assert loss == pytest.approx(weighted / (len(one) + len(other)), rel=1e-2), name
    # The network sees the komi of each sample.
    assert losses(replace(one, komi=other.komi[:1].repeat(len(one))))["policy"] != apart[0]["policy"]


def test_a_run_of_two_boards_goes_on_after_a_kill_between(tmp_path: Path) -> None:
    file, out = tmp_path / "mixed.toml", tmp_path / "run"
    file.write_text(SETTINGS)
    options = ["--config", str(file), "--out", str(out)]
    table = out / "metrics.csv"

    def has_learned() -> bool:
        """Whether rows before the last one, whose figures TensorBoard has, know the losses of both boards."""
        rows = Metrics(table).rows[:-1] if table.exists() else []
        learned = {name for row in rows for name, one in row.boards.items() if one.policy_loss > 0}
        return len(learned) == 2 and len(counted(out)) > 3

    with started("train", *options, stdout=subprocess.DEVNULL) as process:
        until(has_learned, process, 5 * MINUTE)
        process.kill()
        process.communicate()
    before = counted(out)
    minutes = f"{Metrics(table).rows[-1].minutes + 0.1:.2f}"
    command = [sys.executable, "-m", "sixplane", "train", *options, "--minutes", minutes]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=20 * MINUTE, check=False)
    assert ended.returncode == 0, ended.stderr
    network = Network.load(out / "last.npz")
    assert network.sizes == ((4, 4), (6, 6))
    for size in (4, 6):
        game = sixplane.Reversi(size=size)
        assert arena(NetworkAgent(network, seed=1), RandomAgent(seed=1), game, games=8, seed=1).games == 8
    assert "its boards    4x4, 6x6; the strength is that on 6x6" in ended.stdout
    assert "--game reversi --size 6 --opponent" in ended.stdout
    numbers = counted(out)
    assert numbers[: len(before)] == before and len(set(numbers)) == len(numbers)
    last = Metrics(table).rows[-1]
    assert sum(figures.positions for figures in last.boards.values()) == last.positions
    events = EventAccumulator(str(out / "tensorboard")).Reload()
    for board in ("4x4", "6x6"):
        assert events.Scalars(f"{board}/positions")[-1].value == last.boards[board].positions
        assert events.Scalars(f"{board}/policy_loss")
