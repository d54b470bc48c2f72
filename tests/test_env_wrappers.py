"""Which autoreset modes Gymnasium's wrappers of vectors take, as the page about them says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import gymnasium as gym
import gymnasium.wrappers.vector as wrappers
import numpy as np
import pytest

from sixplane.agents import RandomAgent
from sixplane.envs import VsOpponent

PAGE = Path(__file__).parents[1] / "docs" / "explain" / "autoreset.md"
MODES = ["next_step", "same_step", "disabled"]
ARGUMENTS: dict[str, list[Any]] = {
    "DtypeObservation": [np.float32],
    "TransformObservation": [lambda planes: planes],
    "TransformReward": [lambda rewards: rewards],
}
#: The modes that the page says a wrapper takes.
SAID = {
    name: [mode for mode in MODES if "any" in modes or mode.replace("_", " ") in modes.partition(";")[0]]
    for names, modes in re.findall(
        r"^\| (?:Gymnasium's|its) ((?:`\w+`[, ]+)+)\| ([^|]+) \|", PAGE.read_text(encoding="utf-8"), re.M
    )
    for name in re.findall(r"\w+", names)
}


def test_the_page_names_wrappers() -> None:
    assert len(SAID) == 7


@pytest.mark.parametrize("seat", ["black", "white"])
def test_a_wrapper_within_an_opponents_sees_the_start_from_the_learners_side(seat: str) -> None:
    inner = gym.make("sixplane/Reversi-v0", size=4, view="player")
    env = VsOpponent(gym.wrappers.FrameStackObservation(inner, 3), RandomAgent(seed=1), seat)
    for _ in range(2):
        frames, _ = env.reset(seed=1)
        own, theirs = frames[0][:2] if seat == "black" else frames[0][1::-1]
        # Black's discs at the start, then White's.
        assert np.argwhere(own).tolist() == [[1, 2], [2, 1]]
        assert np.argwhere(theirs).tolist() == [[1, 1], [2, 2]]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SAID)
def test_a_wrapper_takes_the_modes_that_the_page_says(name: str, mode: str) -> None:
    envs: Any = gym.make_vec("sixplane/Gomoku-v0", 2, size=5, autoreset_mode=mode)
    wrapper = getattr(wrappers, name)
    if mode not in SAID[name]:
        # The oldest Gymnasium asserts it.
        with pytest.raises((ValueError, AssertionError)):
            wrapper(envs, *ARGUMENTS.get(name, []))
        return
    wrapped = wrapper(envs, *ARGUMENTS.get(name, []))
    wrapped.reset(seed=1)
    for action in (0, 5, 1, 6, 2, 7, 3, 8, 4):
        over = wrapped.step(np.array([action, action]))[2]
    assert over.all()
    if mode == "disabled":
        wrapped.reset(options={"reset_mask": over})
    assert not wrapped.step(np.array([0, 0]))[2].any()
