"""A limit of steps of the native vector environment; test_env_vector.py compares it with Gymnasium's.

Run with the newest and the oldest supported Gymnasium.
"""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import sixplane
from sixplane.envs.vector import BoardGameVectorEnv

MODES = [mode.name.lower() for mode in AutoresetMode]


@pytest.mark.parametrize("mode", MODES)
def test_a_specification_may_limit_the_steps(mode: str) -> None:
    spec = copy.deepcopy(gym.spec("sixplane/Go-v0"))
    spec.max_episode_steps = 3
    envs: Any = gym.make_vec(spec, 2, size=3, autoreset_mode=mode, vectorization_mode="vector_entry_point")
    assert type(envs).__name__ == "BoardGameVectorEnv"
    envs.reset()
    truncated = [envs.step([action, action])[3].tolist() for action in range(3)]
    assert truncated == [[False] * 2, [False] * 2, [True] * 2]


def test_an_episode_cut_short_by_its_steps_must_be_reset_where_resets_are_disabled() -> None:
    envs = BoardGameVectorEnv("go", 2, size=3, autoreset_mode="disabled", max_episode_steps=2)
    envs.reset()
    envs.step([0, 1])
    envs.reset(options={"reset_mask": np.array([False, True])})
    *_, truncated, info = envs.step([1, 2])
    assert truncated.tolist() == [True, False]
    assert "outcome" not in info
    with pytest.raises(sixplane.IllegalActionError, match="over and not yet reset: environment 0"):
        envs.step([2, 3])
    envs.reset(options={"reset_mask": truncated})
    assert envs.step([2, 3])[3].tolist() == [False, True]


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
def test_copies_go_on_counting(clone: Any) -> None:
    envs = BoardGameVectorEnv("go", 2, size=3, max_episode_steps=3)
    envs.reset()
    envs.step([0, 1])
    envs.step([1, 2])
    again = clone(envs)
    assert envs.step([2, 3])[3].tolist() == again.step([2, 3])[3].tolist() == [True, True]


@pytest.mark.parametrize("mode", MODES)
def test_a_step_that_fails_counts_for_nothing(mode: str) -> None:
    envs = BoardGameVectorEnv("go", 2, size=3, max_episode_steps=2, illegal="raise", autoreset_mode=mode)
    envs.reset()
    envs.step([0, 1])
    for _ in range(3):
        with pytest.raises(sixplane.IllegalActionError):
            envs.step([0, 2])
    assert envs.step([1, 2])[3].tolist() == [True, True]
    if mode == "next_step":
        # The resets that wait are still to come after a failure.
        with pytest.raises(ValueError, match="1 actions for 2 games"):
            envs.step([0])
        assert envs.step([5, 5])[4]["move_number"].tolist() == [0, 0]
