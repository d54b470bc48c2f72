"""`info["illegal"]`: whether an illegal action lost the game."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import sixplane
from sixplane.agents import RESIGN

#: A game, an action that is legal at its start, and one that then is not.
GAMES = [
    ("Go", 3, 4, 4),
    ("Reversi", 4, 1, 1),
    ("Reversi", 4, 1, 16),
    ("Gomoku", 5, 12, 12),
    ("Gomoku", 5, 0, 25),
]


@pytest.mark.parametrize(("game", "size", "legal", "illegal"), GAMES)
def test_a_single_environment_says_whether_an_illegal_action_lost(
    game: str, size: int, legal: int, illegal: int
) -> None:
    env = gym.make(f"sixplane/{game}-v0", size=size, disable_env_checker=True)
    env.reset()
    assert "illegal" not in env.step(legal)[4]
    _, _, terminated, _, info = env.step(illegal)
    assert terminated and info["illegal"] is True and info["outcome"] == 1
    env.reset(seed=1)
    rng, over = np.random.default_rng(1), False
    info = {"action_mask": sixplane.GameBatch(_new(game, size), 1).action_masks[0]}
    while not over:
        _, _, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        over = terminated or truncated
    assert info["illegal"] is False


def _new(game: str, size: int) -> Any:
    return getattr(sixplane, game)(size=size)


class Fixed:
    """Plays its answers one after the other."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)

    def select_action(self, _game: sixplane.Game) -> Any:
        return self.answers.pop(0)


@pytest.mark.parametrize(
    ("answers", "own", "illegal"), [([4], 0, True), ([4], 4, True), ([RESIGN], 4, False), ([9], 9, False)]
)
def test_with_an_opponent_the_illegal_action_of_either_is_told(
    answers: list[Any], own: int, illegal: bool
) -> None:
    # The opponent's answer follows the learner's action 4, or the learner's own action is illegal: 4 on the
    # stone that the opponent, which begins, has put there.
    first = answers == [4] and own == 4
    seat = "white" if first else "black"
    taken = answers if first or illegal is False else [own]
    env = gym.make("sixplane/Go-v0", size=3, opponent=Fixed(*taken), seat=seat, disable_env_checker=True)
    env.reset()
    _, _, terminated, _, info = env.step(own)
    assert terminated and info["illegal"] is illegal

    many: Any = gym.make_vec("sixplane/Go-v0", 1, size=3, opponent=Fixed(*taken), seat=seat)
    many.reset()
    _, _, ended, _, infos = many.step(np.array([own]))
    assert ended.all() and infos["illegal"].tolist() == [illegal] and infos["_illegal"].tolist() == [True]


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_a_vector_marks_the_games_that_an_illegal_action_lost(mode: str) -> None:
    envs: Any = gym.make_vec("sixplane/Go-v0", 4, size=3, autoreset_mode=mode)
    envs.reset()
    envs.step(np.array([9, 4, 0, 9]))
    _, _, terminated, _, infos = envs.step(np.array([9, 4, 0, 1]))
    ends = infos["final_info"] if mode == "same_step" else infos
    assert terminated.tolist() == [True, True, True, False]
    assert ends["illegal"].dtype == np.bool_
    assert ends["illegal"].tolist() == [False, True, True, False]
    assert ends["_illegal"].tolist() == [True, True, True, False]
