"""Learning with PyTorch: the learner, and the command from nothing to a player."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.custom_scalar.layout_pb2 import Layout

import sixplane
from sixplane.agents import MCTSAgent, NetworkAgent, RandomAgent
from sixplane.games import GAMES
from sixplane.learn import Config, Metrics, Row, SelfPlay, self_play
from sixplane.learn import train as train_here
from sixplane.learn.samples import Samples
from sixplane.learn.torch_learner import TorchLearner
from sixplane.match import arena
from sixplane.nets import Architecture, Network, input_planes
from sixplane.runs.tensorboard import TensorBoard
from slow_network import lively_parameters
from waiting import MINUTE

CONFIG = Config(game="go", size=5, blocks=2, channels=8, root_value_share=0)
ARCHITECTURE = Architecture("go", blocks=2, channels=8)


def learner() -> TorchLearner:
    return TorchLearner(CONFIG, ARCHITECTURE, ARCHITECTURE.random_parameters(seed=1))


@pytest.fixture(scope="module")
def samples() -> Samples:
    settings = SelfPlay(
        prototype=sixplane.Go(size=5, komi=0.5, max_moves=50),
        games=16,
        simulations=4,
        opening_plies=4,
        search={"selection": "gumbel"},
        architecture=ARCHITECTURE,
        backend={},
    )
    return self_play(0, ARCHITECTURE.random_parameters(seed=1), 1, settings).samples


def test_the_learner_learns_positions_by_heart(samples: Samples) -> None:
    torch_learner, few = learner(), samples.take(np.arange(32))
    first = torch_learner.step(few, 0.01)
    for _ in range(400):
        last = torch_learner.step(few, 0.01)
    for name in ("value", "ownership", "score"):
        assert last[name] < 0.6 * first[name], name
    policy = few.policy.astype(np.float64)
    entropy = -(policy * np.log(np.maximum(policy, 1e-9))).sum(axis=1).mean()
    assert entropy <= last["policy"] < entropy + 0.5 * (first["policy"] - entropy)


def test_the_network_says_what_was_learned(samples: Samples) -> None:
    torch_learner, few = learner(), samples.take(np.arange(32))
    for _ in range(600):
        torch_learner.step(few, 0.003)
    network = Network(ARCHITECTURE, torch_learner.parameters(), komi=0.5, backend="numpy")
    said = network.evaluate(few.planes)
    assert np.corrcoef(said.values, few.outcome)[0, 1] > 0.9
    assert np.corrcoef(said.scores, few.score)[0, 1] > 0.9
    assert np.corrcoef(said.ownership.ravel(), few.ownership.ravel())[0, 1] > 0.3


def test_a_restored_learner_goes_on_as_if_nothing_had_been(samples: Samples) -> None:
    first, second = learner(), learner()
    for _ in range(5):
        first.step(samples.take(np.arange(32)), 0.01)
    state = {name: array.copy() for name, array in first.state().items()}
    second.restore(state)
    for one in (first, second):
        for _ in range(5):
            one.step(samples.take(np.arange(32, 64)), 0.01)
    for name, array in first.state().items():
        assert np.array_equal(array, second.state()[name]), name


def test_a_loss_that_is_not_finite_changes_nothing(samples: Samples) -> None:
    torch_learner = learner()
    torch_learner.step(samples.take(np.arange(32)), 0.01)
    before = torch_learner.state()
    few = samples.take(np.arange(32))
    spoiled = replace(few, score=np.full(32, np.nan, np.float32))
    with pytest.raises(FloatingPointError, match="the loss is nan at step 1"):
        torch_learner.step(spoiled, 0.01)
    assert all(np.array_equal(array, before[name]) for name, array in torch_learner.state().items())


def train(out: Path, *options: str, **keywords: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sixplane", "train", "--out", str(out), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False, **keywords)


#: A score in 400 games against random play that is eight standard errors above half.
LEARNED = 0.7


def score_against_random(network: Network) -> float:
    return arena(network, RandomAgent(seed=1), sixplane.Reversi(size=(4, 6)), games=400, seed=1).score


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of nine seconds; of more where that is not enough to learn, as beside others."""
    out = tmp_path_factory.mktemp("runs") / "reversi"
    minutes = 0.0  # of the run, which may be more than it was given
    for more in (0.15, 0.15, 0.3, 0.6, 2, 15):
        given = f"{round(minutes + more, 2):g}"  # as the program writes it
        ended = train(out, "--game", "reversi", "--size", "4x6", "--minutes", given)
        assert ended.returncode == 0, ended.stderr
        assert f"of {given} min" in ended.stderr
        minutes = Metrics(out / "metrics.csv").rows[-1].minutes
        if score_against_random(Network.load(out / "last.npz")) > LEARNED:
            break
    return out


def test_one_command_learns_reversi(run: Path) -> None:
    network = Network.load(run / "last.npz")
    assert score_against_random(network) > LEARNED
    assert network.sizes == ((4, 6),)
    assert network.training["settings"]["game"] == "reversi"


def test_a_run_leaves_its_figures_a_report_and_events(run: Path) -> None:
    rows = Metrics(run / "metrics.csv").rows
    assert rows[-1].minutes >= 0.14
    assert rows[-1].games > 64
    # The last row is written after the judge, for whom no games were played.
    assert rows[-1].games == rows[-2].games and math.isnan(rows[-1].positions_per_second)
    assert {name for row in rows for name in row.strengths} >= {"random"}
    assert "Reversi 4x6" in (run / "report.html").read_text()
    events = EventAccumulator(str(run / "tensorboard")).Reload()
    assert "run/policy_loss" in events.Tags()["scalars"]


def test_tensorboard_draws_known_players_beside_the_elo(tmp_path: Path) -> None:
    writer = TensorBoard(tmp_path, 1, [("random", 0.0), ("a+b", 500.0)])
    writer.add(Row(minutes=1, positions=9, ladder_elo=300.0, ladder_low=200.0, ladder_high=400.0))
    writer.close()
    events = EventAccumulator(str(tmp_path)).Reload()
    (player,) = events.Scalars("players/a+b")
    assert (player.step, player.value) == (9, 500)
    assert {"ladder/elo", "ladder/low", "ladder/high", "players/random"} <= set(events.Tags()["scalars"])
    (layout,) = events.Tensors("custom_scalars__config__")
    (category,) = Layout.FromString(layout.tensor_proto.string_val[0]).category
    margin, lines = category.chart
    assert margin.margin.series[0].upper == "ladder/high"
    assert [bool(re.search(tag, "players/a+b")) for tag in lines.multiline.tag] == [False, False, True]


def test_the_trained_network_goes_to_onnx(run: Path, tmp_path: Path) -> None:
    network = Network.load(run / "last.npz", backend="numpy")
    network.to_onnx(tmp_path / "net.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "net.onnx")
    batch = sixplane.GameBatch(sixplane.Reversi(size=(4, 6)), 8, seed=1)
    batch.play_random(8)
    inputs = input_planes(batch.planes, network.architecture.inputs)
    outputs = session.run(None, {session.get_inputs()[0].name: inputs})
    for given, expected in zip(outputs[:2], network(batch.planes), strict=True):
        assert np.allclose(given, expected, atol=1e-3)


def test_the_trained_network_plays_by_gtp(run: Path) -> None:
    command = [sys.executable, "-m", "sixplane", "gtp", "--game", "reversi", "--size", "4x6"]
    agent = f"network:file={run / 'last.npz'},simulations=32"
    said = subprocess.run(
        [*command, "--agent", agent], input="1 genmove b\n2 genmove w\n3 quit\n",
        capture_output=True, text=True, timeout=5 * MINUTE, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    first, second, last = said.stdout.split("\n\n")[:3]
    game = sixplane.Reversi(size=(4, 6))
    for answer in (first, second):
        game.play(game.name_to_action(answer.split()[1]))
    assert last == "=3"


@pytest.mark.parametrize("fails", [False, True])
def test_training_leaves_the_threads_of_pytorch_as_they_were(tmp_path: Path, fails: bool) -> None:
    seen: list[int] = []

    def is_stopped() -> bool:
        seen.append(torch.get_num_threads())
        if fails:
            raise KeyboardInterrupt
        return True

    config = Config(game="reversi", size=4, blocks=1, channels=2, workers=1, out=str(tmp_path))
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        with pytest.raises(KeyboardInterrupt) if fails else nullcontext():
            train_here(config, is_stopped=is_stopped)
        assert seen[0] == 1
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


def test_no_gpu_is_one_line(tmp_path: Path) -> None:
    hidden = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    ended = train(tmp_path / "run", "--game", "reversi", "--device", "cuda", env=hidden)
    assert ended.returncode == 1
    assert ended.stderr.strip().splitlines()[-1] == "sixplane: error: device cuda: PyTorch finds no GPU"


def test_an_initial_network_of_another_game_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    ended = train(tmp_path / "run", "--game", "reversi", "--initial-network", "go9")
    assert ended.returncode == 2
    assert ended.stderr == "sixplane: error: initial_network go9 is for go, not for reversi\n"
    assert not (tmp_path / "run").exists()


def test_a_network_plays_better_with_a_search(run: Path) -> None:
    network = Network.load(run / "last.npz")
    searching = MCTSAgent(network, simulations=64, seed=1)
    result = arena(searching, NetworkAgent(network, seed=2), sixplane.Reversi(size=(4, 6)), games=60, seed=2)
    assert result.score > 0.5, result


def test_the_losses_are_what_the_settings_say_of_them(samples: Samples) -> None:
    few = samples.take(np.arange(32))
    # The search is sure of something else than the outcome.
    few = replace(
        few, komi=np.full(32, 7.5, np.float32), root_value=np.linspace(1, 0.5, 32).astype(np.float16)
    )
    parameters = lively_parameters(ARCHITECTURE, seed=1)
    said = Network(ARCHITECTURE, parameters, komi=7.5, backend="numpy").evaluate(few.planes)
    weights = np.exp(np.where(few.masks, said.logits, -np.inf))
    likely = weights / weights.sum(axis=1, keepdims=True)
    policy = -np.log(likely, where=few.masks, out=np.zeros_like(likely)) * few.policy
    target = (1 + 0.7 * few.outcome + 0.3 * few.root_value.astype(np.float64)) / 2
    chance = (1 + said.values.astype(np.float64)) / 2
    error = np.abs(said.scores - few.score) / GAMES["go"].score_unit(5, 5)
    expected = {
        "policy": policy.sum(axis=1).mean(),
        "value": -(target * np.log(chance) + (1 - target) * np.log(1 - chance)).mean(),
        "ownership": ((said.ownership - few.ownership) ** 2).mean(),
        "score": np.where(error < 1, error**2 / 2, error - 0.5).mean(),
    }
    found = TorchLearner(replace(CONFIG, root_value_share=0.3), ARCHITECTURE, parameters).step(few, 0.01)
    # The learner may compute in bfloat16.
    assert found == pytest.approx(expected, rel=0.02)


def changed(samples: Samples, **settings: Any) -> dict[str, tuple[Any, Any]]:
    """The parameters before and after a step with a learning rate of 0.1."""
    parameters = lively_parameters(ARCHITECTURE, seed=1)
    torch_learner = TorchLearner(replace(CONFIG, **settings), ARCHITECTURE, parameters)
    torch_learner.step(samples.take(np.arange(32)), 0.1)
    return {name: (parameters[name], array) for name, array in torch_learner.parameters().items()}


def test_gradients_are_clipped_and_what_is_no_vector_decays(samples: Samples) -> None:
    for name, (before, after) in changed(samples, gradient_norm=0.0, weight_decay=0.5).items():
        assert np.allclose(after, before * (0.95 if before.ndim > 1 else 1), atol=1e-6), name


def test_a_loss_without_a_weight_is_not_learned(samples: Samples) -> None:
    found = changed(samples, ownership_weight=0.0, score_weight=0.0, weight_decay=0.0)
    still = {name for name, (before, after) in found.items() if np.array_equal(before, after)}
    assert still == {f"{layer}.{kind}" for layer in ("ownership", "score.out") for kind in ("weight", "bias")}
