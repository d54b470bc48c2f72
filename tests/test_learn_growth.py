"""A network that grows between two stages says what it said before, and learns with all that is new."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from learn_runs import PassLearner, run_until
from sixplane.learn import Config
from sixplane.learn.growth import grown_parameters, state_of_stage
from sixplane.learn.trainer import Run
from sixplane.nets import Architecture, Network, input_planes
from sixplane.nets.numpy_backend import NumPyBackend

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

SHAPES = [(1, 3), (1, 4), (2, 4), (3, 7), (4, 8), (5, 16)]
LARGER = [
    (old, new)
    for old, new in itertools.combinations_with_replacement(SHAPES, 2)
    if old[0] <= new[0] and old[1] <= new[1]
]


def shape(blocks: int, channels: int, **others: Any) -> Architecture:
    return Architecture("go", **{"value_hidden": 8, **others}, blocks=blocks, channels=channels)


def outputs(architecture: Architecture, parameters: Any, inputs: NDArray[np.float32]) -> list[Any]:
    return list(NumPyBackend(architecture, parameters)(inputs))


@pytest.mark.parametrize(("small", "large"), LARGER, ids=str)
def test_outputs_of_the_larger_network_are_those_of_the_smaller(
    small: tuple[int, int], large: tuple[int, int]
) -> None:
    # As many channels as the layer before the value is wide are no reason to take one for the other.
    for value_hidden in (8, small[1], 2 * large[1]):
        old, new = (shape(*each, value_hidden=value_hidden) for each in (small, large))
        rng = np.random.default_rng(old.channels)
        # Parameters of a network that has learned: biases, too, and blocks that change much.
        parameters = {
            name: rng.normal(0, 1 / np.sqrt(np.prod(of[1:])), of).astype(np.float32)
            for name, of in old.shapes.items()
        }
        batch = sixplane.GameBatch(sixplane.Go((4, 6)), 20, seed=3)
        batch.play_random(9)
        inputs = input_planes(batch.planes, old.inputs, np.full(20, 7.5, np.float32))
        grown = new.check_parameters(grown_parameters(parameters, old, new, seed=1))
        for before, after in zip(outputs(old, parameters, inputs), outputs(new, grown, inputs), strict=True):
            assert np.abs(before - after).max() < 1e-5
            assert np.abs(before).max() > 1e-3
        # What is new begins with random numbers, so that its channels differ.
        if small != large:
            added = grown["stem.weight"][old.channels :], grown[f"blocks.{new.blocks - 1}.conv1.weight"]
            assert all(np.unique(each).size > each.size // 2 for each in added if each.size)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (shape(2, 4), shape(1, 4), "a network does not lose blocks: it has 2, and would have 1"),
        (shape(2, 4), shape(2, 3), "a network does not lose channels: it has 4, and would have 3"),
        (shape(2, 4), shape(2, 4, value_hidden=9), "value_hidden was 8, and is 9"),
        (shape(2, 4), shape(3, 4, pool_blocks=(0,)), r"pool_blocks were \(1,\), and would be \(0,\)"),
        (shape(2, 4), shape(2, 4, inputs=("own",)), "inputs was .*, and is "),
    ],
)
def test_another_kind_of_network_is_refused(old: Architecture, new: Architecture, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        grown_parameters(old.random_parameters(1), old, new)


STAGES: dict[str, Any] = {
    "size": None,
    "minutes": 120,
    "blocks": 1,
    "channels": 2,
    "stages": (
        {"size": 3, "minutes": 0.02},
        {"size": 3, "minutes": 0.02, "channels": 3},
        {"size": 4, "minutes": 60, "blocks": 2, "channels": 3},
    ),
}


def test_the_optimizer_knows_nothing_of_what_is_new() -> None:
    config = Config(**STAGES)
    old, new = (one.architecture for one in config.by_stage[1:])
    parameters = old.random_parameters(1)
    state: dict[str, Any] = {"steps": np.array(7)}
    for name, value in parameters.items():
        state[f"parameter {name}"] = value
        if "conv" in name and name.endswith("weight"):
            state[f"momentum {name}"] = value + 1
        else:
            state |= {f"exp_avg {name}": value + 2, f"step {name}": np.array(7, np.float32)}
    grown = state_of_stage(2, config, state)
    assert state_of_stage(1, Config(**STAGES | {"channels": 3}), state) is state
    assert {name for name in new.shapes if f"parameter {name}" in grown} == new.shapes.keys()
    assert grown.keys() >= state.keys()
    for name in new.shapes:
        kinds = {key.partition(" ")[0] for key in grown if key.endswith(" " + name)}
        conv = "conv" in name and name.endswith("weight")
        expected = {"momentum"} if conv or name == "blocks.1.pool.weight" else {"exp_avg", "step"}
        assert kinds == expected | {"parameter"}, name
    for key in state:
        assert np.array_equal(grown[key], state[key]), key
    fresh = grown.keys() - state.keys()
    assert all(not grown[key].any() for key in fresh if not key.startswith("parameter"))
    for key in fresh:
        kind, _, name = key.partition(" ")
        assert grown[key].shape == (() if kind == "step" else new.shapes[name]), key
    # The same every time, and another one by another seed.
    again, other = (state_of_stage(2, Config(**STAGES | {"seed": seed}), state) for seed in (0, 1))
    assert all(np.array_equal(again[key], grown[key]) for key in grown)
    name = "parameter blocks.1.conv1.weight"
    assert not np.array_equal(other[name], grown[name])


def test_a_run_grows_from_stage_to_stage_and_goes_on_as_it_has_grown(tmp_path: Path) -> None:
    shapes = []

    def grown(run: Run) -> bool:
        found = run.network.architecture
        shapes.append((found.blocks, found.channels))
        return run.progress.stage == 2 and run.progress.positions > run.progress.stage_positions

    learner: Any = PassLearner
    run = run_until(tmp_path, grown, STAGES, learner=learner)
    assert list(dict.fromkeys(shapes)) == [(1, 2), (1, 3), (2, 3)]
    steps = run.progress.steps
    again = run_until(tmp_path, lambda _: True, STAGES, learner=learner)
    assert again.progress.steps >= steps and again.progress.stage == 2
    assert Network.load(tmp_path / "last.npz").architecture == Config(**STAGES).by_stage[2].architecture
