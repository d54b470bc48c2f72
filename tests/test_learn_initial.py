"""Runs of training that begin with a network that has learned before."""

from __future__ import annotations

import csv
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import own_games
from learn_runs import TINY, run_until
from sixplane.learn import ConfigError, RunFolderError, train
from sixplane.learn.initial import initial_parameters
from sixplane.nets import Architecture, Network

if TYPE_CHECKING:
    from pathlib import Path

    from sixplane.nets.backend import BackendName

SMALL = Architecture("go", blocks=1, channels=2)


class StillLearner:
    """Learns nothing: its network stays as it begins."""

    backend: BackendName = "numpy"

    def __init__(self, _config: Any, _architecture: Any, parameters: dict[str, Any]) -> None:
        self._parameters = parameters

    def step(self, _samples: Any, _learning_rate: float) -> dict[str, float]:
        return {"policy": 0.0, "value": 0.0, "ownership": 0.0, "score": 0.0}

    def parameters(self) -> dict[str, Any]:
        return self._parameters

    state = parameters

    def restore(self, arrays: dict[str, Any]) -> None:
        self._parameters = arrays


def same(a: Network, b: Network) -> bool:
    return all(np.array_equal(a.parameters[name], b.parameters[name]) for name in a.parameters)


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """The file of a network for another board."""
    path = tmp_path / "first.npz"
    Network(SMALL, SMALL.random_parameters(seed=5), sizes=[(5, 5)]).save(path)
    return path


def test_a_run_begins_with_the_network_that_it_is_given_and_goes_on_without_it(
    tmp_path: Path, first: Path
) -> None:
    given = Network.load(first)
    config = replace(TINY, minutes=0.02, out=str(tmp_path / "run"), initial_network=str(first))
    network = train(config, learner=StillLearner)
    assert same(network, given) and network.sizes == ((3, 3),)
    first.unlink()
    assert same(train(replace(config, minutes=0.03), learner=StillLearner), given)
    # Nobody would read another one, and the settings would name it.
    before = (tmp_path / "run" / "run.json").read_bytes()
    for other in ("", "gone.npz"):
        with pytest.raises(RunFolderError, match=rf"another run: initial_network \S+, not {other or 'none'}"):
            train(replace(config, minutes=9, initial_network=other), learner=StillLearner)
    assert (tmp_path / "run" / "run.json").read_bytes() == before
    # The same settings in a new folder miss it.
    with pytest.raises(ConfigError, match=r"first\.npz"):
        train(replace(config, out=str(tmp_path / "another")), learner=StillLearner)


@pytest.mark.parametrize(
    ("architecture", "message"),
    [
        (Architecture("gomoku", blocks=1, channels=2), "is for gomoku, not for go"),
        (Architecture("go", blocks=2, channels=3), "has blocks 2; .*, not 1"),
        (Architecture("go", blocks=1, channels=2, value_hidden=8), "has other layers"),
        (
            Architecture("go", ("own", "opponent"), blocks=1, channels=2),
            r"has inputs \('own', 'opponent'\); .*, not \('own', 'opponent', 'invalid'",
        ),
    ],
)
def test_a_network_of_another_game_or_shape_is_refused_and_no_folder_is_made(
    tmp_path: Path, architecture: Architecture, message: str
) -> None:
    path, out = tmp_path / "other.npz", tmp_path / "run"
    Network(architecture, architecture.random_parameters(seed=1)).save(path)
    with pytest.raises(ConfigError, match=message):
        train(replace(TINY, out=str(out), initial_network=str(path)), learner=StillLearner)
    assert not out.exists()


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("no network")
    for name in (str(tmp_path / "text.npz"), str(tmp_path / "none.npz"), "go1000"):
        with pytest.raises(ConfigError, match="initial_network: "):
            train(replace(TINY, out=str(tmp_path / "run"), initial_network=name), learner=StillLearner)
    assert not (tmp_path / "run").exists()


def test_samples_are_counted_on_with_another_batch(tmp_path: Path) -> None:
    learned = [0]
    for batch in (16, 256, 16):
        run = run_until(
            tmp_path / "run",
            lambda run: run.progress.samples > learned[-1],
            {"batch": batch},
            learner=StillLearner,
        )
        learned.append(run.progress.samples)
    with (tmp_path / "run" / "metrics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    samples, positions = ([int(float(row[name])) for row in rows] for name in ("samples", "positions"))
    assert samples == sorted(samples)
    assert 0 < learned[-1] == samples[-1] <= TINY.samples_per_position * positions[-1]


def test_a_game_with_an_option_called_komi_is_trained_as_one_without_komi(tmp_path: Path) -> None:
    game: Any = own_games.NoKomi
    config = replace(TINY, game=game.name, rules={"komi": "fair"}, minutes=0.02, out=str(tmp_path / "run"))
    network = train(config, learner=StillLearner)
    assert network.komi == 0.0 and network.for_game(game(komi="fair")) is network


def test_the_seed_makes_the_first_network() -> None:
    name = "stem.weight"
    one, same, other = (initial_parameters(replace(TINY, seed=seed))[name] for seed in (1, 1, 2))
    assert np.array_equal(one, same) and not np.array_equal(one, other)
