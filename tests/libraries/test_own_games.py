"""Games whose rules are Python in the libraries that learn."""

from __future__ import annotations

import warnings
from typing import Any

from sb3_contrib import MaskablePPO

import own_games as games
import sixplane.pettingzoo as board_games
from sixplane.sb3 import VecEnv
from sixplane.torchrl import BoardGameEnv

with warnings.catch_warnings():
    # Its tests import its own games in a way that it has deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test

own_games: Any = games


def test_pettingzoo_finds_no_fault() -> None:
    name = own_games.Nim.name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(board_games.env(name), num_cycles=100)
    seed_test(lambda: board_games.env(name), num_cycles=20)


def test_maskable_ppo_learns_in_it() -> None:
    envs = VecEnv(own_games.TicTacToe.name, 4, opponent="random")
    learned = MaskablePPO("MlpPolicy", envs, n_steps=16, batch_size=32, seed=1).learn(64)
    assert learned.num_timesteps == 64


def test_torchrl_plays_it() -> None:
    played = BoardGameEnv(own_games.Nim.name, 4).rollout(20, break_when_any_done=False)
    assert played["next", "done"].any()
