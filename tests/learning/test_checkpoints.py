"""What the learner in PyTorch says of arrays that are none of its network; it broadcasts none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sixplane.learn import Config
from sixplane.learn.samples import Samples
from sixplane.learn.torch_learner import TorchLearner
from sixplane.nets import Architecture

if TYPE_CHECKING:
    from collections.abc import Callable

CONFIG = Config(game="go", size=3, blocks=1, channels=4)
ARCHITECTURE = Architecture("go", blocks=1, channels=4)
STEM = ARCHITECTURE.shapes["stem.weight"]


def learner(seed: int = 1) -> TorchLearner:
    return TorchLearner(CONFIG, ARCHITECTURE, ARCHITECTURE.random_parameters(seed=seed))


@pytest.fixture(scope="module")
def state() -> dict[str, Any]:
    """The arrays of a learner after a step."""
    trained = learner()
    count = 8
    samples = Samples(
        planes=np.zeros((count, 6, 3, 3), np.uint8),
        masks=np.ones((count, 10), np.bool_),
        policy=np.full((count, 10), 0.1, np.float16),
        root_value=np.zeros(count, np.float16),
        outcome=np.ones(count, np.int8),
        score=np.ones(count, np.float32),
        ownership=np.ones((count, 3, 3), np.int8),
        komi=np.full(count, 0.5, np.float32),
    )
    trained.step(samples, 0.01)
    return trained.state()


WEIGHT, MOMENTUM = "parameter stem.weight", "momentum blocks.0.conv1.weight"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        *(
            (
                lambda s, shape=shape: s.update({WEIGHT: np.zeros(shape, np.float32)}),
                rf"{WEIGHT} must be float32",
            )
            for shape in ((3, 3), (), (1, 1, 1, 1), (4, 1, 3, 3), (4,), STEM[::-1], (2, *STEM))
        ),
        (lambda s: s.update({WEIGHT: np.zeros(STEM, np.int64)}), f"{WEIGHT} must be float32 of shape"),
        (lambda s: s.update({WEIGHT: np.zeros(STEM, "U3")}), f"{WEIGHT} must be float32 of shape"),
        (
            lambda s: s.update({WEIGHT: np.full(STEM, np.nan, np.float32)}),
            f"{WEIGHT} has numbers that are not finite",
        ),
        (lambda s: s.pop(WEIGHT), f"{WEIGHT} is missing"),
        (lambda s: s.update({"exp_avg stem.weight": np.zeros(3)}), "exp_avg stem.weight must be float32"),
        (
            lambda s: s.update({"exp_avg_sq stem.bias": np.zeros((4, 1))}),
            "exp_avg_sq stem.bias must be float32",
        ),
        (lambda s: s.pop("exp_avg_sq stem.bias"), "exp_avg_sq stem.bias is missing"),
        (
            lambda s: s.update({"step stem.bias": np.zeros(4)}),
            r"step stem.bias must be float32 of shape \(\)",
        ),
        (lambda s: s.update({"exp_max stem.bias": np.zeros(4)}), "there is no array 'exp_max stem.bias'"),
        (lambda s: s.update({"parameter of.nobody": np.zeros(4)}), "there is no array 'parameter of.nobody'"),
        (lambda s: s.update(steps=np.zeros(2, int)), r"steps must be int64 of shape \(\)"),
        (lambda s: s.update(steps=np.array("many")), "steps must be int64"),
        (lambda s: s.pop("steps"), "steps is missing"),
        (lambda s: s.pop(MOMENTUM), f"{MOMENTUM} is missing"),
        (lambda s: s.update({MOMENTUM: np.zeros(4, np.float32)}), f"{MOMENTUM} must be float32 of shape"),
        (lambda s: s.update({"exp_avg blocks.0.conv1.weight": s.pop(MOMENTUM)}), f"{MOMENTUM} is missing"),
        (lambda s: s.update({"momentum stem.weight": s[WEIGHT]}), "there is no array 'momentum stem.weight'"),
    ],
)
def test_an_array_of_another_network_is_named_and_changes_nothing(
    state: dict[str, Any], change: Callable[[dict[str, Any]], object], says: str
) -> None:
    restored = learner(seed=2)
    before = restored.state()
    changed = dict(state)
    change(changed)
    with pytest.raises(ValueError, match=says):
        restored.restore(changed)
    after = restored.state()
    assert after.keys() == before.keys()
    assert all(np.array_equal(after[name], before[name]) for name in before)
    restored.restore(dict(state))
    assert all(np.array_equal(array, restored.state()[name]) for name, array in state.items())


def test_a_learner_before_its_first_step_is_restored_with_what_its_optimizers_begin_with(
    state: dict[str, Any],
) -> None:
    fresh = learner().state()
    assert fresh.keys() == state.keys()
    assert not any(array.any() for name, array in fresh.items() if name.split()[0] != "parameter")
    restored = learner(seed=2)
    restored.restore(dict(state))
    restored.restore(fresh)
    assert all(np.array_equal(array, restored.state()[name]) for name, array in fresh.items())
