"""The games in tianshou, by its wrapper of PettingZoo. Its DQN learns in `examples/tianshou_dqn.py`."""

from __future__ import annotations

import numpy as np
from tianshou.env import PettingZooEnv

import sixplane.pettingzoo as games


def test_its_wrapper_of_pettingzoo_plays_whole_games() -> None:
    env = PettingZooEnv(games.env("reversi", size=6))
    rng = np.random.default_rng(0)
    for _ in range(3):
        observation, _ = env.reset()
        steps, over = 0, False
        while not over:
            assert observation["agent_id"] in games.AGENTS
            legal = np.flatnonzero(observation["mask"])
            observation, rewards, terminated, truncated, _ = env.step(int(rng.choice(legal)))
            over = terminated or truncated
            steps += 1
        assert steps >= 9
        assert sorted(rewards) in ([-1, 1], [0, 0])
